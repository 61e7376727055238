"""From a trace file to a blob: the condenser reads the file's slots once."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.condensed.blob import Blob
from launchpath._trace.condensed.library import Condenser, Part
from launchpath._trace.files.file import TraceFile
from launchpath._trace.format import HOST_CLOCK, LAYOUTS, SLOT, TIME_MOST
from launchpath._trace.labels import Labels
from launchpath._trace.process import is_int
from launchpath.errors import TraceFileError

_FEW = 1 << 16  # slots of a ring that is looked through for clocks: the drainer's own has no commands


def blob_of(file: TraceFile, labels: Labels) -> Blob:
    """Count all slots of a file."""
    api, calls = labels.synchronizing()
    rings, anchors = _rings(file), _anchors(file)
    with Condenser(labels.recorder, calls, api) as condenser:
        condenser.rate(_rate(file.meta), _real(file.meta, anchors))
        for ticks, monotonic in zip(anchors["ticks"].tolist(), anchors["monotonic"].tolist(), strict=True):
            condenser.clock(ticks, monotonic)
        try:
            condenser.read(rings, file.descriptor)
        except OSError as error:
            raise TraceFileError(f"{file.path!r}: expected a trace that can be read, got: {error.strerror}") from None
        return Blob(condenser.blob())


def _rings(file: TraceFile) -> dict[tuple[int, int], list[Part]]:
    """Give the slots of each ring and thread, in their order: where they are in the file, or copies out of rings."""
    rings: dict[tuple[int, int], list[Part]] = defaultdict(list)
    last = (-1, -1)
    for piece in file.pieces:
        slots = None if piece.copied is None else numpy.ascontiguousarray(piece.copied)
        follows = last == (piece.ring, piece.first)
        rings[piece.ring, piece.thread].append(Part(piece.length, follows, slots, piece.offset))
        last = piece.ring, piece.first + piece.length
    return rings


def _anchors(file: TraceFile) -> NDArray[Any]:
    """Give the measurements of the host's clock, in the order of time."""
    lengths: dict[int, int] = defaultdict(int)
    for piece in file.pieces:
        lengths[piece.ring] += piece.length
    few = [piece for piece in file.pieces if lengths[piece.ring] <= _FEW]
    for pieces in (few, file.pieces):
        parts = [numpy.zeros(0, LAYOUTS[HOST_CLOCK])]
        for slots in file.slots(pieces):
            kinds = slots.view("u1").reshape(-1, SLOT)[:, 0]
            parts.append(slots[kinds == HOST_CLOCK].view(LAYOUTS[HOST_CLOCK]))
        anchors = numpy.concatenate(parts)
        anchors = anchors[(anchors["ticks"] < TIME_MOST) & (anchors["monotonic"] < TIME_MOST)]
        if len(anchors) > 1:
            break
    return numpy.asarray(anchors[numpy.lexsort((anchors["monotonic"], anchors["ticks"]))])


def _real(meta: dict[str, Any], anchors: NDArray[Any]) -> int:
    """Give the nanosecond since 1970 when the monotonic clock was 0."""
    if len(anchors):
        return int(anchors["real"][0]) - int(anchors["monotonic"][0])
    begin = meta.get("begin")
    real, monotonic = (begin.get(clock) if isinstance(begin, dict) else None for clock in ("real", "monotonic"))
    return real - monotonic if is_int(real) and is_int(monotonic) else 0


def _rate(meta: dict[str, Any]) -> float:
    clock = meta.get("clock")
    rate = clock.get("ticks_per_second") if isinstance(clock, dict) else None
    return 1e9 / rate if is_int(rate) and 0 < rate < TIME_MOST else 1.0
