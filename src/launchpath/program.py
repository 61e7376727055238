"""Programs: HIP C++ source, compiled for a device, with its kernels as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from launchpath import _core
from launchpath.device import Device, current_device
from launchpath.errors import CompileError, ConfigurationError


class Kernel(_core.KernelBase):
    """A kernel of a program. ``kernel[grid, block, stream, shared](*arguments)`` launches it.

    Grid is in blocks, block in threads: ints, or tuples of up to three. Stream and shared memory (bytes of the
    ``extern __shared__`` array) may be left out: the current stream, none. Arguments go by position or by the
    parameters' names. ``kernel[grid, block]`` can be kept, which saves making it again.

    Attributes
    ----------
    name : str
    signature : launchpath.compiler.Signature
        Parameters with C type, size and offset.
    device : Device
    """

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        """The signature, for ``help(kernel)``."""
        lines = [f"__global__ void {self.signature}", "", "parameter, type, bytes, offset:"]
        lines += [f"    {p.name}: {p.ctype}, {p.size}, {p.offset}" for p in self.signature.parameters]
        return "\n".join(lines)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Refuse: a kernel is launched with a grid and a block."""
        raise TypeError(f"{self.name} needs a grid and a block: {self.name}[grid, block](...)")

    def __repr__(self) -> str:
        return f"<Kernel {self.signature} on {self.device.name!r}>"


class Program:
    """Kernels compiled for one device: attributes by name, or ``program["name"]``.

    Attributes
    ----------
    device : Device
    kernels : dict of str to Kernel
    log : str
        What the compiler said, at the source's own lines.
    """

    def __init__(self, device: Device, kernels: Mapping[str, Kernel], log: str) -> None:
        self.device, self.kernels, self.log = device, dict(kernels), log

    def __getattr__(self, name: str) -> Kernel:
        try:
            return self.__dict__["kernels"][name]  # type: ignore[no-any-return]
        except KeyError:
            known = ", ".join(self.__dict__.get("kernels", {}))
            raise AttributeError(f"the program has no kernel {name!r}; it has {known}") from None

    def __getitem__(self, name: str) -> Kernel:
        try:
            return self.kernels[name]
        except KeyError:
            raise KeyError(f"the program has no kernel {name!r}; it has {', '.join(self.kernels)}") from None

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self.kernels.values())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.kernels]

    def __repr__(self) -> str:
        return f"<Program {', '.join(self.kernels)} on {self.device.name!r}>"


def compile(
    source: str,
    device: Device | None = None,
    *,
    name: str = "<source>",
    defines: Mapping[str, str | None] | None = None,
) -> Program:
    """Compile HIP C++ source for a device.

    Parameters
    ----------
    source : str
        Kernels (``__global__`` functions) and what they need. OpenCL devices take the first part of the language: index
        built-ins, shared memory, ``__syncthreads``, atomics, math, device functions, pointers, structs by value.
    device : Device, optional
        The current device if left out.
    name : str
        What messages call the source.
    defines : dict, optional
        Macros: ``{"N": "16", "FAST": None}``.

    Returns
    -------
    Program

    Raises
    ------
    CompileError
        The source does not compile; the message gives the compiler's words at the source's own lines.
    """
    from launchpath.compiler import kernel_name, parse, remap_log, to_opencl  # noqa: PLC0415 (slow to import)

    device = current_device() if device is None else device
    unit = parse(source, name, defines or {})
    dialect = device.info["dialect"]
    for signature in unit.signatures.values():
        if signature.size > device.info["parameter_bytes"]:
            raise ConfigurationError(
                f"kernel {signature.name} takes {signature.size} bytes of arguments, {device.name} "
                f"{device.info['parameter_bytes']} at most"
            )
    text = source if dialect == "simulated" else to_opencl(unit, dialect)
    try:
        built = device.driver.build(text)
    except CompileError as error:
        log = remap_log(error.log or str(error), unit)
        raise CompileError(f"{name} does not compile for {device.name!r}:\n{log}", log) from None
    kernels: dict[str, Kernel] = {}
    program = Program(device, kernels, remap_log(built.log, unit))
    for signature in unit.signatures.values():
        kernel = built.kernel(
            signature.name if dialect == "simulated" else kernel_name(signature.name),
            parameter_bytes=signature.size,
            dynamic_shared=signature.dynamic_shared,
        )
        program.kernels[signature.name] = Kernel(kernel, device, signature, program)
    return program
