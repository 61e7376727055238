"""Docstrings of instances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Documented:
    """What ``help`` shows: of the class how it is used, of an instance what that takes."""

    def __init__(self, text: str, describe: Callable[[Any], str]) -> None:
        self.text, self.describe = text, describe

    def __get__(self, instance: object, owner: type | None = None) -> str:
        return self.text if instance is None else self.describe(instance)
