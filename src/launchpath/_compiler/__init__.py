"""From HIP C++ source to a signature and a driver's program: takes a source and a target, gives an image of code.

`compile` is the way of the data: `source`, `clang`, `llvm_text`, `spirv`, `opencl_c`; or `rtc`, for CUDA and HIP.
`signature`, `image` and `target` are what all of it shares. Programs come next, outside. Imported when they compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from launchpath._compiler.signature import Parameter, Signature

__all__ = ["Parameter", "Signature"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from launchpath._compiler import signature  # noqa: PLC0415 (the process that compiles has to start without it)

    return getattr(signature, name)
