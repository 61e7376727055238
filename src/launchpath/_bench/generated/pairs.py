"""Kernels in HIP C++, which `benchmarks.peers.opencl_sources` has by hand in OpenCL C: they do the same work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from launchpath._bench.generated.sources import SOURCES

Arrays = dict[str, npt.NDArray[Any]]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Pair:
    """A kernel that is written in both languages, and what it is launched with."""

    name: str  # of the benchmark; the kernel's own in OpenCL C
    kernel: str  # the name expression in HIP C++
    source: str
    grid: Shape  # in blocks
    block: Shape  # in threads
    arguments: tuple[Any, ...]  # names of arrays, and values: NumPy scalars, of the parameter's type
    arrays: Callable[[np.random.Generator], Arrays]  # makes them
    results: tuple[str, ...]  # arrays that both must leave alike


def pairs(scale: int = 1) -> list[Pair]:
    """Give the pairs; `scale` divides the work, where it can be divided."""
    n = (1 << 21) // scale
    side = 512 if scale == 1 else 64
    i32 = np.int32
    f32 = np.float32

    def random(**shapes: Any) -> Callable[[np.random.Generator], Arrays]:
        return lambda r: {name: r.uniform(0.5, 2.0, shape).astype("f4") for name, shape in shapes.items()}

    def pair(
        name: str, kernel: str, grid: Shape, block: Shape, arguments: tuple[Any, ...], arrays: Any, *out: str
    ) -> Pair:
        return Pair(name, kernel, SOURCES[name], grid, block, arguments, arrays, out)

    def histogram(r: np.random.Generator) -> Arrays:
        return {"x": r.integers(0, 1 << 32, n, "u4"), "bins": np.zeros(256, "u4")}

    bodies = 2048 if scale == 1 else 256
    return [
        pair("saxpy", "saxpy", (n // 256,), (256,), (i32(n), f32(1.0), "x", "y", "z"), random(x=n, y=n, z=n), "z"),
        pair("reduction", "reduce<float, 256>", (128,), (256,), ("x", "y", i32(n)), random(x=n, y=128), "y"),
        pair("stencil", "stencil<16, 16>", (side // 8, side // 8), (16, 16), ("x", "y", i32(2 * side), i32(2 * side)),
             random(x=(2 * side, 2 * side), y=(2 * side, 2 * side)), "y"),
        pair("matmul", "matmul<float, 16>", (side // 32, side // 32), (16, 16), ("a", "b", "c", i32(side // 2)),
             random(a=(side // 2, side // 2), b=(side // 2, side // 2), c=(side // 2, side // 2)), "c"),
        pair("nbody", "nbody", (bodies // 128,), (128,), ("x", "y", i32(bodies)), random(x=(bodies, 4), y=(bodies,
                                                                                                           4)), "y"),
        pair("histogram", "histogram", (32,), (256,), ("x", "bins", i32(n // 4)), histogram),
        pair("black_scholes", "blackScholes", (n // 8 // 128,), (128,),
             ("call", "put", "s", "x", "t", f32(0.02), f32(0.3), i32(n // 8)),
             random(call=n // 8, put=n // 8, s=n // 8, x=n // 8, t=n // 8), "call", "put"),
        pair("transpose", "transpose<float, 16>", (side // 8, side // 8), (16, 16), ("y", "x", i32(2 * side),
                                                                                     i32(2 * side)),
             random(x=(2 * side, 2 * side), y=(2 * side, 2 * side)), "y"),
        pair("mandelbrot", "mandelbrot", (side // 32, side // 32), (16, 16), ("y", i32(side // 2), i32(200)),
             lambda r: {"y": np.zeros((side // 2, side // 2), "i4")}, "y"),
        pair("spmv", "spmv<float>", (n // 32 // 128,), (128,), (i32(n // 32), "rows", "columns", "values", "x", "y"),
             lambda r: _sparse(r, n // 32), "y"),
    ]  # fmt: skip


def _sparse(r: np.random.Generator, rows: int, width: int = 16) -> Arrays:
    arrays: Mapping[str, npt.NDArray[Any]] = {
        "rows": np.arange(rows + 1, dtype="i4") * width,
        "columns": r.integers(0, rows, rows * width).astype("i4"),
        "values": r.random(rows * width).astype("f4"),
        "x": r.random(rows).astype("f4"),
        "y": np.zeros(rows, "f4"),
    }
    return dict(arrays)
