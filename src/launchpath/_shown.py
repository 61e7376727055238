"""Values in messages: short, even if their own `repr` fails."""

from __future__ import annotations

import threading

import numpy as np

from launchpath.errors import ArgumentValueError

_LONGEST = 60  # characters


class _OfThread(threading.local):
    in_message = False


_of_thread = _OfThread()


def is_message() -> bool:
    """Whether this thread writes a message: a `repr` must not wait for a device then, which may wait for the caller."""
    return _of_thread.in_message


def shown(value: object) -> str:
    """Give `repr(value)`, shortened; a value whose own `repr` fails must not hide the message that it is part of."""
    outer, _of_thread.in_message = _of_thread.in_message, True
    try:
        text = repr(value)
    except Exception:  # an int of too many digits, an incomplete object, or an object that raises on purpose
        text = f"<{type(value).__name__} without a repr>"
    finally:
        _of_thread.in_message = outer
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def described(value: object) -> str:
    """Name a value with its type: ``the int 5``, or ``None``."""
    if value is None:
        return "None"
    return f"the {type(value).__name__} {shown(value)}"


def as_bool(value: object, name: str) -> bool:
    """Read a switch; what else is true or false to Python was meant for another parameter.

    Raises
    ------
    ArgumentValueError
        It is none.
    """
    if isinstance(value, (bool, np.bool_)) or (type(value) is int and value in (0, 1)):
        return bool(value)
    raise ArgumentValueError(f"{name}: expected True or False, got {described(value)}")
