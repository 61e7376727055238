"""Objects that have their attributes and no others: what is set on one by mistake would have no effect."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar


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
                instead = kind._instead_of_setting.get(name, "keep the value in a variable of your own")
                raise AttributeError(
                    f"the attribute {name!r} of a {kind.__name__} cannot be set: {instead}", name=name, obj=self
                )
            super().__setattr__(name, value)


def _has_place(kind: type, name: str) -> bool:
    """Whether a class has a slot or a property of that name, which takes a value or refuses it with the reason."""
    return any(hasattr(type(vars(base)[name]), "__set__") for base in kind.__mro__ if name in vars(base))
