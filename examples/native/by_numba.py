"""Launch the kernel from a function that Numba compiles: by the address of launchpath's C function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import launchpath as lp

KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_void_p)
LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
)
# launchpath_configuration
CONFIGURATION = np.dtype([("grid", "u4", 3), ("block", "u4", 3), ("shared", "u4"), ("flags", "u4"), ("stream", "u8")])


def launcher(symbol: str, stream: lp.Stream) -> Callable[[float, int, int, int, int], int]:
    """Return a compiled function ``run(a, x, y, n, times)`` that launches on the stream, and returns a status."""
    functions = lp.c_interface().functions
    kernel = np.zeros(1, "u8")
    status = KERNEL(functions["find"])(symbol.encode(), stream.c_handle, kernel.ctypes.data)
    if status:
        text = ctypes.CFUNCTYPE(ctypes.c_char_p)(functions["error_text"])()
        raise RuntimeError(f"status {status}: {text.decode()}")
    launch: Any = LAUNCH(functions["launch"])
    handle, order = int(kernel[0]), stream.c_handle

    @numba.njit
    def run(a: float, x: int, y: int, n: int, times: int) -> int:
        configuration = np.zeros(10, np.uint32)
        configuration[0], configuration[1], configuration[2] = (n + 255) // 256, 1, 1
        configuration[3], configuration[4], configuration[5] = 256, 1, 1
        configuration[8], configuration[9] = order & 0xFFFFFFFF, order >> 32
        factor, pointers, count = np.array([a], np.float32), np.array([x, y], np.uint64), np.array([n], np.int32)
        arguments = np.array(
            [factor.ctypes.data, pointers.ctypes.data, pointers.ctypes.data + 8, count.ctypes.data], np.uint64
        )
        status = 0
        for _ in range(times):
            status = launch(handle, configuration.ctypes.data, arguments.ctypes.data, 4, 0)
            if status != 0:
                break
        return status

    return run
