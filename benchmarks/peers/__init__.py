"""Other libraries as `launchpath bench` measures them, in a clone: the package has none of them."""

from __future__ import annotations

from benchmarks.peers.by_hand import ByHand
from benchmarks.peers.cuda_bindings import CudaBindings
from benchmarks.peers.cuda_core import CudaCore
from benchmarks.peers.cupy import NEW_KERNEL, CuPy, CuPyMemory
from benchmarks.peers.pyopencl import PyOpenCL
from benchmarks.peers.torch import Torch, TorchArguments, TorchMemory
from benchmarks.peers.triton import AdoptedTriton, Triton
from benchmarks.peers.tvm_ffi import TvmFfi

__all__ = ["LAUNCHES", "MEMORY", "NEW_KERNEL", "ByHand", "PyOpenCL"]

# On CUDA and HIP devices.
LAUNCHES = (TorchArguments, CudaBindings, CudaCore, TvmFfi, CuPy, Torch, Triton, AdoptedTriton)
MEMORY = (CuPyMemory, TorchMemory)
