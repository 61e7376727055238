"""Intervals: a number with what it may be at least and at most."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """A measured or predicted number, and the bounds of its 95 % interval.

    Attributes
    ----------
    value : float
        The best estimate.
    low, high : float
        ``low <= value <= high``.
    """

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"interval: expected low <= value <= high, got {self.low}, {self.value}, {self.high}")

    @property
    def half(self) -> float:
        """Half of its width: what stands behind "±"."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Interval:
        """Multiply by a factor, which may be negative."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Interval(self.value * factor, low, high)

    def as_json(self) -> dict[str, float]:
        """Give it as JSON takes it."""
        return {"value": self.value, "low": self.low, "high": self.high}
