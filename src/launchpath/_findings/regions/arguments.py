"""Arguments of launches: which of a sequence that repeats change from one repetition to the next."""

from __future__ import annotations

from typing import Any

import numpy

from launchpath._findings.regions.region import Region
from launchpath._findings.regions.sequences import tokens
from launchpath._findings.timeline.ops import Array

_BYTES = 8  # of the column: byte n is a hash of argument n, the last one of all further arguments
_SHOWN = 8  # kernels of a sequence that are named


def changing_arguments(region: Region, rows: Array) -> dict[str, Any]:
    """Count the arguments of launches that change; nothing where the trace does not tell.

    Parameters
    ----------
    rows : numpy.ndarray of int64
        A row for each repetition, a column for each launch.

    Returns
    -------
    dict
        ``arguments`` and ``arguments_that_change``. From the eighth on all arguments of a launch count as one.
    """
    hashes = region.timeline.ops.arguments[rows]
    known = (hashes != 0).any(axis=0)
    if len(rows) < 2 or not known.any():
        return {}
    hashes = numpy.ascontiguousarray(hashes[:, known])
    parts = hashes.view("u1").reshape(*hashes.shape, _BYTES)
    used = (parts != 0).any(axis=0)
    changes = (parts != parts[:1]).any(axis=0)
    return {
        "arguments": int(numpy.count_nonzero(used | changes)),
        "arguments_that_change": int(numpy.count_nonzero(changes)),
    }


def repeats(region: Region, rows: Array) -> dict[str, Any]:
    """Tell which sequence of launches repeats inside of a repetition, and how often.

    Parameters
    ----------
    rows : numpy.ndarray of int64
        The launches of one repetition.
    """
    sequence = tokens(region.timeline.ops, rows)
    length = next(
        each
        for each in range(1, len(sequence) + 1)
        if len(sequence) % each == 0 and (sequence[each:] == sequence[: len(sequence) - each]).all()
    )
    names = [region.timeline.names[name] for name in region.timeline.ops.name[rows[:length]].tolist()]
    return {"sequence": names[:_SHOWN], "sequence_length": length, "sequence_times": len(sequence) // length}
