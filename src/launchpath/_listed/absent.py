"""Names that a class does not have: class attributes that refuse them, with what to use instead.

A class attribute costs nothing where names are there. A `__getattr__` would slow each look-up of an instance's names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from launchpath._listed import Absent
from launchpath._listed.objects import INSTEAD


class AbsentName(Absent):
    """A name that instances of a class do not have; `message` gives what to do instead, for an instance."""

    def __init__(self, kind: str, name: str, message: Callable[[Any], str]) -> None:
        self.kind, self.name, self.message = kind, name, message

    def __get__(self, instance: object, kind: type) -> Any:
        instead = "" if instance is None else f": {self.message(instance)}"
        article = "an" if self.kind[0] in "AEIOU" else "a"
        # With an object Python would add a name of its own choice to the hint.
        raise AttributeError(f"{article} {self.kind} has no attribute {self.name!r}{instead}", name=self.name, obj=None)


def refuse_names(classes: Mapping[str, Any]) -> None:
    """Give classes the names that they refuse. Type checkers do not see them, so they refuse them as well."""
    for kind, names in INSTEAD.items():
        for name, instead in names.items():
            setattr(classes[kind], name, AbsentName(kind, name, _always(instead)))


def _always(text: str) -> Callable[[Any], str]:
    return lambda _: text
