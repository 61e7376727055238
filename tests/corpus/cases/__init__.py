"""The cases, one module for each theme."""

from importlib import import_module
from pathlib import Path

from ..registry import Case

THEMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")


def load() -> dict[str, list[Case]]:
    """Cases by theme."""
    return {theme: import_module(f"{__name__}.{theme}").CASES for theme in THEMES}
