"""Repetitions of a thread that runs ahead of its devices: each lasts until its own work has ended."""

from __future__ import annotations

import numpy

from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.timeline import Timeline

_LONGER = 1.05  # times as long as on the thread: from there on the times of devices count


def completed(timeline: Timeline, begins: Array, ends: Array, first: Array, last: Array) -> tuple[Array, Array]:
    """Give when repetitions begin and end, with the work that they submit.

    A thread that only launches has come to the end of a repetition long before its kernels have run. The repetition
    then begins when the work of those before it has ended, and ends when its own has.

    Parameters
    ----------
    begins, ends, first, last : numpy.ndarray
        As in `Region`.

    Returns
    -------
    begun, ended : numpy.ndarray of int64
        Not before `begins` and `ends`.
    """
    ops, works = timeline.ops, timeline.works
    rows = numpy.arange(first[0], last[-1])
    rows = rows[ops.works[rows] > 0]
    if not len(rows):
        return begins, ends
    # Works are in the order of their calls: those of a thread's stretch of calls follow one another.
    low, high = int(ops.work[rows[0]]), int(ops.work[rows[-1]] + ops.works[rows[-1]])
    latest = numpy.maximum.accumulate(numpy.maximum.reduceat(works.end[low:high], ops.work[rows] - low))
    latest = numpy.concatenate([begins[:1], latest])
    at = numpy.searchsorted(rows, first)
    begun = numpy.maximum(begins, latest[at])
    ended = numpy.maximum(ends, latest[numpy.searchsorted(rows, last)])
    # What was submitted before is not known: such repetitions begin with their first work.
    known = _parts(timeline, begins)
    alone = (known != numpy.append(-1, known[:-1])) & (at < len(rows))
    begun[alone] = numpy.maximum(begun[alone], numpy.minimum(works.begin[ops.work[rows[at[alone]]]], ended[alone]))
    return begun, ended


def runs_ahead(host: Array, device: Array) -> bool:
    """Tell whether a thread runs ahead of its devices: repetitions take longer there.

    They take as long there as on the thread where that waits for the device, or for room in its queue, in each of them.

    Parameters
    ----------
    host, device : numpy.ndarray
        The time of each typical repetition, on the thread and with its work.
    """
    if not len(host):
        return False
    middle = float(numpy.median(device))  # 0: work that goes on for the whole run is beside the repetitions
    longer = middle > _LONGER * float(numpy.median(host)) or device.sum() > _LONGER * host.sum()
    return middle > 0 and bool(longer)


def _parts(timeline: Timeline, begins: Array) -> Array:
    """Number the stretches of a long trace that repetitions are in."""
    if not len(timeline.stretches):
        return numpy.zeros(len(begins), "i8")
    return numpy.searchsorted(timeline.stretches[:, 0], begins, "right")
