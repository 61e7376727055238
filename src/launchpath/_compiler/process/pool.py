"""The pool of workers, and compiling in a worker.

A worker serves one thread at a time, and as many threads compile at once as there are processors. Unused workers end
after a while: each takes the memory of a parser, and a program that waits for all of its child processes must not wait
for them for ever.
"""

from __future__ import annotations

import _thread
import atexit
import os
import pickle
import queue
import sys
import time
import weakref
from collections.abc import Collection
from contextlib import suppress
from threading import Thread, current_thread, get_ident
from typing import Any

from launchpath import _core
from launchpath.errors import CompileError

from .. import limit, process, stages
from ..clang import frontend
from . import child, worker
from .child import COMPILE, DRIVER_BUILD, DRIVER_PREPARATION, FINISH, SIGNATURE
from .worker import NotStarted, Worker

__all__ = ["COMPILE", "DRIVER_BUILD", "DRIVER_PREPARATION", "SIGNATURE", "call", "end"]

SWITCH = process.SWITCH
IDLE = 10.0  # seconds

_idle: list[Worker] = []  # appending and popping are single steps: no lock that an interrupt could leave taken
_failures: list[str] = []  # why processes that were started did not become workers
_TRIES = 3
_busy: dict[int, Worker] = {}  # by the thread that waits for it
_cancelled: weakref.WeakSet[Thread] = weakref.WeakSet()  # threads that may compile nothing more
_keepers: list[None] = []  # an entry for each thread of `_keep`; a second thread does no harm


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_permits: queue.SimpleQueue[None] = queue.SimpleQueue()


def _fill() -> None:
    for _ in range(max(2, processors())):
        _permits.put(None)


_fill()


def call(
    function: tuple[str, str], name: str, *arguments: Any, before: tuple[tuple[str, str], tuple[Any, ...]] | None = None
) -> Any:
    """Call a function of the compiler, in another process where that is possible, else in this one.

    Parameters
    ----------
    function : (str, str)
        Module and name of the function, as in `COMPILE`.
    name : str
        Of the source, for messages.
    *arguments
        Of the function.
    before : ((str, str), tuple), optional
        Another function, with its arguments, that the other process calls first. In this process it is not called.

    Raises
    ------
    CompileError
        The function's own; or the process crashed, was killed, or took longer than the limit; or the compilations of
        this thread were cancelled.
    """
    _check_cancelled(name)
    seconds = limit.seconds()
    if function != DRIVER_BUILD:
        frontend.check_parser()
    if os.environ.get(SWITCH) == "0" or len(_failures) >= _TRIES:
        return child.run(function, arguments)
    permit: _core.Permit | None = _core.Permit(_permits)  # this waits for it; it goes back when it is dropped
    answer = None
    try:
        answer = _answer(function, name, arguments, before, seconds)
    except NotStarted as error:
        if not isinstance(error.__cause__, OSError):  # that may pass: there is no room for another process
            _failures.append(str(error))
    finally:
        permit = None  # noqa: F841 (an exception keeps this frame, and would keep the permit with it)
    if answer is None or answer[0] is None:
        return child.run(function, arguments)
    went_well, result = answer
    if went_well:
        return result
    raise result


def _answer(
    function: tuple[str, str], name: str, arguments: tuple[Any, ...], before: Any, seconds: float | None
) -> tuple[bool | None, Any]:
    """Return the child's answer; see `child`."""
    try:
        body, first = pickle.dumps((function, arguments)), before and pickle.dumps(before)
    except Exception:  # the function itself has the best message about wrong arguments
        return None, None
    surroundings = _surroundings(function != DRIVER_BUILD)  # a driver's own compiler needs no Clang
    chosen = _take()
    new_surroundings = None if surroundings == chosen.surroundings else surroundings
    try:
        _busy[get_ident()] = chosen
        _check_cancelled(name)  # after the line above: `cancel` marks the thread first, then looks for its worker
        data = chosen.ask(pickle.dumps((new_surroundings, first, body)), name, seconds)
        went_well, result = _read(data, name)
    except BaseException:
        chosen.end()
        raise
    finally:
        _busy.pop(get_ident(), None)
    chosen.surroundings = surroundings
    _give_back(chosen)
    return went_well, result


def _read(data: bytes, name: str) -> tuple[bool | None, Any]:
    try:
        went_well, result, recorded = pickle.loads(data)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise CompileError(f"{name}: the answer of the compiler's process cannot be read: {problem}") from error
    stages.add(recorded)
    return went_well, result


def _take() -> Worker:
    while _idle:
        try:
            chosen = _idle.pop()
        except IndexError:  # another thread was faster
            break
        if chosen.usable:
            return chosen
        chosen.end()
    return Worker()


def _give_back(chosen: Worker) -> None:
    _idle.append(chosen)
    if not _keepers:
        with suppress(RuntimeError):  # no thread can be started: the workers stay until the process ends
            _thread.start_new_thread(_keep, ())


def _keep() -> None:
    """End the unused workers, also the worker that was used last; then end."""
    _keepers.append(None)
    while True:
        time.sleep(IDLE / 4)
        for old in list(_idle):
            if time.monotonic() - old.used > IDLE:
                try:
                    _idle.remove(old)
                except ValueError:  # it has been taken
                    continue
                old.end()
        if not _idle and not worker.reap():
            _keepers.clear()
            if not _idle:  # from here on, a thread that gives a worker back starts another keeper
                return
            _keepers.append(None)


def _surroundings(wants_clang: bool) -> child.Surroundings:
    try:
        folder = os.getcwd()
    except OSError:
        folder = None
    clang = None
    with suppress(*([] if wants_clang else [CompileError])):
        clang = pickle.dumps(frontend.find())
    return child.Surroundings(dict(os.environ), folder, [*sys.path], sys.prefix, clang)


def cancel(threads: Collection[Thread]) -> None:
    """End the processes that these threads wait for: their compilations fail at once, and so do all later ones."""
    _cancelled.update(threads)
    identifiers = {thread.ident for thread in threads}
    for identifier, chosen in list(_busy.items()):
        if identifier in identifiers:
            chosen.kill()


def _check_cancelled(name: str) -> None:
    if _cancelled and current_thread() in _cancelled:
        raise CompileError(f"{name}: the compilation was cancelled")


def finish() -> None:
    """Wait for the headers that the unused workers precompile beside their work, for processes that come later.

    A process that ends before never leaves any: it would read all headers each time that it is started.
    """
    for chosen in [*_idle]:
        with suppress(ValueError, CompileError):  # another thread has taken it; it ended
            _idle.remove(chosen)
            chosen.ask(pickle.dumps((None, None, pickle.dumps((FINISH, ())))), "headers", None)
            _give_back(chosen)


def end() -> None:
    """End all workers that nobody uses at this moment."""
    while _idle:
        try:
            _idle.pop().end()
        except IndexError:
            break
    worker.reap()


def _after_fork_in_child() -> None:
    global _permits  # noqa: PLW0603 (threads of the parent held some of the old ones)
    worker.forget_all()  # first: a worker that is dropped ends its process
    _permits = queue.SimpleQueue()
    _fill()
    _idle.clear()
    _keepers.clear()
    _busy.clear()


# Processes end when their sockets are closed. They are not waited for, and nothing of them is left to be dropped when
# the interpreter's modules are gone.
atexit.register(worker.end_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
