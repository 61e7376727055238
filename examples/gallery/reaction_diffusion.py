"""Patterns of two substances that react and spread: a CUDA program with its own ``main``, driven from Python.

``reaction_diffusion.cu`` is a program for nvcc, as programs are published: with ``main``, a macro that checks calls, a
kernel template, a ``__constant__`` struct and events. launchpath compiles the file as it is. Python sets the constants,
launches the kernel, and so runs it with other parameters than ``main`` has.

Run ``python examples/gallery/reaction_diffusion.py``.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import launchpath as lp
from picture import blocks, checked, device_of, options_of, save

Floats = npt.NDArray[np.float32]

BLOCK = (32, 8)
KERNEL = "grayScott<float>"  # the instance that `main` launches
DIFFUSION = (1.0, 0.5)
PATTERNS = {"worms": (0.037, 0.06), "holes": (0.039, 0.058), "cells": (0.030, 0.062), "waves": (0.018, 0.051)}
CHECKED_STEPS = 100


def start(size: int) -> tuple[Floats, Floats]:
    """Return the concentrations at the start, as `main` sets them, and further squares of the second substance."""
    u, v = np.ones((size, size), "float32"), np.zeros((size, size), "float32")
    middle, random = size // 2, np.random.default_rng(4)
    for y, x in [(middle - 8, middle - 8), *random.integers(0, max(1, size - 16), (12, 2))]:
        u[y : y + 16, x : x + 16], v[y : y + 16, x : x + 16] = 0.5, 0.25
    return u, v


class Substances:
    """The two substances on a device."""

    def __init__(self, device: lp.Device, size: int) -> None:
        self.program = lp.compile(path=Path(__file__).with_suffix(".cu"), device=device)
        self.size, self.together = size, lp.Step()
        self.now = [lp.asarray(array, device=device) for array in start(size)]
        self.next = [lp.empty_like(array) for array in self.now]
        grid = (blocks(size, BLOCK[0]), blocks(size, BLOCK[1]))
        self.react = self.program[KERNEL][grid, BLOCK, device.legacy_stream]

    def set_rates(self, feed: float, kill: float) -> None:
        """Write the constants, as cudaMemcpyToSymbol does."""
        values = np.float32([feed, kill, *DIFFUSION])
        self.program.symbol("c_params").copy_from(values.tobytes())

    def run(self, steps: int) -> None:
        """Compute some steps, a hundred to a submission."""
        for first in range(0, steps, 100):
            with self.together:
                for _ in range(first, min(first + 100, steps)):
                    self.react(*self.now, *self.next, self.size)
                    self.now, self.next = self.next, self.now


def laplacian(field: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Compare each point with the eight around it, on a torus."""
    columns = np.roll(field, 1, axis=1) + np.roll(field, -1, axis=1)
    edges = columns + np.roll(field, 1, axis=0) + np.roll(field, -1, axis=0)
    corners = np.roll(columns, 1, axis=0) + np.roll(columns, -1, axis=0)
    return 0.2 * edges + 0.05 * corners - field


def numpy_run(size: int, rates: tuple[float, float], steps: int) -> list[npt.NDArray[np.float64]]:
    """Compute the same in NumPy, in double precision."""
    u, v = (array.astype("float64") for array in start(size))
    feed, kill = rates
    for _ in range(steps):
        reaction = u * v * v
        u, v = (
            u + DIFFUSION[0] * laplacian(u) - reaction + feed * (1 - u),
            v + DIFFUSION[1] * laplacian(v) + reaction - (feed + kill) * v,
        )
    return [u, v]


def draw(patterns: dict[str, Floats]) -> Figure:
    """Draw the second substance of each pattern."""
    figure = Figure(figsize=(7.6, 2.2), layout="constrained")
    for axes, (name, v) in zip(figure.subplots(1, len(patterns)), patterns.items(), strict=True):
        axes.imshow(v, cmap="magma")
        axes.set_title(f"{name}: feed {PATTERNS[name][0]}, kill {PATTERNS[name][1]}", fontsize=8)
        axes.set_axis_off()
    return figure


def main() -> None:
    """Run the program."""
    options = options_of(__doc__, "reaction_diffusion.png", size=160, steps=4000).parse_args()
    device, patterns = device_of(options), {}
    for name, rates in PATTERNS.items():
        substances = Substances(device, options.size)
        substances.set_rates(*rates)
        substances.run(CHECKED_STEPS)
        expected = numpy_run(options.size, rates, CHECKED_STEPS)
        for which, values, exact in zip("uv", substances.now, expected, strict=True):
            checked(f"{name}, {which}", values.to_numpy(), exact, 1e-4)
        began = perf_counter()
        substances.run(options.steps - CHECKED_STEPS)
        patterns[name] = substances.now[1].to_numpy()
        print(f"{options.steps} steps of {options.size} x {options.size} points: {perf_counter() - began:.2f} s")
    save(draw(patterns), options.output, colours=40)


if __name__ == "__main__":
    main()
