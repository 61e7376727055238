"""Rays."""

import numpy as np

from ..registry import Source, case, launch, struct

SPHERES = Source("tracing/spheres.cu")
WIDTH, HEIGHT = 40, 28


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


# centre, radius, colour, mirror
WORLD = np.array(
    [
        [0, 0, -3, 1, 0.8, 0.3, 0.3, 0.5],
        [1.5, -0.5, -2, 0.5, 0.3, 0.8, 0.3, 0],
        [-1.4, 0.2, -2.2, 0.6, 0.3, 0.3, 0.9, 0.3],
    ]
)
LIGHT = unit(np.array([1.0, 1.0, 0.7]))


def hits(origin, direction):
    """The nearest hit of each ray: distance, and normal, colour, mirror there."""
    n = len(origin)
    t = np.full(n, 1e30)
    normal, colour, mirror = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
    which = np.full(n, -1)
    for index, s in enumerate(WORLD):
        oc = origin - s[:3]
        b = (oc * direction).sum(-1)
        d = b * b - ((oc**2).sum(-1) - s[3] ** 2)
        root = np.sqrt(np.maximum(d, 0))
        at = np.where(-b - root < 1e-3, -b + root, -b - root)
        hit = (d > 0) & (at >= 1e-3) & (at < t)
        t[hit], which[hit] = at[hit], index
        place = origin[hit] + at[hit, None] * direction[hit]
        normal[hit], colour[hit], mirror[hit] = (place - s[:3]) / s[3], s[4:7], s[7]
    return t, normal, colour, mirror, which


def traced(origin, direction):
    t, normal, colour, mirror, _ = hits(origin, direction)
    down = direction[:, 1] < 0
    at = np.where(down, -(origin[:, 1] + 1) / np.where(down, direction[:, 1], 1), -1)
    hit = (at > 1e-3) & (at < t)
    t[hit] = at[hit]
    place = origin + np.where(t < 1e30, t, 0)[:, None] * direction
    checks = (np.floor(place[:, 0]) + np.floor(place[:, 2])).astype(int) & 1
    normal[hit], mirror[hit] = (0, 1, 0), 0
    colour[hit] = np.where(checks, 0.9, 0.2)[hit, None]
    return t, place, normal, colour, mirror


def rendered():
    i, j = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    u, v = (2 * (i + 0.5) - WIDTH) / HEIGHT, (HEIGHT - 2 * (j + 0.5)) / HEIGHT
    direction = unit(np.stack([u, v, np.full(u.shape, -1.5)], -1)).reshape(-1, 3)
    origin = np.tile([0.0, 0, 1], (len(direction), 1))
    result, share = np.zeros_like(origin), np.ones(len(origin))
    for _ in range(4):
        t, place, normal, colour, mirror = traced(origin, direction)
        miss = t >= 1e30
        up = 0.5 * (direction[:, 1:2] + 1)
        sky = (1 - up) + up * [0.5, 0.7, 1.0]
        shadow = traced(place, np.broadcast_to(LIGHT, place.shape))[0] < 1e30
        lit = np.where(shadow, 0.1, np.maximum(0.1, normal @ LIGHT))
        result += share[:, None] * np.where(miss[:, None], sky, colour * (lit * (1 - mirror))[:, None])
        share = share * np.where(miss, 0, mirror)
        origin, direction = place, direction - 2 * (direction * normal).sum(-1, keepdims=True) * normal
    return result.reshape(HEIGHT, WIDTH, 3)


def image(_):
    wanted = rendered()

    def check(got):
        close = np.isclose(got, wanted, rtol=1e-2, atol=1e-2).all(-1)
        # Edges, and the far squares of the floor, may fall either way.
        assert close.mean() > 0.94, f"{1 - close.mean():.1%} of the pixels differ"

    return {"frame": check}


def rays(r, n=200):
    return {"origins": r.uniform(-1, 1, (n, 3)) + np.array([0, 0, 2]), "spheres": WORLD.astype("f4"),
            "directions": unit(r.normal(0, 0.4, (n, 3)) + np.array([0, 0, -1])),
            "out": np.zeros((n, 2), "f4")}  # fmt: skip


def nearest(a):
    t, *_, which = hits(a["origins"].astype("f8"), a["directions"].astype("f8"))
    wanted = np.stack([np.where(t < 1e30, t, -1), which], -1)

    def check(got):
        assert np.isclose(got, wanted, rtol=1e-3, atol=1e-3).all(1).mean() > 0.97
        assert (which >= 0).sum() > 20

    return {"out": check}


CASES = [
    case(
        SPHERES,
        launch(
            "render", (5, 4), (8, 8), "frame", WIDTH, HEIGHT, struct("u8 i4", "spheres", 3), struct("(3,)f4", LIGHT)
        ),
        arrays=lambda r: {"frame": np.zeros((HEIGHT, WIDTH, 3), "f4"), "spheres": WORLD.astype("f4")},
        expect=image,
    ),
    case(
        SPHERES,
        launch("nearestHits", 4, 64, "origins", "directions", "spheres", 3, "out", 200),
        arrays=lambda r: {name: value.astype("f4") for name, value in rays(r).items()},
        expect=nearest,
    ),
]
