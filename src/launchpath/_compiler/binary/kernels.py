"""The kernels of a binary, and the signatures made from their description."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...errors import ArgumentValueError
from ..kernels import mangled
from ..signature import Parameter, Signature

# If only a parameter's size is known: an address if it is this size, else bytes, which take any NumPy or ctypes value
# of that size.
_ADDRESS = 8
_BYTES = {"pointer": 8, "float64": 8, "float32": 4, "float16": 2, "bool": 1}


@dataclass(frozen=True, slots=True)
class Place:
    """A parameter: where it lies, and its further description."""

    offset: int  # bytes
    size: int  # bytes
    kind: str | None = None  # `Parameter.kind`; None if the binary does not tell
    name: str = ""  # empty if it has none


@dataclass(frozen=True, slots=True)
class BinaryKernel:
    """A kernel of a binary: its entry point, parameters, static shared memory in bytes, largest block.

    `dynamic_variable` is that of `Signature`. A cubin does not tell it.
    """

    entry: str
    places: tuple[Place, ...]
    shared: int = 0
    max_threads: int | None = None
    dynamic_variable: str | None = None


@dataclass(slots=True)
class Contents:
    """The contents of a binary."""

    kind: str  # `Image.kind` of the code
    code: bytes  # the code for the driver
    architecture: str  # the architecture of the code, as the binary names it
    kernels: list[BinaryKernel] = field(default_factory=list)
    globals: list[tuple[str, int]] = field(default_factory=list)  # device globals by symbol, and their bytes


def signature(kernel: BinaryKernel) -> Signature:
    """Make a signature from the binary's description of a kernel, and from the kernel's mangled name."""
    types = mangled.parameters(kernel.entry)
    if types is not None and (
        len(types) != len(kernel.places) or any(map(_contradict, types, kernel.places))
    ):  # the name is not C++'s, or the compiler left out a parameter
        types = None
    parameters = []
    for i, place in enumerate(kernel.places):
        ctype, kind, pointee, const = types[i] if types is not None else ("", place.kind, None, False)
        kind = kind or place.kind or ("pointer" if place.size == _ADDRESS else "struct")
        align = _alignment(place, kind)
        shown = ctype or {"pointer": "void *", "struct": f"unsigned char[{place.size}]"}.get(kind, kind)
        parameters.append(
            Parameter(place.name or f"arg{i}", shown, kind, place.size, align, place.offset, pointee, const)
        )
    end = max([place.offset + place.size for place in kernel.places], default=0)
    strictest = max([8, *(parameter.align for parameter in parameters)])
    size = -(-end // strictest) * strictest
    return Signature(
        kernel.entry, tuple(parameters), size, kernel.shared, True, kernel.max_threads,
        dynamic_variable=kernel.dynamic_variable,
    )  # fmt: skip


def checked(kernel: BinaryKernel, requested: Signature, name: str) -> Signature:
    """Compare the user's signature of a kernel with the binary's description.

    Raises
    ------
    ArgumentValueError
        A parameter lies elsewhere, or has another size; the message has both.
    """
    layout = ", ".join(f"{place.size} bytes at {place.offset}" for place in kernel.places) or "none"
    if len(requested.parameters) != len(kernel.places):
        raise ArgumentValueError(
            f"{name}: the signature for {kernel.entry!r} has {len(requested.parameters)} parameters, the kernel "
            f"{len(kernel.places)} ({layout})"
        )
    for i, (parameter, place) in enumerate(zip(requested.parameters, kernel.places, strict=True)):
        if (parameter.offset, parameter.size) != (place.offset, place.size):
            raise ArgumentValueError(
                f"{name}: parameter {i} ({parameter}) of {kernel.entry!r} has {parameter.size} bytes at "
                f"{parameter.offset} in the signature, {place.size} bytes at {place.offset} in the binary"
            )
    most = min(filter(None, [requested.max_threads, kernel.max_threads]), default=None)
    return Signature(
        kernel.entry, requested.parameters, requested.size, kernel.shared, True, most,
        dynamic_variable=kernel.dynamic_variable,
    )  # fmt: skip


def names(kernels: Iterable[BinaryKernel]) -> str:
    """The kernels' entry points, for a message."""
    return ", ".join(kernel.entry for kernel in kernels) or "none"


def _contradict(type_: mangled.Type, place: Place) -> bool:
    """Whether a type cannot be that of a parameter of a size."""
    kind = type_[1]
    if kind is None or kind == "struct":
        return False
    bytes_ = _BYTES.get(kind) or int("".join(filter(str.isdigit, kind))) // 8
    return bytes_ != place.size or (place.kind == "pointer" and kind != "pointer")


def _alignment(place: Place, kind: str) -> int:
    if kind != "struct":
        return place.size
    align = 8
    while place.offset % align or place.size % align:
        align //= 2
    return align
