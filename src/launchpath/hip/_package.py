"""The package ``hip`` of hip-python, as programs import it: ``from hip import hip, hiprtc``.

Its texts are bytes, as that package has them, where the newer bindings have str: programs write
``b"--offload-arch=" + props.gcnArchName``. `launchpath.hip` and ``rocm.bindings.hip`` have the latter.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

from launchpath.hip._types.bindings import types

# Modules of the package that are bindings of libraries of AMD's.
_LIBRARIES = (
    "hipblas", "hipblaslt", "hipfft", "hiprand", "hipsolver", "hipsparse", "rccl", "rocblas", "rocsparse", "roctx",
)  # fmt: skip
_TEXTS = ("name", "gcnArchName")


def install() -> None:
    """Let programs import launchpath's modules by the names of hip-python's."""
    hip, hiprtc = (importlib.import_module(f"launchpath.{name}") for name in ("hip", "hiprtc"))
    package = _Package("hip", "launchpath's hip and hiprtc, by the names of hip-python's.")
    package.__path__ = []  # a package without a folder: nothing else is found in it
    package.__file__ = __file__
    bindings = importlib.import_module("rocm.bindings")
    sys.modules["hip"] = package
    for parent, modules in ((package, (_with_bytes(hip), hiprtc)), (bindings, (hip, hiprtc))):
        for name, module in zip(("hip", "hiprtc"), modules, strict=True):
            setattr(parent, name, module)
            sys.modules[f"{parent.__name__}.{name}"] = module


class _Package(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name in _LIBRARIES:
            # `from hip import ...` shows the message of an ImportError alone.
            raise ImportError(
                f"launchpath has hip and hiprtc of the package 'hip', got {name!r}, a library of AMD's: use a kernel, "
                "or NumPy, CuPy or torch for that part",
                name=f"hip.{name}",
            )
        raise AttributeError(f"module 'hip' has no attribute {name!r}: launchpath has its modules hip and hiprtc")


class _Module(ModuleType):
    """The module ``hip.hip``: `launchpath.hip` with what differs."""

    def __init__(self, module: ModuleType, **other: Any) -> None:
        super().__init__("hip.hip", module.__doc__)
        vars(self).update(other, _module=module)

    def __getattr__(self, name: str) -> Any:
        value = getattr(vars(self)["_module"], name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return dir(vars(self)["_module"])


def _with_bytes(module: ModuleType) -> ModuleType:
    texts = {name: property(_as_bytes(getattr(types.hipDeviceProp_t, name))) for name in _TEXTS}
    properties = type("hipDeviceProp_t", (types.hipDeviceProp_t,), {"__module__": "hip.hip", **texts})
    return _Module(module, hipDeviceProp_t=properties)


def _as_bytes(text: Any) -> Any:
    def get(properties: Any) -> bytes:
        value = text.__get__(properties)
        return value if isinstance(value, bytes) else str(value).encode()

    return get
