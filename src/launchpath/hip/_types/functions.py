"""HIP's functions that a module defines."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any


def functions_of(module: ModuleType) -> dict[str, Callable[..., tuple[Any, ...]]]:
    """Return them by name. Their names begin with ``hip``; those that the module imports are another module's."""
    return {
        name: value
        for name, value in vars(module).items()
        if name.startswith("hip") and getattr(value, "__module__", None) == module.__name__
    }
