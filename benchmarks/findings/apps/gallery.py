"""Where the programs of the gallery are: they import each other by their own names."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def add() -> None:
    """Let Python find the gallery's programs."""
    for folder in (ROOT, ROOT / "examples" / "gallery"):
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
