"""The other ways to launch: by a pointer to a kernel, by structs, with events, and by a stack of arguments."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from launchpath.hip._launches.launching import _configuration, _launch, launch_cooperatively, packed_arguments
from launchpath.hip._launches.modules import Function
from launchpath.hip._launches.registered import find
from launchpath.hip._streams import events as _events
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import bytes_of, read, struct_of

Extents = tuple[int, int, int]
_AXES = 3


def extents(dimensions: Any) -> Extents:
    """Return the three ints of a dim3."""
    if isinstance(dimensions, int):
        return dimensions, 1, 1
    if not isinstance(dimensions, (tuple, list)):
        dimensions = tuple(struct_of(types.dim3, dimensions))
    if len(dimensions) > _AXES or not all(isinstance(extent, int) for extent in dimensions):
        raise HipError(Error.hipErrorInvalidValue, f"expected up to three ints, got {dimensions!r}")
    x, y, z = (*dimensions, 1, 1, 1)[:_AXES]
    return x, y, z


def _run(f: Any, shape: tuple[Extents, Extents, int, Any], params: Any, extra: Any, cooperative: bool = False) -> None:
    launched = find(f)
    arguments = packed_arguments(launched.kernel, params, extra)
    device = stream_of(shape[3]).device
    if device is not launched.kernel.device:  # a symbol is a kernel of each device: HIP takes the stream's
        launched = find(f, device)
    _submit(launched, shape, arguments, cooperative)


def _submit(launched: Function, shape: tuple[Extents, Extents, int, Any], arguments: bytes, cooperative: bool) -> None:
    configuration = _configuration(*shape)
    if cooperative:
        launch_cooperatively(launched, configuration, arguments)
    else:
        _launch(launched, launched.kernel, configuration, arguments)


def _pointers(values: Any) -> Any:
    """Return pointers to arguments, or None where there are none."""
    return values if isinstance(values, (tuple, list)) else (values if address(values) else None)


@function()
def hipLaunchKernel(
    function_address: Any, numBlocks: Any, dimBlocks: Any, args: Any, sharedMemBytes: int, stream: Any
) -> None:
    """Launch a kernel with arguments by pointers."""
    shape = extents(numBlocks), extents(dimBlocks), sharedMemBytes, stream
    _run(function_address, shape, _pointers(args), None)


@function()
def hipLaunchCooperativeKernel(
    f: Any, gridDim: Any, blockDimX: Any, kernelParams: Any, sharedMemBytes: int, stream: Any
) -> None:
    """Launch a kernel whose blocks may wait for one another: all of them must run at the same time."""
    shape = extents(gridDim), extents(blockDimX), sharedMemBytes, stream
    _run(f, shape, _pointers(kernelParams), None, cooperative=True)


@function()
def hipExtLaunchKernel(
    function_address: Any,
    numBlocks: Any,
    dimBlocks: Any,
    args: Any,
    sharedMemBytes: int,
    stream: Any,
    startEvent: Any,
    stopEvent: Any,
    flags: int,
) -> None:
    """Launch a kernel between two events, either of which may be null."""
    if flags & ~types.hipExtAnyOrderLaunch:
        raise HipError(Error.hipErrorInvalidValue, f"expected 0 or hipExtAnyOrderLaunch, got flags of {flags:#x}")
    launched = find(function_address)
    for event in (startEvent, stopEvent):
        if address(event):
            _events.events.find(event)
    arguments = packed_arguments(launched.kernel, _pointers(args), None)
    if address(startEvent):
        _events._record(startEvent, stream)
    _submit(launched, (extents(numBlocks), extents(dimBlocks), sharedMemBytes, stream), arguments, False)
    if address(stopEvent):
        _events._record(stopEvent, stream)


# By structs with attributes.

_HINTS = (
    types.hipLaunchAttributeID.hipLaunchAttributeIgnore,
    types.hipLaunchAttributeID.hipLaunchAttributeAccessPolicyWindow,
)
_ATTRIBUTE, _VALUE = 72, 8  # bytes of an attribute, and where its value begins


def _is_cooperative(config: Any) -> bool:
    """Read the attributes of a launch; any that launchpath does not have is refused."""
    kinds, cooperative = types.hipLaunchAttributeID, False
    first = int(config.attrs) if config.numAttrs else 0
    for index in range(config.numAttrs):
        place = first + index * _ATTRIBUTE
        number, value = (read(place + offset, 4) for offset in (0, _VALUE))
        if number == kinds.hipLaunchAttributeCooperative:
            cooperative = bool(value)
        elif number not in (
            kinds.hipLaunchAttributeIgnore,
            kinds.hipLaunchAttributeAccessPolicyWindow,
        ):  # the 2nd hints
            is_attribute = number in list(kinds)
            raise HipError(
                Error.hipErrorNotSupported if is_attribute else Error.hipErrorInvalidValue,
                f"expected hipLaunchAttributeCooperative, got attribute {number}",
            )
    return cooperative


@function()
def hipLaunchKernelExC(config: Any, fPtr: Any, args: Any) -> None:
    """Launch a kernel as hipLaunchConfig_t says, with arguments by pointers."""
    config = struct_of(types.hipLaunchConfig_t, config)
    shape = extents(config.gridDim), extents(config.blockDim), config.dynamicSmemBytes, config.stream
    _run(fPtr, shape, _pointers(args), None, _is_cooperative(config))


@function()
def hipDrvLaunchKernelEx(config: Any, f: Any, params: Any, extra: Any) -> None:
    """Launch a kernel as HIP_LAUNCH_CONFIG says, with arguments by pointers or by values."""
    config = struct_of(types.HIP_LAUNCH_CONFIG, config)
    grid = config.gridDimX, config.gridDimY, config.gridDimZ
    block = config.blockDimX, config.blockDimY, config.blockDimZ
    shape = grid, block, config.sharedMemBytes, config.hStream
    values = extra if isinstance(extra, (tuple, list)) else None
    _run(f, shape, _pointers(params), values, _is_cooperative(config))


# On several devices: one here.


def _only(launches: Any, count: int, flags: int, kind: Any) -> Any:
    """Return the only one of several launches."""
    known_flags = types.hipCooperativeLaunchMultiDeviceNoPreSync | types.hipCooperativeLaunchMultiDeviceNoPostSync
    if count <= 0 or flags & ~known_flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected launches and their flags, got {count} and {flags:#x}")
    if count > 1:
        raise HipError(Error.hipErrorNotSupported, f"expected the launch on one device, got {count}")
    if isinstance(launches, (tuple, list)):
        launches = launches[0] if launches else None
    return struct_of(kind, launches)


@function()
def hipModuleLaunchCooperativeKernelMultiDevice(launchParamsList: Any, numDevices: int, flags: int) -> None:
    """Launch a kernel on one device, whose blocks may wait for one another."""
    launch = _only(launchParamsList, numDevices, flags, types.hipFunctionLaunchParams_t)
    grid, block = (
        (launch.gridDimX, launch.gridDimY, launch.gridDimZ),
        (launch.blockDimX, launch.blockDimY, launch.blockDimZ),
    )
    shape = grid, block, launch.sharedMemBytes, launch.hStream
    _run(launch.function, shape, _pointers(launch.kernelParams), None, cooperative=True)


def _launch_only(launches: Any, count: int, flags: int, cooperative: bool) -> None:
    launch = _only(launches, count, flags, types.hipLaunchParams_t)
    shape = extents(launch.gridDim), extents(launch.blockDim), launch.sharedMem, launch.stream
    _run(launch.func, shape, _pointers(launch.args), None, cooperative)


@function()
def hipLaunchCooperativeKernelMultiDevice(launchParamsList: Any, numDevices: int, flags: int) -> None:
    """Launch a kernel on one device, whose blocks may wait for one another."""
    _launch_only(launchParamsList, numDevices, flags, True)


@function()
def hipExtLaunchMultiKernelMultiDevice(launchParamsList: Any, numDevices: int, flags: int) -> None:
    """Launch a kernel on one device."""
    _launch_only(launchParamsList, numDevices, flags, False)


# By a stack of configurations, as the launches with three brackets were compiled once.


@dataclass
class _Call:
    shape: tuple[Extents, Extents, int, Any]
    arguments: dict[int, bytes] = field(default_factory=dict)  # by offsets


class _Thread(threading.local):
    def __init__(self) -> None:
        self.calls: list[_Call] = []


_thread = _Thread()
_MOST = 1 << 16  # bytes of the arguments of a launch


def _top() -> _Call:
    if not _thread.calls:
        raise HipError(Error.hipErrorInvalidValue, "expected hipConfigureCall first")
    return _thread.calls[-1]


@function()
def hipConfigureCall(gridDim: Any, blockDim: Any, sharedMem: int, stream: Any) -> None:
    """Begin a launch of this thread."""
    _thread.calls.append(_Call((extents(gridDim), extents(blockDim), sharedMem, stream)))


@function()
def hipSetupArgument(arg: Any, size: int, offset: int) -> None:
    """Copy an argument of the launch that this thread began last."""
    call = _top()
    if not address(arg) or size <= 0 or offset < 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected an argument, got {size} bytes at {offset} of {arg!r}")
    if offset + size > _MOST:
        raise HipError(
            Error.hipErrorInvalidValue, f"expected at most {_MOST} bytes of arguments, got {offset} + {size}"
        )
    call.arguments[offset] = bytes_of(arg, size, "argument")


@function()
def hipLaunchByPtr(func: Any) -> None:
    """Launch a kernel with the arguments that this thread set up last."""
    _top()
    call = _thread.calls.pop()
    launched = find(func)
    signature = launched.kernel.signature
    packed = bytearray(signature.size)
    expected = {parameter.offset: parameter.size for parameter in signature.parameters}
    sizes = {offset: len(data) for offset, data in call.arguments.items()}
    if expected != sizes:
        raise HipError(Error.hipErrorInvalidValue, f"{signature}: expected sizes by offsets {expected}, got {sizes}")
    for offset, data in call.arguments.items():
        packed[offset : offset + len(data)] = data
    _submit(launched, call.shape, bytes(packed), False)
