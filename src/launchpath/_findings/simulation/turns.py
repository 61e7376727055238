"""Turns of a device that runs one command at a time: of its streams' next commands the one that is ready first."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple, Protocol

from launchpath._findings.simulation.program import Program, Work

_NEVER = float("-inf")


class _Runs(Protocol):
    program: Program
    tail: dict[int, float]

    def awaited(self, awaits: tuple[int, ...]) -> tuple[float, int]: ...

    def latency(self, work: Work, idle: float) -> float: ...

    def begin(
        self, place: int, work: Work, ready: tuple[int, ...], begin: float, enqueued: float, before: tuple[float, int]
    ) -> float: ...


class _Command(NamedTuple):
    place: int
    work: Work
    ready: tuple[int, ...]
    begin: float
    enqueued: float


class Turns:
    """The commands of a device that have not got their times yet: they get them when something waits for them.

    Parameters
    ----------
    runs : object
        The run that it is a part of.
    """

    def __init__(self, runs: _Runs) -> None:
        self.runs = runs
        self.queues: dict[int, deque[_Command]] = {}
        self.heads: dict[int, float] = {}  # when the first of each queue is ready
        self.left: dict[int, int] = {}  # of each call how many commands have no times
        self.owner: dict[int, int] = {}  # of each stream whose work was placed last
        self.free, self.whose = _NEVER, -1

    def put(self, place: int, work: Work, ready: tuple[int, ...], begin: float, enqueued: float) -> None:
        """Put a command into its stream."""
        stream = work.stream if work.stream not in self.runs.program.loose else -1 - place
        self.queues.setdefault(stream, deque()).append(_Command(place, work, ready, begin, enqueued))
        self.left[place] = self.left.get(place, 0) + 1

    def place(self, place: int) -> None:
        """Give times to the commands of a call, and to those that come before them."""
        while place in self.left and self._next():
            pass

    def place_all(self) -> None:
        """Give times to all commands."""
        while self._next():
            pass

    def leave(self, stream: int, count: int) -> None:
        """Give times until a stream has at most `count` commands without."""
        while len(self.queues.get(stream, ())) > count and self._next():
            pass

    def _next(self) -> bool:
        """Give a time to the command that is ready first. Tells whether there was one."""
        best, chosen = float("inf"), None
        for stream, queue in self.queues.items():
            head = self.heads.get(stream)
            if head is None:
                head = self._ready(stream, queue[0])
                if head is None:
                    continue
                self.heads[stream] = head
            if head < best or chosen is None:
                best, chosen = head, stream
        if chosen is None:
            return False
        queue = self.queues[chosen]
        command = queue.popleft()
        del self.heads[chosen]
        if not queue:
            del self.queues[chosen]
        left = self.left[command.place] - 1
        if left:
            self.left[command.place] = left
        else:
            del self.left[command.place]
        before = self.runs.tail.get(command.work.stream, _NEVER), self.owner.get(command.work.stream, -1)
        if chosen < 0:
            before = _NEVER, -1
        if self.free > before[0]:
            before = self.free, self.whose
        self.free = self.runs.begin(*command, before)
        self.whose = self.owner[command.work.stream] = command.place
        return True

    def _ready(self, stream: int, command: _Command) -> float | None:
        """Tell when a command could begin if the device were free; None: something has no time that it waits for."""
        if any(each in self.left for each in command.ready if each >= 0):
            return None
        behind = self.runs.tail.get(stream, _NEVER)
        if command.ready:
            behind = max(behind, self.runs.awaited(command.ready)[0])
        return max(command.enqueued + self.runs.latency(command.work, command.enqueued - behind), behind)
