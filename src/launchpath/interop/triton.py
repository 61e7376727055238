"""Triton's compiled kernels: block and shared memory are the kernel's own, and constants are not parameters."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from launchpath._compiler.signature import Parameter, pack
from launchpath._streams.foreign import address, attribute, unknown
from launchpath.errors import ArgumentValueError
from launchpath.interop.adopted import Adopted, AdoptedSignature, adopted, extended
from launchpath.interop.devices import gpu

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_SUBJECT = "a compiled kernel of Triton"
# (C type, kind, bytes, NumPy's name of the type if it has one) by Triton's name.
_TYPES = {
    "i1": ("bool", "bool", 1, "bool"), "u1": ("bool", "bool", 1, "bool"),
    "i8": ("signed char", "int8", 1, "int8"), "u8": ("unsigned char", "uint8", 1, "uint8"),
    "i16": ("short", "int16", 2, "int16"), "u16": ("unsigned short", "uint16", 2, "uint16"),
    "i32": ("int", "int32", 4, "int32"), "u32": ("unsigned int", "uint32", 4, "uint32"),
    "i64": ("long long", "int64", 8, "int64"), "u64": ("unsigned long long", "uint64", 8, "uint64"),
    "fp16": ("__half", "float16", 2, "float16"), "bf16": ("__nv_bfloat16", "struct", 2, None),
    "fp32": ("float", "float32", 4, "float32"), "f32": ("float", "float32", 4, "float32"),
    "fp64": ("double", "float64", 8, "float64"),
}  # fmt: skip
SCRATCH = ("global_scratch_size", "profile_scratch_size")


def adopt(kernel: Any, signature: str | None, device: Device | None) -> Adopted:
    """Adopt a ``CompiledKernel``."""
    if signature is not None:
        raise ArgumentValueError("a kernel of Triton knows its parameters: omit the signature")
    if not hasattr(kernel, "metadata") and hasattr(kernel, "result"):
        kernel = kernel.result()  # it was being compiled in the background
    if not hasattr(kernel, "metadata") and hasattr(kernel, "warmup"):
        raise ArgumentValueError(
            f"{kernel!r} is not compiled yet: adopt the result of kernel[grid](...) or kernel.warmup(..., grid=grid)"
        )
    metadata, source = attribute(kernel, "metadata", subject=_SUBJECT), attribute(kernel, "src", subject=_SUBJECT)
    name = str(getattr(metadata, "name", "kernel"))
    refuse(metadata, name)
    target = getattr(metadata, "target", None)
    device, handle = _loaded(kernel, device, getattr(target, "backend", None))
    warps = int(attribute(metadata, "num_warps", subject=_SUBJECT))
    threads = warps * int(getattr(target, "warp_size", None) or device.info["warp_size"])
    taken = kernel_signature(name, source, sum(hasattr(metadata, field) for field in SCRATCH))
    return adopted(
        device,
        handle,
        taken,
        foreign=kernel,
        library="triton",
        block=threads,
        shared=int(attribute(metadata, "shared", subject=_SUBJECT)),
        cooperative=bool(getattr(metadata, "launch_cooperative_grid", False)),
    )


def refuse(metadata: Any, name: str) -> None:
    """Refuse what a plain launch does not give."""
    clusters = tuple(getattr(metadata, "cluster_dims", None) or ())
    if getattr(metadata, "num_ctas", 1) not in (None, 1) or any(extent != 1 for extent in clusters):
        raise ArgumentValueError(
            f"{name} is launched in clusters of blocks (num_ctas), which launchpath does not support"
        )
    if getattr(metadata, "tensordesc_meta", None):
        raise ArgumentValueError(f"{name} takes tensor descriptors, which only Triton itself creates: pass it pointers")
    for field in SCRATCH:
        if getattr(metadata, field, 0):
            raise ArgumentValueError(
                f"{name} needs scratch memory with each launch ({field} is {getattr(metadata, field)}), which only "
                "Triton itself passes"
            )


def _loaded(kernel: Any, device: Device | None, backend: str | None) -> tuple[Device, int]:
    """Load the kernel if nobody has yet, and give its device and handle."""
    library = sys.modules.get("triton")
    active = library.runtime.driver.active if library is not None else None
    ordinal = None if device is not None or active is None else int(active.get_current_device())
    device = gpu(device, ordinal, backend if backend in ("cuda", "hip") else None)
    torch = sys.modules.get("torch")
    # Triton loads it on torch's current device.
    with nullcontext() if torch is None else torch.cuda.device(device.info["ordinal"]):
        if attribute(kernel, "function", subject=_SUBJECT) is None:
            attribute(kernel, "_init_handles", subject=_SUBJECT)()
    handle = address(kernel.function)
    if not handle:
        raise unknown(kernel, f"{kernel.function!r} as function", _SUBJECT)
    return device, handle


def kernel_signature(name: str, source: Any, scratch: int) -> AdoptedSignature:
    """Make a signature of Triton's; as many pointers to scratch memory come after the parameters."""
    types = attribute(source, "signature", subject=_SUBJECT)
    types = types if isinstance(types, Mapping) else dict(enumerate(types))
    names = list(getattr(getattr(source, "fn", None), "arg_names", ()))
    multiples = _multiples(source)
    rows: list[tuple[str, str, str, int, str | None, bool, int]] = []
    constants = []
    for i, (key, type_) in enumerate(types.items()):
        called = key if isinstance(key, str) else names[key] if key < len(names) else f"arg{key}"
        if type_ == "constexpr":
            constants.append(called)
            continue
        ctype, kind, size, pointee, const = _parameter(name, called, type_)
        rows.append((called, ctype, kind, size, pointee, const, multiples.get(i, 0)))
    offsets, _ = pack([(row[3], row[3]) for row in rows])
    parameters = []
    for (called, ctype, kind, size, pointee, const, multiple), offset in zip(rows, offsets, strict=True):
        parameter = Parameter(called, ctype, kind, size, size, offset, pointee, const)
        parameters.append(extended(parameter, multiple) if multiple else parameter)
    end = offsets[-1] + rows[-1][3] if rows else 0
    start = -(-end // 8) * 8
    nulls = tuple((start + 8 * i, 8) for i in range(scratch))
    size = start + 8 * scratch
    return AdoptedSignature(name, tuple(parameters), size, 0, True, nulls=nulls, constants=tuple(constants))


def _parameter(name: str, called: str, type_: Any) -> tuple[str, str, int, str | None, bool]:
    if isinstance(type_, str) and type_.startswith("*"):
        const = type_.startswith("*k")
        pointee = _TYPES.get(type_[2:] if const else type_[1:])
        ctype = pointee[0] if pointee else "void"
        return f"{'const ' * const}{ctype} *", "pointer", 8, pointee[3] if pointee else None, const
    if isinstance(type_, str) and type_ in _TYPES:
        ctype, kind, size, _ = _TYPES[type_]
        return ctype, kind, size, None, False
    raise ArgumentValueError(
        f"{name}: parameter {called!r} is a {type_!r}, which only Triton itself creates: launchpath passes pointers "
        "and numbers"
    )


def _multiples(source: Any) -> dict[int, int]:
    """By position, what arguments must be multiples of: with another value the kernel gives wrong results."""
    multiples = {}
    attributes = getattr(source, "attrs", None)
    for key, pairs in (attributes if isinstance(attributes, Mapping) else {}).items():
        path = key if isinstance(key, tuple) else (key,)
        for pair in pairs if isinstance(pairs, (list, tuple)) else ():
            if len(pair) == 2 and pair[0] == "tt.divisibility" and len(path) == 1 and isinstance(path[0], int):
                multiples[path[0]] = int(pair[1])
    return multiples
