"""Calls into a device's own compiler, which works in this process for an unknown time and cannot be stopped.

Each is made on another thread, so that an interrupt, or the limit, gets out of it at once. What it then gives is
dropped when it comes. A thread that has ended a build waits for others for a while: some compilers prepare themselves
for each thread.
"""

from __future__ import annotations

import _thread
import os
import queue
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, Generic, TypeVar

from launchpath import _core
from launchpath._compiler import limit
from launchpath.errors import CompileError

_Built = TypeVar("_Built")
_SLICE = 0.1  # seconds; where an interrupt does not end a wait for a lock, it is seen after one of these


_STAY = 10.0  # seconds that a thread waits for another build

_requests: queue.SimpleQueue[Build[Any]] = queue.SimpleQueue()
_free: list[None] = []  # one for each thread that waits for a request
_preparing: dict[str, Build[Any]] = {}


class Abandoned(Exception):
    """Nobody waits any more; raised in a build by `Build.check`, and seen by nobody."""


class Build(Generic[_Built]):
    """A build on another thread.

    Parameters
    ----------
    function : callable
        Makes the calls; it is given the build, for `check`.

    Attributes
    ----------
    is_served : bool
        Whether it is on a thread that does others after it.
    """

    def __init__(self, function: Callable[[Build[_Built]], _Built]) -> None:
        self._function = function
        self._done = _thread.allocate_lock()
        self._done.acquire()
        self._abandoned = self._ended = self.is_served = False
        self._result: list[_Built] = []
        self._error: BaseException | None = None

    def check(self) -> None:
        """Leave the build between two of its calls if nobody waits any more."""
        if self._abandoned:
            raise Abandoned

    def run(self, subject: str, seconds: float | None, meanwhile: Callable[[], object] | None = None) -> _Built:
        """Start the build, call `meanwhile` on this thread, and wait for the build.

        Raises
        ------
        CompileError
            It took longer than that; `subject` says what it is.
        """
        _watch()
        try:
            for other in [*_preparing.values()]:
                other.settle(seconds)  # the thread that prepares should also build
            try:
                _start(self)
            except RuntimeError:  # there is no room for another thread
                self._work()
            if meanwhile is not None:
                meanwhile()
            return self._wait(subject, seconds)
        except BaseException:
            if not self._ended:
                self._abandoned = True
                _core.watch_builds()  # again: the compiler has loaded libraries since
            raise

    def settle(self, seconds: float | None) -> bool:
        """Wait until the build has ended, whatever came of it, or for that long; say whether it has."""
        end = None if seconds is None else time.monotonic() + seconds
        while not self._done.acquire(timeout=_SLICE):
            if end is not None and time.monotonic() > end:
                return False
        self._done.release()
        return True

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
            if self.is_served:
                _free.append(None)  # before anybody knows that this build is done: the next is then for this thread
            self._done.release()

    def _wait(self, subject: str, seconds: float | None) -> _Built:
        end = None if seconds is None else time.monotonic() + seconds
        while not self._done.acquire(timeout=_SLICE):
            if end is not None and time.monotonic() > end:
                problem = "that compiler continues in this process, and its program is dropped"
                raise CompileError(f"{subject} {limit.text(seconds or 0)}; {problem}")
        self._ended = True
        if self._error is None:
            return self._result.pop()
        error, self._error = self._error, None
        try:
            raise error
        finally:
            del error  # its traceback holds this frame


class Preparing:
    """Calls after which a compiler is faster, beside the work in a ``with``; `Build.run` waits for their end.

    Parameters
    ----------
    key : str
        What is prepared: nothing is prepared twice.
    function : callable
        Makes the calls; what it raises is nobody's.
    """

    def __init__(self, key: str, function: Callable[[Build[Any]], None]) -> None:
        self._key, self._function = key, function

    def __enter__(self) -> None:
        if self._key in _preparing or _core.in_host_function():
            return
        _watch()
        build = Build(self._function)
        with suppress(RuntimeError):  # there is no room for another thread
            _start(build)
            _preparing[self._key] = build

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:  # the process may end now, and the compiler has loaded libraries since
            _core.watch_builds()


def _start(build: Build[Any]) -> None:
    """Let a thread that has ended its build do this one, or a new one."""
    try:
        _free.pop()
    except IndexError:
        _thread.start_new_thread(_serve, (build,))
    else:
        _requests.put(build)


def _serve(build: Build[Any] | None) -> None:
    """Do a build, and others that come within some time."""
    while True:
        if build is not None:
            build.is_served = True
            build._work()
            build = None  # it has what was built
        try:
            build = _requests.get(timeout=_STAY)
        except queue.Empty:
            with suppress(IndexError):  # then a build is on its way to this thread, or to another that waits
                _free.pop()
                return


def _after_fork_in_child() -> None:
    global _requests  # noqa: PLW0603 (a thread of the parent may have held its lock)
    _requests = queue.SimpleQueue()
    _free.clear()
    _preparing.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


@cache
def _watch() -> None:
    _core.watch_builds()


def run(function: Callable[[Any], _Built], subject: str, meanwhile: Callable[[], object] | None = None) -> _Built:
    """Call a function on a thread of its own and give its result; see `Build.run`."""
    build: Build[_Built] = Build(function)
    if _core.in_host_function():  # the core refuses from such a thread what its stream would wait for
        return function(build)
    return build.run(subject, limit.seconds(), meanwhile)
