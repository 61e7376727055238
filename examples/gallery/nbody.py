"""Two galaxies that meet: bodies that attract each other, each of them each other.

A step is three launches. The program checks the first steps against NumPy, and the energy at the end.

Run ``python examples/gallery/nbody.py``. The kernels are in ``nbody.cu``.
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

TILE = 128  # threads of a block, and bodies that it has in shared memory
SOFTENING = np.float32(0.05)  # a distance: it keeps the attraction finite where bodies meet
DT = np.float32(0.01)
CENTRE = 0.9  # mass of the body in the middle of a galaxy; its other bodies have the rest of 1 together
CHECKED_STEPS = 5
MOST_ENERGY = 0.02  # of the energy may be gained or lost


def galaxy(bodies: int, middle: npt.ArrayLike, motion: npt.ArrayLike, random: np.random.Generator) -> list[Floats]:
    """Return bodies on circles around a heavy one, and their velocities: two arrays of shape (bodies, 4)."""
    radius, angle = np.sqrt(random.uniform(0.04, 1, bodies)), random.uniform(0, 2 * np.pi, bodies)
    radius[0] = 0
    mass = np.full(bodies, (1 - CENTRE) / max(1, bodies - 1))
    mass[0] = CENTRE
    inside = CENTRE + (1 - CENTRE) * radius**2  # the mass within the circle
    speed = np.sqrt(inside * radius**2 / (radius**2 + SOFTENING**2) ** 1.5)
    height = 0.02 * random.normal(size=bodies)
    body = np.stack([radius * np.cos(angle), radius * np.sin(angle), height, mass], axis=1)
    velocity = np.stack([-speed * np.sin(angle), speed * np.cos(angle), *np.zeros((2, bodies))], axis=1)
    body[:, :3] += middle
    velocity[:, :3] += motion
    return [body.astype("float32"), velocity.astype("float32")]


def start(bodies: int) -> list[Floats]:
    """Return the bodies of both galaxies, and their velocities: two arrays of shape (bodies, 4)."""
    random = np.random.default_rng(1)
    left = galaxy(bodies // 2, (-1.3, -0.4, 0), (0.45, -0.15, 0), random)
    right = galaxy(bodies - bodies // 2, (1.3, 0.4, 0), (-0.45, 0.15, 0), random)
    return [np.concatenate(pair) for pair in zip(left, right, strict=True)]


class Bodies:
    """The bodies on a device."""

    def __init__(self, device: lp.Device, bodies: int) -> None:
        program = lp.compile(path=Path(__file__).with_suffix(".cu"), device=device, defines={"TILE": TILE})
        self.count, self.together = bodies, lp.Step()
        self.body, self.velocity = (lp.asarray(array, device=device) for array in start(bodies))
        self.acceleration = lp.empty_like(self.body)
        where = (blocks(bodies, TILE), TILE, device.legacy_stream)
        self.attract, self.kick = program.attract[where], program.kick[where]
        self.kick_and_drift = program.kick_and_drift[where]
        self.attract(bodies, SOFTENING, self.body, self.acceleration)

    def run(self, steps: int) -> None:
        """Compute some steps."""
        for _ in range(steps):
            with self.together:
                self.kick_and_drift(self.count, DT, self.acceleration, self.velocity, self.body)
                self.attract(self.count, SOFTENING, self.body, self.acceleration)
                self.kick(self.count, DT, self.acceleration, self.velocity)

    def state(self) -> list[Floats]:
        """Copy the bodies and their velocities to the host."""
        return [self.body.to_numpy(), self.velocity.to_numpy()]


# ---------------------------------------------------------------------------------------------------------------------
# The same in NumPy, in double precision


def numpy_pairs(body: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the vectors from each body to each, and their softened lengths."""
    between = body[None, :, :3] - body[:, None, :3]
    return between, np.sqrt((between**2).sum(axis=2) + float(SOFTENING) ** 2)


def numpy_run(body: Floats, velocity: Floats, steps: int) -> list[npt.NDArray[np.float64]]:
    """Compute the same steps."""
    x, v, dt = body.astype("float64"), velocity.astype("float64"), float(DT)

    def acceleration() -> npt.NDArray[np.float64]:
        between, distance = numpy_pairs(x)
        return np.einsum("ijk,ij->ik", between, x[:, 3] / distance**3)

    a = acceleration()
    for _ in range(steps):
        v[:, :3] += dt / 2 * a
        x[:, :3] += dt * v[:, :3]
        a = acceleration()
        v[:, :3] += dt / 2 * a
    return [x, v]


def energy(body: Floats, velocity: Floats) -> float:
    """Return the kinetic and potential energy."""
    exact, speed = body.astype("float64"), velocity[:, :3].astype("float64")
    potential = np.outer(exact[:, 3], exact[:, 3]) / numpy_pairs(exact)[1]
    np.fill_diagonal(potential, 0)
    return float((exact[:, 3] * (speed**2).sum(axis=1)).sum() / 2 - potential.sum() / 2)


def draw(states: dict[int, Floats]) -> Figure:
    """Draw the bodies after some numbers of steps, each galaxy in its own colour."""
    figure = Figure(figsize=(7.6, 2.2), layout="constrained")
    for axes, (steps, body) in zip(figure.subplots(1, len(states)), states.items(), strict=True):
        half = len(body) // 2
        for part, colour in (body[:half], "#ffb454"), (body[half:], "#6cb6ff"):
            axes.scatter(part[:, 0], part[:, 1], s=1.2, c=colour, linewidths=0, alpha=0.7)
        axes.set(xlim=(-2.8, 2.8), ylim=(-2.8, 2.8), aspect="equal", facecolor="#0b0e14", xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        axes.set_title(f"{steps:,} steps")
    return figure


def main() -> None:
    """Run the program."""
    options = options_of(__doc__, "nbody.png", bodies=3000, steps=360).parse_args()
    bodies = Bodies(device_of(options), options.bodies)
    before = energy(*bodies.state())
    bodies.run(CHECKED_STEPS)
    expected = numpy_run(*start(options.bodies), CHECKED_STEPS)
    for name, values, exact in zip(("positions", "velocities"), bodies.state(), expected, strict=True):
        checked(name, values, exact, 1e-4)
    states, done, began = {0: start(options.bodies)[0]}, CHECKED_STEPS, perf_counter()
    for steps in (options.steps // 3, options.steps * 2 // 3, options.steps):
        bodies.run(steps - done)
        states[steps], done = bodies.body.to_numpy(), steps
    print(f"{options.steps} steps of {options.bodies} bodies: {perf_counter() - began:.2f} s")
    change = energy(*bodies.state()) / before - 1
    print(f"the energy changed by {100 * change:.2f} %")
    if not abs(change) < MOST_ENERGY:
        raise SystemExit(f"expected less than {100 * MOST_ENERGY:.0f} % of change of the energy")
    save(draw(states), options.output)


if __name__ == "__main__":
    main()
