"""Following the recorded order: what each call has waited for, and what each work was behind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import inf

import numpy

from launchpath._findings.simulation.columns import CLOCKS, NEVER, Recorded
from launchpath._findings.simulation.program import Kind, waits_for_streams
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role, Scope
from launchpath._findings.timeline.timeline import Timeline

_SHORT = 5000.0  # nanoseconds of a synchronization that did not wait
_IMPLICIT = 20_000.0  # nanoseconds of a call that is no synchronization, from which on it may have waited
_SUBMITS = frozenset(int(role) for role in SUBMITS)
_MARKS = frozenset((int(Role.RECORD), int(Role.ORDER)))
_MAY_WAIT = frozenset((int(Role.FREE), int(Role.COPY), int(Role.OTHER)))


class Order:
    """What waits for what in a stretch.

    Parameters
    ----------
    timeline : Timeline
    recorded : Recorded
    streams : dict
        The device of each stream.
    more : dict
        For a correlation number the events that its command waits for beyond two.
    earlier : numpy.ndarray
        When works from before the stretch have ended.

    Attributes
    ----------
    kind : list of Kind
    done : list of float
        When the works of each call have ended, and a marker was complete; `columns.NEVER`: there are none.
    awaits, ready : list of tuple of int
        As in `Program.awaits` and `Work.ready`.
    wake : list of float
        From the end of what a call waited for to its end. Minus infinity: it has not waited. Infinity: for something
        from before the stretch.
    behind : numpy.ndarray of float64
        When all had ended that a work was behind.
    unsure : numpy.ndarray of bool
        Works that may have waited for something that the records do not tell.
    """

    def __init__(
        self,
        timeline: Timeline,
        recorded: Recorded,
        streams: dict[int, int],
        more: dict[int, list[int]],
        earlier: Array,
    ) -> None:
        ops, rows, count = timeline.ops, recorded.rows, len(recorded)
        self.kind = [Kind.PLAIN] * count
        self.done = [NEVER] * count
        self.awaits: list[tuple[int, ...]] = [()] * count
        self.ready: list[tuple[int, ...]] = [()] * count
        self.wake = [0.0] * count
        self.behind = numpy.full(count, NEVER)
        self.unsure = numpy.zeros(count, "?")
        self._held: set[int] = set()  # streams that wait for something that the records do not tell
        self._streams = streams
        self._tail: dict[int, float] = {}
        self._earlier = numpy.sort(earlier).tolist()
        self._ends = _Ends(recorded.ended)
        self._begin, self._end = recorded.begin.tolist(), recorded.end.tolist()
        self._stream, self._device = recorded.stream.tolist(), recorded.device.tolist()
        self._blocks, self._ended = recorded.blocks.tolist(), recorded.ended.tolist()
        events, first, second, numbers = (
            column[rows].tolist() for column in (ops.event, ops.wait, ops.wait_too, ops.correlation)
        )
        roles, scopes = recorded.role.tolist(), ops.scope[rows].tolist()
        has, polls = recorded.has.tolist(), recorded.polls.tolist()
        handles: dict[int, int] = {}
        for place, role in enumerate(roles):
            events_awaited = [each for each in (first[place], second[place], *more.get(numbers[place], ())) if each]
            awaited = tuple(handles[each] for each in events_awaited if each in handles)
            if has[place] and role in _SUBMITS:
                self._submit(place, awaited)
            elif role == Role.SYNCHRONIZE or polls[place]:
                if events[place] and events[place] in events_awaited and self._stream[place]:
                    # It records the event inside of its own call: an earlier record of the same handle is over.
                    awaited = waits_for_streams([self._stream[place]])
                self._wait(place, awaited, scopes[place], known=bool(events_awaited))
            elif role in _MARKS and self._stream[place]:
                self._mark(place, awaited)
                if role == Role.ORDER and not awaited:
                    self._held.add(self._stream[place])
            elif role in _MAY_WAIT and self._end[place] - self._begin[place] > _IMPLICIT:
                self._may_wait(place)
            if events[place]:
                handles[events[place]] = place
                if self.done[place] == NEVER:
                    self.done[place] = self._end[place]

    def _submit(self, place: int, awaited: tuple[int, ...]) -> None:
        stream, done = self._stream[place], self._ended[place]
        self.kind[place] = Kind.BLOCK if self._blocks[place] else Kind.SUBMIT
        self.ready[place] = awaited
        self.unsure[place] = stream in self._held
        self._held.discard(stream)
        tail = self._tail.get(stream, NEVER)
        self.behind[place] = max(tail, self.latest(awaited))
        self.done[place] = done
        self._tail[stream] = max(done, tail)
        if self._blocks[place]:
            self.wake[place] = self._end[place] - done

    def _wait(self, place: int, awaited: tuple[int, ...], scope: int, known: bool) -> None:
        begin, end = self._begin[place], self._end[place]
        if not known:
            awaited, known = self._scope(place, scope)
        latest = self.latest(awaited)
        long = end - begin > _IMPLICIT and latest <= begin
        impossible = latest > end + CLOCKS
        if not known or long or impossible:
            found = self._ends.awaited(begin, end, place)
            if found or not known or impossible:
                awaited, latest = found, self.latest(found)
        if latest > begin and end - latest > _IMPLICIT:
            # A thread that waits may run other streams' commands meanwhile, on CPU devices, and comes back behind them.
            found = self._ends.awaited(begin, end, place)
            if self.latest(found) > latest:
                awaited, latest = (*awaited, *found), self.latest(found)
        self.kind[place], self.awaits[place] = Kind.WAIT, awaited
        self.wake[place] = end - latest if latest > begin else -inf
        if latest > begin:
            return
        last = bisect_right(self._earlier, end + CLOCKS) - 1
        if last >= 0 and self._earlier[last] > begin and end - begin > _SHORT:
            self.wake[place] = inf

    def _scope(self, place: int, scope: int) -> tuple[tuple[int, ...], bool]:
        """Give the streams that a synchronization waits for, and whether they are known."""
        stream = self._stream[place]
        if scope == Scope.STREAM and stream:
            return waits_for_streams([stream]), True
        if scope == Scope.DEVICE:
            device = self._streams.get(stream, self._device[place])
            return waits_for_streams([each for each, its in self._streams.items() if its == device]), True
        return (), False

    def _mark(self, place: int, awaited: tuple[int, ...]) -> None:
        stream = self._stream[place]
        self.kind[place] = Kind.ORDER if awaited else Kind.MARK
        self.awaits[place] = awaited
        tail = self._tail.get(stream, NEVER)
        if awaited:
            tail = self._tail[stream] = max(tail, self.latest(awaited))
        self.done[place] = max(tail, self._end[place])

    def _may_wait(self, place: int) -> None:
        """Let a call that frees or maps memory wait, if it ended right behind a work."""
        begin, end = self._begin[place], self._end[place]
        awaited = self._ends.awaited(begin, end, place)
        latest = self.latest(awaited)
        if latest > begin and end - latest < _IMPLICIT:
            self.kind[place], self.awaits[place], self.wake[place] = Kind.WAIT, awaited, end - latest

    def latest(self, awaits: Sequence[int]) -> float:
        """Tell when all had ended that is waited for."""
        return max(
            (self.done[each] if each >= 0 else self._tail.get(-1 - each, NEVER) for each in awaits), default=NEVER
        )


class _Ends:
    """Finds what a call has waited for, where the records do not tell: the work that ended last in its time."""

    def __init__(self, ended: Array) -> None:
        places = numpy.flatnonzero(ended > NEVER)
        self.places = places[numpy.argsort(ended[places], kind="stable")]
        self.ends = ended[self.places]

    def awaited(self, begin: float, end: float, before: int) -> tuple[int, ...]:
        """Give the call, made before the place `before`, whose work it was; empty: there is none."""
        at = int(numpy.searchsorted(self.ends, end + CLOCKS, "right")) - 1
        while at >= 0 and self.ends[at] > begin:
            if self.places[at] < before:
                return (int(self.places[at]),)
            at -= 1
        return ()
