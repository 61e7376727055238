"""hipRTC in Python, as hip-python spells it, on every device that launchpath has: see `launchpath.hip`."""

from __future__ import annotations

from typing import Any

from launchpath import _tracebacks
from launchpath.hip import _rtc
from launchpath.hip._types.errors import unsupported
from launchpath.hip._types.functions import functions_of as _functions_of

FUNCTIONS = frozenset(_functions_of(_rtc))  # those that work

globals().update(_functions_of(_rtc))
_tracebacks.make_boundaries(globals(), FUNCTIONS, _tracebacks.trim_always)

__all__ = ["FUNCTIONS", *sorted(FUNCTIONS)]  # noqa: PLE0604 (names, all of them)


def __getattr__(name: str) -> Any:
    """Return a type or an enum of hipRTC's, or what stands for a function that launchpath does not have."""
    value = getattr(_rtc.types, name, None)
    if value is None or name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return unsupported(name) if name.startswith("hiprtc") and not isinstance(value, type) else value


def __dir__() -> list[str]:
    """List hipRTC's names."""
    return sorted({*__all__, *(name for name in dir(_rtc.types) if not name.startswith("_"))})
