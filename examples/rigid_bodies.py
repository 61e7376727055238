"""Rigid bodies in many small worlds: a program whose time goes into launching kernels.

Each world is a few balls and capsules that fall on a plane and on each other. Contacts are solved by sequential
impulses, one thread a world, so nothing depends on an order of atomics: every run gives the same bits. A step is 44
launches of 29 kernels, each of them small, as in engines that simulate such worlds by the thousand.

Every kernel takes one pointer to a struct, as generated code does. ``kernel.by_fields`` is that kernel called with the
struct's fields: launchpath keeps the struct in device memory and uploads it only when a field has changed, which here
is never after the first step. What does change from step to step lives in device memory.

With ``--with-step`` each step of the simulation runs inside ``with step:`` of an ``lp.Step``, and its launches are
submitted as one. (``--steps`` is the number of steps to simulate.)

Where to look: `Simulation` picks each kernel's arguments by the names of its struct's fields, binds and launches it.
`KERNEL` is what every kernel looks like; `source` writes that around each function of ``namespace work`` in
``rigid_bodies.cu``, which is physics in ordinary CUDA C++. ``rigid_bodies_comparison.py`` is what ``--compare`` does.

In a clone, after ``make demo``; the first takes seconds, the second a minute or two:

    .venv/bin/python examples/rigid_bodies.py
    .venv/bin/python examples/rigid_bodies.py --with-step
    .venv/bin/python examples/rigid_bodies.py --compare

With ``LAUNCHPATH_SKIP_UPLOADS=0`` in the environment the first uploads the structs for every launch, as
``--arguments upload`` does.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

import launchpath as lp

if __package__:
    from examples.rigid_bodies_comparison import compare, report
else:  # run as a file: its folder is on the path
    from rigid_bodies_comparison import compare, report

PHYSICS = Path(__file__).with_suffix(".cu")

# Each kernel twice: for `by_fields`, and with the same fields as parameters of its own, to compare it with.
# Both have the fields in registers before the work begins, so that both do the same arithmetic.
KERNEL = """
__global__ void {name}(const {struct}* fields) {{
    const {struct} p = *fields;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.threads) work::{name}(p, i);
}}
__global__ void {name}_plain({parameters}) {{
    const {struct} p = {{{arguments}}};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.threads) work::{name}(p, i);
}}
"""

KINDS = ("sphere_sphere", "sphere_capsule", "capsule_capsule", "sphere_ground", "capsule_ground")  # of pairs

# A step: what there is a thread for, and kernels, in order.
SCHEDULE = (
    ("bodies", "clear_forces gravity drag world_inertia integrate_velocities bounds"),
    ("contacts", "broad_phase"),
    *((kind, kind) for kind in KINDS),
    ("contacts", "prepare"),
    ("worlds", "warm_start" + 8 * " solve_friction solve_normals"),
    ("bodies", "clear_pushes"),
    ("worlds", "correct_positions correct_positions"),
    ("bodies", "integrate_positions take_momentum integrate_rotations normalise give_momentum calm"),
    ("worlds", "fall_asleep"),
    ("bodies", "rest energies"),
    ("worlds", "watch"),
    ("one", "count_step"),
)

MODES = {
    "skip": "structs in device memory, uploaded when they have changed",
    "upload": "structs in device memory, uploaded for every launch",
    "plain": "fields as parameters of the kernels",
}
# What --compare runs: a name, the mode of its arguments, and whether each step of it is a step of launchpath.
STEP = "step"
RUNS = {**{mode: (mode, False) for mode in MODES}, STEP: ("skip", True)}
RATIOS = (("skip", "upload"), ("skip", "plain"), (STEP, "skip"))  # of their speeds, which --compare prints
THREADS = 64  # of a block
STEPS_BETWEEN_SYNCHRONIZE = 50
CONSTANTS: dict[str, float] = {
    "dt": 1 / 120, "gravity": 9.81, "drag": 0.3, "margin": 0.02, "calm_speed": 0.05, "calm_time": 0.5,
    "friction": 0.5, "restitution": 0.2, "bounce_speed": 1.0, "slop": 0.005, "stiffness": 0.2, "warmth": 0.5,
}  # fmt: skip
STATE = ("position", "rotation", "velocity", "spin", "impulse", "calm", "asleep", "total", "rise", "sunk", "steps")


def fields_of(struct: str) -> list[tuple[str, str]]:
    """Read (type, name) of a struct's fields."""
    text = re.sub("//.*", "", PHYSICS.read_text(encoding="utf-8"))
    match = re.search(rf"struct {struct} {{(.*?)}};", text, re.DOTALL)
    assert match
    return re.findall(r"(\w+\*?) (\w+);", match[1])


def source() -> str:
    """Write the whole source: the physics, and the kernels around its functions."""
    text = PHYSICS.read_text(encoding="utf-8")
    for name, struct in re.findall(r"__device__ void (\w+)\(const (\w+)& p, int \w+\)", text):
        fields = fields_of(struct)
        parameters, arguments = ", ".join(map(" ".join, fields)), ", ".join(field for _, field in fields)
        text += KERNEL.format(name=name, struct=struct, parameters=parameters, arguments=arguments)
    return text


# ---------------------------------------------------------------------------------------------------------------------
# The state


@dataclass(frozen=True)
class Layout:
    """How many worlds, bodies and contact slots there are. Of a world's bodies the balls come first."""

    worlds: int
    bodies: int

    def __str__(self) -> str:
        return f"{self.worlds} worlds of {self.bodies} bodies"

    @property
    def balls(self) -> int:
        """How many of a world's bodies are balls; the others are capsules."""
        return (self.bodies + 1) // 2

    def pairs(self) -> dict[str, list[tuple[int, int]]]:
        """Contact slots of a world, by kind: the two bodies of each."""
        balls, capsules = range(self.balls), range(self.balls, self.bodies)
        between_balls = [(a, b) for a in balls for b in balls if a < b]
        between_capsules = [(a, b) for a in capsules for b in capsules if a < b]
        mixed = [(a, b) for a in balls for b in capsules]
        # The ground is solved last: it does not give way.
        on_ground = [(a, -1) for a in balls], [(a, -1) for a in capsules for _ in range(2)]
        return dict(zip(KINDS, (between_balls, mixed, between_capsules, *on_ground), strict=True))

    def work(self) -> dict[str, tuple[int, int]]:
        """Items of work by what a kernel has threads for, and the first contact slot among them."""
        items, begin = {}, 0
        for kind, slots in self.pairs().items():
            items[kind] = (len(slots) * self.worlds, begin)
            begin += len(slots)
        items |= {"contacts": (begin * self.worlds, 0), "bodies": (self.bodies * self.worlds, 0)}
        return items | {"worlds": (self.worlds, 0), "one": (1, 0)}


def initial_state(layout: Layout, seed: int = 1) -> dict[str, npt.NDArray[Any]]:
    """Stack each world's bodies in the air, turned and shifted at random, and make the other arrays empty."""
    random = np.random.default_rng(seed)
    worlds, bodies = layout.worlds, layout.bodies
    count, slots = bodies * worlds, sum(map(len, layout.pairs().values()))
    is_ball = np.arange(count) // worlds < layout.balls
    radius = np.where(is_ball, random.uniform(0.25, 0.45, count), random.uniform(0.15, 0.25, count))
    half = np.where(is_ball, 0, random.uniform(0.2, 0.4, count))
    ball, tube = 4 / 3 * np.pi * radius**3, 2 * np.pi * radius**2 * half
    along = (0.4 * ball + 0.5 * tube) * radius**2
    across = ball * (0.4 * radius**2 + half**2 + 0.75 * half * radius) + tube * (half**2 / 3 + radius**2 / 4)
    level = random.permuted(np.tile(np.arange(bodies), (worlds, 1)), axis=1).T.reshape(-1)
    position = np.stack([*random.uniform(-0.2, 0.2, (2, count)), 1 + 1.3 * level], axis=1)
    rotation = random.normal(size=(count, 4))
    pairs = np.array([pair for kind in layout.pairs().values() for pair in kind], "int32").reshape(-1, 2)
    state: dict[str, Any] = {
        "position": position, "rotation": rotation / np.linalg.norm(rotation, axis=1, keepdims=True),
        "velocity": np.zeros((count, 3)), "spin": random.normal(size=(count, 3)),
        "mass": ball + tube, "inertia": np.stack([along, across], axis=1), "radius": radius, "half": half,
        "lowest": np.full(worlds, 3e38), "near": np.zeros(slots * worlds, "int32"),
        "asleep": np.zeros(worlds, "int32"), "steps": np.zeros(1, "int32"),
        "first": pairs[:, 0].copy(), "second": pairs[:, 1].copy(), "inverse_inertia": np.zeros((count, 6)),
    }  # fmt: skip
    by_body = ("force", "torque", "push", "twist", "momentum", "low", "high")
    state |= {name: np.zeros((count, 3)) for name in by_body} | {name: np.zeros(count) for name in ("calm", "energy")}
    state |= {name: np.zeros((slots * worlds, 3)) for name in ("normal", "point", "contact_mass", "impulse")}
    state |= {name: np.zeros(slots * worlds) for name in ("gap", "target", "pushed")}
    state |= {name: np.zeros(worlds) for name in ("total", "highest", "rise", "sunk")}
    return {name: a if a.dtype == np.int32 else a.astype("float32") for name, a in state.items()}


@contextmanager
def uploads(mode: str) -> Iterator[None]:
    """Upload structs for every launch while in mode "upload"; otherwise only what has changed, as always."""
    if mode != "upload":
        yield
        return
    before = lp.skip_uploads(False)
    try:
        yield
    finally:
        lp.skip_uploads(before)


def skips() -> bool:
    """Ask whether uploads are skipped at all: the environment may say that they are not."""
    before = lp.skip_uploads(True)
    lp.skip_uploads(before)
    return before


def keeps_back() -> bool:
    """Ask whether steps keep launches back at all: the environment may say that they do not."""
    return lp.Step().report().on


def described(mode: str, with_step: bool = False) -> str:
    """Say how kernels get their arguments in a mode, and how launches are submitted."""
    text = MODES[mode]
    if mode == "skip" and not skips():
        text = f"{MODES['upload']} (LAUNCHPATH_SKIP_UPLOADS is 0)"
    if with_step:
        text += "; launches of a step submitted " + ("as one" if keeps_back() else "at once (LAUNCHPATH_STEPS is 0)")
    return text


class Simulation:
    """The worlds on a device, and the launches of a step, their arguments bound."""

    def __init__(self, program: lp.Program, layout: Layout, mode: str = "skip", with_step: bool = False) -> None:
        self.layout, self.mode = layout, mode
        self.region: lp.Step | nullcontext[None] = lp.Step() if with_step else nullcontext()  # for each step
        self.stream = lp.Stream(device=program.device)
        self.initial = initial_state(layout)
        self.arrays = {name: lp.asarray(a, a.dtype, program.device) for name, a in self.initial.items()}
        common = {**CONSTANTS, **self.arrays, "worlds": layout.worlds, "bodies": layout.bodies}
        common["slots"] = len(self.initial["first"])
        work = layout.work()
        self.step: list[partial[None]] = []
        for item, names in SCHEDULE:
            threads, begin = work[item]
            values = {**common, "threads": threads, "begin": begin}
            for name in names.split() if threads else ():  # of a single body there are no pairs
                kernel = program[f"{name}_plain"] if mode == "plain" else program[name].by_fields
                arguments = [values[parameter.name] for parameter in kernel.signature.parameters]
                self.step.append(partial(kernel[-(-threads // THREADS), THREADS, self.stream], *arguments))

    def reset(self) -> None:
        """Go back to the beginning."""
        for name, array in self.arrays.items():
            array.copy_from(self.initial[name], self.stream)
        self.stream.synchronize()

    def run(self, steps: int) -> float:
        """Go on by some steps, and give how many a second that were."""
        began = perf_counter()
        with uploads(self.mode):
            for done in range(1, steps + 1):
                with self.region:
                    for launch in self.step:
                        launch()
                if done % STEPS_BETWEEN_SYNCHRONIZE == 0:
                    self.stream.synchronize()
            self.stream.synchronize()
        return steps / (perf_counter() - began)

    def read(self, name: str) -> npt.NDArray[Any]:
        """Copy one array of the state to the host."""
        return self.arrays[name].to_numpy(self.stream)

    def checksum(self) -> str:
        """Sum up the state, so that two that differ in one bit differ."""
        digest = hashlib.sha256()
        for name in STATE:
            digest.update(self.read(name).tobytes())
        return digest.hexdigest()

    def deepest(self) -> float:
        """How deep a body ever was in the ground."""
        return float(self.read("sunk").max())

    def growth(self) -> float:
        """How much the energy of a world ever grew, as a part of all that it had."""
        return float((self.read("rise") / self.read("highest")).max())

    def problems(self, steps: int) -> list[str]:
        """Say what no physics would do, after so many steps from the beginning."""
        wrong = [f"{name} is not finite" for name in STATE if not np.isfinite(self.read(name)).all()]
        if self.read("steps")[0] != steps:
            wrong.append(f"{self.read('steps')[0]} steps were done, not {steps}")
        if self.deepest() > 0.1:
            wrong.append(f"a body was {self.deepest():.3f} deep in the ground")
        if self.growth() > 0.02:
            wrong.append(f"the energy of a world grew by {100 * self.growth():.2f} %")
        return wrong


# ---------------------------------------------------------------------------------------------------------------------
# The command

SIZES = {  # options, their defaults, and what they are
    "worlds": (256, "how many worlds"),
    "bodies": (6, "how many bodies each world has"),
    "steps": (2000, "how many steps to simulate, 120 to a second"),
    "trials": (5, "how often to run each kind, when they are compared"),
}


def simulate(program: lp.Program, layout: Layout, mode: str, steps: int, with_step: bool) -> bool:
    """Run once, print what came of it, and say whether that is sane."""
    simulation = Simulation(program, layout, mode, with_step)
    simulation.run(1)
    simulation.reset()
    rate, kinds = simulation.run(steps), described(mode, with_step)
    print(f"{rate:.0f} steps/s, {len(simulation.step)} launches a step, {mode}: {kinds}")
    if isinstance(simulation.region, lp.Step):
        print(simulation.region.report())
    deep, rise, asleep = simulation.deepest(), simulation.growth(), simulation.read("asleep").sum()
    print(f"{deep:.4f} deep in the ground and {100 * rise:.3f} % more energy at most, {asleep} worlds asleep")
    print(f"checksum {simulation.checksum()}")
    problems = simulation.problems(steps)
    print("\n".join(f"wrong: {problem}" for problem in problems) or "checks (finite, steps, depth, energy): all well")
    return not problems


def runs(program: lp.Program, layout: Layout) -> dict[str, Simulation]:
    """Create the simulation of each of `RUNS`."""
    return {name: Simulation(program, layout, *kind) for name, kind in RUNS.items()}


def descriptions() -> dict[str, str]:
    """Describe each of `RUNS`."""
    return {name: described(*kind) for name, kind in RUNS.items()}


def main() -> int:
    """Read the command line, and do what it says."""
    parser = argparse.ArgumentParser(
        description="Simulate rigid bodies in many small worlds, with many launches of small kernels a step, and say "
        "how many steps a second that were."
    )
    parser.add_argument("--device", help="an index, or words as lp.device takes them (default: the current device)")
    for name, (default, text) in SIZES.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} (default: {default})")
    kinds = "; ".join(f"{mode}: {text}" for mode, text in MODES.items())
    parser.add_argument("--arguments", choices=MODES, default="skip", help=f"{kinds} (default: skip)")
    parser.add_argument("--with-step", action="store_true", help="run each step of the simulation in an lp.Step")
    parser.add_argument(
        "--compare", action="store_true", help="run all three kinds of arguments, and the first with steps, in turn"
    )
    options = parser.parse_args()
    for name in SIZES:
        if getattr(options, name) < 1:
            parser.error(f"--{name} is {getattr(options, name)}: it must be 1 or more")
    try:
        device = lp.device(options.device) if options.device else lp.current_device()
    except lp.LaunchpathError as error:
        parser.error(str(error))
    layout = Layout(options.worlds, options.bodies)
    print(f"{device.name} ({device.platform}): {layout}, {options.steps} steps")
    program = lp.compile(source(), device, name="rigid_bodies")
    if options.compare:
        comparison = compare(runs(program, layout), options.steps, options.trials)
        print(report(comparison, descriptions(), RATIOS))
        return 0 if comparison.sane else 1
    return 0 if simulate(program, layout, options.arguments, options.steps, options.with_step) else 1


if __name__ == "__main__":
    sys.exit(main())
