"""The public names of launchpath: what the reference has to have, and what has to be documented."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import launchpath
from launchpath import errors, hip, hiprtc, interop

MODULES = (launchpath, errors, interop, hip, hiprtc)


class Name(NamedTuple):
    """A public name: as users write it, and what it names."""

    full: str
    value: Any
    owner: type | None  # of members of classes

    @property
    def short(self) -> str:
        """The name behind the last dot."""
        return self.full.rpartition(".")[2]


def names(module: ModuleType) -> list[str]:
    """Return the public names of a module that are documented with it: all but modules and what `launchpath` has."""
    also = ["range"] if module is launchpath else []  # not in `__all__`, which would take Python's own away
    own = {name for name in launchpath.__all__ if module in (errors, interop) and hasattr(module, name)}
    return sorted(
        name for name in [*module.__all__, *also] if name not in own and not inspect.ismodule(getattr(module, name))
    )


def members(cls: type) -> list[str]:
    """Return the public members of a class, without those that Python gives every exception."""
    usual = dir(Exception) if issubclass(cls, BaseException) else ()
    return sorted(name for name in dir(cls) if not name.startswith("_") and name not in usual)


def everything() -> Iterator[Name]:
    """Yield every public name, those of members behind their class."""
    for module in MODULES:
        for name in names(module):
            value = getattr(module, name)
            yield Name(f"{module.__name__}.{name}", value, None)
            if inspect.isclass(value):
                for member in members(value):
                    yield Name(f"{module.__name__}.{name}.{member}", inspect.getattr_static(value, member), value)
