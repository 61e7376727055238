"""Sums, extremes and dot products."""

import numpy as np

from ..registry import Source, case, launch

TREE = Source("reductions/tree.hip", names=("reduceTree<float, 32>", "reduceInterleaved<double>"))
STAGES = Source("reductions/multistage.cu")
WARP = Source("reductions/warp.hip", names=("reduceWarp<float>", "reduceWarp<int>"), needs=frozenset({"warps"}))
SYNC = Source("reductions/warp_sync.cu", needs=frozenset({"warps"}))
ATOMICS = Source("reductions/atomics.hip")


def tree(of, block, dtype, n, blocks):
    """Each block's sum: what it takes of the array goes by its stride."""

    def expect(a):
        i = np.arange(n) // (2 * block) % blocks
        sums = np.zeros(blocks, "float64" if dtype != "int32" else "int64")
        np.add.at(sums, i, a["x"])
        return {"out": sums.astype(dtype)}

    return case(
        TREE,
        launch(f"reduceTree<{of}, {block}>", blocks, block, "x", "out", n),
        arrays=lambda r: {"x": (r.integers(-50, 50, n) / (1 if dtype == "int32" else 8)).astype(dtype),
                          "out": np.zeros(blocks, dtype)},
        expect=expect,
    )  # fmt: skip


def interleaved(of, dtype, n=1000, block=128):
    def expect(a):
        padded = np.zeros(1024, dtype)
        padded[:n] = a["x"]
        return {"out": padded.reshape(-1, block).sum(1)}

    return case(
        TREE,
        launch(f"reduceInterleaved<{of}>", 8, block, "x", "out", n, shared=block * np.dtype(dtype).itemsize),
        arrays=lambda r: {"x": r.integers(-99, 99, n).astype(dtype), "out": np.zeros(8, dtype)},
        expect=expect,
    )


def stages(kernel, dtype, make, reduce, n=5000):
    return case(
        STAGES,
        launch(kernel, 16, 128, "x", "partial", n),
        launch(kernel, 1, 128, "partial", "out", 16),
        arrays=lambda r: {"x": make(r, n).astype(dtype), "partial": np.zeros(16, dtype), "out": np.zeros(1, dtype)},
        expect=lambda a: {"out": np.asarray([reduce(a["x"])], dtype)},
        rtol=1e-4,
    )


PAIR = np.dtype([("value", "f4"), ("index", "i4")])


def argmax_expected(a):
    at = a["x"].argmax()
    wanted = np.zeros(1, PAIR)
    wanted[0] = (a["x"][at], at)
    return {"out": wanted}


def last_block(n=3000):
    return case(
        ATOMICS,
        launch("sumLastBlock", 6, 256, "x", "partial", "out", n),
        launch("sumLastBlock", 6, 256, "x", "partial", "again", n),
        arrays=lambda r: {"x": r.integers(0, 64, n).astype("f4"), "partial": np.zeros(6, "f4"),
                          "out": np.zeros(1, "f4"), "again": np.zeros(1, "f4")},
        expect=lambda a: {"out": [a["x"].sum()], "again": [a["x"].sum()], "symbol:finishedBlocks": 0},
    )  # fmt: skip


CASES = [
    tree("float", 256, "float32", 10000, 4),
    tree("int", 128, "int32", 5000, 6),
    tree("double", 256, "float64", 3000, 3),
    tree("float", 32, "float32", 1000, 5),
    interleaved("int", "int32"),
    interleaved("float", "float32"),
    interleaved("double", "float64"),
    stages("reduceStage<float, Sum<float>>", "f4", lambda r, n: r.random(n), np.sum),
    stages("reduceStage<float, Maximum<float>>", "f4", lambda r, n: r.normal(size=n) - 9, np.max),
    stages("reduceStage<int, Maximum<int>>", "i4", lambda r, n: r.integers(-(2**31), -5, n), np.max),
    case(
        STAGES,
        launch("argmaxFirst", 16, 128, "x", "partial", 7777),
        launch("reduceStage<ValueIndex, ArgMax>", 1, 128, "partial", "out", 16),
        arrays=lambda r: {"x": r.integers(0, 2000, 7777).astype("f4"), "partial": np.zeros(16, PAIR),
                          "out": np.zeros(1, PAIR)},
        expect=argmax_expected,
    ),
    case(
        WARP,
        launch("reduceWarp<float>", 8, 128, "x", "out", 4000),
        arrays=lambda r: {"x": r.integers(0, 50, 4000).astype("f4"), "out": np.zeros(1, "f4")},
        expect=lambda a: {"out": [a["x"].sum()]},
    ),
    case(
        WARP,
        launch("reduceWarp<int>", 3, 256, "x", "out", 999),
        arrays=lambda r: {"x": r.integers(-50, 50, 999).astype("i4"), "out": np.zeros(1, "i4")},
        expect=lambda a: {"out": [a["x"].sum()]},
    ),
    case(
        WARP,
        # As many warps as rows, whatever a warp's width: 64 at most, and rows are there for narrower ones.
        launch("rowMax", 4, 256, "x", "out", 100),
        arrays=lambda r: {"x": r.normal(size=(256, 100)).astype("f4"), "out": np.full(256, np.nan, "f4")},
        expect=lambda a: {"out": lambda got: _first_rows(got, a["x"].max(1))},
    ),
    case(
        WARP,
        launch("countPositive", 8, 128, "x", "out", 1000),
        arrays=lambda r: {"x": r.integers(-5, 5, 1000).astype("i4"), "out": np.zeros(1, "u4")},
        expect=lambda a: {"out": [(a["x"] > 0).sum()]},
    ),
    case(
        WARP,
        launch("anyAll", 4, 64, "x", "some", "every"),
        arrays=lambda r: {"x": np.repeat([5, -1, 7, -3], 64).astype("i4") * np.tile([1, 1, 1, -1], 64).astype("i4"),
                          "some": np.zeros(4, "i4"), "every": np.ones(4, "i4")},
        expect=lambda a: {"some": (a["x"].reshape(4, 64) < 0).any(1), "every": (a["x"].reshape(4, 64) >= 0).all(1)},
    ),
    case(
        SYNC,
        launch("dotProduct<256>", 4, 256, "a", "b", "out", 5000),
        arrays=lambda r: {"a": r.random(5000).astype("f4"), "b": r.random(5000).astype("f4"), "out": np.zeros(4, "f4")},
        expect=lambda a: {
            "out": np.bincount(np.arange(5000) // 256 % 4, a["a"].astype("f8") * a["b"], 4)
        },
        rtol=1e-4,
    ),
    case(
        SYNC,
        launch("warpScan", 2, 128, "x", "out", "totals"),
        arrays=lambda r: {"x": r.integers(-9, 9, 256).astype("i4"), "out": np.zeros(256, "i4"),
                          "totals": np.zeros(8, "i4")},
        expect=lambda a: {"out": a["x"].reshape(8, 32).cumsum(1).ravel(), "totals": a["x"].reshape(8, 32).sum(1)},
    ),
    case(
        ATOMICS,
        launch("sumAtomic", 12, 256, "x", "out", 3000),
        arrays=lambda r: {"x": r.integers(0, 100, 3000).astype("f4"), "out": np.zeros(1, "f4")},
        expect=lambda a: {"out": [a["x"].sum()]},
    ),
    case(
        ATOMICS,
        launch("extremes", 4, 64, "x", "low", "high", "total", 1000),
        arrays=lambda r: {"x": r.integers(-(10**9), 10**9, 1000).astype("i4"), "low": np.zeros(1, "i4"),
                          "high": np.zeros(1, "i4"), "total": np.zeros(1, "u8")},
        expect=lambda a: {"low": [a["x"].min()], "high": [a["x"].max()], "total": [np.abs(a["x"].astype("i8")).sum()]},
    ),
    case(
        ATOMICS,
        launch("maxDouble", 4, 256, "x", "out", 1000),
        arrays=lambda r: {"x": r.normal(size=1000) - 5, "out": np.full(1, -1e300)},
        expect=lambda a: {"out": [a["x"].max()]},
    ),
    case(
        ATOMICS,
        launch("productFloat", 4, 64, "x", "out", 200),
        arrays=lambda r: {"x": r.uniform(0.9, 1.1, 200).astype("f4"), "out": np.ones(1, "f4")},
        expect=lambda a: {"out": [a["x"].astype("f8").prod()]},
    ),
    last_block(),
]  # fmt: skip


def _first_rows(got, wanted):
    """Narrower warps do more rows: those done are the first, and at least 16 of them."""
    done = int((~np.isnan(got)).sum())
    assert done >= 16
    np.testing.assert_array_equal(got[:done], wanted[:done])
