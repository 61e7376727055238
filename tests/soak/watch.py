"""Decides whether figures are flat."""

from dataclasses import replace

from .figures import Figures

MIB = 1 << 20
# What may be more at the end than after the first minute. Pools of threads, allocators and caches fill up slowly.
MAY_GROW = {"rss": 16 * MIB, "heap": 4 * MIB, "threads": 4, "files": 4, "objects": 2000, "blocks": 10000, "arrays": 16}
# What OpenCL runtimes keep of each program and of each load's temporaries, though all is released: at most 3 KB, see
# benchmarks/runtime_memory.py.
KEPT_BY_RUNTIME = 4096
PARTS = 4  # the least of the first part is held against the least of the last


class Watch:
    """Figures over time."""

    def __init__(self, warm_s: float) -> None:
        self.warm_s = warm_s
        self._taken: list[tuple[float, Figures]] = []

    def add(self, at_s: float, figures: Figures, done: int = 0) -> None:
        """Note figures, and how many programs and loads there have been."""
        kept = done * KEPT_BY_RUNTIME
        self._taken.append((at_s, replace(figures, rss=figures.rss - kept, heap=figures.heap - kept)))

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
