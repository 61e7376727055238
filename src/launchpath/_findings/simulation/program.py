"""A stretch of a program, as the simulation runs it: calls in the order of time, without the times they waited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

_INSIDE = 0.8  # of a call's own time at most was its records' cost


class Kind(IntEnum):
    """How a call of a host thread ends."""

    PLAIN = 0  # after its own time
    SUBMIT = 1  # after its own time; a device works for it from then on
    BLOCK = 2  # when its own work has ended
    WAIT = 3  # when other calls' works have ended
    MARK = 4  # after its own time; it is complete with all that its stream has to do
    ORDER = 5  # after its own time; its stream goes on when other calls' works have ended


class Work(NamedTuple):
    """What a device does for a call.

    Attributes
    ----------
    stream, device : int
    time : float
        Nanoseconds on the device.
    latency : float
        From the end of the call to the work's begin, on an idle queue; of a call that blocks, from its begin. Negative:
        the device begins while the call goes on.
    idle : float
        For how long the queue had been idle when the call submitted it; negative: it was not.
    gap : float
        From the end of what it is behind to its begin.
    ready : tuple of int
        The calls, by their places, whose works it waits for, beyond those before it in its stream.
    role : int
    shown : bool
        Whether its latency was seen, and is not only what it may have been at most.
    """

    stream: int
    device: int
    time: float
    latency: float
    idle: float
    gap: float
    ready: tuple[int, ...] = ()
    role: int = 0
    shown: bool = False


@dataclass
class Program:
    """Calls of all host threads in the order of their begins: a place for each. Times are nanoseconds.

    Attributes
    ----------
    rows : list of int
        The calls' rows in ``Timeline.ops``; -1: an edit has added it.
    thread : list of int
    begin : float
        When the stretch began; the threads' clocks are from there on.
    before : list of float
        The thread's time before the call, since its call before.
    own : list of float
        The call's own time.
    kind : list of Kind
    wake : list of float
        From the end of what a call waited for to its own end.
    awaits : list of tuple of int
        Of waits for calls: the places of the calls. Of waits for streams: the streams' numbers, each as -1 - number.
    works : list of tuple of Work
        What is submitted.
    limit : dict
        For a stream, how many commands it takes before submissions wait.
    alone : frozenset of int
        The devices that run one command at a time.
    loose : frozenset of int
        The streams that do not keep the order.
    cost : list of float
        What the records of the call have cost the thread: contained in `before` of its next call, or in `own`.
    read, read_inside : list of float
        What it has cost to read the bytes of copies, in `before` and in `own`.
    late : float
        By which threads wake up later because of the trace.
    """

    rows: list[int]
    thread: list[int]
    begin: float
    before: list[float]
    own: list[float]
    kind: list[Kind]
    wake: list[float]
    awaits: list[tuple[int, ...]]
    works: list[tuple[Work, ...]]
    limit: dict[int, int] = field(default_factory=dict)
    alone: frozenset[int] = frozenset()
    loose: frozenset[int] = frozenset()
    cost: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    read_inside: list[float] = field(default_factory=list)
    late: float = 0.0

    def __len__(self) -> int:
        return len(self.rows)

    def copy(self) -> Program:
        """Give one whose lists can be changed."""
        return replace(
            self,
            before=list(self.before),
            own=list(self.own),
            kind=list(self.kind),
            wake=list(self.wake),
            awaits=list(self.awaits),
            works=list(self.works),
            cost=list(self.cost),
        )

    def untraced(self) -> Program:
        """Give the program without what its records have cost: a record is written behind the end of its call."""
        program = self.copy()
        last: dict[int, int] = {}
        for place, thread in enumerate(self.thread):
            self._without_reading(program, place)
            if self.kind[place] in (Kind.WAIT, Kind.BLOCK):
                program.wake[place] -= min(self.late, _INSIDE * max(self.wake[place], 0.0))
            previous = last.get(thread, -1)
            last[thread] = place
            if previous < 0:
                continue
            cost = self.cost[previous] if self.cost else 0.0
            outside = min(program.before[place], cost)
            program.before[place] -= outside
            # What does not fit there was inside of the call, of calls that it has made.
            program.own[previous] -= min(cost - outside, _INSIDE * program.own[previous])
        program.cost, program.read, program.read_inside, program.late = [], [], [], 0.0
        return program

    def _without_reading(self, program: Program, place: int) -> None:
        """Take out what it has cost to read the bytes of copies, before the call and in it."""
        if not self.read:
            return
        program.before[place] -= min(self.read[place], program.before[place])
        inside = self.read_inside[place]
        if self.kind[place] == Kind.BLOCK:
            for work in self.works[place][:1]:
                less = min(inside, _INSIDE * max(work.latency, 0.0))
                program.works[place] = (work._replace(latency=work.latency - less), *self.works[place][1:])
        else:
            program.own[place] -= min(inside, program.own[place])


def waits_for_streams(streams: Sequence[int]) -> tuple[int, ...]:
    """Write streams as `Program.awaits` has them."""
    return tuple(-1 - stream for stream in streams)
