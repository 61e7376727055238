"""Running a stretch: the clocks of host threads and of queues, call by call."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from launchpath._findings.simulation.latencies import Latencies
from launchpath._findings.simulation.program import Kind, Program, Work
from launchpath._findings.simulation.turns import Turns

_NEVER = float("-inf")
_SAME = 2.0  # an idle time within this factor of the recorded one has the recorded latency
_SHORT = 2000.0  # nanoseconds below which idle times are not told apart


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
        self.tail: dict[int, float] = {}  # when each stream's last work ends, of devices that run several at once
        self.last: dict[int, int] = {}  # whose work that is
        self.ends: dict[int, list[float]] = {}
        self.orders: dict[int, tuple[int, ...]] = {}  # what the next work of a stream has to wait for
        self.marks: dict[int, int] = {}  # markers whose streams have works that are not placed yet
        self.turns = {device: Turns(self) for device in program.alone}

    def run(self) -> Run:
        program = self.program
        if len(set(program.thread)) == 1:
            now = 0.0
            for place in range(len(program)):
                now = self.call(place, now + program.before[place])
        else:
            self.threads()
        for turns in self.turns.values():
            turns.place_all()
        for place in list(self.marks):
            self.done(place)
        return self.result

    def threads(self) -> None:
        """Run several threads: of their next calls the one that begins first."""
        program = self.program
        queues: dict[int, list[int]] = {}
        for place in range(len(program) - 1, -1, -1):
            queues.setdefault(program.thread[place], []).append(place)
        heap = [(program.before[queue[-1]], queue[-1], thread) for thread, queue in queues.items()]
        heapq.heapify(heap)
        while heap:
            begin, place, thread = heapq.heappop(heap)
            queue = queues[thread]
            queue.pop()
            end = self.call(place, begin)
            if queue:
                heapq.heappush(heap, (end + program.before[queue[-1]], queue[-1], thread))

    def call(self, place: int, begin: float) -> float:
        """Make a call. Gives its end."""
        program, result = self.program, self.result
        kind = program.kind[place]
        result.begin[place] = begin
        end = begin + program.own[place]
        if kind == Kind.PLAIN:
            pass
        elif kind == Kind.SUBMIT:
            if program.limit:
                end = self.room(place, end)
            self.submit(place, begin, end)
        elif kind == Kind.BLOCK:
            self.submit(place, begin, begin)
            end = max(end, self.done(place) + program.wake[place])
            result.waited[place] = place
        elif kind == Kind.WAIT:
            awaited, whose = self.awaited(program.awaits[place])
            if awaited > begin and awaited + program.wake[place] > end:
                end = awaited + program.wake[place]
                result.waited[place] = whose
        else:
            self.mark(place, end)
        result.end[place] = end
        return end

    def mark(self, place: int, end: float) -> None:
        """Complete a marker with its stream, or let its stream wait."""
        for work in self.program.works[place]:
            stream = work.stream
            if self.program.kind[place] == Kind.ORDER:
                self.orders[stream] = (*self.orders.get(stream, ()), *self.program.awaits[place])
            self.result.done[place] = end
            if stream in self.last:
                self.marks[place] = self.last[stream]
            if self.program.kind[place] == Kind.ORDER and self.program.awaits[place]:
                awaited, whose = self.awaited(self.program.awaits[place])
                if awaited > end:
                    self.result.done[place], self.result.behind[place] = awaited, whose

    def done(self, place: int) -> float:
        """Tell when a call's works are complete."""
        result = self.result
        if place in self.marks:
            last = self.marks.pop(place)
            if self.done(last) > result.done[place]:
                result.done[place], result.behind[place] = result.done[last], last
        for work in self.program.works[place][:1]:
            if work.device in self.turns:
                self.turns[work.device].place(place)
        return result.done[place]

    def room(self, place: int, end: float) -> float:
        """Wait until the stream takes another command."""
        for work in self.program.works[place][:1]:
            limit = self.program.limit.get(work.stream)
            ends = self.ends.get(work.stream, [])
            if work.device in self.turns and limit:
                self.turns[work.device].leave(work.stream, limit - 1)
            if limit and len(ends) >= limit and ends[-limit] > end:
                self.result.waited[place] = self.last[work.stream]
                return ends[-limit]
        return end

    def awaited(self, awaits: tuple[int, ...]) -> tuple[float, int]:
        """Tell when all is complete that is waited for, and whose work was the last."""
        latest, whose = _NEVER, -1
        for each in awaits:
            place = each if each >= 0 else self.last.get(-1 - each, -1)
            if place >= 0 and self.done(place) > latest:
                latest, whose = self.result.done[place], place
        return latest, whose

    def submit(self, place: int, begin: float, enqueued: float) -> None:
        """Put the works of a call into their queues."""
        program = self.program
        for work in program.works[place]:
            stream = work.stream
            # A marker stands for the last work before it in its stream.
            ready = tuple(self.marks.get(each, each) for each in (*work.ready, *self.orders.pop(stream, ())))
            if work.device in self.turns:
                self.turns[work.device].put(place, work, ready, begin, enqueued)
                self.last[stream] = place
                continue
            behind, whose = self.tail.get(stream, _NEVER), self.last.get(stream, -1)
            if stream in program.loose:
                behind, whose = _NEVER, -1
            self.begin(place, work, ready, begin, enqueued, (behind, whose))

    def begin(
        self, place: int, work: Work, ready: tuple[int, ...], begin: float, enqueued: float, before: tuple[float, int]
    ) -> float:
        """Let a work begin when it can. Gives its end."""
        result, stream = self.result, work.stream
        behind, whose = before
        if ready:
            latest, its = self.awaited(ready)
            if latest > behind:
                behind, whose = latest, its
        start = max(enqueued + self.latency(work, enqueued - behind), begin)
        if behind + work.gap > start:
            start = behind + work.gap
            result.behind[place] = whose
        done = start + work.time
        if result.started[place] == _NEVER:
            result.started[place] = start
        result.done[place] = max(result.done[place], done)
        if done >= self.tail.get(stream, _NEVER):
            self.tail[stream] = done
            if work.device not in self.turns:
                self.last[stream] = place
        if self.program.limit:
            self.ends.setdefault(stream, []).append(self.tail[stream])
        return done

    def latency(self, work: Work, idle: float) -> float:
        """Give the recorded latency where the queue was idle for as long, and otherwise what is usual then."""
        if idle < 0:
            return work.latency if work.idle < 0 else min(work.latency, self.latencies.usual(work, 0.0))
        if work.idle >= 0:
            ratio = (idle + _SHORT) / (work.idle + _SHORT)
            if 1 / _SAME <= ratio <= _SAME or idle == work.idle:
                return work.latency
        elif idle == float("inf"):
            return work.latency
        return self.latencies.usual(work, idle)
