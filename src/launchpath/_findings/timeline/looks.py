"""Looks at threads: those of a pause together, and those that lost their processor while they were made."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from launchpath._findings.timeline.ops import Looks

_LONG = 8.0  # times the usual look: one that took longer has lost the processor in it


def joined(looks: Looks, in_pause: NDArray[numpy.bool_]) -> Looks:
    """Join the looks that ranges have made in a pause to the one that ends it.

    Parameters
    ----------
    looks : Looks
        In the order of time.
    in_pause : numpy.ndarray of bool
        Which of them do not end their pause.
    """
    if not in_pause.any():
        return looks
    order = numpy.argsort(looks.thread, kind="stable")
    thread, goes_on = looks.thread[order], in_pause[order]
    begins = numpy.ones(len(order), bool)
    begins[1:] = ~goes_on[:-1] | (thread[1:] != thread[:-1])
    firsts = numpy.flatnonzero(begins)
    lasts = numpy.append(firsts[1:], len(order)) - 1
    looks.begin[order[lasts]] = looks.begin[order[firsts]]
    for name in ("processor", "runnable", "process", "switches", "faults", "spent"):
        column = getattr(looks, name)
        column[order[lasts]] = numpy.add.reduceat(column[order], firsts)
    return looks.take(numpy.sort(order[lasts]))


def repaired(looks: Looks) -> Looks:
    """Put the time that a thread had no processor in a look itself where it belongs: in the code behind the look.

    A look notes its time first, and then asks the system. So what is lost in between is part of what the system tells,
    and of the look's own time, but not of the time from the last look to this one.

    Parameters
    ----------
    looks : Looks
        In the order of time. The columns `runnable` and `spent` are changed.
    """
    if not len(looks):
        return looks
    usual = int(numpy.median(looks.spent))
    looks.spent[looks.spent > _LONG * usual] = usual
    order = numpy.argsort(looks.thread, kind="stable")
    more = looks.processor + looks.runnable - (looks.end - looks.begin)
    lost = numpy.clip(more, 0, looks.runnable)[order]
    follows = numpy.flatnonzero(numpy.diff(looks.thread[order]) == 0)  # one of the same thread, whose begin is its end
    follows = follows[lost[follows] > _LONG * max(usual, 1)]
    looks.runnable[order[follows]] -= lost[follows]
    looks.runnable[order[follows + 1]] += lost[follows]
    return looks
