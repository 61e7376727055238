"""PyOpenCL as a peer: its ordinary call for the same launches, in the same context of the same device."""

from __future__ import annotations

import warnings

from launchpath import _core
from launchpath._bench.kernels import OPENCL_SOURCE, POINTERS, Kernels, looped
from launchpath._bench.measure import VALUES, WARM_UP, Loop
from launchpath._bench.peer import Missing


class PyOpenCL:
    """Kernels of PyOpenCL's own on launchpath's context, launched on a queue of PyOpenCL's own.

    Raises
    ------
    Missing
        It is not installed, or does not work with this device.
    """

    def __init__(self, kernels: Kernels) -> None:
        if kernels.device.info["driver"] != "opencl":
            raise Missing(f"it does not support {kernels.device.info['driver']} devices")
        try:
            import numpy as np  # noqa: PLC0415
            import pyopencl as cl  # noqa: PLC0415
        except ImportError as error:
            raise Missing(f"not installed ({error}): `pip install pyopencl`") from None
        self.cl, self.int32, self.version = cl, np.int32, str(cl.VERSION_TEXT)
        # Objects carry their driver's functions with them, so those of one loader work with another.
        _, device, context = _core.OpenCLBaseline(kernels.kernels[0][1, 1], kernels.stream).native()
        try:
            self.context = cl.Context.from_int_ptr(context, retain=True)
            self.queue = cl.CommandQueue(self.context, cl.Device.from_int_ptr(device, retain=True))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the compiler's remarks
                self.program = cl.Program(self.context, OPENCL_SOURCE).build()
            self.buffers = [cl.Buffer(self.context, cl.mem_flags.READ_WRITE, 16) for _ in POINTERS]
        except cl.Error as error:
            raise Missing(f"{type(error).__name__}: {error}") from None
        self.values = [np.int32(value) for value in VALUES]

    def loop(self, arguments: int, typed: bool = False) -> Loop:
        """Give the loop of ordinary calls.

        Parameters
        ----------
        arguments : int
        typed : bool
            Declare the scalar arguments' types before (``set_scalar_arg_dtypes``), as its documentation advises.
        """
        kernel = self.cl.Kernel(self.program, f"launch{arguments}")
        if typed:
            pointers = (arguments + 1) // 2
            kernel.set_scalar_arg_dtypes([None] * pointers + [self.int32] * (arguments - pointers))
        names = {"kernel": kernel, "queue": self.queue, "one": (1,)}
        ints = [self.int32(i) for i in range(1, 8)]
        return looped("kernel(queue, one, one, {})", arguments, self.buffers, ints, names)

    def held(self, loop: Loop, launches: int) -> float:
        """Run a loop while the queue is held back; microseconds a launch."""
        user = self.cl.UserEvent(self.context)
        self.cl.enqueue_barrier(self.queue, wait_for=[user])
        try:
            loop(self.values[:WARM_UP])
            took = loop(self.values[:launches])
        finally:
            user.set_status(self.cl.command_execution_status.COMPLETE)
            self.queue.finish()
        return took / launches / 1e3
