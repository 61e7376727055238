"""The C types of HIP's parameters, from the bindings' own texts: which arguments hip-python refuses by their types."""

from __future__ import annotations

import ctypes
import enum
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from launchpath._shown import shown
from launchpath.hip._types.bindings import Pointer

# What Python and ctypes raise of arguments that are of another type, or out of range.
PYTHONS_OWN = TypeError, ValueError, OverflowError, AttributeError, ctypes.ArgumentError

_INTEGERS = re.compile(r"(const )?(unsigned |signed )*(char|short|int|long|long long|size_t|u?int\d+_t|hipDevice_t)")
_SIGNATURE = "C signature"


@functools.cache
def _types_of(function: Callable[..., Any]) -> Mapping[str, str]:
    """Return the C types of a function's parameters by their names, as far as its text has them."""
    text = (function.__doc__ or "").rpartition(_SIGNATURE)[2]
    parameters = re.search(r"\((.*)\)\s*$", text.strip())
    types = {}
    for parameter in parameters[1].split(",") if parameters else ():
        matched = re.fullmatch(r"(.*?)(\w+)(\[\w*\])?", parameter.strip())
        if matched:
            types[matched[2]] = matched[1].strip()
    return types


def _is_refused(value: Any, ctype: str) -> bool:
    """Whether hip-python refuses a value by its type."""
    if _INTEGERS.fullmatch(ctype):
        return not (hasattr(type(value), "__index__") or hasattr(type(value), "__int__"))
    if ctype == "const char *" and isinstance(value, str):
        return False
    try:
        Pointer.fromObj(value)
    except TypeError:
        return True
    except (ValueError, OverflowError):
        return False
    return False


def refuse_types(bindings: Any, body: Callable[..., Any], args: Any, kwargs: Any, error: Exception) -> None:
    """Raise TypeError if hip-python does for one of these arguments. Called after the body has raised an error.

    Parameters
    ----------
    bindings : module
        That has hip-python's function.
    body : callable
        The function of the same name here.
    args, kwargs
        What it was called with.
    error : Exception
        What it raised.
    """
    try:
        arguments = inspect.signature(body).bind(*args, **kwargs).arguments
    except TypeError:
        raise error from None  # too few arguments, or too many
    ctypes = _types_of(getattr(bindings, body.__name__))
    for name, value in arguments.items():
        ctype = ctypes.get(name.rstrip("_"))
        if ctype is not None and _is_refused(value, ctype):
            raise TypeError(f"{body.__name__}: {name}: expected a {ctype}, got {shown(value)}") from error


def explained(bindings: Any, body: Callable[..., Any], args: Any, kwargs: Any, error: Exception) -> str:
    """Say which argument is no number where one is wanted; else what Python said.

    Parameters
    ----------
    bindings, body, args, kwargs, error
        As in `refuse_types`, after it.
    """
    ctypes = _types_of(getattr(bindings, body.__name__))
    for name, value in inspect.signature(body).bind(*args, **kwargs).arguments.items():
        ctype = ctypes.get(name.rstrip("_"), "")
        is_enumeration = isinstance(getattr(bindings, ctype.removeprefix("enum "), None), enum.EnumMeta)
        if (is_enumeration or _INTEGERS.fullmatch(ctype)) and not hasattr(type(value), "__index__"):
            return f"{name}: expected {'a' if is_enumeration else 'an integer,'} {ctype}, got {shown(value)}"
    return str(error)
