"""Calls that are the same in each repetition of a program, however fast its device is."""

from __future__ import annotations

import re

import numpy

from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline

_DRIVER = re.compile(r"cu[A-Z]|cl[A-Z]|hip[A-Z]")
_OPENCL = re.compile(r"cl[A-Z]")
_OWN = frozenset(("Stream.synchronize", "Event.synchronize", "Device.synchronize"))


def regular(timeline: Timeline, rows: Array) -> Array:
    """Tell which of some calls a repetition has the same number of.

    A program may poll any number of times. launchpath itself marks and waits where a command is not complete yet: in
    its own traces, what the program has called are commands and launchpath's functions. On CUDA and HIP devices it
    leaves order to the driver: each record and each wait there is the program's.
    """
    ops = timeline.ops
    roles = ops.role[rows]
    result = roles != Role.QUERY
    if timeline.meta.get("recorder") is not True and not _OWN.isdisjoint(timeline.names):
        waits = numpy.isin(roles, (Role.FLUSH, Role.SYNCHRONIZE)) & _named(timeline, _DRIVER)[ops.function[rows]]
        marks = numpy.isin(roles, (Role.RECORD, Role.ORDER)) & _named(timeline, _OPENCL)[ops.function[rows]]
        result &= ~(waits | marks)
    return numpy.asarray(result)


def _named(timeline: Timeline, pattern: re.Pattern[str]) -> Array:
    """Tell which names fit."""
    return numpy.array([pattern.match(name) is not None for name in timeline.names] or [False], "?")
