"""Particles in a box: lists of neighbours that are made anew in each step, and sized by a result of the same step.

It draws ``examples/particles.py``, whose 12 launches of a step count the particles of each cell, sort them, list the
pairs of neighbours, and move the particles. Each step of the simulation runs in an ``lp.Step``. A small run is compared
with NumPy, to the last bit.

Run ``python examples/gallery/particle_cells.py``. The kernels are in ``examples/particles.cu``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

import launchpath as lp
from picture import device_of, options_of, save

sys.path.append(str(Path(__file__).parents[2]))
from examples import particles

Floats = npt.NDArray[np.float32]

SLAB = 1.2  # thickness of the part of the box that is drawn


@dataclass(frozen=True)
class Pairs:
    """The particles in the order of their cells, of shape (particles, 3), and the two of each pair of neighbours."""

    position: Floats
    first: npt.NDArray[np.int32]
    second: npt.NDArray[np.int32]

    def in_slab(self, middle: float) -> tuple[Floats, Floats]:
        """Return x and z of the particles near the middle of the box, and of both ends of each pair among them."""
        near, seen = np.abs(self.position[:, 1] - middle) < SLAB / 2, self.position[:, ::2]
        both = near[self.first] & near[self.second] & (self.first < self.second)  # each pair is there twice
        return seen[near], np.stack([seen[self.first[both]], seen[self.second[both]]], axis=1)


def pairs_of(simulation: particles.Simulation) -> Pairs:
    """Copy the pairs of the last step to the host: its kernels leave them in arrays with room for more."""
    stream, number = simulation.stream, simulation.pairs[-1]
    first, second = (array.to_numpy(stream)[:number] for array in (simulation.first, simulation.second))
    return Pairs(simulation.sorted_position.to_numpy(stream), first, second)


def simulated(program: lp.Program, layout: particles.Layout, moments: list[int]) -> tuple[list[Pairs], list[int]]:
    """Return the pairs of some steps, and the number of pairs in each step."""
    simulation = particles.Simulation(program, layout, with_step=True)
    lists, done = [], 0
    for steps in moments:
        rate = simulation.run(steps - done)
        lists.append(pairs_of(simulation))
        done = steps
    problems = simulation.problems()
    if problems:
        raise SystemExit("\n".join(problems))
    print(f"{rate:.0f} steps/s; {done} steps went to the driver in {simulation.region.report().submissions} parts")
    return lists, simulation.pairs


def draw(layout: particles.Layout, moments: list[int], lists: list[Pairs], numbers: list[int]) -> Figure:
    """Draw a slab of the box with lines between neighbours, and the number of pairs in each step below."""
    figure = Figure(figsize=(7.6, 4.0), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(2, 1))
    for axes, steps, pairs in zip(above.subplots(1, len(moments)), moments, lists, strict=True):
        seen, lines = pairs.in_slab(float(layout.box) / 2)
        axes.add_collection(LineCollection(lines, colors="#9ecae1", linewidths=0.7))
        axes.scatter(*seen.T, s=7, c="#08519c", linewidths=0, zorder=2)
        axes.set(xlim=(0, layout.box), ylim=(0, layout.box), aspect="equal", xticks=[], yticks=[])
        axes.spines[:].set_visible(True)
        axes.set_title(f"step {steps:,}")
    axes = below.subplots()
    axes.plot(np.arange(1, len(numbers) + 1), numbers, color="#08519c")
    axes.set(xlabel="step", ylabel="pairs", xlim=(0, len(numbers)), ylim=(0, 1.1 * max(numbers)))
    return figure


def main() -> None:
    """Run the program."""
    parser = options_of(__doc__, "particle_cells.png", particles=2000, steps=240)
    parser.add_argument(
        "--checked-steps", type=int, default=20, help="steps compared with NumPy (default: %(default)s)"
    )
    options = parser.parse_args()
    program = particles.compiled(device_of(options))
    wrong = particles.check(program, particles.Layout(200), options.checked_steps, with_step=True)
    if wrong:
        raise SystemExit("\n".join(wrong))
    print(f"{options.checked_steps} steps of 200 particles: identical to NumPy's")
    layout, moments = particles.Layout(options.particles), [max(1, options.steps * k // 6) for k in (0, 1, 2, 6)]
    save(draw(layout, moments, *simulated(program, layout, moments)), options.output, colours=48)


if __name__ == "__main__":
    main()
