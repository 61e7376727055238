"""Looks at threads that lost their processor in the look itself."""

import numpy

from launchpath._findings.timeline.looks import joined, repaired
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


def test_looks_of_ranges_are_parts_of_their_pause():
    rows = [
        (0, 0, 100, 50, 0, 3),
        (0, 100, 250, 20, 30, 4),  # a range began
        (1, 0, 400, 10, 0, 3),
        (0, 250, 300, 10, 5, 5),  # and ended
        (0, 300, 500, 40, 0, 3),
        (1, 400, 450, 10, 0, 3),
        (1, 450, 460, 1, 0, 3),  # nothing ends its pause any more
    ]
    looks = joined(_looks(rows), numpy.array([0, 1, 0, 1, 0, 0, 1]) != 0)
    order = numpy.argsort(looks.thread, kind="stable")
    columns = [
        (getattr(looks, name)[order] / US).tolist() for name in ("begin", "end", "processor", "runnable", "spent")
    ]
    assert columns == [
        [0, 100, 0, 400, 450],
        [100, 500, 400, 450, 460],
        [50, 70, 10, 10, 1],
        [0, 35, 0, 0, 0],
        [3, 12, 3, 3, 3],
    ]
    assert joined(looks, numpy.zeros(5, bool)) is looks
