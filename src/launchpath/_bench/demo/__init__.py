"""The demonstration: what it runs on a device, and what came of it. What it shows is what it has run."""

from __future__ import annotations

from launchpath._bench.demo.demonstration import BLOCKS, Demonstration, Mistake, wrong
from launchpath._bench.demo.picture import png
from launchpath._bench.demo.programs import KERNEL, LAUNCH, MISTAKES, OUTSIDE, PROGRAM, SHOWN, SLOW

__all__ = [
    "BLOCKS", "KERNEL", "LAUNCH", "MISTAKES", "OUTSIDE", "PROGRAM", "SHOWN", "SLOW", "Demonstration", "Mistake", "png",
    "wrong",
]  # fmt: skip
