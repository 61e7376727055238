"""Kernels from their handles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from launchpath._streams.foreign import address
from launchpath.errors import ArgumentValueError
from launchpath.interop.adopted import Adopted, adopted, with_text
from launchpath.interop.devices import gpu

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_LIBRARY_KERNEL = "CUkernel"


def adopt(kernel: Any, signature: str | None, device: Device | None) -> Adopted:
    """Adopt a CUfunction or hipFunction_t: an int, or an object of cuda.bindings or ctypes."""
    device = gpu(device)
    handle = function(kernel, device)
    kernel_signature = with_text(device, handle, "kernel", signature, "a handle")
    return adopted(device, handle, kernel_signature, foreign=kernel, library="handle")


def function(handle: Any, device: Device) -> int:
    """Give the handle of a loaded function; of a kernel of a library (CUkernel, which is for all devices) the device's.

    Raises
    ------
    ArgumentValueError
        It is no handle.
    """
    value = address(handle)
    if not value or not 0 < value < 1 << 64:
        raise ArgumentValueError(f"expected a kernel's handle, a CUfunction or a hipFunction_t, got {handle!r}")
    if type(handle).__name__ == _LIBRARY_KERNEL:
        return int(device.driver_device.function_of(value))
    return value
