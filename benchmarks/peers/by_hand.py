"""The kernels of ``bench generated`` as they are written by hand in OpenCL C, run by PyOpenCL."""

from __future__ import annotations

import warnings

import numpy as np

from benchmarks.peers.opencl_sources import SOURCES
from launchpath import _core
from launchpath._bench.generated import Work
from launchpath._bench.peer import Missing


class ByHand:
    """The pair's OpenCL C, run by PyOpenCL in launchpath's context, on the same memory.

    Parameters
    ----------
    work : Work
    index : str
        The type of indices.

    Raises
    ------
    Missing
        PyOpenCL is not installed, or does not work with this device.
    """

    def __init__(self, work: Work, index: str) -> None:
        device, pair = work.device, work.pair
        if device.info["driver"] != "opencl":
            raise Missing(f"it does not support {device.info['driver']} devices")
        if not device.info["host_accessible"]:
            raise Missing("the host cannot reach the memory of the device")
        try:
            import pyopencl as cl  # noqa: PLC0415
        except ImportError as error:
            raise Missing(f"PyOpenCL is not installed ({error}): `pip install pyopencl`") from None
        # A context is got from any kernel of it that needs no dynamic shared memory.
        _, native, context = _core.OpenCLBaseline(work.launcher, device.legacy_stream).native()
        try:
            shared = cl.Context.from_int_ptr(context, retain=True)
            self.queue = cl.CommandQueue(shared, cl.Device.from_int_ptr(native, retain=True))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the compiler's remarks
                self.kernel = cl.Kernel(cl.Program(shared, SOURCES[pair.name]).build([f"-DINDEX={index}"]), pair.name)
            for at, each in enumerate(pair.arguments):
                value = cl.SVM(np.from_dlpack(work.arrays[each])) if isinstance(each, str) else each
                self.kernel.set_arg(at, value)
        except cl.Error as error:
            raise Missing(f"{type(error).__name__}: {error}") from None
        self.enqueue = cl.enqueue_nd_range_kernel
        self.total = tuple(blocks * threads for blocks, threads in zip(pair.grid, pair.block, strict=True))
        self.block = pair.block

    def run(self, launches: int) -> None:
        """Launch, and wait for it."""
        for _ in range(launches):
            self.enqueue(self.queue, self.kernel, self.total, self.block)
        self.queue.finish()
