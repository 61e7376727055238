"""Programs of binaries that other compilers made for CUDA and HIP devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from launchpath._compiler.binary import form, kernels
from launchpath._compiler.image import Image, Symbol
from launchpath._programs.program import Program
from launchpath.errors import (
    ArgumentValueError,
    CompileError,
    ConfigurationError,
    DriverError,
    OutOfMemoryError,
)

if TYPE_CHECKING:
    from launchpath._compiler.signature import Signature
    from launchpath._compiler.target import Target
    from launchpath._streams.device import Device


def program(
    data: bytes, shape: str, name: str, device: Device, target: Target, signatures: Mapping[str, str] | None
) -> Program:
    """Make a program; see `launchpath.load`.

    Parameters
    ----------
    data : bytes
    shape : str
        What they are, see `form.form_of`.
    name : str
        What messages call them.
    device : Device
    target : Target
        The device's.
    signatures : dict of str to str, or None
        C parameter lists by kernel.
    """
    contents = form.read(data, shape, target, name, device.name)
    entries = [(kernel.entry, kernels.signature(kernel)) for kernel in contents.kernels]
    if signatures:
        entries = _with_signatures(contents, signatures, name)
    for _, signature in entries:
        if signature.size > device.info["parameter_bytes"]:
            raise ConfigurationError(
                f"{name}: kernel {signature.name} has {signature.size} bytes of arguments; {device.name} takes "
                f"at most {device.info['parameter_bytes']}"
            )
    symbols = tuple(Symbol(symbol, 0, size, "uint8", (size,), symbol) for symbol, size in contents.globals)
    image = Image(contents.kind, contents.code, tuple(entries), symbols)
    try:
        return Program(device, image, None, name)
    except OutOfMemoryError:
        raise
    except (CompileError, DriverError) as error:
        log = error.log if isinstance(error, CompileError) else ""
        binary = f"{name} ({form.name(shape)} for {contents.architecture})"
        raise CompileError(f"{binary} does not load on {device.name!r}:\n{log or error}", log) from error


def _with_signatures(
    contents: kernels.Contents, signatures: Mapping[str, str], name: str
) -> list[tuple[str, Signature]]:  # fmt: skip
    """Give each kernel with its signature: the caller's if there is one, else the binary's."""
    from launchpath._compiler.process import pool  # noqa: PLC0415 (only sometimes needed)

    by_entry = {kernel.entry: kernel for kernel in contents.kernels}
    for entry in signatures:
        if entry not in by_entry:
            raise ArgumentValueError(
                f"{name} has no kernel {entry!r}, which `signatures` names; it has {kernels.names(contents.kernels)}"
            )
    return [
        (
            entry,
            kernels.checked(kernel, pool.call(pool.SIGNATURE, f"signatures[{entry!r}]", entry, signatures[entry]), name)
            if entry in signatures
            else kernels.signature(kernel),
        )
        for entry, kernel in by_entry.items()
    ]
