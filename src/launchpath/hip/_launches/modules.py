"""Modules, their functions and their globals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from launchpath import errors
from launchpath._memory.array import Array
from launchpath._programs.kernel import Kernel
from launchpath._programs.loading import load
from launchpath._programs.program import Program
from launchpath._streams.device import Device
from launchpath.hip._devices.current import current
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._types.bindings import Error, Pointer, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles
from launchpath.hip._types.kept import launch
from launchpath.hip._types.values import text_of


@dataclass
class Module:
    """A program, and what has been handed out of it."""

    program: Program
    functions: dict[str, Any] = field(default_factory=dict)  # handles by names
    arrays: dict[str, Array] = field(default_factory=dict)


@dataclass
class Function:
    """A kernel of a module, with its last configuration: most launches come again with it."""

    kernel: Kernel
    kept: tuple[Any, Any] | None = None  # the configuration and its launcher: threads replace them together


_modules: Handles[Module] = Handles(types.ihipModule_t)
functions: Handles[Function] = Handles(types.ihipModuleSymbol_t)


def _load(source: str | bytes) -> Any:
    try:
        return _modules.add(Module(load(source, current())))
    except FileNotFoundError as error:
        raise HipError(Error.hipErrorFileNotFound, str(error)) from error
    except (errors.ArgumentValueError, errors.CompileError, errors.DriverError) as error:
        raise HipError(Error.hipErrorInvalidImage, str(error)) from error


@function(1)
def hipModuleLoad(fname: Any) -> Any:
    """Load a program from a file, as `launchpath.load` does, for this thread's device."""
    return _load(text_of(fname))


@function(1)
def hipModuleLoadData(image: Any) -> Any:
    """Load a program from its bytes, as `launchpath.load` does: those of `hiprtcGetCode`, or a binary."""
    try:
        data = bytes(memoryview(image))
    except TypeError:
        raise HipError(
            Error.hipErrorInvalidValue, f"expected bytes, whose size is known, got {type(image).__name__}"
        ) from None
    return _load(data)


@function()
def hipModuleUnload(module: Any) -> None:
    """Unload a module. What was submitted to its device is complete then; its functions name nothing any more."""
    unload(module)


def unload(module: Any) -> None:
    """Unload a module."""
    unloaded = _modules.remove(module)
    for handle in unloaded.functions.values():
        functions.remove(handle)
    launch.forget()
    unloaded.program.device.synchronize()


@on_reset
def _forget(device: Device) -> None:
    for handle, module in _modules.items():
        if module.program.device is device:
            unload(handle)


@function(1)
def hipModuleGetFunction(module: Any, kname: Any) -> Any:
    """Return a kernel of a module by its name."""
    subject, name = _modules.find(module), text_of(kname)
    if name not in subject.functions:
        try:
            kernel = subject.program[name]
        except (KeyError, AttributeError, errors.LaunchpathError) as error:
            raise HipError(Error.hipErrorNotFound, str(error)) from error
        subject.functions[name] = functions.add(Function(kernel))
    return subject.functions[name]


@function(1)
def hipModuleGetFunctionCount(mod: Any) -> int:
    """Count the kernels of a module."""
    return len(_modules.find(mod).program)


@function(2)
def hipModuleGetGlobal(hmod: Any, name: Any) -> tuple[Any, int]:
    """Return the address and the bytes of a ``__device__`` or ``__constant__`` variable."""
    subject, text = _modules.find(hmod), text_of(name)
    if text not in subject.arrays:
        try:
            subject.arrays[text] = subject.program.symbol(text)
        except errors.ArgumentValueError as error:
            raise HipError(Error.hipErrorNotFound, str(error)) from error
    array = subject.arrays[text]
    return Pointer.fromObj(array.pointer), array.nbytes
