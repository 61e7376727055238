"""The compiler's warnings: shown by Python's `warnings`, or raised as errors."""

from __future__ import annotations

import re
import warnings
from typing import Literal

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError, CompileError, CompileWarning

Choice = bool | Literal["error"]

_WARNING = re.compile(r"(?:.*?:)? ?warning: ")  # at a place of the source, or of none


def choice(value: object) -> Choice:
    """Check what is to become of warnings."""
    if value is True or value is False or value == "error":
        return value
    if isinstance(value, str):
        raise ArgumentValueError(f"warnings: expected True, False or 'error', got {shown(value)}")
    raise TypeError(f"warnings: expected True, False or 'error', got {shown(value)}")


def tell(log: str, name: str, chosen: Choice, stacklevel: int) -> None:
    """Show a log's warnings, once for each place that compiles; or raise them.

    Parameters
    ----------
    log : str
    name : str
        What messages call the source.
    chosen : bool or "error"
    stacklevel : int
        As for `warnings.warn`, seen from the caller of this.

    Raises
    ------
    CompileError
        They are errors.
    """
    from launchpath._compiler.source.source import NOT_UTF8  # noqa: PLC0415 (importing launchpath must stay fast)
    from launchpath._compiler.target import DOUBTFUL  # noqa: PLC0415

    if "warning: " not in log:
        return
    lines = log.splitlines()
    if not any(map(_WARNING.match, lines)):
        return
    if chosen == "error":
        raise CompileError(f"{name} does not compile without warnings, which warnings='error' refuses:\n{log}", log)
    # Results can be wrong, so this warning is shown even where the compiler's warnings are not.
    wrong = [line for line in lines if any(words in line for words in DOUBTFUL)]
    if wrong:
        warnings.warn("\n".join(wrong), RuntimeWarning, stacklevel=stacklevel + 1)
    encoded = [line for line in lines if NOT_UTF8 in line]
    if encoded:
        warnings.warn("\n".join(encoded), UnicodeWarning, stacklevel=stacklevel + 1)
    others = [line for line in lines if line not in wrong and line not in encoded]
    if chosen and any(map(_WARNING.match, others)):
        warnings.warn("\n".join(others), CompileWarning, stacklevel=stacklevel + 1)
