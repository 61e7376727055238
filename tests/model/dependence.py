"""Kernels that may start while the kernel before them ends: what that leaves in order, from the commands of a queue alone.

A command has a start, an effect and an end, in this order. `Line.events` states what CUDA promises of them:

- a command starts after the ends of all before it, if it is not dependent;
- a dependent kernel starts after the start of the kernel before it, which may have triggered at once;
- one that waits at its entry has its effect after the end of the kernel before it, and of no other.

`Line.before` says which commands are in order by that, and `Line.closure` works out the same from the events.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

Event = tuple[str, int]


@dataclass(frozen=True)
class Command:
    """A command of a queue: whether it is a launch, of a kernel that waits at its entry, and how it was launched."""

    launch: bool
    waits: bool = False
    dependent: bool = False


@dataclass
class Line:
    """The commands of a queue.

    `everything`: a driver that launches every kernel behind a kernel so, whether they wait or not. That is wrong.
    """

    everything: bool = False
    commands: list[Command] = field(default_factory=list)

    def launch(self, waits: bool) -> None:
        """Launch a kernel: it is dependent if it waits, and so does what is right before it."""
        behind = bool(self.commands) and self.commands[-1].launch and (self.everything or self.commands[-1].waits)
        self.commands.append(Command(True, waits, behind and (self.everything or waits)))

    def other(self) -> None:
        """Submit something else: a copy, a fill, a marker, a wait."""
        self.commands.append(Command(False))

    def before(self) -> list[set[int]]:
        """For each command those that end before its effect."""
        before: list[set[int]] = []
        starts: list[set[int]] = []
        for index, command in enumerate(self.commands):
            starts.append(starts[-1] if command.dependent else set(range(index)))
            waited = {index - 1} | before[-1] if command.dependent and command.waits else set()
            before.append(starts[-1] | waited)
        return before

    def events(self) -> list[tuple[Event, Event]]:
        """The promises, as pairs of events: (earlier, later)."""
        order: list[tuple[Event, Event]] = []
        for index, command in enumerate(self.commands):
            order += pairwise([("start", index), ("effect", index), ("end", index)])
            if not command.dependent:
                order += [(("end", earlier), ("start", index)) for earlier in range(index)]
                continue
            order.append((("start", index - 1), ("start", index)))
            if command.waits:
                order.append((("end", index - 1), ("effect", index)))
        return order

    def closure(self) -> list[set[int]]:
        """For each command those that end before its effect, found from the events."""
        earlier: dict[Event, set[Event]] = {}
        for first, second in self.events():
            earlier.setdefault(second, set()).add(first)
        before = []
        for index in range(len(self.commands)):
            seen: set[Event] = set()
            ahead: list[Event] = [("effect", index)]
            while ahead:
                new = earlier.get(ahead.pop(), set()) - seen
                seen |= new
                ahead += new
            before.append({number for what, number in seen if what == "end"})
        return before
