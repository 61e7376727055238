"""Handles: the numbers by which programs name streams, events, modules and functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from launchpath.hip._types.bindings import Error, address
from launchpath.hip._types.errors import WrongHandle

_Thing = TypeVar("_Thing")
_numbers = itertools.count(0x10000, 16)  # like addresses; `next` on it is one step for all threads


class Handles(Generic[_Thing]):
    """What there is of a kind, by its handle.

    Parameters
    ----------
    kind : type
        HIP's type of the handles.
    wrong : Error
        The code for a handle that names nothing.
    """

    def __init__(self, kind: Any, wrong: Any = Error.hipErrorInvalidHandle) -> None:
        self._kind, self._wrong = kind, wrong
        self._things: dict[int, _Thing] = {}

    def add(self, thing: _Thing, number: int = 0) -> Any:
        """Return a new handle, of a number that nothing else has; if omitted it is chosen."""
        number = number or next(_numbers)
        self._things[number] = thing
        return self._kind(number)

    def find(self, handle: Any) -> _Thing:
        """Return what a handle names."""
        return self._checked(self._things.get(address(handle)), handle)

    def knows(self, handle: Any) -> bool:
        """Whether a handle names something."""
        return address(handle) in self._things

    def remove(self, handle: Any) -> _Thing:
        """Return what a handle names, which names nothing from now on."""
        return self._checked(self._things.pop(address(handle), None), handle)

    def handle_of(self, is_it: Callable[[_Thing], bool]) -> Any:
        """Return the handle of the first thing that a function accepts; the null handle if there is none."""
        return self._kind(next((number for number, thing in list(self._things.items()) if is_it(thing)), 0))

    def items(self) -> list[tuple[int, _Thing]]:
        """Return all that there is, with handles."""
        return list(self._things.items())

    def _checked(self, thing: _Thing | None, handle: Any) -> _Thing:
        if thing is None:
            name = self._kind.__name__
            raise WrongHandle(self._wrong, f"expected a {name}, got {handle!r}, which names none", name)
        return thing
