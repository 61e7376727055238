"""Objects of other libraries, recognized by their attributes, without an import of the library."""

from __future__ import annotations

import operator
import sys
from typing import Any

from launchpath._shown import described, shown
from launchpath.errors import ArgumentValueError

# Where streams without CUDA's stream protocol keep their handle: torch, CuPy, Numba and older cuda.core.
_HANDLES = ("cuda_stream", "ptr", "handle")


def library_of(thing: object) -> str:
    """Name the library that an object's type, or one that it derives from, comes from: ``torch``, ``cuda.core``, ..."""
    for kind in type(thing).__mro__:
        words = kind.__module__.split(".")
        if words[0] == "cuda":
            return ".".join(words[:2])
        if words[0] not in ("builtins", "abc", "typing", "collections"):
            return words[0].replace("numba_cuda", "numba")
    return ""


def version_of(library: str) -> str:
    """Name a library and its version, for messages; it is loaded already if an object of it is here."""
    module = sys.modules.get(library)
    return f"{library} {getattr(module, '__version__', '(of an unknown version)')}"


def attribute(thing: Any, *names: str, subject: str) -> Any:
    """Get an attribute that has any of these names.

    Raises
    ------
    ArgumentValueError
        There is none; the message names the library, its version, and what was looked for.
    """
    for name in names:
        try:
            return getattr(thing, name)
        except AttributeError:
            continue
    raise unknown(thing, f"no {' or '.join(names)}", subject)


def unknown(thing: object, attributes: str, subject: str) -> ArgumentValueError:
    """Make the error for an object that is not made as launchpath knows its kind."""
    return ArgumentValueError(
        f"{subject}: {type(thing).__module__}.{type(thing).__qualname__} of {version_of(library_of(thing))} has "
        f"{attributes}; this version of launchpath does not support it"
    )


def address(value: Any) -> int | None:
    """Read a handle: an int, one of cuda.bindings' objects, or one of ctypes'; None if it is nothing of the kind."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:  # of a NumPy array with axes, too
        pass
    if type(value).__module__.split(".")[0] == "cuda" and hasattr(value, "__int__"):
        return int(value)
    if hasattr(value, "value") and hasattr(type(value), "from_buffer"):  # ctypes
        return int(value.value or 0)
    return None


def is_stream(thing: object) -> bool:
    """Whether something is a stream of another library, or a handle, as far as its attributes tell."""
    if hasattr(thing, "__cuda_stream__") or address(thing) is not None:
        return True
    if type(thing).__name__.endswith("Stream"):
        return any(address(getattr(thing, name, None)) is not None for name in _HANDLES)
    return False


def stream_handle(stream: Any) -> int:
    """Read a foreign stream's handle.

    Raises
    ------
    ArgumentValueError
        It is no stream, or speaks a version of the protocol that is not known.
    """
    handle = address(stream)
    if handle is None and hasattr(stream, "__cuda_stream__"):
        pair = stream.__cuda_stream__
        pair = pair() if callable(pair) else pair  # early versions of the protocol had an attribute
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] != 0:
            raise ArgumentValueError(
                f"{stream!r}.__cuda_stream__: expected (0, handle), of version 0 of the protocol, got {pair!r}"
            )
        handle = address(pair[1])
    for name in _HANDLES:
        if handle is None:
            handle = address(getattr(stream, name, None))
    if handle is None:
        raise ArgumentValueError(
            "expected a stream (with __cuda_stream__, of torch, CuPy, Numba or cuda.core, or a handle), got "
            f"{described(stream)}"
        )
    if not 0 <= handle < 1 << 64:
        raise ArgumentValueError(f"expected a stream's handle, an address, got {shown(handle)}")
    return handle


def stream_ordinal(stream: Any) -> int | None:
    """Read the number of the device that a foreign stream says it is of; None if it does not say."""
    number = getattr(stream, "device_id", None)
    if number is None:
        try:
            device = getattr(stream, "device", None)
        except Exception:  # of whatever class the library has; default streams of cuda.core are of no device
            return None
        for name in ("index", "device_id", "id"):
            number = getattr(device, name, number)
    return number if isinstance(number, int) and number >= 0 else None
