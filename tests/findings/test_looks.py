"""Looks at threads that lost their processor in the look itself."""

import numpy

from launchpath._findings.timeline.looks import repaired
from launchpath._findings.timeline.ops import Looks

US = 1000


def _looks(rows):
    """Rows of thread, begin, end, processor, runnable and spent, in microseconds."""
    thread, begin, end, processor, runnable, spent = numpy.array(rows, "i8").T
    rest = {name: numpy.zeros(len(rows), "i8") for name in ("process", "switches", "faults")}
    times = {
        name: values * US
        for name, values in zip(
            ("begin", "end", "processor", "runnable", "spent"), (begin, end, processor, runnable, spent), strict=True
        )
    }
    return Looks(thread=thread.astype("i4"), **times, **rest)


def test_time_without_a_processor_in_a_look_is_behind_it():
    looks = repaired(_looks([(0, 0, 100, 100, 0, 3), (0, 100, 200, 100, 4000, 4003), (0, 200, 4400, 200, 0, 3)]))
    assert (looks.runnable / US).tolist() == [0, 0, 4000]
    assert (looks.spent / US).tolist() == [3, 3, 3]  # no time of the trace's own


def test_only_a_look_of_the_same_thread_gets_it():
    looks = repaired(_looks([(0, 0, 100, 100, 4000, 4003), (1, 50, 150, 100, 0, 3), (1, 150, 300, 150, 0, 3)]))
    assert (looks.runnable / US).tolist() == [4000, 0, 0]  # the thread's last one


def test_other_looks_stay_as_they_are():
    rows = [(0, 0, 1000, 300, 600, 3), (0, 1000, 1100, 101, 2, 3), (1, 0, 50, 50, 0, 4)]
    looks, before = repaired(_looks(rows)), _looks(rows)
    assert (looks.runnable == before.runnable).all() and (looks.spent == before.spent).all()
