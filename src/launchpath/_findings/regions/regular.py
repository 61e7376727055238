"""Calls that are the same in each repetition of a program, however fast its device is."""

from __future__ import annotations

import re

import numpy

from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline

_DRIVER = re.compile(r"cu[A-Z]|cl[A-Z]|hip[A-Z]")
_OWN = frozenset(("Stream.synchronize", "Event.synchronize", "Device.synchronize"))


def regular(timeline: Timeline, rows: Array) -> Array:
    """Tell which of some calls a repetition has the same number of.

    A program may poll any number of times. launchpath itself marks and waits where a command is not complete yet: in
    its own traces, what the program has called are commands and launchpath's functions.
    """
    ops = timeline.ops
    roles = ops.role[rows]
    result = roles != Role.QUERY
    if timeline.meta.get("recorder") is not True and not _OWN.isdisjoint(timeline.names):
        of_driver = numpy.array([_DRIVER.match(name) is not None for name in timeline.names] or [False], "?")
        made = (
            numpy.isin(roles, (Role.RECORD, Role.ORDER, Role.FLUSH, Role.SYNCHRONIZE)) & of_driver[ops.function[rows]]
        )
        result &= ~made
    return numpy.asarray(result)
