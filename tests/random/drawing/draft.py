"""A part of a random program while it is drawn: its steps so far, and what they leave behind."""

import random
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.random.step import Step

from .memory import Memory
from .order import Clock, Command, Order

SIZES = (1, 7, 64, 300, 1024, 5000)
ROUNDS = (0, 0, 0, 10, 1000, 20000)  # of a loop that a kernel runs before it does its work
SHARED_EVENTS = 4


@dataclass(frozen=True)
class Setting:
    """What all parts of a program have in common."""

    host_reaches: tuple[bool, ...]  # for each device: may a host function touch its memory?
    shared_streams: tuple[str, ...]  # kinds of streams that all threads use, on the first device
    is_alone: bool  # one thread, which may hold any stream back: no other thread waits for it
    is_limited: bool  # memory may have to wait for work to end
    without: frozenset[str] = frozenset()  # names of operations that are not drawn
    traces: bool = False  # begun and ended in the middle


class Draft:
    """Draws a part. Steps only ever depend on the seed and the setting, never on how far the device is."""

    def __init__(self, chance: random.Random, setting: Setting, variants: int) -> None:
        self.chance, self.setting, self.variants = chance, setting, variants
        self.steps: list[Step] = []
        self.order = Order()
        self.numbers = count()
        self.streams: list[int] = []  # those that have not been dropped
        self.lasting: list[int] = []  # those that never are
        self.arrays: dict[int, Memory] = {}
        self.events: dict[int, Clock] = {}
        self.results: list[int] = []
        self.holds: list[int] = []
        self.entered: list[int] = []  # steps, the innermost last
        self.graphs: dict[int, Any] = {}  # `graphing.Graph`
        self.notes: dict[int, Command] = {}  # host functions that the host has not waited for
        self.size = chance.choice(SIZES)
        self.legacy = [self._lasting("legacy_stream", "legacy", device) for device in range(self.device_count)]
        for device in range(self.device_count):
            self._lasting("per_thread_stream", "blocking", device)
        for index, kind in enumerate(setting.shared_streams):
            self._lasting("shared_stream", kind, 0, index=index)

    @property
    def device_count(self) -> int:
        """Return how many devices the program is for."""
        return len(self.setting.host_reaches)

    def _lasting(self, name: str, kind: str, device: int, **arguments: Any) -> int:
        stream = self.new_stream(name, kind, device, **arguments)
        self.lasting.append(stream)
        return stream

    def new_stream(self, name: str, kind: str, device: int, **arguments: Any) -> int:
        """Add a stream."""
        stream = next(self.numbers)
        self.streams.append(stream)
        self.order.add(stream, kind, device)
        self.step(name, stream=stream, device=device, **arguments)
        return stream

    # -- what is drawn often

    def step(self, name: str, **arguments: Any) -> None:
        """Add a step."""
        self.steps.append(Step(name, arguments))

    def seed(self) -> int:
        """Draw the seed of some data, or a value."""
        return self.chance.getrandbits(32)

    def odd(self) -> int:
        """Draw a factor that can be undone, so that no information is lost."""
        return self.chance.getrandbits(32) | 1

    def stream(self, device: int | None = None) -> int:
        """Draw a stream, of a device if it matters."""
        if device is None:
            return self.chance.choice(self.streams)
        return self.chance.choice([stream for stream in self.streams if self.device_of(stream) == device])

    def device_of(self, stream: int) -> int:
        """Return a stream's device."""
        return self.order.lanes[stream].device

    def array(self) -> tuple[int, Memory]:
        """Draw an array."""
        return self.chance.choice(list(self.arrays.items()))

    def arrays_of(self, device: int) -> list[int]:
        """Return the arrays of a device."""
        return [array for array, memory in self.arrays.items() if memory.device == device]

    def two_arrays(self) -> tuple[int, int, int] | None:
        """Draw two arrays of one device and that; None if there are no two."""
        device = self.chance.randrange(self.device_count)
        own = self.arrays_of(device)
        if len(own) < 2:
            return None
        target, source = self.chance.sample(own, 2)
        return device, target, source

    def shape(self) -> dict[str, int]:
        """Draw a launch's block and its work."""
        return {"block": self.chance.choice((1, 16, 64)), "rounds": self.chance.choice(ROUNDS)}

    def way(self) -> str:
        """Draw how a launch names its stream."""
        return self.chance.choice(("given", "given", "given", "with", "kept"))

    # -- order

    def use(self, stream: int, reads: tuple[int, ...] = (), writes: tuple[int, ...] = ()) -> None:
        """Order the next command of a stream after all that uses these arrays, and note it as their newest use.

        The caller adds the command's step right after this.
        """
        wanted = [command for array in reads for command in self.arrays[array].conflicts(writes=False)]
        wanted += [command for array in writes for command in self.arrays[array].conflicts(writes=True)]
        self.come_after(stream, wanted)
        command = self.order.command(stream)
        for array in reads:
            self.arrays[array].read(command)
        for array in writes:
            self.arrays[array].write(command)

    def come_after(self, stream: int, wanted: list[Command]) -> None:
        """Order the next command of a stream after others, by what is drawn."""
        for command in sorted(set(wanted)):
            if not self.order.covers(stream, command):
                self._order_after(stream, command)
                assert self.order.covers(stream, command)

    def _order_after(self, stream: int, command: Command) -> None:
        events = [event for event, clock in self.events.items() if clock.get(command.stream, 0) >= command.number]
        draw = self.chance.random()
        if events and draw < 0.4:
            self.wait(stream, self.chance.choice(events))
        elif command.stream not in self.streams:  # it was dropped, and can be neither recorded nor waited for
            self.synchronize_device(self.order.lanes[command.stream].device)
        elif draw < 0.8:
            event = self.record(command.stream)
            self.wait(stream, event)
            if self.chance.random() < 0.7:
                self.drop_event(event)
        elif draw < 0.95:
            self.synchronize(command.stream, self.chance.choice(("synchronize", "poll")))
        else:
            self.synchronize_device(self.order.lanes[command.stream].device)

    def record(self, stream: int, event: int | None = None) -> int:
        """Record an event, a new one if none is given."""
        timing = self.chance.random() < 0.1
        if event is None:
            event = next(self.numbers)
            self.step("record", stream=stream, event=event, timing=timing)
        else:
            self.step("record_again", stream=stream, event=event)
        self.events[event] = self.order.record(stream)
        return event

    def wait(self, stream: int, event: int) -> None:
        """Let a stream wait for an event."""
        self.step("wait", stream=stream, event=event)
        self.order.wait(stream, self.events[event])

    def drop_event(self, event: int) -> None:
        """Drop an event."""
        self.step("drop_event", event=event)
        del self.events[event]

    def wait_on_host(self, event: int, how: str) -> None:
        """Let the host wait for an event."""
        self.release_all()
        self.order.host_waits(self.events[event])
        self.step("event_waited", event=event, how=how, notes=self.seen())

    def synchronize(self, stream: int, how: str = "synchronize") -> None:
        """Let the host wait for a stream."""
        self.release_all()
        self.order.host_waits_for_stream(stream)
        self.step("stream_waited", stream=stream, how=how, notes=self.seen())

    def synchronize_device(self, device: int) -> None:
        """Let the host wait for a device."""
        self.release_all()
        self.order.host_waits_for_device(device)
        self.step("device_waited", device=device, notes=self.seen())

    def seen(self) -> list[int]:
        """Return the host functions that must have run, since the host has waited for them."""
        notes = [note for note, command in self.notes.items() if self.order.host_has_seen(command)]
        for note in notes:
            del self.notes[note]
        return notes

    def release_all(self) -> None:
        """Let go of what is held, before the host waits for anything."""
        while self.holds:
            self.step("release", hold=self.holds.pop())

    def before_memory(self) -> None:
        """Let go of what is held if memory may have to wait for work."""
        if self.setting.is_limited:
            self.release_all()

    # -- arrays and graphs

    def drop_graph(self, graph: int) -> None:
        """Drop a graph."""
        self.step("drop_graph", graph=graph)
        del self.graphs[graph]

    def new_array(self, device: int) -> None:
        """Make an array with random values, by one of the ways to make one."""
        self.before_memory()
        array, seed = next(self.numbers), self.seed()
        how = self.chance.choice(("asarray", "empty", "ordered"))
        stream = self.legacy[device] if how == "asarray" else self.stream(device)
        self.arrays[array] = Memory(device)
        self.use(stream, writes=(array,))
        self.step("new_array", array=array, stream=stream, how=how, seed=seed, size=self.size)
