"""Launching, and how many blocks of a kernel run at the same time."""

from __future__ import annotations

import functools
from typing import Any

from launchpath import errors
from launchpath._core import HipFunction, launcher_as_hip
from launchpath._programs.kernel import Kernel
from launchpath._streams.stream import Stream
from launchpath._tracebacks import boundary, trim_always
from launchpath.hip._devices.current import one_device
from launchpath.hip._launches.arguments import from_extra, from_pointers
from launchpath.hip._launches.modules import Function, functions
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, Pointer
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.kept import launch


def packed_arguments(kernel: Any, kernelParams: Any, extra: Any) -> bytes:
    """Return the bytes of a launch's arguments."""
    signature = kernel.signature
    if kernelParams is not None and extra is not None:
        raise HipError(Error.hipErrorInvalidValue, "expected kernelParams or extra, got both")
    if extra is not None:
        return from_extra(signature, extra)
    if kernelParams is not None:
        return from_pointers(signature, kernelParams)
    if signature.parameters:
        raise HipError(
            Error.hipErrorInvalidValue, f"{signature}: expected arguments in kernelParams or extra, got none"
        )
    return b""


def _configuration(grid: tuple[int, ...], block: tuple[int, ...], shared: int, stream: Any) -> tuple[Any, ...]:
    return grid, block, shared, stream_of(stream)


def check_sizes(grid: tuple[int, ...], block: tuple[int, ...]) -> None:
    """Refuse launches without threads."""
    if 0 in grid:
        raise HipError(Error.hipErrorInvalidValue, f"expected a grid of at least one block, got {grid}")
    if 0 in block:
        raise HipError(Error.hipErrorInvalidConfiguration, f"expected a block of at least one thread, got {block}")


def launcher(kernel: Any, grid: tuple[int, ...], block: tuple[int, ...], stream: Any, shared: int) -> Any:
    """Return a launcher, or refuse with HIP's code: it has one for blocks, and another for all other sizes."""
    check_sizes(grid, block)
    try:
        return launcher_as_hip(kernel, grid, block, stream, shared)
    except errors.ConfigurationError as error:
        raise HipError(_code_of_sizes(kernel, block, stream), str(error)) from error


def _code_of_sizes(kernel: Any, block: tuple[int, ...], stream: Any) -> Any:
    try:
        launcher_as_hip(kernel, 1, block, stream, 0)
    except errors.ConfigurationError:
        return Error.hipErrorInvalidConfiguration
    return Error.hipErrorInvalidValue


def launch_cooperatively(launched: Function, configuration: tuple[Any, ...], arguments: bytes) -> None:
    """Launch a kernel whose blocks may wait for one another, or refuse with HIP's code."""
    grid, block, shared, _ = configuration
    kernel = launched.kernel
    launcher(kernel, grid, block, kernel.device.legacy_stream, shared)  # what no launch may have has other codes
    try:
        _launch(Function(kernel), kernel.cooperative, configuration, arguments)
    except errors.ConfigurationError as error:
        raise HipError(Error.hipErrorCooperativeLaunchTooLarge, str(error)) from error


def _launch(launched: Function, kernel: Any, configuration: tuple[Any, ...], arguments: bytes) -> None:
    launch_kept = launched.kept  # read once: another thread may replace it
    if launch_kept is None or launch_kept[0] != configuration:
        grid, block, shared, stream = configuration
        if isinstance(stream, Capturing):
            check_sizes(grid, block)
            stream.launch(launched, kernel is not launched.kernel, (grid, block, shared), arguments)
            return
        launch_kept = launched.kept = configuration, launcher(kernel, grid, block, stream, shared)
    launch_kept[1].packed(arguments)


@function()
def hipModuleLaunchKernel(
    f: Any,
    gridDimX: int,
    gridDimY: int,
    gridDimZ: int,
    blockDimX: int,
    blockDimY: int,
    blockDimZ: int,
    sharedMemBytes: int = 0,
    stream: Any = None,
    kernelParams: Any = None,
    extra: Any = None,
) -> None:
    """Launch a kernel of so many blocks, with arguments by pointers (``kernelParams``) or by values (``extra``).

    ``extra`` is a tuple of ctypes values and pointers; they may change at once after the call.
    """
    version = launch.version  # before the handles are looked up
    launched = functions.find(f)
    arguments = packed_arguments(launched.kernel, kernelParams, extra)
    grid, block = (gridDimX, gridDimY, gridDimZ), (blockDimX, blockDimY, blockDimZ)
    configuration = _configuration(grid, block, sharedMemBytes, stream)
    _launch(launched, launched.kernel, configuration, arguments)
    order = configuration[3]
    if isinstance(order, Stream) and (isinstance(stream, Pointer) or (stream is None and one_device())):
        launch.keep(version, f, HipFunction(launched.kernel), stream, order)


launch.over(boundary(hipModuleLaunchKernel, trim_always))
hipModuleLaunchKernel = functools.update_wrapper(launch, hipModuleLaunchKernel)


@function()
def hipModuleLaunchCooperativeKernel(
    f: Any,
    gridDimX: int,
    gridDimY: int,
    gridDimZ: int,
    blockDimX: int,
    blockDimY: int,
    blockDimZ: int,
    sharedMemBytes: int,
    stream: Any,
    kernelParams: Any,
) -> None:
    """Launch a kernel whose blocks may wait for one another: all of them must run at the same time."""
    launched = functions.find(f)
    arguments = packed_arguments(launched.kernel, kernelParams, None)
    grid, block = (gridDimX, gridDimY, gridDimZ), (blockDimX, blockDimY, blockDimZ)
    configuration = _configuration(grid, block, sharedMemBytes, stream)
    launch_cooperatively(launched, configuration, arguments)


def _check_block(kernel: Any, threads: int, shared: int) -> None:
    """Refuse a block that no launch of a kernel may have."""
    try:
        launcher_as_hip(kernel, 1, threads, None, shared)
    except errors.ConfigurationError as error:
        raise HipError(Error.hipErrorInvalidValue, str(error)) from error


def _blocks(kernel: Kernel, blockSize: int, dynSharedMemPerBlk: int) -> int:
    if blockSize <= 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected threads of a block, got {blockSize}")
    if dynSharedMemPerBlk < 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected bytes of shared memory, got {dynSharedMemPerBlk}")
    try:
        launcher_as_hip(kernel, 1, blockSize, None, dynSharedMemPerBlk)
    except errors.ConfigurationError:
        return 0  # as HIP's runtime answers for a block that is too large
    if _runs_blocks_on_cores(kernel):
        return 1
    try:
        return kernel.occupancy(blockSize, dynSharedMemPerBlk)
    except errors.ConfigurationError as error:
        raise HipError(Error.hipErrorNotSupported, str(error)) from error


@function(1)
def hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(f: Any, blockSize: int, dynSharedMemPerBlk: int) -> int:
    """Return how many blocks of a kernel run on a compute unit at the same time."""
    return _blocks(functions.find(f).kernel, blockSize, dynSharedMemPerBlk)


@function(1)
def hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    f: Any, blockSize: int, dynSharedMemPerBlk: int, flags: int
) -> int:
    """Return how many blocks of a kernel run on a compute unit at the same time."""
    _check_flags(flags)
    return _blocks(functions.find(f).kernel, blockSize, dynSharedMemPerBlk)


def _runs_blocks_on_cores(kernel: Kernel) -> bool:
    """Whether a compute unit is a core of a CPU, which runs one block at a time."""
    return bool(kernel.device.info["kind"] == "cpu")


_DEFAULT, _DISABLE_CACHING = 0, 1  # hipOccupancyDefault, and the override of caching


def _check_flags(flags: int) -> None:
    if flags not in (_DEFAULT, _DISABLE_CACHING):  # the 2nd says nothing of devices whose caches need no shared memory
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected hipOccupancyDefault or hipOccupancyDisableCachingOverride, got {flags}",
        )


def _best(kernel: Kernel, dynSharedMemPerBlk: int, blockSizeLimit: int) -> tuple[int, int]:
    if blockSizeLimit < 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected threads of a block, or 0, got {blockSizeLimit}")
    _check_block(kernel, 1, dynSharedMemPerBlk)
    if _runs_blocks_on_cores(kernel):
        most = int(kernel.attributes.max_threads_per_block)
        return int(kernel.device.info["compute_units"]), min(most, blockSizeLimit or most)
    try:
        block, blocks = kernel.suggest_block(dynSharedMemPerBlk, blockSizeLimit or None)
    except errors.ConfigurationError as error:
        raise HipError(Error.hipErrorNotSupported, str(error)) from error
    return blocks, block


@function(2)
def hipModuleOccupancyMaxPotentialBlockSize(f: Any, dynSharedMemPerBlk: int, blockSizeLimit: int) -> tuple[int, int]:
    """Return how many blocks fill the device, and the threads of a block that keep it busiest."""
    return _best(functions.find(f).kernel, dynSharedMemPerBlk, blockSizeLimit)


@function(2)
def hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
    f: Any, dynSharedMemPerBlk: int, blockSizeLimit: int, flags: int
) -> tuple[int, int]:
    """Return how many blocks fill the device, and the threads of a block that keep it busiest."""
    _check_flags(flags)
    return _best(functions.find(f).kernel, dynSharedMemPerBlk, blockSizeLimit)
