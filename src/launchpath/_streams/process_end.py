"""The end of the process: what it does with kernels that are not complete, and what it says of them."""

from __future__ import annotations

import sys
from contextlib import suppress

from launchpath import _core


def at_exit() -> None:
    """Let work in flight end, for a bounded time. Drivers may wait without a bound for what has not ended then."""
    try:
        if not _core.at_exit():
            _tell("has ended, kernels that it launched have not{}: a driver may wait for them; Ctrl-C ends the process")
    except KeyboardInterrupt:
        _tell("is ended by Ctrl-C, while kernels that it launched had not ended{}")
        _core.end_by_interrupt()


def _tell(text: str) -> None:
    names = ", ".join(map(repr, _core.unfinished()))
    with suppress(OSError, ValueError, AttributeError):  # stderr is closed, or there is none
        print(f"launchpath: the program {text.format(f' ({names})' if names else '')}", file=sys.stderr, flush=True)
