"""What is measured: a library's kernel with 2 and with 16 arguments, launched as a program writes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from launchpath import _core

GRID, BLOCK = (1,), 32


@dataclass
class Subject:
    """One kernel.

    Attributes
    ----------
    library : str
    arguments : int
    loop : callable
        Launches so many times, as a program does.
    fast : callable
        Returns the core's `FastKernel`, once it was launched.
    args : tuple
        What the core packs.
    synchronize : callable
    block : int
        Threads.
    """

    library: str
    arguments: int
    loop: Callable[[int], None]
    fast: Callable[[], Any]
    args: tuple[Any, ...]
    synchronize: Callable[[], object]
    block: int

    def c(self) -> Callable[[int], int]:
        """Return C's own loop of the same launch: it gives nanoseconds."""
        fast = self.fast()
        for specialization in fast.specializations():
            packed = specialization.packed(self.args)
            if packed is not None and specialization.state == 1:
                block = (self.block, 1, 1)
                return lambda n: _core.fast_baseline(fast.place, specialization, (1, 1, 1), block, 0, 0, packed, n)
        raise RuntimeError(f"{self.library}, {self.arguments} arguments: no launch was fast: see the report")


def triton_subjects(cuda: Any = None) -> list[Subject]:
    """Triton's; ``cuda`` is the tests' stand-in, for a check without a GPU."""
    import torch  # noqa: PLC0415

    from benchmarks.fast_launches import triton_kernels  # noqa: PLC0415

    zeros = cuda.tensor if cuda is not None else lambda values: torch.tensor(values, device="cuda")
    synchronize = cuda.synchronize if cuda is not None else torch.cuda.synchronize
    a, b, c, d, e, f, g, h = tensors = [zeros([0.0] * 64) for _ in range(8)]
    two, sixteen = triton_kernels.two, triton_kernels.sixteen

    def loop_two(n: int) -> None:
        for _ in range(n):
            two[(1,)](a, 7)

    def loop_sixteen(n: int) -> None:
        for _ in range(n):
            sixteen[(1,)](a, b, c, d, e, f, g, h, 2, 3, 4, 5, 6, 7, 8, 9)

    rows: list[tuple[int, Any, Any, tuple[Any, ...]]] = [
        (2, loop_two, two, (a, 7)), (16, loop_sixteen, sixteen, (*tensors, *range(2, 10))),
    ]  # fmt: skip
    return [
        Subject(
            "triton", count, loop, lambda kernel=kernel: vars(kernel)["_launchpath_fast"].fast, args, synchronize, 128
        )
        for count, loop, kernel, args in rows
    ]


def numba_subjects() -> list[Subject]:
    """Numba's, on device arrays."""
    from numba import cuda  # noqa: PLC0415

    from benchmarks.fast_launches import numba_kernels  # noqa: PLC0415

    a, b, c, d, e, f, g, h = arrays = [cuda.device_array(64, "float32") for _ in range(8)]
    two, sixteen = numba_kernels.two, numba_kernels.sixteen

    def loop_two(n: int) -> None:
        for _ in range(n):
            two[128, 32](a, 7)

    def loop_sixteen(n: int) -> None:
        for _ in range(n):
            sixteen[128, 32](a, b, c, d, e, f, g, h, 2, 3, 4, 5, 6, 7, 8, 9)

    rows: list[tuple[int, Any, Any, tuple[Any, ...]]] = [
        (2, loop_two, two, (a, 7)), (16, loop_sixteen, sixteen, (*arrays, *range(2, 10))),
    ]  # fmt: skip
    return [
        Subject(
            "numba",
            count,
            loop,
            lambda kernel=kernel: vars(kernel)["_launchpath_fast"].fast,
            args,
            cuda.synchronize,
            32,
        )
        for count, loop, kernel, args in rows
    ]


def cupy_subjects() -> list[Subject]:
    """CuPy's raw kernels."""
    import cupy  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    pointers = ", ".join(f"float *x{i}" for i in range(8))
    numbers = ", ".join(f"int n{i}" for i in range(8))
    module = cupy.RawModule(
        code=f"""
        extern "C" __global__ void two(float *x, int n) {{ *x = n; }}
        extern "C" __global__ void sixteen({pointers}, {numbers}) {{
            *x0 = n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7; *x1 = *x2 = *x3 = *x4 = *x5 = *x6 = *x7 = n0;
        }}"""
    )
    two, sixteen = module.get_function("two"), module.get_function("sixteen")
    arrays = tuple(cupy.zeros(64, np.float32) for _ in range(8))
    grid, block, small, large = (1,), (32,), (arrays[0], 7), (*arrays, *range(2, 10))

    def loop_two(n: int) -> None:
        for _ in range(n):
            two(grid, block, small)

    def loop_sixteen(n: int) -> None:
        for _ in range(n):
            sixteen(grid, block, large)

    rows: list[tuple[int, Any, Any, tuple[Any, ...]]] = [(2, loop_two, two, small), (16, loop_sixteen, sixteen, large)]
    return [
        Subject("cupy", count, loop, lambda kernel=kernel: kernel._launchpath_fast.fast, args,
                cupy.cuda.get_current_stream().synchronize, 32)
        for count, loop, kernel, args in rows
    ]  # fmt: skip


SUBJECTS = {"triton": triton_subjects, "numba": numba_subjects, "cupy": cupy_subjects}
