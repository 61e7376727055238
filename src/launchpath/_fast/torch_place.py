"""torch's current device and stream by its C functions: what its Python functions answer, for a tenth of the time."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

_LIBRARIES = ("libtorch_cuda.so", "libtorch_cpu.so")
_DEVICE, _STREAM = "aoti_torch_get_current_device_index", "aoti_torch_get_current_cuda_stream"


def functions(device: Callable[[], int], stream: Callable[[int], int]) -> tuple[int, int]:
    """Find the addresses of the C functions that answer as these do.

    Parameters
    ----------
    device, stream : callable
        What a library asks for the current device, and for the current stream of a device.

    Returns
    -------
    tuple of int
        Addresses, 0 for each that torch lacks, or that answers otherwise, or that stands for another function.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not getattr(torch, "cuda", None) or torch.version.hip:
        return 0, 0
    device_function = (
        _find(torch, _DEVICE) if device in (torch.cuda.current_device, _raw(torch, "_cuda_getDevice")) else None
    )
    stream_function = _find(torch, _STREAM) if stream is _raw(torch, "_cuda_getCurrentRawStream") else None
    ordinal, answer, handle = device(), ctypes.c_int32(-1), ctypes.c_void_p()
    if device_function is not None and (device_function(ctypes.byref(answer)) or answer.value != ordinal):
        device_function = None
    if stream_function is not None and (
        stream_function(ctypes.c_int32(ordinal), ctypes.byref(handle)) or (handle.value or 0) != stream(ordinal)
    ):
        stream_function = None
    return _address(device_function), _address(stream_function)


def _raw(torch: Any, name: str) -> Any:
    return getattr(torch._C, name, None)


def _find(torch: Any, name: str) -> Any:
    folder = os.path.join(os.path.dirname(str(torch.__file__)), "lib")
    for library in _LIBRARIES:
        try:
            loaded = ctypes.CDLL(os.path.join(folder, library), mode=os.RTLD_NOLOAD | os.RTLD_NOW)
            return getattr(loaded, name)
        except (OSError, AttributeError):
            continue
    return None


def _address(function: Any) -> int:
    return 0 if function is None else ctypes.cast(function, ctypes.c_void_p).value or 0
