"""Running a stretch: the clocks of host threads and of queues, call by call."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from dataclasses import dataclass

from launchpath._findings.simulation.latencies import Latencies
from launchpath._findings.simulation.program import Kind, Program, Work

_NEVER = float("-inf")
_SAME = 2.0  # an idle time within this factor of the recorded one has the recorded latency
_SHORT = 2000.0  # nanoseconds below which idle times are not told apart
_BUSY = 256  # intervals of a device's work that are looked at

# Why something began when it did: a call of the thread, a wait, or something before it in the queue.
HOST, AWAITED, QUEUE = range(3)


@dataclass
class Run:
    """What came out, for each call: nanoseconds since the begin of the stretch.

    Attributes
    ----------
    begin, end : list of float
        Of the call on its thread.
    started, done : list of float
        Of its works on the device: the first one's begin, and the last one's end. For a marker `done` is when it is
        complete; minus infinity: there is none.
    waited : list of int
        The place of the call whose work the call has waited for; -1: it has not waited.
    behind : list of int
        The place of the call whose work was the last thing that its work waited for; -1: its own call.
    """

    begin: list[float]
    end: list[float]
    started: list[float]
    done: list[float]
    waited: list[int]
    behind: list[int]


def run(program: Program, latencies: Latencies) -> Run:
    """Run a stretch from an idle device on."""
    return _Running(program, latencies).run()


class _Running:
    def __init__(self, program: Program, latencies: Latencies) -> None:
        count = len(program)
        self.program = program
        self.latencies = latencies
        self.result = Run([0.0] * count, [0.0] * count, [_NEVER] * count, [_NEVER] * count, [-1] * count, [-1] * count)
        self.tail: dict[int, float] = {}  # when each stream's last work ends
        self.last: dict[int, int] = {}  # whose work that is
        self.ends: dict[int, list[float]] = {}
        self.busy: dict[int, tuple[list[float], list[float], list[int]]] = {}

    def run(self) -> Run:
        program = self.program
        threads = sorted(set(program.thread))
        clock = dict.fromkeys(threads, 0.0)
        if len(threads) == 1:
            now = 0.0
            for place in range(len(program)):
                now = self.call(place, now + program.before[place])
            return self.result
        queues: dict[int, list[int]] = {thread: [] for thread in threads}
        for place in range(len(program) - 1, -1, -1):
            queues[program.thread[place]].append(place)
        heap = [(program.before[queue[-1]], queue[-1], thread) for thread, queue in queues.items() if queue]
        heapq.heapify(heap)
        while heap:
            begin, place, thread = heapq.heappop(heap)
            queue = queues[thread]
            queue.pop()
            clock[thread] = self.call(place, begin)
            if queue:
                heapq.heappush(heap, (clock[thread] + program.before[queue[-1]], queue[-1], thread))
        return self.result

    def call(self, place: int, begin: float) -> float:
        """Make a call. Gives its end."""
        program, result = self.program, self.result
        kind = program.kind[place]
        result.begin[place] = begin
        end = begin + program.own[place]
        if kind in (Kind.SUBMIT, Kind.BLOCK):
            if program.limit:
                end = self.room(place, end)
            end = self.submit(place, begin, end)
        elif kind == Kind.WAIT:
            awaited, whose = self.awaited(program.awaits[place])
            if awaited > begin and awaited + program.wake[place] > end:
                end = awaited + program.wake[place]
                result.waited[place] = whose
        elif kind == Kind.MARK:
            self.mark(place, end)
        elif kind == Kind.ORDER:
            awaited, whose = self.awaited(program.awaits[place])
            for work in program.works[place]:
                if awaited > self.tail.get(work.stream, _NEVER):
                    self.tail[work.stream], self.last[work.stream] = awaited, whose
            self.mark(place, end)
        result.end[place] = end
        return end

    def mark(self, place: int, end: float) -> None:
        """Complete a marker with its stream."""
        for work in self.program.works[place]:
            tail = self.tail.get(work.stream, _NEVER)
            self.result.done[place] = max(end + work.latency, tail)
            self.result.behind[place] = self.last.get(work.stream, -1) if tail > end + work.latency else -1

    def room(self, place: int, end: float) -> float:
        """Wait until the stream takes another command."""
        for work in self.program.works[place][:1]:
            limit = self.program.limit.get(work.stream)
            ends = self.ends.get(work.stream)
            if limit and ends and len(ends) >= limit and ends[-limit] > end:
                self.result.waited[place] = self.last[work.stream]
                return ends[-limit]
        return end

    def awaited(self, awaits: tuple[int, ...]) -> tuple[float, int]:
        """Tell when all is complete that is waited for, and whose work was the last."""
        latest, whose = _NEVER, -1
        done = self.result.done
        for each in awaits:
            if each >= 0:
                if done[each] > latest:
                    latest, whose = done[each], each
            elif self.tail.get(-1 - each, _NEVER) > latest:
                latest, whose = self.tail[-1 - each], self.last[-1 - each]
        return latest, whose

    def submit(self, place: int, begin: float, end: float) -> float:
        """Put the works of a call into their queues. Gives the call's end."""
        program, result = self.program, self.result
        blocks = program.kind[place] == Kind.BLOCK
        latest = _NEVER
        for work in program.works[place]:
            behind, whose = self.tail.get(work.stream, _NEVER), self.last.get(work.stream, -1)
            if work.stream in program.loose:
                behind, whose = _NEVER, -1
            if work.ready:
                ready, its = self.awaited(work.ready)
                if ready > behind:
                    behind, whose = ready, its
            enqueued = begin if blocks else end
            latency = self.latency(work, enqueued - behind)
            start = max(enqueued + latency, begin)
            if behind + work.gap > start:
                start = behind + work.gap
                result.behind[place] = whose
            if work.device in program.alone:
                start = self.alone(place, work, start)
            if result.started[place] == _NEVER:
                result.started[place] = start
            done = start + work.time
            latest = max(latest, done)
            self.last[work.stream] = place if done >= self.tail.get(work.stream, _NEVER) else self.last[work.stream]
            self.tail[work.stream] = max(done, self.tail.get(work.stream, _NEVER))
            if program.limit:
                self.ends.setdefault(work.stream, []).append(self.tail[work.stream])
        result.done[place] = latest
        if blocks and latest + program.wake[place] > end:
            end = latest + program.wake[place]
            result.waited[place] = place
        return end

    def latency(self, work: Work, idle: float) -> float:
        """Give the recorded latency where the queue was idle for as long, and otherwise what is usual then."""
        if idle < 0:
            return work.latency if work.idle < 0 else min(work.latency, self.latencies.usual(work, 0.0))
        if work.idle >= 0:
            ratio = (idle + _SHORT) / (work.idle + _SHORT)
            if 1 / _SAME <= ratio <= _SAME:
                return work.latency
        elif idle == float("inf"):
            return work.latency
        return self.latencies.usual(work, idle)

    def alone(self, place: int, work: Work, start: float) -> float:
        """Find the first time from `start` on at which the device does nothing for long enough."""
        begins, ends, owners = self.busy.setdefault(work.device, ([], [], []))
        at = bisect_left(ends, start + 1e-6)
        while at < len(begins) and begins[at] < start + work.time:
            start = max(start, ends[at])
            self.result.behind[place] = owners[at]
            at += 1
        begins.insert(at, start)
        ends.insert(at, start + work.time)
        owners.insert(at, place)
        if len(begins) > 2 * _BUSY:
            del begins[:_BUSY], ends[:_BUSY], owners[:_BUSY]
        return start
