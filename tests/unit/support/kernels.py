"""Kernels with any parameters, that keep what they were given."""

from typing import Any

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.simulated import Machine

# kind: (bytes, alignment, C type)
SIZES = {
    "pointer": (8, 8, "void *"),
    "int8": (1, 1, "signed char"),
    "int16": (2, 2, "short"),
    "int32": (4, 4, "int"),
    "int64": (8, 8, "long"),
    "uint8": (1, 1, "unsigned char"),
    "uint16": (2, 2, "unsigned short"),
    "uint32": (4, 4, "unsigned int"),
    "uint64": (8, 8, "unsigned long"),
    "float16": (2, 2, "__half"),
    "float32": (4, 4, "float"),
    "float64": (8, 8, "double"),
    "bool": (1, 1, "bool"),
    "texture": (8, 8, "cudaTextureObject_t"),
    "conditional": (8, 8, "cudaGraphConditionalHandle"),
}
SIMULATED = {"pointer": "pointer", "int": "int", "uint": "uint", "float": "float", "bool": "uint", "struct": "struct"}


def parameter(
    kind: str, offset: int, name: str = "x", pointee: str | None = None, const: bool = False
) -> Parameter:  # fmt: skip
    """Describe one parameter at an offset; ``struct12`` is a struct of 12 bytes, aligned to 4."""
    if kind.startswith("struct"):
        return Parameter(name, "Thing", "struct", int(kind[6:]), 4, offset)
    size, align, ctype = SIZES[kind]
    kind = "uint64" if kind == "conditional" else kind
    return Parameter(name, ctype, kind, size, align, offset, pointee, const)


def signature(*kinds: str, name: str = "keep", **more: Any) -> Signature:
    """Lay parameters a, b, c, ... out as CUDA does: ``int32``, ``const pointer:float32``."""
    parameters, end = [], 0
    for i, text in enumerate(kinds):
        kind, _, pointee = text.removeprefix("const ").partition(":")
        align = 4 if kind.startswith("struct") else SIZES[kind][1]
        offset = -(-end // align) * align
        parameters.append(parameter(kind, offset, chr(ord("a") + i), pointee or None, text.startswith("const ")))
        end = offset + parameters[-1].size
    return Signature(name, tuple(parameters), -(-end // 8) * 8, **more)


class Keeper:
    """A kernel whose launches are kept as the driver saw them: `calls`, and `raw`, the packed bytes."""

    def __init__(self, machine: Machine, *kinds: str, device: lp.Device | None = None, **more: Any) -> None:
        self.machine, self.calls = machine, []
        self.signature = signature(*kinds, **more)
        rows = [(SIMULATED[p.kind.rstrip("0123456789")], p.offset, p.size, True) for p in self.signature.parameters]
        device = device or machine.device
        device.driver_device.implement("keep", self.calls.append, rows)
        kernel = device.driver_device.build("").kernel("keep")
        self.kernel = lp.Kernel(kernel, device, self.signature)
        self.stream = lp.Stream(blocking=False, device=device)

    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Launch, and give what arrived."""
        self.kernel[1, 1, self.stream](*args, **kwargs)
        self.stream.synchronize()
        arrived: tuple[Any, ...] = self.calls[-1].args
        return arrived
