"""The time limit of a compiler: ``LAUNCHPATH_COMPILE_TIMEOUT``."""

from __future__ import annotations

import math
import os

from launchpath.errors import ArgumentValueError

VARIABLE = "LAUNCHPATH_COMPILE_TIMEOUT"
DEFAULT = 600.0


def seconds() -> float | None:
    """The limit in seconds; None if there is none.

    Raises
    ------
    ArgumentValueError
        The variable is not a number of seconds.
    """
    text = os.environ.get(VARIABLE)
    if not text:
        return DEFAULT
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise ArgumentValueError(
            f"{VARIABLE}: expected a number of seconds, 0 for no limit, got {text!r}: set it to {DEFAULT:g}"
        )
    return min(value, 1e9) or None


def text(limit: float) -> str:
    """Say how long it was, and how to change that."""
    return f"did not end within {limit:g} s: set {VARIABLE} to allow it more seconds (0: no limit)"
