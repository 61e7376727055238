"""What is too small to be spoken of."""

from __future__ import annotations

from launchpath._findings.regions.region import LEAST, Region

_SHARE = 0.02  # of the time of a repetition
_SPREADS = 3.0
_TIME = 1000.0  # nanoseconds


def floor(region: Region) -> float:
    """Give the nanoseconds of a repetition below which nothing is said; infinite: the region repeats too seldom."""
    if int(region.typical.sum()) < LEAST:
        return float("inf")
    period = region.period
    # What disturbs a program makes single repetitions longer: the other side tells how much they differ without.
    spread = min(period.high - period.value, period.value - period.low)
    return max(_SHARE * period.value, _SPREADS * spread, _TIME)
