"""Kinds of copies: those that a copy to or from memory of a device may have."""

from __future__ import annotations

from typing import Any

from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError

_KINDS = types.hipMemcpyKind
TO_DEVICE = (_KINDS.hipMemcpyHostToDevice, _KINDS.hipMemcpyDeviceToDevice, _KINDS.hipMemcpyDefault)
FROM_DEVICE = (_KINDS.hipMemcpyDeviceToHost, _KINDS.hipMemcpyDeviceToDevice, _KINDS.hipMemcpyDefault)


def check_kind(kind: Any, allowed: tuple[Any, ...]) -> None:
    """Refuse kinds other than those that are allowed."""
    if kind not in allowed:
        names = ", ".join(each.name for each in allowed)
        raise HipError(Error.hipErrorInvalidMemcpyDirection, f"expected one of {names}, got {kind!r}")
