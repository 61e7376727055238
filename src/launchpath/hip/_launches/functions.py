"""What is known of kernels, by functions of modules or by registered symbols: attributes and occupancy."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from launchpath import errors
from launchpath._programs.kernel import Kernel
from launchpath.hip._devices.limits import check
from launchpath.hip._launches import launching
from launchpath.hip._launches.registered import find, handle_of
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function

# Names of what the driver reports, by HIP's attributes.
_ATTRIBUTES = {
    "HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK": "max_threads_per_block",
    "HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES": "shared_size_bytes",
    "HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES": "const_size_bytes",
    "HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES": "local_size_bytes",
    "HIP_FUNC_ATTRIBUTE_NUM_REGS": "num_regs",
    "HIP_FUNC_ATTRIBUTE_BINARY_VERSION": "binary_version",
}


_MOST_SHARED = "HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
_CARVEOUT = "HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT"
_chosen: WeakKeyDictionary[Kernel, dict[str, int]] = WeakKeyDictionary()  # the attributes that programs have set


def attribute(kernel: Kernel, name: str) -> int:
    """Return an attribute of a kernel; 0 for what its driver does not report."""
    if (value := _chosen.get(kernel, {}).get(name)) is not None:
        return value
    if name == _MOST_SHARED:
        return _most_shared(kernel)
    return int(getattr(kernel.attributes, _ATTRIBUTES.get(name, ""), 0) or 0)


def _most_shared(kernel: Kernel) -> int:
    """Return how many bytes of dynamic shared memory the device has for a block of a kernel."""
    return int(kernel.device.info["shared_memory_per_block"]) - int(kernel._driver.info.get("shared_memory") or 0)


@function(1)
def hipFuncGetAttribute(attrib: Any, hfunc: Any) -> int:
    """Return an attribute of a kernel; 0 for what its driver does not report."""
    kind = check(types.hipFunction_attribute, attrib)
    if kind == types.hipFunction_attribute.HIP_FUNC_ATTRIBUTE_MAX:
        raise HipError(Error.hipErrorInvalidValue, "expected an attribute, got HIP_FUNC_ATTRIBUTE_MAX")
    return attribute(find(hfunc).kernel, kind.name)


@function(1)
def hipFuncGetAttributes(func: Any) -> Any:
    """Return the attributes of a kernel; 0 for what its driver does not report."""
    kernel, result = find(func).kernel, types.hipFuncAttributes()
    for field, name in {
        "maxThreadsPerBlock": "MAX_THREADS_PER_BLOCK",
        "sharedSizeBytes": "SHARED_SIZE_BYTES",
        "localSizeBytes": "LOCAL_SIZE_BYTES",
        "numRegs": "NUM_REGS",
        "maxDynamicSharedSizeBytes": "MAX_DYNAMIC_SHARED_SIZE_BYTES",
        "preferredShmemCarveout": "PREFERRED_SHARED_MEMORY_CARVEOUT",
    }.items():
        setattr(result, field, attribute(kernel, f"HIP_FUNC_ATTRIBUTE_{name}"))
    return result


def set_attribute(kernel: Kernel, kind: Any, value: int) -> None:
    """Note an attribute of a kernel. Launches may use all of the device's shared memory, and caches are not split."""
    kinds = types.hipFuncAttribute
    if kind == kinds.hipFuncAttributeMaxDynamicSharedMemorySize:
        name, most = _MOST_SHARED, _most_shared(kernel)
        if not 0 <= value <= most:
            raise HipError(Error.hipErrorInvalidValue, f"expected at most {most} bytes, got {value}")
    elif kind == kinds.hipFuncAttributePreferredSharedMemoryCarveout:
        name = _CARVEOUT
        if not -1 <= value <= 100:
            raise HipError(Error.hipErrorInvalidValue, f"expected a percentage, or -1, got {value}")
    else:
        raise HipError(Error.hipErrorInvalidValue, f"expected an attribute that can be set, got {kind.name}")
    _chosen.setdefault(kernel, {})[name] = value


@function()
def hipFuncSetAttribute(func: Any, attr: Any, value: int) -> None:
    """Note an attribute of a kernel: launches may use all of the device's shared memory as it is."""
    set_attribute(find(func).kernel, check(types.hipFuncAttribute, attr), value)


@function()
def hipFuncSetCacheConfig(func: Any, config: Any) -> None:
    """Check a hint, and ignore it, as AMD's devices do."""
    check(types.hipFuncCache_t, config)
    find(func)


@function()
def hipFuncSetSharedMemConfig(func: Any, config: Any) -> None:
    """Check a hint, and ignore it, as AMD's devices do."""
    check(types.hipSharedMemConfig, config)
    find(func)


@function(1)
def hipGetFuncBySymbol(symbolPtr: Any) -> Any:
    """Return the function of a symbol, or of a pointer to a kernel, which is the same."""
    return types.ihipModuleSymbol_t(int(handle_of(symbolPtr)))


@function(1)
def hipKernelNameRef(f: Any) -> bytes:
    """Return a kernel's name."""
    return find(f).kernel.name.encode()


@function(1)
def hipKernelNameRefByPtr(hostFunction: Any, stream: Any) -> bytes:
    """Return a kernel's name."""
    return find(hostFunction).kernel.name.encode()


# Occupancy.


@function(1)
def hipOccupancyMaxActiveBlocksPerMultiprocessor(f: Any, blockSize: int, dynSharedMemPerBlk: int) -> int:
    """Return how many blocks of a kernel run on a compute unit at the same time."""
    return launching._blocks(find(f).kernel, blockSize, dynSharedMemPerBlk)


@function(1)
def hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    f: Any, blockSize: int, dynSharedMemPerBlk: int, flags: int
) -> int:
    """Return how many blocks of a kernel run on a compute unit at the same time."""
    kernel = find(f).kernel
    launching._check_flags(flags)
    return launching._blocks(kernel, blockSize, dynSharedMemPerBlk)


@function(2)
def hipOccupancyMaxPotentialBlockSize(f: Any, dynSharedMemPerBlk: int, blockSizeLimit: int) -> tuple[int, int]:
    """Return how many blocks fill the device, and the threads of a block that keep it busiest."""
    return launching._best(find(f).kernel, dynSharedMemPerBlk, blockSizeLimit)


@function(1)
def hipOccupancyAvailableDynamicSMemPerBlock(f: Any, numBlocks: int, blockSize: int) -> int:
    """Return the most dynamic shared memory of a block with which so many run on a compute unit."""
    kernel = find(f).kernel
    if numBlocks <= 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected blocks, got {numBlocks}")
    if launching._blocks(kernel, blockSize, 0) < numBlocks:
        raise HipError(Error.hipErrorInvalidValue, f"{numBlocks} blocks of {blockSize} threads do not fit")
    least, most = 0, attribute(kernel, "HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")
    while least < most:
        middle = (least + most + 1) // 2
        if _fits(kernel, blockSize, middle, numBlocks):
            least = middle
        else:
            most = middle - 1
    return least


def _fits(kernel: Kernel, threads: int, shared: int, blocks: int) -> bool:
    try:
        return kernel.occupancy(threads, shared) >= blocks
    except errors.ConfigurationError:
        return False
