"""Ranges: parts of a program that its trace names."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import ContextDecorator
from types import TracebackType
from typing import Any, TypeVar

from launchpath import _core
from launchpath._shown import described, shown
from launchpath.errors import ArgumentValueError, LaunchpathError

_GO_ON = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)  # after they return
_Function = TypeVar("_Function", bound=Callable[..., Any])


class Range(ContextDecorator):
    """A part of the program: use it with ``with``, or as a decorator."""

    __slots__ = ("_began", "_color", "_name", "_payload")

    def __init__(self, name: str, color: int, payload: int) -> None:
        if not isinstance(name, str):
            raise ArgumentValueError(f"expected the name of a range, a str, got {described(name)}")
        self._name, self._color, self._payload = name, _number(color, "color", 32), _number(payload, "payload", 64)
        self._began: list[_core.RangeBase] = []

    def __enter__(self) -> Range:
        began = _core.RangeBase()
        began.begin(self._name, self._color, self._payload)
        self._began.append(began)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _value: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        if not self._began:
            raise LaunchpathError(f"the range {shown(self._name)} is left more often than it was entered: use `with`")
        self._began.pop().end()

    def __call__(self, function: _Function) -> _Function:
        if any(goes_on(function) for goes_on in _GO_ON):
            raise TypeError(
                f"expected a function that is complete when it returns, got {described(function)}: use `with "
                f"launchpath.range(...)` inside, around parts without await and yield"
            )
        return super().__call__(function)

    def _recreate_cm(self) -> Range:
        """Let each call of a decorated function have a range of its own: threads may be in it side by side."""
        return Range(self._name, self._color, self._payload)


def range(name: str, *, color: int = 0, payload: int = 0) -> Range:
    """Name a part of the program in its trace; without a trace this does nothing.

    Parameters
    ----------
    name : str
    color : int
        ARGB, of 32 bits; 0: none.
    payload : int
        A number of 64 bits that is kept with it.

    Returns
    -------
    context manager
        For ``with``, and a decorator of functions.

    Examples
    --------
    >>> with launchpath.range("forces"):
    ...     compute()
    """
    return Range(name, color, payload)


def mark(name: str, *, color: int = 0, payload: int = 0) -> None:
    """Name a moment of the program in its trace.

    Parameters
    ----------
    name : str
    color : int
        ARGB, of 32 bits; 0: none.
    payload : int
        A number of 64 bits that is kept with it.

    Raises
    ------
    ArgumentValueError
        The name is not a str, or a number has more bits.
    """
    if not isinstance(name, str):
        raise ArgumentValueError(f"expected the name of a mark, a str, got {described(name)}")
    _core.trace_mark(name, _number(color, "color", 32), _number(payload, "payload", 64))


class ExternalCorrelationId(ContextDecorator):
    """A number of another tool's, in force on a thread in the region of ``with``."""

    __slots__ = ("_before", "_identifier")

    def __init__(self, identifier: int) -> None:
        self._identifier = identifier
        self._before: list[int] = []

    def __enter__(self) -> ExternalCorrelationId:
        self._before.append(_core.external_correlation_id(self._identifier))
        return self

    def __exit__(self, *_exception: object) -> None:
        if not self._before:
            raise LaunchpathError(f"the number {self._identifier} is left more often than it was entered: use `with`")
        _core.external_correlation_id(self._before.pop())

    def _recreate_cm(self) -> ExternalCorrelationId:
        return ExternalCorrelationId(self._identifier)


def external_correlation_id(identifier: int) -> ExternalCorrelationId:
    """Let records of this thread carry a number of another tool's, in the region of ``with``.

    Parameters
    ----------
    identifier : int
        Of 64 bits; 0: none.

    Returns
    -------
    context manager
        For ``with``.

    Examples
    --------
    >>> with launchpath.external_correlation_id(request.number):
    ...     compute()
    """
    return ExternalCorrelationId(_number(identifier, "identifier", 64))


def _number(value: int, name: str, bits: int) -> int:
    number = _core.whole_number(value)
    if number is None or not 0 <= number < 1 << bits:
        raise ArgumentValueError(f"{name}: expected an int from 0 to 2**{bits} - 1, got {described(value)}")
    return int(number)
