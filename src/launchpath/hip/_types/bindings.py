"""HIP's types, enums and constants, from AMD's own bindings: these need AMD's library only to call a function."""

from __future__ import annotations

from typing import Any

try:
    from rocm.bindings import hip as _hip
    from rocm.bindings.util import types as _util
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "launchpath.hip takes HIP's types from the package rocm-bindings-hip: pip install 'launchpath[hip]'"
    ) from error

# Their annotations say int where there are enums, so type checkers know nothing of them.
types: Any = _hip
DeviceArray: Any = _util.DeviceArray
Pointer: Any = _util.Pointer
Error: Any = types.hipError_t


def address(value: Any) -> int:
    """Return the address that an argument stands for, as hip-python takes arguments.

    Parameters
    ----------
    value : None, int, ctypes object, buffer, or object with ``__cuda_array_interface__``
        None is the null pointer. An int is an address. A NumPy array stands for its memory.
    """
    if value is None:
        return 0
    if type(value) is int:
        return value + (1 << 64) if -1 << 63 <= value < 0 else value  # what has more bits names nothing
    return int(Pointer.fromObj(value))


def function_names() -> list[str]:
    """Return the names of all functions of HIP's runtime that the bindings know."""
    return [
        name
        for name in dir(types)
        if name.startswith("hip") and callable(getattr(types, name)) and not isinstance(getattr(types, name), type)
    ]
