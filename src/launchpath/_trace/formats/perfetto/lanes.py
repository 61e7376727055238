"""The lanes of a row in a Perfetto file: one track for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from launchpath._trace.formats.perfetto.packets import Packets
from launchpath._trace.formats.perfetto.slices import END, Event


def begun(packets: Packets, drawn: Iterable[Event], name: str, parent: int, *first: int) -> Iterator[tuple[Event, int]]:
    """Write the ends of slices, and give what else is drawn, with the track of its lane.

    Parameters
    ----------
    packets : Packets
    drawn : iterable of Event
        The slices of a row, as `events` draws them.
    name : str
        Of the tracks that further lanes get.
    parent : int
        Their track.
    *first : int
        Tracks of the first lanes.
    """
    tracks = [*first]
    for event in drawn:
        while event.lane >= len(tracks):
            tracks.append(packets.track(name, parent))
        if event.type == END:
            packets.event(event, tracks[event.lane])
        else:
            yield event, tracks[event.lane]
