"""Names of public objects: those that `dir` and completion show, the public ones only, and those that can be set."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

_CYTHON = ("__pyx_", "__reduce_cython__", "__setstate_cython__")
_CORE = "launchpath._core"


class Absent:
    """A class attribute that refuses a name, to say what to use instead: `dir` and completion do not show it."""


def is_listed(name: str) -> bool:
    """Whether a name may be shown at all: it is public, or one of Python's own."""
    if name.startswith("__"):
        return not name.startswith(_CYTHON)
    return not name.startswith("_")


def _of_core(cls: type) -> tuple[str, ...]:
    return getattr(cls, "_of_core", ())


class ListedType(type):
    # The type of `Listed`, and of the core's classes below it: `help` and completion ask the classes as well.

    # As `type` has it: a text here would come before the `Documented` that some of the classes have.
    __doc__ = type.__dict__["__doc__"]

    def __dir__(cls) -> list[str]:
        return [name for name in super().__dir__() if is_listed(name) and cls._is_public(name)]

    def __enter__(cls) -> None:
        raise TypeError(f"expected an object for `with`, got the class {cls.__name__}: write {cls.__name__}(...)")

    def __exit__(cls, *_: object) -> None:
        """Is there as Python asks for it first."""

    def _is_public(cls, name: str) -> bool:
        """Whether a class made the name public: of the core's classes, only what `_of_core` names."""
        for base in cls.__mro__:
            if name in vars(base):
                if isinstance(vars(base)[name], Absent):
                    return False
                return base.__module__ != _CORE or name in _of_core(cls) or name.startswith("__")
        return True  # an instance's own


class Fixed:
    """A base of public classes: it refuses to set attributes without an underscore that are not made for it.

    A class of another package that derives from a public class has attributes of its own. A class of ours sets what it
    shows by ``vars(self)``.
    """

    __slots__ = ()
    _instead_of_setting: ClassVar[Mapping[str, str]] = MappingProxyType({})  # by the name: what to do

    if not TYPE_CHECKING:  # type checkers refuse such names by themselves, unless they see this

        def __setattr__(self, name: str, value: Any) -> None:
            kind = type(self)
            if name[:1] != "_" and kind.__module__.partition(".")[0] == "launchpath" and not _has_place(kind, name):
                raise self._unsettable(name, "keep the value in a variable of your own")
            try:
                super().__setattr__(name, value)
            except AttributeError:  # it names the core's class, or Python's property
                raise self._unsettable(name, "it can only be read") from None

        def _unsettable(self, name: str, otherwise: str) -> AttributeError:
            kind = type(self)
            instead = kind._instead_of_setting.get(name, otherwise)
            article = "an" if kind.__name__[0] in "AEIOU" else "a"
            text = f"the attribute {name!r} of {article} {kind.__name__} cannot be set: {instead}"
            return AttributeError(text, name=name, obj=self)


def _has_place(kind: type, name: str) -> bool:
    """Whether a class has a slot or a property of that name, which takes a value or refuses it with the reason."""
    return any(hasattr(type(vars(base)[name]), "__set__") for base in kind.__mro__ if name in vars(base))


class Listed(Fixed, metaclass=ListedType):
    """A base of public classes. ``_of_core`` names what is public of the core's class that the class derives from."""

    __slots__ = ()
    _of_core: tuple[str, ...] = ()

    def __dir__(self) -> list[str]:
        kind = type(self)
        return [name for name in super().__dir__() if is_listed(name) and kind._is_public(name)]
