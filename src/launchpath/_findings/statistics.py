"""Numbers from repetitions: medians and means with their 95 % intervals."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._findings.interval import Interval

# Quantiles of Student's distribution, 97.5 %, by degrees of freedom from 1 on; behind them it is near the normal one.
_STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
NORMAL = 1.959964  # the 97.5 % quantile of the normal distribution


def student(freedom: int) -> float:
    """Give the 97.5 % quantile of Student's distribution; at most 0.2 % too large."""
    if freedom < 1:
        raise ValueError(f"freedom: expected at least 1, got {freedom}")
    return _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else NORMAL + 2.5 / freedom


def median_interval(values: NDArray[Any]) -> Interval:
    """Give the median with its 95 % interval, by the ranks of the values; of fewer than 6 their extremes.

    Raises
    ------
    ValueError
        There are no values.
    """
    if not len(values):
        raise ValueError("values: expected at least one, got none")
    ordered = numpy.sort(values)
    count = len(ordered)
    reach = NORMAL * count**0.5 / 2
    low, high = max(int(count / 2 - reach), 0), min(int(count / 2 + reach) + 1, count - 1)
    return Interval(float(numpy.median(ordered)), float(ordered[low]), float(ordered[high]))


def mean_interval(values: NDArray[Any]) -> Interval:
    """Give the mean with its 95 % interval by Student's distribution; of a single value it is infinitely wide.

    Raises
    ------
    ValueError
        There are no values.
    """
    count = len(values)
    if not count:
        raise ValueError("values: expected at least one, got none")
    mean = float(numpy.mean(values))
    if count == 1:
        return Interval(mean, -numpy.inf, numpy.inf)
    half = student(count - 1) * float(numpy.std(values, ddof=1)) / count**0.5
    return Interval(mean, mean - half, mean + half)
