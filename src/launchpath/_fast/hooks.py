"""Hooks: what of another library launchpath replaces or reads, and what has moved in an unknown version."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Hook:
    """A function, a class or an attribute.

    Attributes
    ----------
    module : str
    path : str
        Names with dots inside the module.
    parameters : tuple of str or None
        A function's parameters must begin so.
    """

    module: str
    path: str
    parameters: tuple[str, ...] | None = None

    def moved(self) -> str | None:
        """Say what is not as expected; None: nothing."""
        try:
            value: Any = importlib.import_module(self.module)
        except ImportError as error:
            return f"{self.module}: {error}"
        for name in self.path.split("."):
            try:
                value = inspect.getattr_static(value, name)
            except AttributeError:
                return f"{self.module} has no {self.path}"
        if self.parameters is None:
            return None
        value = getattr(value, "__wrapped__", value)
        try:
            names = tuple(inspect.signature(value).parameters)
        except (TypeError, ValueError):
            return f"{self.module}.{self.path} does not tell its parameters"
        if names[: len(self.parameters)] != self.parameters:
            return f"{self.module}.{self.path}: expected the parameters {self.parameters}, got {names}"
        return None


def moved(hooks: tuple[Hook, ...]) -> list[str]:
    """Say which hooks have moved."""
    return [text for hook in hooks if (text := hook.moved()) is not None]


def minor(version: str) -> tuple[int, int] | None:
    """Read a version's first two numbers."""
    try:
        first, second = version.split(".")[:2]
        return int(first), int(second)
    except ValueError:
        return None
