"""Environment variables that switch something on or off."""

from __future__ import annotations

import os
from collections.abc import Mapping

from launchpath.errors import ArgumentValueError

DEBUG = "LAUNCHPATH_DEBUG"
BOUNDS = "bounds"  # its only value so far

_ON, _OFF = ("1", "on", "true", "yes"), ("0", "off", "false", "no")


def switch(name: str, default: bool = False, environment: Mapping[str, str] = os.environ) -> bool:
    """Read a switch: ``0`` or ``1``, or a word for it; empty counts as unset.

    Raises
    ------
    ArgumentValueError
        It is anything else.
    """
    text = environment.get(name, "").strip().lower()
    if not text:
        return default
    if text not in _ON and text not in _OFF:
        raise ArgumentValueError(f"{name}: expected 0 (off) or 1 (on), got {environment[name]!r}")
    return text in _ON


def checks_bounds(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether ``LAUNCHPATH_DEBUG`` asks for checks of kernels' accesses to memory; empty counts as unset.

    Raises
    ------
    ArgumentValueError
        It asks for something else.
    """
    text = environment.get(DEBUG, "").strip().lower()
    if text not in ("", BOUNDS):
        raise ArgumentValueError(f"{DEBUG}: expected {BOUNDS!r}, or nothing, got {environment[DEBUG]!r}")
    return text == BOUNDS
