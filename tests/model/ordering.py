"""Executable model of the ordering rules: which waits a queue must hand to the driver, and no more.

Run it: ``python ordering.py [programs] [seed]``. It draws random programs over streams and events, orders them with
`Device`, and checks every program against `Rules`, which states what CUDA and HIP promise and knows nothing of clocks:

- sound: whatever must come before a command is ordered before it by what the driver was given (its queues' own order and
  the wait lists), or was complete when the command was submitted;
- exact: nothing is ordered before a command that the program did not ask for (a wait for too much can deadlock);
- tight: every wait handed to the driver orders something that nothing else did, at that moment.

It is a model: one lock, no driver, no failure. Its use is that the real thing must agree with it on the same program.
"""
import random
import sys
from dataclasses import dataclass, field

LEGACY, BLOCKING, NONBLOCKING = "legacy", "blocking", "non-blocking"


def join(into, other):
    """Raise the clock `into` to at least `other`, in place. A clock maps queue -> number."""
    for queue, number in other.items():
        if number > into.get(queue, 0):
            into[queue] = number


def covers(clock, queue, number):
    return clock.get(queue, 0) >= number


@dataclass(eq=False)
class Queue:
    name: str
    kind: str
    number: int = 0                                # driver commands submitted so far; the last one's number
    complete: int = 0                              # highest number known to be complete
    wanted: dict = field(default_factory=dict)     # what the next command must come after
    placed: dict = field(default_factory=dict)     # what the driver already orders before the next command
    markers: dict = field(default_factory=dict)    # number -> the clock that a wait on that marker brings along

    __hash__ = object.__hash__


@dataclass(eq=False)
class Point:
    """A recorded event: everything that must be complete for it to be."""
    clock: dict


class Device:
    """Orders commands with clocks. `log` is what the driver sees: (queue, number, waits, op or None for a bare marker)."""

    def __init__(self):
        self.queues, self.log, self.n_markers = [], [], 0

    def stream(self, kind):
        queue = Queue(f"{kind}{len(self.queues)}", kind)
        self.queues.append(queue)
        return queue

    # --- what programs do

    def command(self, queue, op):
        self._legacy_rule(queue)
        self._submit(queue, op)

    def record(self, queue):
        self._legacy_rule(queue)
        # A point that other queues' unplaced numbers belong to is pinned now: later it could only wait for too much.
        if self._missing(queue):
            self._submit(queue, None)
        elif queue.number > queue.complete:
            # The real thing defers this until the next command on the queue or the first wait.
            self._make_marker(queue, *self._covering(queue, queue.number))
        return Point(dict(queue.wanted))           # its own number is among them

    def wait(self, queue, point):
        self._legacy_rule(queue)
        join(queue.wanted, point.clock)
        # A wait on the legacy stream holds back every blocking stream from here on, so it is pinned as well: made later,
        # its markers would cover commands that came after it.
        if queue.kind == LEGACY and self._missing(queue):
            self._submit(queue, None)

    def finished(self, queue):
        """The host has seen all of `queue` complete, and with it whatever that was ordered after."""
        seen = dict(queue.placed) | {queue: queue.number}
        for other, number in seen.items():
            other.complete = max(other.complete, number)

    # --- how

    def _legacy_rule(self, queue):
        if queue.kind == LEGACY:
            for other in self.queues:
                if other.kind == BLOCKING:
                    join(queue.wanted, other.wanted)
                    join(queue.wanted, {other: other.number})
        elif queue.kind == BLOCKING:
            for other in self.queues:
                if other.kind == LEGACY:
                    join(queue.wanted, other.wanted)
                    join(queue.wanted, {other: other.number})

    def _missing(self, queue):
        return {other: number for other, number in queue.wanted.items()
                if other is not queue and number > other.complete and not covers(queue.placed, other, number)}

    def _covering(self, source, at_least):
        """Where to wait on `source` for `at_least`: (number, clock) of the nearest marker there is, or of one made now."""
        number = min((n for n in source.markers if n >= at_least), default=source.number)
        return number, source.markers.get(number) or dict(source.placed) | {source: number}

    def _make_marker(self, source, number, clock):
        if number not in source.markers:
            source.markers[number] = clock
            self.n_markers += 1

    def _submit(self, queue, op):
        waits = {other: self._covering(other, number) for other, number in self._missing(queue).items()}
        # Leave out a wait that another one brings along; of two that bring each other, keep one.
        for other in list(waits):
            if any(covers(clock, other, waits[other][0]) for source, (_, clock) in waits.items() if source is not other):
                del waits[other]
        for other, (number, clock) in waits.items():
            self._make_marker(other, number, clock)
            join(queue.placed, clock)
        queue.number += 1
        queue.placed[queue] = queue.wanted[queue] = queue.number
        self.log.append((queue, queue.number, [(other, number) for other, (number, _) in waits.items()], op))
        if op is None:
            self._make_marker(queue, queue.number, dict(queue.placed))


class Rules:
    """What CUDA and HIP promise, from the program alone: for each op, the set of ops that must come before it."""

    def __init__(self):
        self.before, self.last, self.kind, self.done = {}, {}, {}, set()

    def op(self, queue, op, also=()):
        """A command, record or wait on `queue`: each counts as an action of its stream."""
        self.kind[queue] = queue.kind
        after = set(also)
        if queue in self.last:
            after.add(self.last[queue])
        for other, last in self.last.items():
            if {queue.kind, self.kind[other]} == {LEGACY, BLOCKING}:
                after.add(last)
        self.before[op] = after.union(*(self.before[a] for a in after)) if after else set()
        self.last[queue] = op

    def finished(self, queue):
        """The host has waited for `queue`: its ops and all that must come before them are done."""
        if queue in self.last:
            self.done |= {self.last[queue]} | self.before[self.last[queue]]


def check(device, rules, commands, done_at):
    where = {op: (queue, number) for queue, number, _, op in device.log if op is not None}
    ordered = {}                                   # (queue, number) -> every (queue, number) the driver orders before it
    for queue, number, waits, op in device.log:
        direct = [(other, n) for other, n in waits]
        own = [(queue, number - 1)] if number > 1 else []
        closed = set()
        for node in own + direct:
            closed |= ordered[node] | {node}
        for other, n in direct:                    # tight: not implied by the queue's own order or by the other waits
            rest = set()
            for node in own + [d for d in direct if d != (other, n)]:
                rest |= ordered[node] | {node}
            assert (other, n) not in rest, f"wait of {queue.name} on {other.name}:{n} orders nothing new"
        ordered[queue, number] = closed
    op_at = {place: op for op, place in where.items()}
    for op in commands:
        for place in ordered[where[op]]:
            assert place not in op_at or op_at[place] in rules.before[op], f"{op} need not come after {op_at[place]}"
        for earlier in rules.before[op]:
            if earlier in where and where[earlier] not in ordered[where[op]]:
                assert earlier in done_at[op], f"{earlier} must come before {op}"


def run(rng):
    device, rules = Device(), Rules()
    streams = [device.stream(LEGACY)] + [device.stream(rng.choice([BLOCKING, BLOCKING, NONBLOCKING])) for _ in range(rng.randint(1, 5))]
    events, commands, done_at = [], [], {}
    for i in range(rng.randint(1, 40)):
        queue, what = rng.choice(streams), rng.random()
        if what < 0.55:
            done_at[f"op{i}"] = set(rules.done)
            device.command(queue, f"op{i}")
            rules.op(queue, f"op{i}")
            commands.append(f"op{i}")
        elif what < 0.68 or (what < 0.92 and not events):
            rules.op(queue, f"record{i}")
            events.append((f"record{i}", device.record(queue)))
        elif what < 0.92:
            name, point = rng.choice(events)
            rules.op(queue, f"wait{i}", also={name})
            device.wait(queue, point)
        else:
            device.finished(queue)
            rules.finished(queue)
    check(device, rules, commands, done_at)
    return device.n_markers, len(commands)


def main(programs=20000, seed=1):
    n_markers = commands = 0
    for i in range(programs):
        try:
            m, c = run(random.Random(f"{seed}:{i}"))
        except AssertionError as error:
            raise SystemExit(f"program {seed}:{i}: {error}")
        n_markers, commands = n_markers + m, commands + c
    device = Device()
    legacy, busy = device.stream(LEGACY), [device.stream(BLOCKING) for _ in range(64)]
    for queue in busy:
        device.command(queue, queue.name)
    for i in range(3):
        before = device.n_markers
        device.command(legacy, f"null{i}")
        print(f"null-stream launch {i + 1} after 64 busy blocking streams: {device.n_markers - before} markers")
    print(f"{programs} programs, {commands} commands, {n_markers} markers: sound, exact and tight")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
