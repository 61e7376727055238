"""Buckets: quantiles are known to 1 %, whatever the size of the values."""

import random
from collections.abc import Sequence

import numpy
import pytest
from numpy.typing import NDArray

from launchpath._trace import format
from launchpath._trace.condensed.blob import Blob
from launchpath._trace.condensed.buckets import Buckets, middle
from launchpath._trace.condensed.columns import Row
from launchpath._trace.condensed.format import IN_OCTAVE, Table
from launchpath._trace.condensed.library import Condenser, Part
from tests.sample import amount
from tests.trace.builder import slot

SHARES = (0, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1)
MOST = 1 << 56


def counted(values: Sequence[int]) -> Row:
    """The cell of calls that took these times."""
    slots = b"".join(slot(format.CALL, entry=1, begin=0, end=value) for value in values)
    condenser = Condenser(False)
    condenser.read({(0, 1): [Part(len(values), False, numpy.frombuffer(slots, "u1"))]})
    return Blob(condenser.blob()).cells[Table.CALL][1]


def places(values: NDArray[numpy.int64]) -> list[int]:
    """The buckets of values, in plain Python."""
    result = []
    for value in values.tolist():
        top = value.bit_length() - 1
        result.append(value if value < IN_OCTAVE else (top - 5) * IN_OCTAVE + (value >> (top - 6)) % IN_OCTAVE)
    return result


def test_the_middle_of_each_bucket_is_in_it() -> None:
    every = numpy.arange(51 * IN_OCTAVE)  # up to 2^56
    values = middle(every)
    assert places(values) == every.tolist() and (numpy.diff(values) > 0).all()


def test_values_are_counted_in_their_buckets() -> None:
    edges = [edge + off for edge in (1 << power for power in range(52)) for off in (-1, 0, 1)]
    row = counted(edges)
    numbers, counts = row.buckets.sums()
    expected = numpy.unique(places(numpy.array(edges)), return_counts=True)
    assert numbers.tolist() == expected[0].tolist() and counts.tolist() == expected[1].tolist()
    assert (row.calls, row.total, row.squares) == (len(edges), sum(edges), sum(each**2 for each in edges))
    assert (row.shortest, row.longest) == (0, max(edges))


@pytest.mark.parametrize("seed", range(8))
def test_quantiles(seed: int) -> None:
    draw = numpy.random.default_rng(seed)
    count = int(draw.integers(1, amount(2000, 50_000)))
    spread, typical = draw.uniform(0, 4), draw.uniform(0, 30)
    values = numpy.minimum(numpy.exp(draw.normal(typical, spread, count)), 2.0**51).astype("i8")
    exact = numpy.quantile(values, SHARES, method="inverted_cdf")
    for known, value in zip(counted(values.tolist()).buckets.quantiles(SHARES), exact, strict=True):
        assert abs(known - value) <= 0.01 * value


def test_quantiles_of_nothing() -> None:
    assert numpy.isnan(Buckets.empty().quantiles([0, 0.5])).all()


def test_buckets_that_are_merged_are_those_of_all_values() -> None:
    draw = random.Random(1)
    parts = [[draw.randrange(1 << draw.randrange(1, 40)) for _ in range(draw.randrange(5))] for _ in range(600)]
    whole = Buckets.empty()
    for part in parts:
        whole.merge(counted(part).buckets if part else Buckets.empty())
    numbers, counts = whole.sums()
    expected = numpy.unique(places(numpy.array([each for part in parts for each in part])), return_counts=True)
    assert numbers.tolist() == expected[0].tolist() and counts.tolist() == expected[1].tolist()


def test_sums_stop_at_the_largest_number() -> None:
    """A value is at most 2^56: 16 squares of it, and 2^16 such values, are more than 128 bits."""
    count = (1 << 16) + 9
    record = numpy.zeros(count, format.CALL_SLOT)
    record["kind"], record["entry"], record["end"], record["parent"] = format.API, 1, 1 << 60, 1
    condenser = Condenser(False)
    condenser.read({(0, 1): [Part(count, False, record)]})
    row = Blob(condenser.blob()).cells[Table.API][1]
    assert (row.calls, row.total, row.squares) == (count, count * MOST, (1 << 128) - 1)
    assert (row.longest, row.nested) == (MOST, (1 << 64) - 1)
