"""What is too small to be spoken of."""

from __future__ import annotations

from launchpath._findings.regions.region import LEAST, Region

_SHARE = 0.02  # of the time of a repetition
_SPREADS = 2.0
_TIME = 1000.0  # nanoseconds


# Their effect differs from one repetition to the next: it is itself what makes the repetitions differ.
IRREGULAR = ("lock", "thread-not-running")


def floor(region: Region) -> float:
    """Give the nanoseconds of a repetition below which nothing is said; infinite: the region repeats too seldom."""
    period = region.period
    # What disturbs a program makes single repetitions longer: the other side tells how much they differ without.
    spread = min(period.high - period.value, period.value - period.low)
    return max(least(region), _SPREADS * spread)


def least(region: Region) -> float:
    """Give the same for what is irregular, and whose own interval tells whether it is there."""
    if int(region.typical.sum()) < LEAST:
        return float("inf")
    return max(_SHARE * region.period.value, _TIME)


def floor_of(kind: str, region: Region) -> float:
    """Give the nanoseconds below which a saving by the mend of a kind of finding is not spoken of."""
    return least(region) if kind in IRREGULAR else floor(region)
