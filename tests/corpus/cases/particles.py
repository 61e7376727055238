"""Particles."""

import numpy as np

from ..registry import Source, case, launch, struct

PARTICLES = Source("particles/particles.hip", later=("leapfrog<double, Spring>",))
FIELDS = ("x", "y", "z", "vx", "vy", "vz", "mass")
N = 150
VIEW = struct("u8 " * 7 + "i4", *FIELDS, N)


def particles(dtype):
    return lambda r: {name: r.normal(size=N).astype(dtype) for name in FIELDS[:6]} | {
        "mass": r.uniform(0.5, 2, N).astype(dtype), "energy": np.zeros(N), "bounces": np.zeros(1, "u4")}  # fmt: skip


def leapfrog(force, argument, of, dtype, acceleration, dt=0.05, steps=4):
    def expect(a):
        p = np.stack([a[name] for name in "xyz"]).astype("f8")
        v = np.stack([a[f"v{name}"] for name in "xyz"]).astype("f8")
        for _ in range(steps):
            v = v + acceleration(p, v, a["mass"]) * dt / 2
            p = p + v * dt
            v = v + acceleration(p, v, a["mass"]) * dt / 2
        return dict(zip(FIELDS[:6], [*p, *v], strict=True))

    return case(
        PARTICLES,
        launch(f"leapfrog<{of}, {force}>", 3, 64, VIEW, argument, dt, steps),
        arrays=particles(dtype),
        expect=expect, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def gravity(p, v, mass):
    return np.stack([0 * mass, 0 * mass, 0 * mass - 9.81])


def spring(p, v, mass):
    return -(np.float32(1.5) * p + np.float32(0.1) * v) / mass


LOW, HIGH = (-1.0, -0.5, -2.0), (1.0, 0.5, 2.0)


def bounced(a):
    wanted, count = {}, 0
    for axis, name in enumerate("xyz"):
        p, v = a[name], a[f"v{name}"]
        under, over = p < np.float32(LOW[axis]), p > np.float32(HIGH[axis])
        wanted[name] = np.where(under, 2 * LOW[axis] - p, np.where(over, 2 * HIGH[axis] - p, p))
        wanted[f"v{name}"] = np.where(under | over, -0.9 * v, v)
        count += int((under | over).sum())
    return wanted | {"bounces": [count]}


CASES = [
    leapfrog("Gravity", struct("f4", 9.81), "float", "f4", gravity),
    leapfrog("Spring", struct("f4 f4", 1.5, 0.1), "float", "f4", spring),
    leapfrog("Spring", struct("f4 f4", 1.5, 0.1), "double", "f8", spring),
    case(
        PARTICLES,
        launch("bounce", 3, 64, VIEW, struct("(3,)f4 (3,)f4", LOW, HIGH), 0.9, "bounces"),
        arrays=particles("f4"),
        expect=bounced,
    ),
    case(
        PARTICLES,
        launch("kineticEnergy", 3, 64, VIEW, "energy"),
        arrays=particles("f8"),
        expect=lambda a: {"energy": 0.5 * a["mass"] * (a["vx"] ** 2 + a["vy"] ** 2 + a["vz"] ** 2)},
    ),
]
