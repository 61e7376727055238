"""Numba's kernels for interop.py and steps.py."""

from typing import Any

import numpy as np
import pytest

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # Numba imports it under a name that NumPy has given up


def numbas_scale() -> Any:
    cuda = pytest.importorskip("numba.cuda")

    @cuda.jit("void(float32[::1], float32, int32)")
    def scale(x, by, n):
        i = cuda.grid(1)
        if i < n:
            x[i] *= by

    return scale
