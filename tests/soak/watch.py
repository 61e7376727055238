"""Decides whether figures are flat."""

from __future__ import annotations

from .figures import Figures

MIB = 1 << 20
# What may be more at the end than after the first minute. Pools of threads, allocators and caches fill up slowly.
MAY_GROW = {"rss": 16 * MIB, "heap": 4 * MIB, "threads": 4, "files": 4, "objects": 2000, "blocks": 10000, "arrays": 16}
PARTS = 4  # the least of the first part is held against the least of the last


class Watch:
    """Figures over time."""

    def __init__(self, warm_s: float) -> None:
        self.warm_s = warm_s
        self._taken: list[tuple[float, Figures]] = []

    @property
    def last(self) -> Figures:
        """Return the newest figures."""
        return self._taken[-1][1]

    def add(self, at_s: float, figures: Figures) -> None:
        """Note figures."""
        self._taken.append((at_s, figures))

    def growths(self) -> list[str]:
        """Tell what has grown more than it may since it was warm."""
        warm = [figures for at_s, figures in self._taken if at_s >= self.warm_s]
        if len(warm) < PARTS:
            return []
        size = max(1, len(warm) // PARTS)
        growths = []
        for name, most in MAY_GROW.items():
            before = min(getattr(figures, name) for figures in warm[:size])
            after = min(getattr(figures, name) for figures in warm[-size:])
            if after - before > most:
                growths.append(f"{name} grew from {before} to {after}, expected at most {most} more")
        return growths
