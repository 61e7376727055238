"""The process that a trace is of, as its file tells it."""

from __future__ import annotations

from typing import Any, TypeGuard

from launchpath._trace.labels import text_of

_MOST = 1 << 31  # numbers of processes, and ranks


class Process:
    """What a file says of its process. Whatever it does not say, or says in no sense, is None or empty.

    Parameters
    ----------
    meta : dict
        The file's ``META``.

    Attributes
    ----------
    facts : dict
        All of it.
    pid, rank : int or None
        Its number, and that among the processes that were started together.
    host, executable : str or None
    argv : list of str
        Its command line.
    """

    def __init__(self, meta: dict[str, Any]) -> None:
        facts = meta.get("process")
        self.facts: dict[str, Any] = facts if isinstance(facts, dict) else {}
        self.pid, self.rank = (_number(self.facts.get(key)) for key in ("pid", "rank"))
        self.host, self.executable = (text_of(self.facts.get(key)) or None for key in ("host", "executable"))
        argv = self.facts.get("argv")
        self.argv = [text_of(argument) for argument in argv] if isinstance(argv, list) else []


def is_int(value: Any) -> TypeGuard[int]:
    """Whether JSON has an integer there: to Python, true and false are integers too."""
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> int | None:
    return value if is_int(value) and 0 <= value < _MOST else None
