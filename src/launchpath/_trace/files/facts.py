"""The facts of a trace file: what its ``META`` blocks hold, checked."""

from __future__ import annotations

import json
import math
from typing import Any

from launchpath._trace.text import fact_text

LARGEST_BLOCK = 4 << 20  # bytes; the arguments of a process are 2 MiB at most
_LARGEST = 8 << 20  # of all blocks of a file
_CONTAINERS = 100_000  # objects and lists of a file: each takes 100 times the memory of its brackets
_DEPTH = 8  # of objects and lists in one another
_INTEGERS = 1 << 64


class Facts:
    """What the ``META`` blocks of a file say, merged: the later ones win.

    Texts are as `fact_text` gives them. Numbers that are not finite, or need more than 64 bits, are None.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._bytes = self._containers = 0

    def add(self, data: bytes) -> None:
        """Merge a block.

        Raises
        ------
        ValueError
            It is not a JSON object, or the file has more facts than any trace.
        """
        # The brackets are counted before anything is made of them, those in texts too.
        self._bytes += len(data)
        self._containers += data.count(b"{") + data.count(b"[")
        if self._bytes > _LARGEST or self._containers > _CONTAINERS:
            raise ValueError("too many facts")
        try:
            value = json.loads(data)
        except RecursionError:
            raise ValueError("objects and lists in one another") from None
        if not isinstance(value, dict):
            raise ValueError("no object")
        _merge(self.values, _checked(value, _DEPTH))


def _checked(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return fact_text(value)
    if isinstance(value, (dict, list)):
        if not depth:
            raise ValueError("objects and lists in one another")
        if isinstance(value, list):
            return [_checked(each, depth - 1) for each in value]
        return {fact_text(key): _checked(each, depth - 1) for key, each in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or -_INTEGERS < value < _INTEGERS else None


def _merge(facts: dict[str, Any], later: dict[str, Any]) -> None:
    for key, value in later.items():
        if isinstance(value, dict) and isinstance(facts.get(key), dict):
            _merge(facts[key], value)
        else:
            facts[key] = value
