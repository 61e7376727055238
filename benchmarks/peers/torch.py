"""torch as a peer, and launchpath launching with its tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from launchpath._bench.kernels import Kernels, looped
from launchpath._bench.measure import Loop
from launchpath._bench.memory.figures import SMALL, TEMPORARY
from launchpath._bench.memory.subjects import Host, Subject, repeated
from launchpath._bench.peer import Missing, Peer
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream


def torch_on(device: Device) -> Any:
    """Give torch, on a device and on its legacy default stream."""
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        raise Missing(f"torch {torch.__version__} finds no device")
    if (torch.version.hip is not None) != (device.info["driver"] == "hip"):
        raise Missing(f"torch {torch.__version__} is for other devices")
    torch.cuda.set_device(device.info["ordinal"])
    if torch.cuda.current_stream().cuda_stream:
        raise Missing("torch's current stream is not the legacy default stream")
    return torch


def tensors(kernels: Kernels) -> list[Any]:
    """Give torch's tensors of the arrays, with torch on the device and on its legacy default stream."""
    torch = torch_on(kernels.device)
    return [torch.from_dlpack(array) for array in kernels.arrays]


class Torch(Peer):
    """``tensor.fill_(value)``: an operation of torch's own that takes a pointer and a value."""

    subject, package = "torch", "torch"
    drivers = ("cuda", "hip")
    arguments: ClassVar[Sequence[int]] = (2,)

    def __init__(self, kernels: Kernels) -> None:
        self.tensors = tensors(kernels)
        import torch  # noqa: PLC0415

        self.version = str(torch.__version__)

    def loop(self, arguments: int) -> Loop:
        return looped("p0.fill_(value)", arguments, self.tensors)


class TorchArguments(Torch):
    """launchpath's own launch, with torch's tensors as arguments."""

    subject = "launchpath-torch"
    arguments = (2, 16)

    def __init__(self, kernels: Kernels) -> None:
        super().__init__(kernels)
        self.kernels = kernels.kernels

    def loop(self, arguments: int) -> Loop:
        return looped("launch({})", arguments, self.tensors, names={"launch": self.kernels[arguments][1, 1]})


class TorchMemory(Subject):
    """torch's tensors and its caching allocator."""

    subject, package = "torch", "torch"

    def __init__(self, host: Host) -> None:
        self.torch = torch_on(host.device)
        self.version, self.place = str(self.torch.__version__), f"cuda:{host.device.info['ordinal']}"
        self.tensors = {size: self._empty(size // 4) for size in host.sizes}
        self.hosts = {key: self.torch.from_numpy(array) for key, array in host.arrays.items()}
        self.stream = self.torch.cuda.current_stream()

    def _empty(self, count: int) -> Any:
        return self.torch.empty(count, dtype=self.torch.float32, device=self.place)

    def allocate(self, stream: Stream | None = None) -> Loop | None:
        if stream is not None:
            return None
        names = {"empty": self.torch.empty, "count": SMALL // 4, "place": self.torch.device(self.place)}
        return repeated("empty(count, device=place)", names)

    def copy(self, operation: str, size: int, pinned: bool, complete: bool) -> Loop:
        names = {"tensor": self.tensors[size], "host": self.hosts[size, pinned]}
        if operation == "in":
            names |= {"synchronize": self.stream.synchronize}
            return repeated("tensor.copy_(host, non_blocking=True)" + "; synchronize()" * complete, names)
        return repeated("host.copy_(tensor)" if operation == "out" else "new = tensor.cpu()", names)

    def synchronize(self) -> None:
        self.stream.synchronize()

    def temporaries(self, work: str) -> Loop | None:
        if work != "fill":
            return None
        names = {"empty": self.torch.empty, "count": TEMPORARY // 4, "place": self.torch.device(self.place)}
        return repeated("empty(count, device=place).fill_(1.0)", names)

    def held(self) -> int:
        return int(self.torch.cuda.memory_reserved(self.place))

    def trim(self) -> None:
        self.torch.cuda.empty_cache()
