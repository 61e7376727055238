"""cuda.core as a peer."""

from __future__ import annotations

from typing import Any

import numpy as np

from launchpath._bench.kernels import Kernels, looped
from launchpath._bench.measure import Loop
from launchpath._bench.peer import Peer


class CudaCore(Peer):
    """``launch(stream, config, kernel, *arguments)``, with buffers and NumPy's ints."""

    subject, package = "cuda-core", "cuda-core"

    def __init__(self, kernels: Kernels) -> None:
        from cuda import core  # noqa: PLC0415

        self.version = core.__version__
        device = core.Device(kernels.device.info["ordinal"])
        device.set_current()
        self.names = {"launch": core.launch, "stream": device.default_stream}
        self.names["config"] = core.LaunchConfig(grid=1, block=1)
        self.buffers = [core.Buffer.from_handle(array.pointer, array.nbytes, owner=array) for array in kernels.arrays]
        image = kernels.image
        self.code = getattr(core.ObjectCode, f"from_{image.kind}")(image.code)
        self.kernels = {count: self.code.get_kernel(entry) for count, entry in kernels.entries.items()}

    def convert(self, value: int) -> Any:
        return np.int32(value)

    def loop(self, arguments: int) -> Loop:
        ints = [np.int32(i) for i in range(1, 8)]
        names = {**self.names, "kernel": self.kernels[arguments]}
        return looped("launch(stream, config, kernel, {})", arguments, self.buffers, ints, names)
