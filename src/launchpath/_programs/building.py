"""Calls into a driver's own compiler, which works in this process for an unknown time and cannot be stopped.

Each is made on a thread of its own, so that an interrupt, or the limit, gets out of it at once. What it then gives is
dropped when it comes.
"""

from __future__ import annotations

import _thread
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar

from launchpath import _core
from launchpath._compiler.process import limit
from launchpath.errors import CompileError

_Built = TypeVar("_Built")
_SLICE = 0.1  # seconds; where an interrupt does not end a wait for a lock, it is seen after one of these


class Abandoned(Exception):
    """Nobody waits any more; raised in a build by `Build.check`, and seen by nobody."""


class Build(Generic[_Built]):
    """A build on a thread of its own.

    Parameters
    ----------
    function : callable
        Makes the calls; it is given the build, for `check`.
    """

    def __init__(self, function: Callable[[Build[_Built]], _Built]) -> None:
        self._function = function
        self._done = _thread.allocate_lock()
        self._done.acquire()
        self._abandoned = self._ended = False
        self._result: list[_Built] = []
        self._error: BaseException | None = None

    def check(self) -> None:
        """Leave the build between two of its calls if nobody waits any more."""
        if self._abandoned:
            raise Abandoned

    def run(self, what: str, seconds: float | None) -> _Built:
        """Start the build and wait for it.

        Raises
        ------
        CompileError
            It took longer than that; `what` says what it is.
        """
        _watch()
        try:
            try:
                _thread.start_new_thread(self._work, ())
            except RuntimeError:  # there is no room for another thread
                self._work()
            return self._wait(what, seconds)
        except BaseException:
            if not self._ended:
                self._abandoned = True
                _core.watch_builds()  # again: the compiler has loaded libraries since
            raise

    def _work(self) -> None:
        _core.build_began()
        try:
            self.check()
            self._result.append(self._function(self))
        except BaseException as error:
            self._error = error
        finally:
            _core.build_ended()
            if self._abandoned:
                self._result.clear()
                self._error = None
            self._done.release()

    def _wait(self, what: str, seconds: float | None) -> _Built:
        end = None if seconds is None else time.monotonic() + seconds
        while not self._done.acquire(timeout=_SLICE):
            if end is not None and time.monotonic() > end:
                problem = "the driver's compiler continues in this process, and its program is dropped"
                raise CompileError(f"{what} {limit.text(seconds or 0)}; {problem}")
        self._ended = True
        if self._error is None:
            return self._result.pop()
        error, self._error = self._error, None
        try:
            raise error
        finally:
            del error  # its traceback holds this frame


@cache
def _watch() -> None:
    _core.watch_builds()


def run(function: Callable[[Any], _Built], what: str) -> _Built:
    """Call a function on a thread of its own and give its result; see `Build`."""
    build: Build[_Built] = Build(function)
    if _core.in_host_function():  # the core refuses from such a thread what its stream would wait for
        return function(build)
    return build.run(what, limit.seconds())
