"""Products of matrices, and transposes."""

import numpy as np

from ..registry import Rows, Source, blocks, case, launch

TILED = Source("matrix/gemm_tiled.hip", names=("gemmTiled<float, 4>",))
# A name of the source's own for an instance that it launches.
REGISTER = Source("matrix/gemm_register.cu", later=("gemmRegister<Default>",))
BATCHED = Source(
    "matrix/batched.hip",
    names=(
        "gemmStrided<float, NoTrans, NoTrans>",
        "gemmStrided<double, Trans, NoTrans>",
        "gemmStrided<float, 0, 1>",
        "gemv<64>",
    ),
)
TRANSPOSE = Source("matrix/transpose.cu")


def gemm(kernel, dtype, tile, m=37, n=29, k=41):
    alpha, beta = (2, 3) if dtype == "i4" else (0.5, 2.0)
    make = (
        (lambda r, *s: r.integers(-9, 9, s).astype(dtype))
        if dtype == "i4"
        else (lambda r, *s: r.normal(size=s).astype(dtype))
    )
    return case(
        TILED,
        launch(kernel, (blocks(n, tile), blocks(m, tile)), (tile, tile), m, n, k, alpha, "a", "b", beta, "c"),
        arrays=lambda r: {"a": make(r, m, k), "b": make(r, k, n), "c": make(r, m, n)},
        expect=lambda a: {"c": (alpha * (a["a"].astype("f8") @ a["b"]) + beta * a["c"]).astype(dtype)},
        rtol=1e-4, atol=1e-4,
    )  # fmt: skip


def register(blocking, side, threads, m=64, n=128, k=32):
    return case(
        REGISTER,
        launch(f"gemmRegister<{blocking}>", (n // side, m // side), threads, "a", "b", "c", m, n, k),
        arrays=lambda r: {"a": r.normal(size=(m, k)).astype("f4"), "b": r.normal(size=(k, n)).astype("f4"),
                          "c": np.zeros((m, n), "f4")},
        expect=lambda a: {"c": a["a"] @ a["b"]},
        rtol=1e-4, atol=1e-4,
    )  # fmt: skip


def strided(of, dtype, op_a, op_b, m=10, n=13, k=7, batch=3):
    shape_a, shape_b = ((k, m) if op_a else (m, k)), ((n, k) if op_b else (k, n))

    def expect(a):
        left = a["a"].swapaxes(1, 2) if op_a else a["a"]
        right = a["b"].swapaxes(1, 2) if op_b else a["b"]
        return {"c": left @ right}

    return case(
        BATCHED,
        launch(f"gemmStrided<{of}>", (2, 2, batch), (8, 8), "a", m * k, "b", k * n, "c", m * n, m, n, k),
        arrays=lambda r: {"a": r.normal(size=(batch, *shape_a)).astype(dtype),
                          "b": r.normal(size=(batch, *shape_b)).astype(dtype), "c": np.zeros((batch, m, n), dtype)},
        expect=expect, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def transposed(kernel, dtype, grid, block, width, height):
    return case(
        TRANSPOSE,
        launch(kernel, grid, block, "out", "x", width, height),
        arrays=lambda r: {"x": r.normal(size=(height, width)).astype(dtype), "out": np.zeros((width, height), dtype)},
        expect=lambda a: {"out": a["x"].T},
        rtol=0,
    )


CASES = [
    gemm("gemmNaive<float>", "f4", 16),
    gemm("gemmNaive<double>", "f8", 16),
    gemm("gemmTiled<float, 16>", "f4", 16),
    gemm("gemmTiled<float, 8>", "f4", 8),
    gemm("gemmTiled<double, 16>", "f8", 16),
    gemm("gemmTiled<int, 16>", "i4", 16),
    gemm("gemmTiled<float, 4>", "f4", 4),
    register("Default", 64, 256),
    register("Blocking<32, 32, 16, 2, 4>", 32, 128),
    case(
        BATCHED,
        launch("gemmPointers", (1, 1, 5), 64, Rows("a"), Rows("b"), Rows("c"), 9),
        arrays=lambda r: {"a": r.normal(size=(5, 9, 9)).astype("f4"), "b": r.normal(size=(5, 9, 9)).astype("f4"),
                          "c": np.zeros((5, 9, 9), "f4")},
        expect=lambda a: {"c": a["a"] @ a["b"]},
        rtol=1e-4, atol=1e-5,
    ),
    strided("float, NoTrans, NoTrans", "f4", False, False),
    strided("double, Trans, NoTrans", "f8", True, False),
    strided("float, 0, 1", "f4", False, True),
    case(
        BATCHED,
        launch("gemv<64>", 20, 64, "a", "x", "y", 150),
        arrays=lambda r: {"a": r.normal(size=(20, 150)).astype("f4"), "x": r.normal(size=150).astype("f4"),
                          "y": np.zeros(20, "f4")},
        expect=lambda a: {"y": a["a"] @ a["x"]},
        rtol=1e-4, atol=1e-4,
    ),
    case(
        BATCHED,
        launch("rankOneUpdate", (4, 3), (8, 8), "a", "x", "y", -0.5, 20, 30),
        arrays=lambda r: {"a": r.normal(size=(20, 30)).astype("f4"), "x": r.normal(size=20).astype("f4"),
                          "y": r.normal(size=30).astype("f4")},
        expect=lambda a: {"a": a["a"] - np.float32(0.5) * np.outer(a["x"], a["y"])},
    ),
    transposed("transposeDirect", "f4", (4, 3), (16, 16), 50, 40),
    transposed("transposeTiled<float>", "f4", (3, 2), (32, 8), 96, 64),
    transposed("transposeTiled<double>", "f8", (2, 3), (32, 8), 64, 96),
]  # fmt: skip
