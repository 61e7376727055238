"""Spans and their unions, against sets of moments."""

import numpy
from hypothesis import given
from hypothesis import strategies as st

from launchpath._findings.idle.spans import Spans, union

_SPAN = st.tuples(st.integers(0, 40), st.integers(0, 10)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def _arrays(spans):
    return (numpy.array([span[place] for span in spans], "i8") for place in (0, 1))


@given(st.lists(_SPAN, max_size=12), st.lists(st.integers(-5, 60), min_size=1, max_size=8))
def test_a_union_has_the_moments_of_its_spans(spans, moments):
    united, first, last = union(*_arrays(spans))
    busy = {moment for begin, end in spans for moment in range(begin, end)}
    assert {moment for begin, end in zip(united.begin, united.end, strict=True) for moment in range(begin, end)} == busy
    before = united.before(numpy.array(moments, "i8"))
    assert before.tolist() == [sum(each < moment for each in busy) for moment in moments]
    assert [spans[each][0] for each in first] == united.begin.tolist()
    assert [spans[each][1] for each in last] == united.end.tolist()
    assert (united.begin[1:] > united.end[:-1]).all()


def test_no_spans_are_before_no_moment():
    none = Spans(numpy.zeros(0, "i8"), numpy.zeros(0, "i8"))
    assert none.before(numpy.array([0, 7])).tolist() == [0, 0]
    assert none.between(numpy.array([0]), numpy.array([7])).tolist() == [0]


def test_nothing_is_between_a_moment_and_an_earlier_one():
    spans = Spans(numpy.array([0]), numpy.array([10]))
    assert spans.between(numpy.array([8]), numpy.array([3])).tolist() == [0]
