"""How long each stage of a compilation took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Stages:
    """Takes the times of stages, one after the other.

    Attributes
    ----------
    times : list of (str, float)
        Names and seconds, in order.
    """

    def __init__(self) -> None:
        self.times: list[tuple[str, float]] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time what is done inside; what fails is no stage."""
        began = perf_counter()
        yield
        self.times.append((name, perf_counter() - began))
