"""Libraries, which are modules, and their kernels, which are functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from launchpath.hip._devices.current import device_at
from launchpath.hip._devices.limits import check
from launchpath.hip._launches import modules
from launchpath.hip._launches.functions import attribute, set_attribute
from launchpath.hip._launches.registered import find
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles
from launchpath.hip._types.values import text_of


@dataclass
class _Library:
    module: Any
    kernels: dict[str, Any] = field(default_factory=dict)  # handles by names


@dataclass
class _Kernel:
    library: Any
    name: str
    function: Any


_libraries: Handles[_Library] = Handles(types.ihipLibrary_t, Error.hipErrorInvalidValue)
_kernels: Handles[_Kernel] = Handles(types.ihipKernel_t, Error.hipErrorInvalidValue)


def _value(result: tuple[Any, ...]) -> Any:
    """Return the outputs of a function of HIP's, or fail as it did."""
    code, *outputs = result
    if code != Error.hipSuccess:
        from launchpath.hip._types.errors import reason  # noqa: PLC0415 (of this thread's last failure)

        raise HipError(code, reason())
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def _no_options(code: Any, *counts: int) -> None:
    if any(counts):
        raise HipError(code, "expected no options: hip-python passes their values only")


def _loaded(result: tuple[Any, ...]) -> Any:
    """Return a module, or fail with the only code for what is no library."""
    try:
        return _value(result)
    except HipError as error:
        wrong = error.code in (Error.hipErrorFileNotFound, Error.hipErrorInvalidImage)
        raise HipError(Error.hipErrorInvalidValue if wrong else error.code, str(error)) from None


_NO_JIT = next(iter(types.hipJitOption))
_NO_OPTION = next(iter(types.hipLibraryOption_e))


@function(2)
def hipModuleLoadDataEx(image: Any, numOptions: int, optionValues: Any) -> tuple[Any, Any]:
    """Load a program from its bytes, without options. The second output says nothing."""
    _no_options(Error.hipErrorNotSupported, numOptions)
    return _value(modules.hipModuleLoadData(image)), _NO_JIT


@function(1)
def hipModuleLoadFatBinary(fatbin: Any) -> Any:
    """Load a program from its bytes."""
    return _value(modules.hipModuleLoadData(fatbin))


@function(3)
def hipLibraryLoadData(
    code: Any, jitOptionsValues: Any, numJitOptions: int, libraryOptionValues: Any, numLibraryOptions: int
) -> tuple[Any, Any, Any]:
    """Load a library from its bytes, without options, for this thread's device. Only the first output says anything."""
    _no_options(Error.hipErrorInvalidValue, numJitOptions, numLibraryOptions)
    return _libraries.add(_Library(_loaded(modules.hipModuleLoadData(code)))), _NO_JIT, _NO_OPTION


@function(3)
def hipLibraryLoadFromFile(
    fileName: Any, jitOptionsValues: Any, numJitOptions: int, libraryOptionValues: Any, numLibraryOptions: int
) -> tuple[Any, Any, Any]:
    """Load a library from a file, without options, for this thread's device. Only the first output says anything."""
    _no_options(Error.hipErrorInvalidValue, numJitOptions, numLibraryOptions)
    return _libraries.add(_Library(_loaded(modules.hipModuleLoad(fileName)))), _NO_JIT, _NO_OPTION


@function()
def hipLibraryUnload(library: Any) -> None:
    """Unload a library; its kernels name nothing any more."""
    unloaded = _libraries.remove(library)
    for handle in unloaded.kernels.values():
        _kernels.remove(handle)
    _value(modules.hipModuleUnload(unloaded.module))


@function(1)
def hipLibraryGetKernel(library: Any, name: Any) -> Any:
    """Return a kernel of a library by its name."""
    subject, text = _libraries.find(library), text_of(name)
    if text not in subject.kernels:
        kernel = _value(modules.hipModuleGetFunction(subject.module, text))
        subject.kernels[text] = _kernels.add(_Kernel(library, text, kernel))
    return subject.kernels[text]


@function(1)
def hipLibraryGetKernelCount(library: Any) -> int:
    """Count the kernels of a library."""
    return int(_value(modules.hipModuleGetFunctionCount(_libraries.find(library).module)))


@function(2)
def hipLibraryGetGlobal(library: Any, name: Any) -> tuple[Any, int]:
    """Return the address and the bytes of a variable."""
    address, size = _value(modules.hipModuleGetGlobal(_libraries.find(library).module, name))
    return address, size


@function(1)
def hipKernelGetFunction(kernel: Any) -> Any:
    """Return the function of a kernel, which launches take."""
    return _kernels.find(kernel).function


@function(1)
def hipKernelGetLibrary(kernel: Any) -> Any:
    """Return the library of a kernel."""
    return _kernels.find(kernel).library


@function(1)
def hipKernelGetName(kernel: Any) -> bytes:
    """Return the name that a kernel was asked for by."""
    return _kernels.find(kernel).name.encode()


@function(2)
def hipKernelGetParamInfo(kernel: Any, paramIndex: int) -> tuple[int, int]:
    """Return the offset and the bytes of a parameter."""
    parameters = find(_kernels.find(kernel).function).kernel.signature.parameters
    if not 0 <= paramIndex < len(parameters):
        raise HipError(Error.hipErrorInvalidValue, f"expected one of {len(parameters)} parameters, got {paramIndex}")
    return parameters[paramIndex].offset, parameters[paramIndex].size


def _on(kernel: Any, dev: int) -> Any:
    subject = find(_kernels.find(kernel).function).kernel
    if subject.device is not device_at(dev):
        raise HipError(Error.hipErrorInvalidDevice, f"the library was loaded for {subject.device.name!r} only")
    return subject


@function(1)
def hipKernelGetAttribute(attrib: Any, kernel: Any, dev: int) -> int:
    """Return an attribute of a kernel; 0 for what its driver does not report."""
    subject = _on(kernel, dev)
    kind = check(types.hipFunction_attribute, attrib)
    if kind == types.hipFunction_attribute.HIP_FUNC_ATTRIBUTE_MAX:
        raise HipError(Error.hipErrorInvalidValue, "expected an attribute, got HIP_FUNC_ATTRIBUTE_MAX")
    return attribute(subject, kind.name)


@function()
def hipKernelSetAttribute(attrib: Any, value: int, kernel: Any, dev: int) -> None:
    """Check an attribute of a kernel, as `hipFuncSetAttribute` does."""
    subject = _on(kernel, dev)
    set_attribute(subject, check(types.hipFuncAttribute, int(check(types.hipFunction_attribute, attrib))), value)
