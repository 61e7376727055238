"""The mathematical library, and small containers."""

import math

import numpy as np

from ..registry import Source, case, launch

MATH = Source("language/math.cu")
CONTAINERS = Source("language/containers.hip")
N = 100

erf, gamma, lgamma, remainder = (np.vectorize(f) for f in (math.erf, math.gamma, math.lgamma, math.remainder))


def elementary(a):
    v = a["x"].astype("f8")
    mantissa, exponent = np.frexp(v)
    return {"out": np.stack([
        np.sin(v) * np.cos(v) + np.tan(0.3 * v),
        np.arcsin(v / 10) + np.arccos(v / 10) + np.arctan2(v, 2),
        np.sinh(v / 4) + np.cosh(v / 4) - np.tanh(v),
        np.exp2(v) + 10 ** (v / 8) + np.expm1(v / 16),
        np.log2(v) + np.log10(v) + np.log1p(v),
        v**1.7 + np.cbrt(v) + 1 / np.cbrt(v),
        np.hypot(v, 3) + 1 / np.hypot(v, 4),
        np.ones(N),
        gamma(v) + lgamma(v + 1),
        np.floor(v) + 10 * np.ceil(v) + 100 * np.trunc(-v) + 1000 * np.rint(v) + 10000 * np.floor(v + 0.5),
        np.fmod(v, np.float32(1.3)) + remainder(v, np.float32(1.7)),
        -v + np.maximum(v - 2, 0) + v,
        mantissa + exponent + 8 * v + v / 4,
        np.modf(v)[0] * 10 + np.modf(v)[1],
        np.full(N, 1 + 2 + 4 + 8),
        0.5 * (1 + erf((v - 3) / math.sqrt(2))) + np.sin(np.pi * v / 8) + np.cos(np.pi * v / 8),
    ], 1)}  # fmt: skip


def elementary_double(a):
    v = a["x"]
    return {"out": np.stack([
        np.sin(v) + np.cos(v) + np.tan(v / 4),
        np.exp(v) + np.log(v) + v**2.5,
        np.sqrt(v) + np.cbrt(v) + 1 / np.sqrt(v),
        v * v + v + np.minimum(v, 2) + np.maximum(v, 3),
        np.floor(v) + np.ceil(v) + np.floor(v + 0.5) + np.rint(v),
        np.fmod(v, 1.3) + np.hypot(v, 2),
        np.arctan2(v, -1) + np.arcsinh(v) + np.arccosh(v + 1) + np.arctanh(v / 20),
        erf(v / 2) + gamma(v) + np.log1p(v) + np.expm1(-v),
    ], 1)}  # fmt: skip


def mixtures(a):
    x, y, f = a["a"].astype("i8"), a["b"].astype("i8"), a["f"].astype("f8")
    low, high = np.minimum(x, y), np.maximum(x, y)
    clipped = np.clip(f, -1, 1) + np.clip(f, 0, 1) + np.minimum(f, 0.5) + np.maximum(2, f)
    whole = high - low + np.maximum(low & 255, 7) + np.minimum(x * y, 2**40) + abs(x)
    return {"out": clipped + whole + abs(f) + np.trunc(f) + np.trunc(f * 3)}


def powers(a, power=4):
    m = a["x"].astype("f8")
    square = m.swapaxes(1, 2) @ m
    return {"out": m @ np.linalg.matrix_power(square, power - 1)}


def tree(n=127):
    """Keys of a search tree, as a heap has its nodes."""
    keys = np.zeros(n, "i4")
    left = iter(range(0, 3 * n, 3))

    def fill(node):
        if node < n:
            fill(2 * node + 1)
            keys[node] = next(left)
            fill(2 * node + 2)

    fill(0)
    return keys


def in_range(a):
    return {"counts": [((a["keys"] >= low) & (a["keys"] <= high)).sum() for low, high in a["ranges"]]}


def medians(a):
    return {"out": [sorted(a["x"][max(i - 2, 0) : i + 3])[len(a["x"][max(i - 2, 0) : i + 3]) // 2] for i in range(N)]}


POSTFIX = b"x x * 3 + x 2 - /"

CASES = [
    case(
        MATH,
        launch("elementary", 2, 64, "x", "out", N),
        # Not at halves, which a device may round to either side once a division has been off by a bit.
        arrays=lambda r: {"x": r.uniform(0.3, 7, N).astype("f4"), "out": np.zeros((N, 16), "f4")},
        expect=elementary,
        rtol=2e-4, atol=1e-4,
    ),
    case(
        MATH,
        launch("elementaryDouble", 2, 64, "x", "out", N),
        arrays=lambda r: {"x": r.uniform(0.3, 6, N), "out": np.zeros((N, 8))},
        expect=elementary_double,
        rtol=1e-9, atol=1e-11,
    ),
    case(
        MATH,
        launch("mixtures", 2, 64, "a", "b", "f", "out", N),
        arrays=lambda r: {"a": r.integers(-300, 300, N).astype("i4"), "b": r.integers(-300, 300, N).astype("i4"),
                          "f": r.normal(0, 3, N).astype("f4"), "out": np.zeros(N, "f4")},
        expect=mixtures,
        rtol=1e-4, atol=1e-2,
    ),
    case(
        MATH,
        launch("specials", 1, 1, "out"),
        arrays=lambda r: {"out": np.zeros(8, "f4")},
        expect=lambda a: {"out": [np.inf, -np.inf, np.nan, np.pi, np.finfo("f4").max, np.nextafter(np.float32(1), 2), 3,
                                  46.25]},
    ),
    case(
        CONTAINERS,
        launch("matrixPowers", 2, 64, "x", "out", N, 4),
        arrays=lambda r: {"x": r.normal(0, 0.5, (N, 3, 2)).astype("f4"), "out": np.zeros((N, 3, 2), "f4")},
        expect=powers,
        rtol=1e-3, atol=1e-4,
    ),
    case(
        CONTAINERS,
        launch("rangeCount", 2, 64, "keys", 127, "ranges", "counts", N),
        arrays=lambda r: {"keys": tree(), "ranges": np.sort(r.integers(-9, 400, (N, 2)), 1).astype("i4"),
                          "counts": np.zeros(N, "i4")},
        expect=in_range,
    ),
    case(
        CONTAINERS,
        launch("evaluatePostfix", 2, 64, "program", len(POSTFIX), "x", "out", N),
        arrays=lambda r: {"program": np.frombuffer(POSTFIX, "i1"), "x": r.uniform(3, 9, N), "out": np.zeros(N)},
        expect=lambda a: {"out": (a["x"] ** 2 + 3) / (a["x"] - 2)},
        rtol=1e-12,
    ),
    case(
        CONTAINERS,
        launch("runningMedian", 2, 64, "x", "out", N),
        arrays=lambda r: {"x": r.integers(-999, 999, N).astype("i2"), "out": np.zeros(N, "i2")},
        expect=medians,
    ),
]  # fmt: skip
