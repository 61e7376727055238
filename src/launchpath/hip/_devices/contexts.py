"""Contexts: each is a device, with flags; all contexts of a device share its memory, streams and modules."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from launchpath import _core
from launchpath._streams.device import Device
from launchpath.hip._devices import device as _device
from launchpath.hip._devices import limits
from launchpath.hip._devices.current import all_devices, choose, current, device_at, number_of
from launchpath.hip._devices.reset import reset
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles

API_VERSION = 4  # as HIP's documentation says


@dataclass
class Context:
    """A context."""

    device: Device
    flags: int = 0
    handle: Any = None
    primary: bool = False
    retained: int = 0
    destroyed: bool = False


class _Thread(threading.local):
    def __init__(self) -> None:
        self.stack: list[Context] = []


_thread = _Thread()
_contexts: Handles[Context] = Handles(types.ihipCtx_t, Error.hipErrorInvalidContext)
_primary: dict[Device, Context] = {}
_lock = threading.Lock()


def primary_of(device: Device) -> Context:
    """Return the primary context of a device, which is always there."""
    with _lock:
        if device not in _primary:
            context = _primary[device] = Context(device, primary=True)
            context.handle = _contexts.add(context)
        return _primary[device]


def _stack() -> list[Context]:
    """Return the thread's stack, without contexts at its top that another thread destroyed."""
    while _thread.stack and _thread.stack[-1].destroyed:
        _thread.stack.pop()
    return _thread.stack


def current_context() -> Context:
    """Return this thread's context: the top of its stack, or the primary one of the device that it set later."""
    stack = _stack()
    return stack[-1] if stack and stack[-1].device is current() else primary_of(current())


def _push(context: Context) -> None:
    _stack().append(context)
    choose(context.device)


def _pop() -> Context:
    stack = _stack()
    if not stack:
        raise HipError(Error.hipErrorInvalidContext, "this thread has pushed no context")
    context = stack.pop()
    if _stack():
        choose(_stack()[-1].device)
    return context


@function(1)
def hipCtxCreate(flags: int, device: int) -> Any:
    """Create a context of a device, and make it this thread's."""
    if not 0 <= device < len(all_devices()):
        raise HipError(Error.hipErrorInvalidValue, f"expected the number of a device, got {device}")
    context = Context(device_at(device), limits.check_flags(flags))
    context.handle = _contexts.add(context)
    _push(context)
    return context.handle


@function()
def hipCtxDestroy(ctx: Any) -> None:
    """Destroy a context. Memory, streams and modules are the device's: they stay."""
    context = _contexts.find(ctx)
    if context.primary:
        raise HipError(Error.hipErrorInvalidValue, "expected a context of hipCtxCreate, got a primary one: release it")
    _contexts.remove(ctx)
    if _stack() and _thread.stack[-1] is context:
        _pop()
    context.destroyed = True


@function(1)
def hipCtxGetCurrent() -> Any:
    """Return this thread's context."""
    return current_context().handle


@function()
def hipCtxSetCurrent(ctx: Any) -> None:
    """Replace the top of this thread's stack by a context; the null context only pops it."""
    context = _contexts.find(ctx) if address(ctx) else None
    if _stack():
        _pop()
    if context is not None:
        _push(context)


@function()
def hipCtxPushCurrent(ctx: Any) -> None:
    """Put a context on this thread's stack, and use its device."""
    _push(_contexts.find(ctx))


@function(1)
def hipCtxPopCurrent() -> Any:
    """Take the top of this thread's stack off, and return it."""
    return _pop().handle


@function(1)
def hipCtxGetDevice() -> int:
    """Return the device of this thread's context."""
    return number_of(current_context().device)


@function(1)
def hipCtxGetFlags() -> int:
    """Return the flags of this thread's context; those of a primary one are its device's."""
    context = current_context()
    return limits.flags_of(context.device) if context.primary else context.flags


@function(1)
def hipCtxGetApiVersion(ctx: Any) -> int:
    """Return 4, as HIP's documentation says. The null context is this thread's."""
    if address(ctx):
        _contexts.find(ctx)
    return API_VERSION


@function()
def hipCtxSynchronize() -> None:
    """Wait for all work of the device of this thread's context."""
    current().synchronize()


@function(1)
def hipCtxGetCacheConfig() -> Any:
    """Return that no cache is preferred: the hint is ignored."""
    return types.hipFuncCache_t.hipFuncCachePreferNone


@function()
def hipCtxSetCacheConfig(cacheConfig: Any) -> None:
    """Check a hint, and ignore it, as AMD's devices do."""
    limits.check(types.hipFuncCache_t, cacheConfig)


@function(1)
def hipCtxGetSharedMemConfig() -> Any:
    """Return the width of the banks of shared memory."""
    return limits.BANKS


@function()
def hipCtxSetSharedMemConfig(config: Any) -> None:
    """Check a hint, and ignore it, as AMD's devices do."""
    limits.check(types.hipSharedMemConfig, config)


@function()
def hipCtxEnablePeerAccess(peerCtx: Any, flags: int) -> None:
    """Let kernels of this thread's device use the memory of a context's device."""
    _device.enable_peer(_contexts.find(peerCtx).device, flags)


@function()
def hipCtxDisablePeerAccess(peerCtx: Any) -> None:
    """Let kernels of this thread's device no longer use the memory of a context's device."""
    _device.disable_peer(_contexts.find(peerCtx).device)


# Primary contexts.


def _active(context: Context) -> bool:
    return context.retained > 0 or context.device in _core.devices_open()


@function(2)
def hipDevicePrimaryCtxGetState(dev: int) -> tuple[int, int]:
    """Return the flags of a device's primary context, and whether the device is in use."""
    device = device_at(dev)
    return limits.flags_of(device), int(_active(primary_of(device)))


@function(1)
def hipDevicePrimaryCtxRetain(dev: int) -> Any:
    """Return the primary context of a device, which stays until it is released as often."""
    context = primary_of(device_at(dev))
    with _lock:
        context.retained += 1
    return context.handle


@function()
def hipDevicePrimaryCtxRelease(dev: int) -> None:
    """Release the primary context of a device. The device itself stays open until the process ends."""
    context = primary_of(device_at(dev))
    with _lock:
        if not context.retained:
            raise HipError(Error.hipErrorInvalidContext, "the context was released as often as it was retained")
        context.retained -= 1


@function()
def hipDevicePrimaryCtxReset(dev: int) -> None:
    """Free what HIP's functions created on a device, as `hipDeviceReset` does."""
    reset(device_at(dev))


@function()
def hipDevicePrimaryCtxSetFlags(dev: int, flags: int) -> None:
    """Set the flags of a device that is not yet in use."""
    device = device_at(dev)
    limits.check_flags(flags)
    if flags != limits.flags_of(device) and _active(primary_of(device)):
        raise HipError(Error.hipErrorContextAlreadyInUse, f"{device.name!r} is in use")
    limits.set_flags(device, flags)
