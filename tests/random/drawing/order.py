"""The rules of streams and events as vector clocks: which commands of a part come before which, whatever the schedule."""

from typing import NamedTuple

Clock = dict[int, int]  # stream: the number of its last command that is ordered before


class Command(NamedTuple):
    """The nth command of a stream."""

    stream: int
    number: int


class Lane(NamedTuple):
    """A stream as the rules see it. It stays after the stream was dropped: its commands go on."""

    kind: str  # "legacy", "blocking", "nonblocking"
    device: int


def join(clock: Clock, other: Clock) -> None:
    """Add to a clock what another one has."""
    for stream, number in other.items():
        if clock.get(stream, 0) < number:
            clock[stream] = number


class Order:
    """What one thread knows of its commands. Commands of other threads only add order, so they need not be known."""

    def __init__(self) -> None:
        self.lanes: dict[int, Lane] = {}
        self.host: Clock = {}  # complete, as the thread has seen
        self._clocks: dict[int, Clock] = {}
        self._covered: dict[int, Clock] = {}  # what is complete once the host has waited for the stream
        self._counts: dict[int, int] = {}

    def add(self, stream: int, kind: str, device: int) -> None:
        """Add a stream."""
        self.lanes[stream] = Lane(kind, device)
        self._clocks[stream], self._covered[stream], self._counts[stream] = {}, {}, 0

    def before(self, stream: int) -> Clock:
        """Return what the next command of a stream comes after."""
        clock = dict(self._clocks[stream])
        join(clock, self.host)
        kind, device = self.lanes[stream]
        for other, lane in self.lanes.items():
            is_related = (
                lane.device == device and "nonblocking" not in (kind, lane.kind) and "legacy" in (kind, lane.kind)
            )
            if other == stream or is_related:
                join(clock, self._clocks[other])
                join(clock, {other: self._counts[other]})
        return clock

    def covers(self, stream: int, command: Command) -> bool:
        """Tell whether the next command of a stream comes after that one anyway."""
        return self.before(stream).get(command.stream, 0) >= command.number

    def command(self, stream: int) -> Command:
        """Submit a command."""
        self.record(stream)
        self._counts[stream] += 1
        return Command(stream, self._counts[stream])

    def record(self, stream: int) -> Clock:
        """Record an event: return what is complete when it is. It counts as a command in the legacy rule."""
        self._clocks[stream] = self._covered[stream] = self.before(stream)
        return dict(self._clocks[stream])

    def wait(self, stream: int, clock: Clock) -> None:
        """Let a stream wait for an event.

        It counts as a command for what comes next, but a library that knows the event to be complete may leave nothing
        in the stream that the host could wait for: then the stream does not cover what the wait came after.
        """
        self._clocks[stream] = self.before(stream)
        self._covered[stream] = dict(self._covered[stream])
        join(self._clocks[stream], clock)
        join(self._covered[stream], clock)

    def host_waits(self, clock: Clock) -> None:
        """Let the thread wait for an event."""
        join(self.host, clock)

    def host_waits_for_stream(self, stream: int) -> None:
        """Let the thread wait for a stream: the legacy stream brings the blocking ones along, but not the reverse."""
        if self.lanes[stream].kind == "legacy":
            join(self.host, self.before(stream))
        join(self.host, self._covered[stream])
        join(self.host, {stream: self._counts[stream]})

    def host_waits_for_device(self, device: int) -> None:
        """Let the thread wait for all streams of a device."""
        for stream, lane in self.lanes.items():
            if lane.device == device:
                self.host_waits_for_stream(stream)

    def host_has_seen(self, command: Command) -> bool:
        """Tell whether the thread has waited for a command, or for what comes after it."""
        return self.host.get(command.stream, 0) >= command.number
