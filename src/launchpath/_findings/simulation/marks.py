"""Marks: the begins and ends of repetitions in a stretch, and the times between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.simulation.program import Program
from launchpath._findings.simulation.running import Run
from launchpath._findings.timeline.ops import Array


@dataclass
class Marks:
    """Where repetitions begin and end.

    Attributes
    ----------
    thread : int
        The region's.
    next : numpy.ndarray of int64
        For each mark the place of the thread's first call behind it; the stretch's length: there is none.
    previous : numpy.ndarray of int64
        The place of the thread's last call before it; -1: there is none.
    part : numpy.ndarray of float64
        Where it is in the time between these two calls, from 0 to 1.
    """

    thread: int
    next: Array
    previous: Array
    part: Array

    def times(self, program: Program, result: Run) -> Array:
        """Give each mark's time: when the thread has come there, and the device has done all that came before."""
        end, before = numpy.array(result.end), numpy.array([*program.before, 0.0])
        mine = numpy.array(program.thread) == self.thread
        done = numpy.where(mine, numpy.array(result.done), -numpy.inf)
        return self.from_columns(end, before, done)

    def from_columns(self, end: Array, before: Array, done: Array) -> Array:
        """Give each mark's time by the ends of calls, the times before calls, and when their works have ended."""
        latest = numpy.maximum.accumulate(numpy.append(done, -numpy.inf))
        first = self.previous < 0
        host = numpy.where(first, 0.0, end[self.previous]) + self.part * before[self.next]
        return numpy.asarray(numpy.where(first, host, numpy.maximum(host, latest[self.previous])))
