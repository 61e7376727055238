"""Synchronizations, and what the program has of them: what the host reads, and what devices do behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy

from launchpath._findings.ordering.order import order_of
from launchpath._findings.ordering.pointers import share_nothing
from launchpath._findings.regions.calls import Calls, grouped, typical_calls
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Direction, Role, Scope
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.format import BLOCKING, PINNED

READ_BEFORE = "the host reads what a copy before it brings"
READ_BEHIND = "the host reads what is behind it"
ORDERS = "it orders streams"
MOST = 60  # repetitions that are looked at
_LOOKS = 300  # synchronizations of a line that are looked at
_FAR = 4096  # calls of the thread between which the synchronizations before and behind are searched
_MAPS = re.compile(r"clEnqueue(SVM)?Map|.*ReadHostPipe")
_TIMES = re.compile(r".*([Ee]lapsed|Profiling)")
_CALLBACKS = re.compile(r".*(LaunchHostFunc|AddCallback|SetEventCallback|callback|host_function|NativeKernel)")
_SHARED = re.compile(r".*(AllocManaged|MallocManaged|SVMAlloc|SharedMemAlloc|HostMemAlloc)")
_FREES = re.compile(
    r"(cu|hip)(Mem)?(Free|Host)|(cu|hip)(Stream|Event|Module|GraphExec|Ctx)(Destroy|Unload)|.*(MemFree|SVMFree)"
)


@dataclass
class Need:
    """What one synchronization is for.

    Attributes
    ----------
    row : int
    reason : str
        Why it is needed; empty: nothing needs it.
    outstanding : dict of int to list of int
        By stream the calls whose work it waits for, in the order of time.
    read : list of int
        Copies to the host whose bytes the host may read behind it, and before the thread's next one.
    follow : list of int
        Calls behind it, and before the next one, that put commands into other streams than those it waits for.
    """

    row: int
    reason: str = ""
    outstanding: dict[int, list[int]] = field(default_factory=dict)
    read: list[int] = field(default_factory=list)
    follow: list[int] = field(default_factory=list)
    orders: bool = False  # those may use what it waits for in other streams


class Synchronizations:
    """Looks at synchronizations of a region's thread."""

    def __init__(self, region: Region) -> None:
        self.region, self.timeline = region, region.timeline
        self.ops, self.order = region.timeline.ops, order_of(region)
        first, last = numpy.searchsorted(self.ops.thread, [region.thread, region.thread + 1])
        rows = numpy.arange(first, last)
        self.rows: Array = rows[self.ops.depth[rows] == 0]
        self._needs: dict[int, Need] = {}
        self.own = self.timeline.meta.get("recorder") is not True
        self._maps = _matching(self.timeline, _MAPS)
        self._times = _matching(self.timeline, _TIMES)
        self._callbacks = _matching(self.timeline, _CALLBACKS)
        self._frees = _matching(self.timeline, _FREES)

    @property
    def shares_memory(self) -> bool:
        """Whether the host may read what kernels write without any call."""
        if self.own:
            return False  # arrays are read through copies
        called = numpy.unique(self.ops.function)
        return bool((_matching(self.timeline, _SHARED))[called].any()) if len(called) else False

    def places(self) -> list[Calls]:
        """Give the synchronizations of the typical repetition."""
        calls = typical_calls(self.region)
        if not calls.size:
            return []
        columns = numpy.flatnonzero(self.ops.role[calls[0]] == Role.SYNCHRONIZE)
        return grouped(self.region, columns.tolist())

    def needs(self, place: Calls) -> list[Need]:
        """Look at what each of some repetitions' synchronizations is for: those of consecutive ones in the middle."""
        count = max(LEAST, min(MOST, _LOOKS // place.rows.shape[1]))
        first = max(0, (len(place.rows) - count) // 2)
        rows = place.rows[first : first + count].reshape(-1).tolist()
        for row in rows:
            if row not in self._needs:
                self._needs[row] = self.need(row)
        return [self._needs[row] for row in rows]

    def need(self, row: int) -> Need:
        """Look at what a synchronization is for."""
        need = Need(row)
        place = int(numpy.searchsorted(self.rows, row))
        covered = self._covered(row)
        if covered is None:
            need.reason = "it waits for events that are not in the records"
            return need
        before, after = self._neighbour(place, -1, covered), self._neighbour(place, 1, covered)
        if after is None:
            need.reason = "the program waits for nothing behind it"
            return need
        begin = int(self.ops.end[before]) if before is not None else self._earliest(place)
        self._look_before(need, begin, covered)
        self._look_after(need, int(self.ops.end[after]))
        return need

    def _covered(self, row: int) -> set[int] | None:
        """Give the streams that a synchronization waits for; empty: all. None: not known."""
        if self.ops.scope[row] == Scope.DEVICE:
            return set()
        if self.ops.scope[row] == Scope.EVENT:
            makers = self.order.makers.get(row)
            if makers and min(makers) >= 0:
                return {int(stream) for stream in self.ops.stream[makers]}
        stream = int(self.ops.stream[row])
        return {stream} if stream else None

    def _neighbour(self, place: int, step: int, covered: set[int]) -> int | None:
        """Give the thread's synchronization before or behind that waits for the same streams at least."""
        for at in range(place + step, min(max(place + step * _FAR, -1), len(self.rows)), step):
            row = int(self.rows[at])
            if self.ops.role[row] == Role.SYNCHRONIZE:
                its = self._covered(row)
                if its is not None and (not its or (covered and covered <= its)):
                    return row
            elif self.ops.flags[row] & BLOCKING and covered == {int(self.ops.stream[row])}:
                return row
        return None

    def _earliest(self, place: int) -> int:
        return int(self.ops.begin[self.rows[max(place - _FAR, 0)]])

    def _look_before(self, need: Need, begin: int, covered: set[int]) -> None:
        """Find what the synchronization waits for, and whether the host uses it."""
        ops = self.ops
        waited = self._waited(begin, need.row)
        for each in self.order.between(begin, int(ops.begin[need.row])).tolist():
            stream, role, function = int(ops.stream[each]), int(ops.role[each]), int(ops.function[each])
            if self._callbacks[function]:
                need.reason = "the device calls a function of the host"
            if covered and stream not in covered:
                continue
            if ops.begin[each] < waited.get(stream, 0):
                continue
            if role in SUBMITS:
                need.outstanding.setdefault(stream, []).append(each)
            if role == Role.COPY and not ops.flags[each] & BLOCKING:
                self._look_at_copy(need, each)

    def _waited(self, begin: int, row: int) -> dict[int, int]:
        """Tell for which commands narrower synchronizations have waited: by stream those that came before a time."""
        ops, waited = self.ops, dict[int, int]()
        first = int(numpy.searchsorted(ops.begin[self.rows], begin))
        for each in self.rows[first : numpy.searchsorted(self.rows, row)].tolist():
            stream = int(ops.stream[each])
            if ops.role[each] != Role.SYNCHRONIZE:
                continue
            if ops.scope[each] == Scope.STREAM and stream:
                waited[stream] = int(ops.begin[each])
            makers = self.order.makers.get(each, []) if ops.scope[each] == Scope.EVENT else []
            for maker in makers:
                if maker >= 0:  # what is behind the record of an event is not waited for
                    stream = int(ops.stream[maker])
                    waited[stream] = max(int(self.order.moment[maker]) + 1, waited.get(stream, 0))
        return waited

    def _look_at_copy(self, need: Need, row: int) -> None:
        ops, direction = self.ops, int(self.ops.direction[row])
        if direction == Direction.TO_HOST or self._maps[int(ops.function[row])]:
            need.read.append(row)
            need.reason = READ_BEFORE
        elif direction == Direction.TO_DEVICE:
            # launchpath has read ordinary memory by the end of the call; others may read it until then.
            safe = self.own and self.timeline.evidence and not ops.flags[row] & PINNED
            if not safe:
                need.reason = "a copy before it reads the host's memory until then"
        elif direction != Direction.ON_DEVICE and ops.work[row] < 0:
            need.reason = "it may be a copy to the host that is waited for"

    def _look_after(self, need: Need, until: int) -> None:
        """Find what relies on the synchronization before the next one."""
        ops, streams = self.ops, set(need.outstanding)
        thread, submitted = int(ops.thread[need.row]), False
        for each in self.order.between(int(ops.end[need.row]), until).tolist():
            if each == need.row:
                continue
            stream, role, function = int(ops.stream[each]), int(ops.role[each]), int(ops.function[each])
            if self._times[function]:
                need.reason = "an event's time is asked for"
            elif self._callbacks[function]:
                need.reason = "the device calls a function of the host"
            elif self._frees[function] and not self.own and not submitted and ops.thread[each] == thread:
                need.reason = "memory is freed right behind it"
            elif self._is_read(each, until):
                need.read.append(each)
                if streams - {stream}:
                    need.reason = need.reason or READ_BEHIND
            if role in SUBMITS:
                submitted = True
                if streams - {stream}:
                    need.follow.append(each)
        need.orders = self._orders(need)
        if need.orders and not need.reason:
            need.reason = ORDERS

    def _is_read(self, copy: int, until: int) -> bool:
        """Tell whether the host may read what a call brings before the next synchronization is over."""
        ops = self.ops
        if ops.role[copy] != Role.COPY:
            return False
        if ops.direction[copy] != Direction.TO_HOST and not self._maps[int(ops.function[copy])]:
            return False
        if not self.timeline.evidence or ops.flags[copy] & BLOCKING or ops.thread[copy] != self.region.thread:
            return True
        place = int(numpy.searchsorted(self.rows, copy)) + 1
        for row in self.rows[place : place + _FAR].tolist():
            if ops.end[row] >= until:
                return False
            if ops.role[row] == Role.SYNCHRONIZE:
                covered = self._covered(row)
                if covered is None or not covered or int(ops.stream[copy]) in covered:
                    return True
        return False

    def _orders(self, need: Need) -> bool:
        """Tell whether commands behind it may rely on what it waits for in other streams."""
        by_stream: dict[int, list[int]] = {}
        for row in need.follow:
            by_stream.setdefault(int(self.ops.stream[row]), []).append(row)
        for stream, rows in by_stream.items():
            others = [row for source, its in need.outstanding.items() if source != stream for row in its]
            if not share_nothing(self.ops, rows + need.outstanding.get(stream, []), others):
                return True
        return False


def _matching(timeline: Timeline, pattern: re.Pattern[str]) -> Array:
    return numpy.array([pattern.match(name) is not None for name in timeline.names] or [False], "?")


def synchronizations_of(region: Region) -> Synchronizations:
    """Give the synchronizations of a region; they are looked up once."""
    if "synchronizations" not in region.notes:
        region.notes["synchronizations"] = Synchronizations(region)
    result: Synchronizations = region.notes["synchronizations"]
    return result
