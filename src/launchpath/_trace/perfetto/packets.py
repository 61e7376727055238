"""Packets of a Perfetto file, written one after another. Names are in the file once."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from launchpath._trace.extra import imported
from launchpath._trace.perfetto.slices import END, Event

MONOTONIC, REALTIME = 3, 1  # as BuiltinClock has them
_CLEARED, _NEEDED = 1, 2  # as TracePacket.SequenceFlags has them
_FLOW_BITS = 56
_REPORTED = 10_000  # events


class Packets:
    """Writes the packets of one process.

    Parameters
    ----------
    file : binary file
        Where to.
    number : int
        Of the process in the file, from 0.
    shift : int
        Nanoseconds to add to its times.
    proceed : callable, optional
        Called with how many events were written since it was called last.

    Raises
    ------
    LibraryError
        perfetto or protobuf is not installed.
    """

    def __init__(
        self, file: IO[bytes], number: int, shift: int = 0, proceed: Callable[[int], None] | None = None
    ) -> None:
        self._builder = imported("perfetto.trace_builder.proto_builder").StreamingTraceProtoBuilder(file)
        self._number, self._shift = number, shift
        self._proceed, self._events = proceed, 0
        self._sequence = number + 1
        self._last_track = (number + 1) << 40
        # For each kind of name its numbers, and the field of InternedData that they are in.
        self._names: dict[str, dict[str, int]] = {
            "event_names": {},
            "event_categories": {},
            "debug_annotation_names": {},
            "debug_annotation_string_values": {},
        }
        self._begin()

    def clocks(self, monotonic: int, real: int) -> None:
        """Relate the clocks: the time of all packets is the monotonic clock's."""
        packet = self._packet()
        packet.clock_snapshot.primary_trace_clock = MONOTONIC
        for clock, time in ((MONOTONIC, monotonic), (REALTIME, real)):
            packet.clock_snapshot.clocks.add(clock_id=clock, timestamp=time)
        self._builder.write_packet(packet)

    def process(self, pid: int, name: str, command: list[str]) -> int:
        """Describe the process; gives its track."""
        packet, track = self._described(name="")
        packet.track_descriptor.process.pid = pid
        packet.track_descriptor.process.process_name = name
        packet.track_descriptor.process.cmdline.extend(command)
        self._builder.write_packet(packet)
        return track

    def thread(self, pid: int, tid: int, name: str, parent: int) -> int:
        """Describe a thread; gives its track."""
        packet, track = self._described("", parent)
        packet.track_descriptor.thread.pid = pid
        packet.track_descriptor.thread.tid = tid
        if name:
            packet.track_descriptor.thread.thread_name = name
        self._builder.write_packet(packet)
        return track

    def track(self, name: str, parent: int) -> int:
        """Describe another track; gives its number. Tracks of the same name and parent are drawn as one row."""
        packet, track = self._described(name, parent)
        self._builder.write_packet(packet)
        return track

    def flow(self, correlation: int) -> int:
        """Give the number of the flow to a command: no other command in the file has it."""
        return self._number << _FLOW_BITS | (correlation & ((1 << _FLOW_BITS) - 1))

    def event(
        self,
        event: Event,
        track: int,
        name: str = "",
        category: str = "",
        annotations: dict[str, int | str] | None = None,
        flows: list[int] | None = None,
        ends: list[int] | None = None,
    ) -> None:
        """Write the begin or the end of a slice, or an instant.

        Parameters
        ----------
        event : Event
        track : int
            Its track.
        name, category : str
            Of a begin, or an instant.
        annotations : dict, optional
            Numbers and texts to show with it.
        flows, ends : list of int, optional
            Flows that begin, and that end here.
        """
        packet = self._packet()
        packet.timestamp = max(event.time + self._shift, 0)
        packet.sequence_flags = _NEEDED
        track_event = packet.track_event
        track_event.type = event.type
        track_event.track_uuid = track
        if event.type != END:
            track_event.name_iid = self._interned(packet, "event_names", name)
            track_event.category_iids.append(self._interned(packet, "event_categories", category))
            for key, value in (annotations or {}).items():
                annotation = track_event.debug_annotations.add()
                annotation.name_iid = self._interned(packet, "debug_annotation_names", key)
                if isinstance(value, str):
                    annotation.string_value_iid = self._interned(packet, "debug_annotation_string_values", value)
                else:
                    annotation.uint_value = value
            track_event.flow_ids.extend(flows or ())
            track_event.terminating_flow_ids.extend(ends or ())
        self._builder.write_packet(packet)
        self._events += 1
        if self._events % _REPORTED == 0 and self._proceed is not None:
            self._proceed(_REPORTED)

    def _begin(self) -> None:
        packet = self._packet()
        packet.sequence_flags = _CLEARED
        packet.trace_packet_defaults.timestamp_clock_id = MONOTONIC
        self._builder.write_packet(packet)

    def _packet(self) -> Any:
        packet = self._builder.create_packet()
        packet.trusted_packet_sequence_id = self._sequence
        return packet

    def _described(self, name: str, parent: int = 0) -> tuple[Any, int]:
        self._last_track += 1
        packet = self._packet()
        packet.track_descriptor.uuid = self._last_track
        if parent:
            packet.track_descriptor.parent_uuid = parent
        if name:
            packet.track_descriptor.name = name
        return packet, self._last_track

    def _interned(self, packet: Any, kind: str, name: str) -> int:
        """The number of a name, which is written with the packet that has it first."""
        numbers = self._names[kind]
        number = numbers.get(name)
        if number is None:
            number = numbers[name] = len(numbers) + 1
            fresh = getattr(packet.interned_data, kind).add(iid=number)
            if kind == "debug_annotation_string_values":
                fresh.str = name.encode()
            else:
                fresh.name = name
        return number
