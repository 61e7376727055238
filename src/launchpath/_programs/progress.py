"""Lines on stderr about a compilation that takes long."""

from __future__ import annotations

import _thread
import sys
import time
from contextlib import suppress

from launchpath._environment import switch
from launchpath._logged import is_logged, log

SWITCH = "LAUNCHPATH_PROGRESS"
_FIRST = 2.0  # seconds until the first line; each further one comes after twice the time of the one before
_MOST = 12


class Progress:
    """Tells of a compilation that takes longer than two seconds, in a ``with``.

    Lines go to stderr if that is a terminal or a notebook's, or if ``LAUNCHPATH_PROGRESS`` says so. A program
    that has set up `logging` gets them by the logger ``launchpath`` instead.

    Parameters
    ----------
    name : str
        The source's.

    Attributes
    ----------
    stage : str
        What is done at this time.
    """

    def __init__(self, name: str) -> None:
        self._name, self.stage = name, "compiling"
        self._began, self._told = time.monotonic(), False
        self._over = _thread.allocate_lock()

    def __enter__(self) -> Progress:
        if _is_shown():
            self._over.acquire()
            with suppress(RuntimeError):  # there is no room for another thread
                _thread.start_new_thread(self._watch, ())
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self._over.locked():
            self._over.release()
        if self._told and kind is None:
            self._tell(f"compiled in {time.monotonic() - self._began:.1f} s")

    def _watch(self) -> None:
        pause = after = _FIRST
        for _ in range(_MOST):
            if self._over.acquire(timeout=pause):
                return
            self._told = True
            self._tell(f"{self.stage}, {after:.0f} s so far")
            pause, after = after, 2 * after

    def _tell(self, text: str) -> None:
        if log(f"{self._name}: {text}"):  # a program that logs gets no second line on stderr
            return
        with suppress(OSError, ValueError, AttributeError):  # stderr is closed, or there is none
            print(f"launchpath: {self._name}: {text}", file=sys.stderr, flush=True)


def _is_shown() -> bool:
    if is_logged():
        return True
    terminal = False
    with suppress(ValueError, AttributeError):  # stderr is closed, or there is none
        terminal = sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel.")  # of a notebook
    return switch(SWITCH, terminal)
