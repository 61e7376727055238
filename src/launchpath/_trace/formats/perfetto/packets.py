"""Packets of a Perfetto file, written one after another. Names are in the file once."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from launchpath._trace.extra import imported
from launchpath._trace.formats.perfetto.slices import END, Event

MONOTONIC, REALTIME = 3, 1  # as BuiltinClock has them
_CLEARED, _NEEDED = 1, 2  # as TracePacket.SequenceFlags has them
_APART = 0x9E3779B97F4A7C15  # between the flows of two processes: multiples of it are far apart in 64 bits
_REPORTED = 10_000  # events
_PACKET = b"\x0a"  # field 1 of Trace, of a type that has a size
_U64, _I31 = (1 << 64) - 1, (1 << 31) - 1  # what Perfetto's fields hold


class Packets:
    """Writes the packets of one process.

    Parameters
    ----------
    file : binary file
        Where to.
    number : int
        Of the process in the file, from 0.
    moved : callable
        Gives for a time of the process that of the file, nanoseconds.
    proceed : callable, optional
        Called with how many events were written since it was called last.

    Raises
    ------
    LibraryError
        perfetto or protobuf is not installed.
    """

    def __init__(
        self,
        file: IO[bytes],
        number: int,
        moved: Callable[[int], int] | None = None,
        proceed: Callable[[int], None] | None = None,
    ) -> None:
        self._file = file
        self._new = imported("perfetto.protos.perfetto.trace.perfetto_trace_pb2").TracePacket
        self._ends: dict[int, bytes] = {}  # for each track the packet of an end, without its time
        self._number, self._moved = number, moved or (lambda time: time)
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
            packet.clock_snapshot.clocks.add(clock_id=clock, timestamp=_timestamp(time))
        self._write(packet)

    def process(self, pid: int, name: str, command: list[str], label: str = "") -> int:
        """Describe the process; gives its track. The label is shown beside its name."""
        packet, track = self._described(name="")
        packet.track_descriptor.process.pid = pid
        packet.track_descriptor.process.process_name = name
        packet.track_descriptor.process.cmdline.extend(command)
        if label:
            packet.track_descriptor.process.process_labels.append(label)
        self._write(packet)
        return track

    def thread(self, pid: int, tid: int, name: str, parent: int) -> int:
        """Describe a thread; gives its track."""
        packet, track = self._described("", parent)
        packet.track_descriptor.thread.pid = pid
        packet.track_descriptor.thread.tid = tid & _I31
        if name:
            packet.track_descriptor.thread.thread_name = name
        self._write(packet)
        return track

    def track(self, name: str, parent: int) -> int:
        """Describe another track; gives its number. Tracks of the same name and parent are drawn as one row."""
        packet, track = self._described(name, parent)
        self._write(packet)
        return track

    def flow(self, correlation: int) -> int:
        """Give the number of the flow to a command: no other command in the file has it."""
        return (correlation + self._number * _APART) & _U64

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
        time = self._new(timestamp=_timestamp(self._moved(event.time))).SerializeToString()
        if event.type == END:
            self._write_data(time + self._end(track))  # a message is its fields, in any order
        else:
            fresh: dict[str, list[dict[str, Any]]] = {}
            track_event = {
                "type": event.type,
                "track_uuid": track,
                "name_iid": self._interned(fresh, "event_names", name),
                "category_iids": [self._interned(fresh, "event_categories", category)],
                "debug_annotations": [self._annotation(fresh, *each) for each in (annotations or {}).items()],
                "flow_ids": flows or [],
                "terminating_flow_ids": ends or [],
            }
            # All fields at once: setting them one by one takes twice as long.
            packet = self._needing_names(track_event=track_event, interned_data=fresh or None)
            self._write_data(time + packet.SerializeToString())
        self._events += 1
        if self._events % _REPORTED == 0 and self._proceed is not None:
            self._proceed(_REPORTED)

    def _needing_names(self, **fields: Any) -> Any:
        return self._new(trusted_packet_sequence_id=self._sequence, sequence_flags=_NEEDED, **fields)

    def _end(self, track: int) -> bytes:
        if track not in self._ends:
            packet = self._needing_names(track_event={"type": END, "track_uuid": track})
            self._ends[track] = packet.SerializeToString()
        return self._ends[track]

    def _annotation(self, fresh: dict[str, list[dict[str, Any]]], key: str, value: int | str) -> dict[str, int]:
        number = self._interned(fresh, "debug_annotation_names", key)
        if isinstance(value, str):
            place = self._interned(fresh, "debug_annotation_string_values", value)
            return {"name_iid": number, "string_value_iid": place}
        return {"name_iid": number, "uint_value" if value >= 0 else "int_value": value}

    def _write(self, packet: Any) -> None:
        self._write_data(packet.SerializeToString())

    def _write_data(self, data: bytes) -> None:
        """Write a packet as a part of the message that a file is: its field's number and type, its size, and it."""
        self._file.write(_PACKET + _size(len(data)) + data)

    def _begin(self) -> None:
        packet = self._packet()
        packet.sequence_flags = _CLEARED
        packet.trace_packet_defaults.timestamp_clock_id = MONOTONIC
        self._write(packet)

    def _packet(self) -> Any:
        return self._new(trusted_packet_sequence_id=self._sequence)

    def _described(self, name: str, parent: int = 0) -> tuple[Any, int]:
        self._last_track += 1
        packet = self._packet()
        packet.track_descriptor.uuid = self._last_track
        if parent:
            packet.track_descriptor.parent_uuid = parent
        if name:
            packet.track_descriptor.name = name
        return packet, self._last_track

    def _interned(self, fresh: dict[str, list[dict[str, Any]]], kind: str, name: str) -> int:
        """The number of a name, which is written with the packet that has it first: `fresh` is for those names."""
        numbers = self._names[kind]
        number = numbers.get(name)
        if number is None:
            number = numbers[name] = len(numbers) + 1
            text = {"str": name.encode()} if kind == "debug_annotation_string_values" else {"name": name}
            fresh.setdefault(kind, []).append({"iid": number, **text})
        return number


def _timestamp(time: int) -> int:
    """A time as the format has it: not before the clock began, nor of more than 64 bits."""
    return min(max(time, 0), _U64)


def _size(number: int) -> bytes:
    """A size as protobuf writes it: 7 bits a byte, the low ones first, with 128 in all but the last."""
    parts = bytearray()
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)
