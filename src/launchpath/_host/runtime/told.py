"""What a program is told without asking: many do not ask for their launches' errors."""

from __future__ import annotations

import sys

_told: set[str] = set()


def tell(problem: str) -> None:
    """Write to stderr, once, why a program lacks device code."""
    if problem not in _told:
        _told.add(problem)
        sys.stderr.write(f"launchpath: {problem}\n")
