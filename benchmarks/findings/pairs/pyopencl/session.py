"""A context and a queue of PyOpenCL on the device that LAUNCHPATH_DEVICE names, and `relax` in OpenCL C."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy
import pyopencl as cl

from benchmarks.findings.program import UNITS, rate_of

SOURCE = """
__kernel void relax(__global float *x, __global const float *goal, int n, int rounds, float rate) {
    int i = get_global_id(0);
    if (i >= n) return;
    float value = x[i], to = goal[i];
    for (int round = 0; round < rounds; round++) value = value * (1.0f - rate) + rate * to;
    x[i] = value;
}
"""
THREADS = 64


class Session:
    """A device, its queue, and the kernel."""

    def __init__(self) -> None:
        words = os.environ.get("LAUNCHPATH_DEVICE", "").lower()
        named = [each for each in cl.get_platforms() if words in f"{each.name} {each.version}".lower()]
        if not named:
            sys.exit(
                f"expected a platform with {words!r} in its name, got {[each.name for each in cl.get_platforms()]}"
            )
        self.device = named[0].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)
        self.units = int(os.environ.get(UNITS) or self.device.max_compute_units)
        self.rate = rate_of(f"{named[0].name} {named[0].version}")
        self.relax = self.kernel()

    def kernel(self) -> Any:
        """Return a kernel whose arguments have declared types."""
        kernel = cl.Kernel(cl.Program(self.context, SOURCE).build(), "relax")
        kernel.set_scalar_arg_dtypes([None, None, numpy.int32, numpy.int32, numpy.float32])
        return kernel

    def rounds(self, us: float, blocks: int) -> int:
        """Return the rounds with which so many blocks take so long."""
        return max(1, round(us * self.rate / -(-blocks // self.units)))

    def array(self, values: numpy.ndarray) -> cl.Buffer:
        """Copy values to the device."""
        buffer = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, values.nbytes)
        cl.enqueue_copy(self.queue, buffer, values)
        return buffer

    def read(self, buffer: cl.Buffer, count: int) -> numpy.ndarray:
        """Wait for the first values of a buffer."""
        values = numpy.empty(count, "float32")
        cl.enqueue_copy(self.queue, values, buffer)
        return values
