"""Patterns of kernels' names: which launches a trace has."""

from __future__ import annotations

import re
from collections.abc import Iterable

from launchpath._shown import described, shown
from launchpath.errors import ArgumentValueError


class Patterns:
    """Regular expressions to include and to exclude."""

    def __init__(self, include: str | Iterable[str] = (), exclude: str | Iterable[str] = ()) -> None:
        self._include, self._exclude = _compiled(include, "include"), _compiled(exclude, "exclude")
        self.include = [pattern.pattern for pattern in self._include]
        self.exclude = [pattern.pattern for pattern in self._exclude]

    def takes(self, name: str) -> bool:
        """Tell whether launches of a kernel are recorded."""
        if self._include and not any(pattern.search(name) for pattern in self._include):
            return False
        return not any(pattern.search(name) for pattern in self._exclude)


def _compiled(patterns: str | Iterable[str], name: str) -> list[re.Pattern[str]]:
    compiled = []
    if not isinstance(patterns, Iterable):
        raise ArgumentValueError(f"{name}: expected a regular expression, or several, got {described(patterns)}")
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        if not isinstance(pattern, str):
            raise ArgumentValueError(f"{name}: expected a regular expression, got {described(pattern)}")
        try:
            compiled.append(re.compile(pattern))
        except re.error as error:
            raise ArgumentValueError(f"{name}: expected a regular expression, got {shown(pattern)}: {error}") from None
    return compiled
