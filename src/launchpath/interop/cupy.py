"""CuPy's raw kernels: compiled and loaded for each device at first use; CuPy does not know their parameters."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from launchpath._streams.foreign import address, attribute, unknown
from launchpath.errors import ArgumentValueError
from launchpath.interop.adopted import Adopted, adopted, with_text
from launchpath.interop.devices import gpu

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_SUBJECT = "a RawKernel of CuPy"


def adopt(kernel: Any, signature: str | None, device: Device | None) -> Adopted:
    """Adopt a ``RawKernel``, or the ``Function`` in one."""
    if hasattr(kernel, "get_function") or (not hasattr(kernel, "ptr") and not hasattr(kernel, "code")):
        raise ArgumentValueError(
            f"expected a RawKernel of CuPy (of a module: module.get_function(name)), got {kernel!r}"
        )
    library = sys.modules.get("cupy")
    ordinal = None if device is not None or library is None else int(library.cuda.runtime.getDevice())
    device = gpu(device, ordinal)
    with nullcontext() if library is None else library.cuda.Device(device.info["ordinal"]):
        loaded = kernel if hasattr(kernel, "ptr") else attribute(kernel, "kernel", subject=_SUBJECT)
        handle = address(attribute(loaded, "ptr", subject=_SUBJECT))
    if not handle:
        raise unknown(loaded, f"{loaded.ptr!r} as ptr", _SUBJECT)
    kernel_signature = with_text(device, handle, getattr(kernel, "name", "kernel"), signature, _SUBJECT)
    cooperative = bool(getattr(kernel, "enable_cooperative_groups", False))
    return adopted(device, handle, kernel_signature, foreign=kernel, library="cupy", cooperative=cooperative)
