"""From HIP C++ source to a signature and a driver's program. Imported when something is compiled."""

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
