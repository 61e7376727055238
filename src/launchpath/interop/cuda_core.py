"""Kernels of cuda.core: they are for all devices, and know the offsets and sizes of their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from launchpath._streams.foreign import attribute
from launchpath.errors import ArgumentValueError
from launchpath.interop.adopted import Adopted, adopted, with_text
from launchpath.interop.devices import gpu
from launchpath.interop.raw import function

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_SUBJECT = "a kernel of cuda.core"


def adopt(kernel: Any, signature: str | None, device: Device | None) -> Adopted:
    """Adopt what ``ObjectCode.get_kernel`` gives."""
    if hasattr(kernel, "get_kernel"):
        raise ArgumentValueError(
            f"expected a kernel, got {kernel!r}, which holds kernels: adopt(code.get_kernel(name))"
        )
    device = gpu(device, driver="cuda")
    handle = function(attribute(kernel, "handle", "_handle", subject=_SUBJECT), device)
    kernel_signature = with_text(device, handle, "kernel", signature, _SUBJECT)
    return adopted(device, handle, kernel_signature, foreign=kernel, library="cuda.core")
