"""A machine that runs made-up programs: host threads and queues that are looked at again and again, in the order of time.

It is the reference of the simulation, and shares no idea with it: nothing is computed ahead, each thread and each queue is
asked at each moment whether it can go on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from launchpath._trace.format import BLOCKING
from tests.findings.timelines import Calls

_NEVER = float("-inf")


@dataclass(frozen=True)
class Call:
    """A call of a program.

    Attributes
    ----------
    what : str
        ``launch``, ``copy`` (it blocks), ``upload`` (it does not), ``record``, ``order``, ``synchronize``, ``synchronize
        device``, ``synchronize event`` or ``allocate``.
    before, own : int
        Nanoseconds of the thread before it, and of the call itself.
    time : int
        Nanoseconds on the device.
    event : int
        That it records or waits for.
    """

    what: str
    stream: int = 1
    before: int = 1000
    own: int = 2000
    time: int = 0
    event: int = 0
    name: str = ""
    waits: bool = True  # a synchronization; false: it returns at once

    @property
    def submits(self) -> bool:
        return self.what in ("launch", "copy", "upload")


@dataclass(frozen=True)
class Machine:
    """How the devices behave, nanoseconds.

    Attributes
    ----------
    latency : int
        From the end of a submission to its begin on a queue that is not idle.
    sleepy : int
        What comes to that on a queue that was idle for longer than `drowsy`.
    gap : int
        Between two commands of a queue.
    wake : int
        From the end of what is waited for to the end of the wait.
    alone : bool
        The device runs one command at a time.
    """

    latency: int = 3000
    sleepy: int = 0
    drowsy: int = 20_000
    gap: int = 500
    wake: int = 4000
    alone: bool = False


@dataclass
class _Command:
    call: Call
    enqueued: float
    after: list[_Command]  # by orders of its stream
    again: float = 0.0  # from when on it may begin, by its latency
    begin: float = _NEVER
    end: float = _NEVER

    def complete(self, now: float) -> bool:
        return _NEVER < self.end <= now


@dataclass
class Ran:
    """A call that ran."""

    call: Call
    thread: int
    repetition: int
    begin: float
    end: float
    command: _Command | None


@dataclass
class _Thread:
    number: int
    calls: list[tuple[int, Call]]
    at: int = 0
    until: float = 0.0  # when what it does ends
    ran: Ran | None = None
    waits: list[_Command] = field(default_factory=list)


class Running:
    """Runs a program on a machine.

    Parameters
    ----------
    programs : sequence
        For each thread the calls of a repetition.
    """

    def __init__(self, machine: Machine, programs: Sequence[Sequence[Call]], repetitions: int) -> None:
        self.machine = machine
        self.repetitions = repetitions
        self.queues: dict[int, list[_Command]] = defaultdict(list)
        self.begun: dict[int, int] = defaultdict(int)  # how many of each queue have begun
        self.orders: dict[int, list[_Command]] = defaultdict(list)
        self.events: dict[int, list[_Command]] = {}
        self.ran: list[Ran] = []
        self.threads = [
            _Thread(number, [(repetition, call) for repetition in range(repetitions) for call in calls])
            for number, calls in enumerate(programs)
        ]
        for thread in self.threads:
            if thread.calls:
                thread.until = thread.calls[0][1].before
        self.now = self.free = 0.0
        self.times: set[float] = {0.0, *(thread.until for thread in self.threads)}
        while self.times:
            self.now = min(self.times)
            self.times.discard(self.now)
            while any([*(self.step(thread) for thread in self.threads), self.start()]):
                pass

    def at(self, time: float) -> None:
        if time > self.now:
            self.times.add(time)

    def step(self, thread: _Thread) -> bool:
        """Let a thread go on, if it can."""
        if thread.at >= len(thread.calls) or thread.until > self.now:
            return False
        repetition, call = thread.calls[thread.at]
        if thread.ran is None:
            thread.ran = Ran(call, thread.number, repetition, self.now, self.now, None)
            self.enter(thread, call)
            self.at(thread.until)
            return True
        if thread.waits:
            if not all(command.complete(self.now) for command in thread.waits):
                return False
            waited = max(command.end for command in thread.waits)
            thread.waits = []
            if waited > thread.ran.begin:
                thread.until = max(thread.until, waited + self.machine.wake)
                self.at(thread.until)
                return True
        thread.ran.end = self.now
        if call.what in ("launch", "upload"):
            self.enqueue(thread.ran)
        elif call.what == "record":
            self.events[call.event] = list(self.queues[call.stream][-1:]) + self.orders[call.stream]
        elif call.what == "order":
            self.orders[call.stream] = self.orders[call.stream] + self.events.get(call.event, [])
        self.ran.append(thread.ran)
        thread.ran = None
        thread.at += 1
        if thread.at < len(thread.calls):
            thread.until = self.now + thread.calls[thread.at][1].before
            self.at(thread.until)
        return True

    def enter(self, thread: _Thread, call: Call) -> None:
        assert thread.ran is not None
        thread.until = self.now + call.own
        if call.what == "copy":
            self.enqueue(thread.ran)
            assert thread.ran.command is not None
            if call.waits:
                thread.until = self.now
                thread.waits = [thread.ran.command]
        elif call.what.startswith("synchronize") and call.waits:
            if call.what == "synchronize event":
                thread.waits = list(self.events.get(call.event, []))
            elif call.what == "synchronize device":
                thread.waits = [queue[-1] for queue in self.queues.values() if queue]
            else:
                thread.waits = self.queues[call.stream][-1:]

    def enqueue(self, ran: Ran) -> None:
        queue = self.queues[ran.call.stream]
        command = ran.command = _Command(ran.call, self.now, queue[-1:] + self.orders[ran.call.stream])
        self.orders[ran.call.stream] = []
        complete = all(each.complete(self.now) for each in command.after)
        idle = self.now - max((each.end for each in command.after), default=_NEVER) if complete else 0.0
        if self.machine.alone:
            idle = self.now - self.free
        machine = self.machine
        command.again = self.now + machine.latency + (machine.sleepy if idle > machine.drowsy else 0)
        queue.append(command)

    def start(self) -> bool:
        """Start what can start now."""
        changed = False
        if self.machine.alone and self.now < self.free:
            return False
        ready = []
        for stream, queue in self.queues.items():
            if self.begun[stream] == len(queue):
                continue
            command = queue[self.begun[stream]]
            if all(each.complete(self.now) for each in command.after):
                time = max([command.again, *(each.end + self.machine.gap for each in command.after)])
                if time <= self.now:
                    ready.append((time, stream, command))
                else:
                    self.at(time)
        for _, stream, command in sorted(ready, key=lambda each: each[:2])[: 1 if self.machine.alone else None]:
            command.begin, command.end = self.now, self.now + command.call.time
            self.free = command.end
            self.begun[stream] += 1
            self.at(command.end)
            changed = True
        return changed

    def ends(self, thread: int = 0) -> list[float]:
        """Give when each repetition of a thread is over: the thread is there, and the device has done its works."""
        ends = [0.0] * self.repetitions
        for ran in self.ran:
            if ran.thread == thread:
                end = max(ran.end, ran.command.end if ran.command else 0.0)
                ends[ran.repetition] = max(ends[ran.repetition], end)
        return [max(ends[: number + 1]) for number in range(len(ends))]

    def period(self, warm: int = 4) -> float:
        """Give the time of a repetition once the queues are filled."""
        ends = self.ends()
        return (ends[-1] - ends[warm - 1]) / (len(ends) - warm)

    def calls(self) -> Calls:
        """Give it as calls of a timeline, each repetition of the first thread in a range."""
        calls = Calls("opencl" if self.machine.alone else "cuda")
        handles: dict[int, int] = {}
        for ran in self.ran:
            call = ran.call
            handle = handles.setdefault(call.event, 1000 + call.event) if call.event else 0
            calls.call(
                {"upload": "copy", "copy": "copy"}.get(call.what, call.what),
                ran.begin,
                ran.end,
                name=call.name,
                thread=ran.thread,
                stream=call.stream if call.what not in ("synchronize device", "synchronize event", "allocate") else 0,
                works=[(ran.command.begin, ran.command.end)] if ran.command else [],
                flags=BLOCKING if call.what == "copy" and call.waits else 0,
                event=handle if call.what == "record" else 0,
                waits=(handle,) if call.what in ("order", "synchronize event") else (),
                direction=1 if call.what == "upload" else 2 if call.what == "copy" else 0,
            )
        first = [ran for ran in self.ran if ran.thread == 0]
        begins = [min(ran.begin for ran in first if ran.repetition == each) for each in range(self.repetitions)]
        for begin, end in zip(begins, [*begins[1:], max(ran.end for ran in first)], strict=True):
            calls.range("step", begin - 1, end - 1)
        return calls


def without_waiting(call: Call) -> Call:
    """Give a synchronization that returns at once."""
    return replace(call, waits=False)
