"""cuda.bindings as a peer: the driver's own call from Python."""

from __future__ import annotations

import ctypes
from typing import Any

from launchpath._bench.kernels import Kernels, looped
from launchpath._bench.measure import Loop
from launchpath._bench.peer import Missing, Peer


class CudaBindings(Peer):
    """``cuLaunchKernel(..., ((values), (types)), 0)``, with addresses and ints, and types from ctypes."""

    subject, package = "cuda-bindings", "cuda-bindings"

    def __init__(self, kernels: Kernels) -> None:
        import cuda.bindings  # noqa: PLC0415
        from cuda.bindings import driver  # noqa: PLC0415

        self.version, self.driver = cuda.bindings.__version__, driver
        device = self.call("cuDeviceGet", kernels.device.info["ordinal"])
        self.call("cuCtxSetCurrent", self.call("cuDevicePrimaryCtxRetain", device))
        self.addresses = [array.pointer for array in kernels.arrays]
        self.code = kernels.image.code + b"\0"
        self.module = self.call("cuModuleLoadData", self.code)
        self.functions = {
            count: self.call("cuModuleGetFunction", self.module, entry.encode())
            for count, entry in kernels.entries.items()
        }

    def call(self, name: str, *arguments: Any) -> Any:
        """Call the driver, and give what it gives beside success."""
        code, *outputs = getattr(self.driver, name)(*arguments)
        if int(code):
            raise Missing(f"{name}: {code!r}")
        return outputs[0] if outputs else None

    def loop(self, arguments: int) -> Loop:
        half = arguments // 2
        types = (ctypes.c_void_p,) * half + (ctypes.c_int,) * half
        names = {"launch": self.driver.cuLaunchKernel, "function": self.functions[arguments], "types": types}
        names["stream"] = self.driver.CUstream(self.driver.CU_STREAM_LEGACY)
        parameters = "(({}), types)" if arguments else "0"
        return looped(
            f"launch(function, 1, 1, 1, 1, 1, 1, 0, stream, {parameters}, 0)", arguments, self.addresses, names=names
        )
