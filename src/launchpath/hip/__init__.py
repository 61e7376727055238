"""HIP's runtime API in Python, as hip-python spells it, on every device that launchpath has.

Names, the order of arguments, the tuples that are returned, enums and structs are those of hip-python::

    from launchpath import hip

    error, pointer = hip.hipMalloc(400)
    (error,) = hip.hipMemset(pointer, 0, 400)

Each function returns a tuple: the error code, and its outputs, None after a failure. ``reason()`` has the message of
the thread's last failure. A function of HIP's that launchpath does not have raises NotImplementedError. Types come from
the package rocm-bindings-hip (``pip install 'launchpath[hip]'``); nothing else of AMD's needs to be installed.

Device 0 is launchpath's default device, which ``LAUNCHPATH_DEVICE`` names.
"""

from __future__ import annotations

import sys as _sys
from collections.abc import Iterable
from typing import Any

from launchpath import _tracebacks
from launchpath._advice import did_you_mean as _did_you_mean
from launchpath.hip import _arrays, _copies, _devices, _graphs, _launches, _memory, _spt, _streams, _types
from launchpath.hip._types.bindings import function_names as _function_names
from launchpath.hip._types.bindings import types as _hip
from launchpath.hip._types.dimensions import dim3
from launchpath.hip._types.errors import reason, unsupported
from launchpath.hip._types.functions import functions_of as _functions_of

_FOLDERS = (_types, _devices, _memory, _copies, _arrays, _streams, _launches, _graphs)
_PARTS = (*(part for folder in _FOLDERS for part in folder.PARTS), _spt)
_functions = {name: value for part in _PARTS for name, value in _functions_of(part).items()}
SUPPORTED = frozenset(_functions)  # functions of HIP's that work

globals().update(_functions)
_tracebacks.make_boundaries(globals(), (*SUPPORTED, "dim3"), _tracebacks.trim_always)
dim3.__module__ = __name__

UNSUPPORTED = frozenset(_function_names()) - SUPPORTED  # those that raise

__all__ = ["SUPPORTED", "UNSUPPORTED", "reason", *sorted(SUPPORTED)]  # noqa: PLE0604 (names, all of them)


def _missing(name: str) -> Any:
    """Return a type, an enum or a constant of HIP's, or what stands for a function that launchpath does not have."""
    if name in UNSUPPORTED:
        value: Any = _tracebacks.boundary(unsupported(name), _tracebacks.trim_always)
    elif name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        value = getattr(_hip, name, None)
        if value is None:
            instead = _instead_of(name, [*SUPPORTED, *UNSUPPORTED])
            if _tracebacks.is_import(_sys._getframe(1)):  # Python would leave out what an AttributeError says
                raise ImportError(
                    f"cannot import name {name!r} from {__name__!r}{instead}", name=__name__, path=__file__
                )
            # With an object Python would add a name of its own choice.
            raise AttributeError(
                f"module {__name__!r} has no attribute {name!r}, nor has HIP{instead}", name=name, obj=None
            )
    globals()[name] = value
    return value


__getattr__ = _tracebacks.boundary(_missing, _tracebacks.trim_always)
_LIBRARIES = ("hipblas", "hipfft", "hiprand", "hipsolver", "hipsparse", "rccl", "rocblas")


def _instead_of(name: str, names: Iterable[str]) -> str:
    """Say what to use instead of a name: HIP's for CUDA's, or the nearest."""
    if name in _LIBRARIES:
        return f": {name} is a library of AMD's, which launchpath does not have: use hip-python's"
    hip = f"hip{name.removeprefix('cuda')}"
    if name.startswith("cuda") and hip in {*names}:
        return f": use {hip}"
    return _did_you_mean(name, names)


def __dir__() -> list[str]:
    """List HIP's names."""
    return sorted({*__all__, *(name for name in dir(_hip) if not name.startswith("_"))})
