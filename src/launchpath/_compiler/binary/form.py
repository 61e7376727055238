"""The kind of a binary, and the parts of it for a device."""

from __future__ import annotations

from ...errors import ArgumentValueError
from ..target import CUDA, HIP, Target
from . import bundle, cubin, elf, fatbin, hsaco, ptx
from .kernels import Contents

_NAMES = {
    "ptx": "PTX", "cubin": "a cubin", "fatbin": "a fat binary of CUDA's", "hsaco": "an HSACO",
    "bundle": "a bundle of Clang's",
}  # fmt: skip
_OF = {"ptx": CUDA, "cubin": CUDA, "fatbin": CUDA, "hsaco": HIP, "bundle": HIP}


def form_of(data: bytes) -> str:
    """``ptx``, ``cubin``, ``fatbin``, ``hsaco``, ``bundle``, or empty: none of these."""
    if data.startswith(elf.MAGIC):
        return {elf.CUDA: "cubin", elf.AMDGPU: "hsaco"}.get(elf.machine(data), "")
    if data.startswith(fatbin.MAGIC):
        return "fatbin"
    if data.startswith((bundle.MAGIC, bundle.COMPRESSED)):
        return "bundle"
    return "ptx" if ptx.is_ptx(data) else ""


def name(form: str) -> str:
    """What messages call it."""
    return _NAMES[form]


def read(data: bytes, form: str, target: Target, called: str, device: str) -> Contents:
    """Read the code of a binary that a device takes.

    Parameters
    ----------
    data : bytes
    form : str
        See `of`.
    target : Target
    called, device : str
        What messages call the data and the device.

    Raises
    ------
    ArgumentValueError
        It is for other devices, or damaged; the message says which.
    """
    if target.form != _OF[form] and form == "bundle":
        raise ArgumentValueError(
            f"{called} is {_NAMES[form]}: expected code for {device!r}, a device of {target.platform}, got "
            f"{bundle.targets(data, called)}"
        )
    if target.form != _OF[form]:
        raise ArgumentValueError(
            f"{called} is {_NAMES[form]}, for {'CUDA' if _OF[form] == CUDA else 'HIP'} devices only; {device!r} is a "
            f"device of {target.platform}"
        )
    if form == "fatbin":
        return fatbin.read(data, called, target.architecture)
    if form == "bundle":
        return bundle.read(data, called, target.architecture)
    if form == "ptx":
        return _checked(ptx.read(data.rstrip(b"\0"), called), target, called, device)
    contents = cubin.read(data, called) if form == "cubin" else hsaco.read(data, called)
    return _checked(contents, target, called, device)


def contents(data: bytes, form: str, called: str) -> list[Contents]:
    """Read all of a binary that is no bundle, for whatever devices it is."""
    if form == "fatbin":
        return fatbin.contents(data, called)
    if form == "ptx":
        return [ptx.read(data.rstrip(b"\0"), called)]
    return [cubin.read(data, called) if form == "cubin" else hsaco.read(data, called)]


def _checked(contents: Contents, target: Target, name: str, device: str) -> Contents:
    architecture, device_architecture = contents.architecture, target.architecture
    if contents.kind == "hsaco":
        fits = not architecture or hsaco.runs_on(architecture, device_architecture)  # older binaries do not name it
    elif contents.kind == "cubin":
        fits = cubin.runs_on(architecture, device_architecture)
    else:
        number = int("".join(filter(str.isdigit, architecture)))
        # A letter is for code that runs on a single architecture (sm_90a) or a single family (sm_100f).
        fits = number == target.compute if architecture[-1] == "a" else number <= target.compute
    if not fits:
        raise ArgumentValueError(f"{name} is for {architecture}; {device!r} is {device_architecture}")
    return contents
