"""Triton's CUDA driver without a GPU: launches go to the CUDA stand-in, and tensors are in its memory, which is the host's.

The process must have been started with `environment`, so that ``libcuda.so.1`` is the stand-in.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import torch
import triton
from triton.backends.nvidia import driver as nvidia

from launchpath._fast.triton import specializing
from tests.standin.build import compile_c, environment, library

KERNELS = r"""
#include <string.h>
#include "cuda/standin.h"
int add_kernel(const standin_launch *launch, const unsigned char *bytes) {
    float *x, *y, *out;
    int n;
    memcpy(&x, bytes, 8), memcpy(&y, bytes + 8, 8), memcpy(&out, bytes + 16, 8), memcpy(&n, bytes + 24, 4);
    (void)launch;
    for (int i = 0; i < n; i++) out[i] = x[i] + y[i];
    return 0;
}
int uses_globals(const standin_launch *launch, const unsigned char *bytes) { (void)launch, (void)bytes; return 0; }
int two(const standin_launch *launch, const unsigned char *bytes) { (void)launch, (void)bytes; return 0; }
int sixteen(const standin_launch *launch, const unsigned char *bytes) { (void)launch, (void)bytes; return 0; }
int nothing_kernel(const standin_launch *launch, const unsigned char *bytes) { (void)launch, (void)bytes; return 0; }
"""


def prepared(folder: Path) -> dict[str, str]:
    """Return the environment for a process that uses this module; a folder for the libraries."""
    cuda = folder / "libcuda.so.1"
    if not cuda.exists():
        cuda.symlink_to(library("cuda"))
    source = folder / "kernels.c"
    source.write_text(KERNELS)
    result = compile_c(
        "-shared", "-fPIC", f"-I{Path(__file__).parents[1] / 'standin'}", "-o", folder / "libkernels.so", source
    )
    assert result.returncode == 0, result.stderr
    return {
        **os.environ, **environment("cuda"), "STANDIN_KERNELS": str(folder / "libkernels.so"),
        "LD_LIBRARY_PATH": f"{folder}{os.pathsep}{os.environ.get('LD_LIBRARY_PATH', '')}",
        "TRITON_DEFAULT_FP_FUSION": "1", "LAUNCHPATH_FAST": "quiet",
    }  # fmt: skip


class Cuda:
    """The stand-in, with the device that Triton is told of."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1", mode=ctypes.RTLD_GLOBAL)
        context = ctypes.c_void_p()
        assert self.library.cuInit(0) == 0
        assert self.library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
        assert self.library.cuCtxSetCurrent(context) == 0
        driver: Any = nvidia.CudaDriver()
        driver.get_current_device = lambda: 0
        driver.get_current_stream = lambda device: 0
        driver.set_current_device = lambda device: None
        driver.get_device_capability = lambda device: (9, 0)
        driver.get_current_target = lambda: nvidia.GPUTarget("cuda", 90, 32)
        self.driver = driver
        triton.runtime.driver.set_active(driver)
        specializing.DEVICE_TYPES.add("cpu")

    def tensor(self, values: Any, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return a tensor in the stand-in's memory."""
        host = torch.as_tensor(values, dtype=dtype)
        size, address = host.numel() * host.element_size(), ctypes.c_uint64()
        assert self.library.cuMemAlloc_v2(ctypes.byref(address), max(size, 1)) == 0
        made = torch.frombuffer((ctypes.c_char * size).from_address(address.value), dtype=dtype)
        return made.copy_(host)

    def synchronize(self) -> None:
        """Wait for all launches."""
        assert self.library.cuCtxSynchronize() == 0
