"""Atomics of all kinds, and halves."""

from functools import reduce

import numpy as np

from ..registry import Source, case, launch, zeros

HALF = Source("language/half.hip")
ATOMICS = Source("language/atomics.cu")
N = 200

# -- halves


def halves(*names):
    return lambda r: {name: r.uniform(-4, 4, 128).astype("f2") for name in names}


half = [
    case(
        HALF,
        launch("halfAxpy", 2, 64, 128, 1.5, "x", "y"),
        arrays=halves("x", "y"),
        expect=lambda a: {"y": (np.float32(1.5) * a["x"].astype("f4") + a["y"]).astype("f2")},
        rtol=2e-3, atol=1e-3,
    ),
    case(
        HALF,
        launch("halfArithmetic", 2, 64, "a", "b", "out", 128),
        arrays=halves("a", "b", "out"),
        expect=lambda a: {"out": np.where(a["a"] > a["b"], a["a"] * a["b"] - (a["a"] + a["b"]), a["a"] + a["b"])},
        rtol=2e-3, atol=5e-3,
    ),
    case(
        HALF,
        launch("halfPairs", 1, 64, "x", "y", "out", 64),
        arrays=halves("x", "y", "out"),
        expect=lambda a: {"out": (a["x"].astype("f8") * a["y"] + 0.5).astype("f2")},
        rtol=2e-3, atol=1e-3,
    ),
    case(
        HALF,
        launch("halfDot", 1, 64, "a", "b", "sum", 128),
        arrays=lambda r: halves("a", "b")(r) | {"sum": zeros(1)},
        expect=lambda a: {"sum": [a["a"].astype("f8") @ a["b"]]},
        rtol=1e-4, atol=1e-4,
    ),
]  # fmt: skip

# -- atomics


def kinds(a, n=50):
    x = a["x"][:n]
    return {
        "out": np.array([
            reduce(np.bitwise_and, x), reduce(np.bitwise_or, x), reduce(np.bitwise_xor, x), n % 7, -n % 10, x.min(),
            x.max(),
            (1000 - 3 * n) % 2**32,
        ], "u4"),
        "wide": np.array([int(x.max()) << 20, 2**64 - 2**n, int(reduce(np.bitwise_xor, x)) << 7], "u8"),
    }  # fmt: skip


def lists(a):
    """Whatever the order: each bucket's list has its own elements, each once."""

    def check(heads):
        def checked(links):
            for b, head in enumerate(heads):
                members, at = [], head
                while at >= 0:
                    members.append(int(at))
                    at = links[at]
                assert sorted(members) == np.flatnonzero(a["bucket"] == b).tolist()

        check.links = checked

    # Heads are looked at first: only then there is something to call.
    return {"head": check, "next": lambda links: check.links(links)}  # noqa: PLW0108


def permuted(got):
    assert sorted(got.tolist()) == list(range(20))


atomics = [
    case(
        ATOMICS,
        launch("doubles", 4, 64, "x", "most", "sum", N),
        arrays=lambda r: {"x": r.normal(size=N) - 5, "most": np.full(1, -np.inf), "sum": zeros(1, dtype="f8")},
        expect=lambda a: {"most": [a["x"].max()], "sum": [a["x"].sum()]},
    ),
    case(
        ATOMICS,
        launch("manyKinds", 2, 32, "x", "out", "wide", 50),
        arrays=lambda r: {"x": r.integers(2**31, 2**32, N, "u4") | np.uint32(1 << 9),
                          "out": np.array([2**32 - 1, 0, 0, 0, 0, 2**32 - 1, 0, 1000], "u4"),
                          "wide": np.array([0, 2**64 - 1, 0], "u8")},
        expect=kinds,
    ),
    case(
        ATOMICS,
        launch("floatMinMax", 4, 64, "x", "low", "high", N),
        arrays=lambda r: {"x": r.normal(size=N).astype("f4"), "low": np.full(1, np.inf, "f4"),
                          "high": np.full(1, -np.inf, "f4")},
        expect=lambda a: {"low": [a["x"].min()], "high": [a["x"].max()]},
    ),
    case(
        ATOMICS,
        launch("linkedLists", 4, 64, "bucket", "head", "next", N),
        arrays=lambda r: {"bucket": r.integers(0, 8, N).astype("i4"), "head": np.full(8, -1, "i4"),
                          "next": zeros(N, dtype="i4")},
        expect=lists,
    ),
    case(
        ATOMICS,
        launch("underLock", 20, 32, "plain", "order"),
        arrays=lambda r: {"plain": zeros(1, dtype="i4"), "order": np.full(20, -1, "i4")},
        expect=lambda a: {"plain": [20], "order": permuted, "symbol:mutex": 0},
    ),
]  # fmt: skip

CASES = [*half, *atomics]
