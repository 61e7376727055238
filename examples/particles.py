"""Particles that repel each other over short distances: a program whose launches depend on results of the same step.

Each step counts the particles of each cell of a uniform grid, scans the counts, sorts the particles by cell, counts the
neighbours of each particle, scans these counts, lists the pairs of neighbours, computes a force for each pair, and
moves the particles: 12 launches of 10 kernels. The number of pairs changes from step to step. The host reads it in the
middle of the step, as a result of ``kernel.returning``, and sizes arrays and the force kernel's grid by it.

With ``--with-step`` each step of the simulation runs inside ``with step:`` of an ``lp.Step``. Its launches go to the
driver in two parts, before and after that read. (``--steps`` is the number of steps to simulate.)

Results do not depend on the order of threads: atomics only count, and each sum has a fixed order. So every run gives
the same bits, and ``numpy_step`` gives them too.

Where to look: `Simulation.step` has the launches; their kernels are in ``particles.cu``, in the same order.

In a clone, after ``make demo``:

    .venv/bin/python examples/particles.py
    .venv/bin/python examples/particles.py --with-step
    .venv/bin/python examples/particles.py --check
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

import launchpath as lp

Floats = npt.NDArray[np.float32]

KERNELS = Path(__file__).with_suffix(".cu")
THREADS = 128  # of a block
PARTICLES_PER_CELL = 3  # in the mean of all cells
# The unit of length is the distance over which particles repel each other. Cells are wider, so that rounding never puts
# neighbours into cells that are not neighbours.
CELL_WIDTH = np.float32(1.0625)
CELLS_PER_UNIT = np.float32(1) / CELL_WIDTH
STIFFNESS = np.float32(20)
DT = np.float32(0.01)
MOST_PARTICLES = 10_000_000  # the kernels' indices are ints, and each pair has 3 floats
MOST_CHECKED_PARTICLES = 1000  # NumPy compares each particle with each other
SIZES: dict[str, tuple[int, int, str]] = {  # options: their defaults without and with --check, and a description
    "particles": (4000, 300, "number of particles"),
    "steps": (500, 30, "number of steps"),
}


@dataclass(frozen=True)
class Layout:
    """The number of particles, and the grid of cells that has room for them."""

    particles: int

    def __str__(self) -> str:
        return f"{self.particles} particles in {self.cells} cells"

    @property
    def side(self) -> int:
        """Cells along each edge of the box."""
        return max(1, round(float(np.cbrt(self.particles / PARTICLES_PER_CELL))))

    @property
    def cells(self) -> int:
        """Cells of the box."""
        return int(self.side**3)

    @property
    def box(self) -> np.float32:
        """Length of the box's edges."""
        return np.float32(self.side * CELL_WIDTH)


def initial_state(layout: Layout, seed: int = 1) -> tuple[Floats, Floats]:
    """Draw positions in the left half of the box, and velocities: float32 arrays of shape (particles, 3)."""
    random = np.random.default_rng(seed)
    shape = (layout.particles, 3)
    position = random.uniform(0, layout.box, shape) * (0.5, 1, 1)
    return position.astype("float32"), random.normal(size=shape).astype("float32")


def blocks(threads: int) -> int:
    """Blocks that have at least so many threads."""
    return -(-threads // THREADS)


def compiled(device: lp.Device) -> lp.Program:
    """Compile the kernels."""
    return lp.compile(path=KERNELS, device=device, defines={"THREADS": THREADS})


class Simulation:
    """The particles on a device, and the launchers of a step."""

    def __init__(self, program: lp.Program, layout: Layout, with_step: bool = False) -> None:
        self.program, self.layout, device = program, layout, program.device
        self.region: lp.Step | nullcontext[None] = lp.Step() if with_step else nullcontext()  # for each step
        self.stream = lp.Stream(device=device)
        particles, cells = layout.particles, layout.cells

        def ints(size: int) -> lp.Array:
            return lp.empty(size, "int32", device, self.stream)

        self.position = lp.empty((particles, 3), "float32", device, self.stream)
        self.velocity = lp.empty((particles, 3), "float32", device, self.stream)
        self.sorted_position = lp.empty((particles, 3), "float32", device, self.stream)
        self.cell, self.placed, self.order = ints(particles), ints(particles), ints(particles)  # order: by slot
        self.count, self.starts, self.placed_total = ints(cells), ints(cells + 1), ints(1)
        self.neighbours, self.pair_starts = ints(particles), ints(particles + 1)
        self.block_sums = ints(blocks(max(particles, cells)))
        self.make_room(16 * particles)

        by_cell = (blocks(cells), THREADS, self.stream)
        by_particle = (blocks(particles), THREADS, self.stream)
        self.clear_counts = program.clear_counts[by_cell]
        self.count_particles = program.count_particles[by_particle]
        self.scan_cells = program.scan_blocks[by_cell]
        self.add_cell_sums = program.add_block_sums[by_cell]
        self.place_particles = program.place_particles[by_particle]
        self.sort_cells = program.sort_cells[by_particle]
        self.count_neighbours = program.count_neighbours[by_particle]
        self.scan_neighbours = program.scan_blocks[by_particle]
        self.add_neighbour_sums = program.add_block_sums.returning("total")[by_particle]
        self.list_pairs = program.list_pairs[by_particle]
        self.integrate = program.integrate[by_particle]
        self.reset()

    def reset(self) -> None:
        """Go back to the beginning."""
        for array, initial in zip((self.position, self.velocity), initial_state(self.layout), strict=True):
            array.copy_from(initial, self.stream)
        self.pairs: list[int] = []  # of each step

    def make_room(self, pairs: int) -> None:
        """Allocate the arrays of pairs anew. Launches that use the old arrays keep them until they are complete."""
        self.room = pairs
        self.first = lp.empty(pairs, "int32", self.program.device, self.stream)
        self.second = lp.empty(pairs, "int32", self.program.device, self.stream)
        self.force = lp.empty((pairs, 3), "float32", self.program.device, self.stream)

    def step(self) -> int:
        """Launch a step, and return its number of pairs. The only wait is for that number."""
        particles, cells, side = self.layout.particles, self.layout.cells, self.layout.side
        cell, order, at, starts = self.cell, self.order, self.sorted_position, self.starts
        self.clear_counts(cells, self.count)
        self.count_particles(particles, side, CELLS_PER_UNIT, self.position, cell, self.count)
        self.scan_cells(cells, self.count, starts, self.block_sums)
        self.add_cell_sums(cells, self.block_sums, starts, self.placed_total)
        self.place_particles(particles, cell, starts, self.count, self.placed)
        self.sort_cells(particles, cell, starts, self.placed, self.position, order, at)
        self.count_neighbours(particles, side, cell, starts, order, at, self.neighbours)
        self.scan_neighbours(particles, self.neighbours, self.pair_starts, self.block_sums)
        pairs = int(self.add_neighbour_sums(particles, self.block_sums, self.pair_starts))
        if pairs > self.room:
            self.make_room(pairs + pairs // 4)
        self.list_pairs(particles, side, cell, starts, order, at, self.pair_starts, self.first, self.second)
        if pairs:  # a grid has at least one block
            repel = self.program.repel[blocks(pairs), THREADS, self.stream]
            repel(pairs, STIFFNESS, self.first, self.second, at, self.force)
        self.integrate(
            particles, DT, self.layout.box, order, self.pair_starts, self.force, self.position, self.velocity
        )
        return pairs

    def run(self, steps: int) -> float:
        """Simulate further steps, and return the steps per second."""
        began = perf_counter()
        for _ in range(steps):
            with self.region:
                self.pairs.append(self.step())
        self.stream.synchronize()
        return steps / (perf_counter() - began)

    def state(self) -> tuple[Floats, Floats]:
        """Copy positions and velocities to the host."""
        return self.position.to_numpy(self.stream), self.velocity.to_numpy(self.stream)

    def problems(self) -> list[str]:
        """List what is wrong with the state and the numbers of pairs."""
        position, velocity = self.state()
        wrong = []
        if not (np.isfinite(position).all() and np.isfinite(velocity).all()):
            wrong.append("a position or velocity is not finite")
        if not ((position >= 0) & (position <= self.layout.box)).all():
            wrong.append("a particle is outside the box")
        if any(pairs % 2 for pairs in self.pairs):
            wrong.append("expected each pair in both directions, got an odd number")
        return wrong


def checksum(state: tuple[Floats, Floats]) -> str:
    """Compute a hash that differs if positions or velocities differ in one bit."""
    digest = hashlib.sha256()
    for array in state:
        digest.update(array.tobytes())
    return digest.hexdigest()


# ---------------------------------------------------------------------------------------------------------------------
# The same in NumPy


def fma(a: Floats | np.float32, b: Floats, c: Floats) -> Floats:
    """Compute a * b + c as the kernels' fmaf does, in double precision: products are exact there."""
    return (np.float64(1) * a * b + c).astype("float32")


def numpy_pairs(at: Floats) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Floats, Floats]:
    """Find all pairs of neighbours: their particles, the vectors between them, and 1 - their squared distances."""
    between = at[:, None] - at[None]
    x, y, z = np.moveaxis(between, 2, 0)
    squared = fma(x, x, fma(y, y, z * z))
    np.fill_diagonal(squared, 1)
    first, second = np.nonzero(squared < 1)
    return first, second, between[first, second], 1 - squared[first, second]


def numpy_step(layout: Layout, position: Floats, velocity: Floats) -> tuple[Floats, Floats, int]:
    """Compute one step: positions, velocities and the number of pairs."""
    x, y, z = np.clip((position * CELLS_PER_UNIT).astype(int), 0, layout.side - 1).T
    order = np.argsort((z * layout.side + y) * layout.side + x, kind="stable")
    first, _, between, overlap = numpy_pairs(position[order])
    force, sorted_force = np.zeros_like(position), np.zeros_like(position)
    np.add.at(sorted_force, first, (STIFFNESS * overlap)[:, None] * between)  # adds in the order of pairs
    force[order] = sorted_force
    velocity = fma(DT, force, velocity)
    position = fma(DT, velocity, position)
    outside = (position < 0) | (position > layout.box)
    position = np.where(position < 0, -position, np.where(outside, 2 * layout.box - position, position))
    return position, np.where(outside, -velocity, velocity), len(first)


def energy(position: Floats, velocity: Floats) -> float:
    """Compute the kinetic and potential energy of a few particles."""
    overlap = numpy_pairs(position)[3].astype("float64")  # each pair is there twice
    return float(0.5 * (velocity.astype("float64") ** 2).sum() + STIFFNESS / 8 * (overlap**2).sum())


def check(program: lp.Program, layout: Layout, steps: int, with_step: bool = False) -> list[str]:
    """Compare each step of a few particles with NumPy, and list the differences."""
    simulation = Simulation(program, layout, with_step)
    position, velocity = initial_state(layout)
    before, wrong = energy(position, velocity), []
    for step in range(1, steps + 1):
        position, velocity, pairs = numpy_step(layout, position, velocity)
        simulation.run(1)
        if simulation.pairs[-1] != pairs:
            wrong.append(f"step {step}: expected {pairs} pairs, got {simulation.pairs[-1]}")
        if checksum(simulation.state()) != checksum((position, velocity)):
            wrong.append(f"step {step}: expected NumPy's positions and velocities, got others")
    change = energy(*simulation.state()) / before - 1
    if not abs(change) < 0.02:
        wrong.append(f"the energy changed by {100 * change:.2f} %")
    return wrong


# ---------------------------------------------------------------------------------------------------------------------
# The command


def simulate(program: lp.Program, layout: Layout, steps: int, with_step: bool = False) -> list[str]:
    """Run once, print the figures, and list what is wrong with the result."""
    simulation = Simulation(program, layout, with_step)
    simulation.run(1)  # a driver may finish compiling only here
    simulation.reset()
    print(f"{simulation.run(steps):.0f} steps/s")
    if isinstance(simulation.region, lp.Step):
        print(simulation.region.report())
    print(f"{min(simulation.pairs)} to {max(simulation.pairs)} pairs a step, {simulation.pairs[-1]} in the last step")
    print(f"checksum {checksum(simulation.state())}")
    return simulation.problems()


def sizes(parser: argparse.ArgumentParser, options: argparse.Namespace) -> tuple[Layout, int]:
    """Return the layout and the number of steps that the options ask for."""
    values: dict[str, int] = {}
    for name, (default, checked, _) in SIZES.items():
        value = getattr(options, name)
        if value is None:
            value = checked if options.check else default
        if value < 1:
            parser.error(f"--{name}: expected a number of at least 1, got {value}")
        values[name] = value
    most = MOST_CHECKED_PARTICLES if options.check else MOST_PARTICLES
    if values["particles"] > most:
        where = " with --check" if options.check else ""
        parser.error(f"--particles: expected at most {most}{where}, got {values['particles']}")
    return Layout(values["particles"]), values["steps"]


def main() -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(
        description="Simulate particles that repel each other, with launches that are sized by results of the same "
        "step, and print the steps per second."
    )
    parser.add_argument("--device", help="an index, or words as lp.device takes them (default: the current device)")
    for name, (default, checked, text) in SIZES.items():
        parser.add_argument(f"--{name}", type=int, help=f"{text} (default: {default}, with --check {checked})")
    parser.add_argument("--check", action="store_true", help="compare each step with NumPy, and measure nothing")
    parser.add_argument("--with-step", action="store_true", help="run each step of the simulation in an lp.Step")
    options = parser.parse_args()
    layout, steps = sizes(parser, options)
    try:
        device = lp.device(options.device) if options.device else lp.current_device()
    except lp.LaunchpathError as error:
        parser.error(str(error))
    print(f"{device.name} ({device.platform}): {layout}, {steps} steps")
    program = compiled(device)
    wrong = (check if options.check else simulate)(program, layout, steps, options.with_step)
    well = "identical to NumPy's" if options.check else "checks (finite, in the box, symmetric pairs): all well"
    print("\n".join(f"wrong: {problem}" for problem in wrong) or well)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
