"""The process that compiles: it takes requests from its parent, in turn, until the parent ends.

Its standard input is a socket to the parent. The main thread only reads there, so that it sees at once when the parent
closes its end or dies, whatever the other thread's compiler is doing. Then it removes its folder of temporary files and
kills its process group, Clang processes included.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import sys
import threading
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from launchpath.errors import CompileError, LaunchpathError

from . import frame

HELLO = b"ready"

# The functions that a parent calls: module and name.
COMPILE = ("launchpath._compiler.compile", "compile")
SIGNATURE = ("launchpath._compiler.parameter_list", "signature")
FINISH = ("launchpath._compiler.clang.precompiled", "finish")
DRIVER_BUILD = ("launchpath._compiler.process.driver_build", "build")
DRIVER_PREPARATION = ("launchpath._compiler.process.driver_build", "prepare")


class Surroundings(NamedTuple):
    """The state of a process on which a compilation depends besides its arguments."""

    environment: dict[str, str]
    folder: str | None  # the current folder; None if it was removed
    path: list[str]  # ``sys.path``
    prefix: str  # ``sys.prefix``
    clang: bytes | None  # a pickled `launchpath._compiler.clang.frontend.Clang`: only compilations need that module


def run(function: tuple[str, str], arguments: tuple[Any, ...]) -> Any:
    """Call a function; a source that is nested too deeply for Python is a `CompileError`."""
    module, name = function
    try:
        return getattr(import_module(module), name)(*arguments)
    except RecursionError as error:
        raise CompileError(
            "the source is nested too deeply: its innermost parts are thousands of levels down"
        ) from error


def main(folder: str) -> None:
    """Serve until the parent is gone. `folder` is where temporary files go; the parent knows it and removes it too."""
    _prepare()
    os.mkdir(folder, 0o700)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_work, args=(requests, folder), daemon=True).start()
    try:
        _send(HELLO)
        while True:
            requests.put(frame.read(lambda size: os.read(0, size)))
    finally:  # whatever it was: without a parent there is nothing to do
        import shutil  # noqa: PLC0415 (all that this file imports delays the first request)

        shutil.rmtree(folder, ignore_errors=True)
        os.killpg(0, signal.SIGKILL)


def _prepare() -> None:
    """Undo the inherited state that would disturb: open files, ignored and blocked signals, core dumps."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            numbers = [int(name) for name in os.listdir(folder) if name.isdigit()]
            for number in numbers:
                if number > 2:
                    with suppress(OSError):
                        os.close(number)
            break
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # else no exit status of Clang can be learned
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # interrupts are the parent's
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 (not on every system)

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    # If memory runs out, the system should kill this process, and not the parent.
    with suppress(OSError), open("/proc/self/oom_score_adj", "r+") as file:
        if int(file.read()) < 500:
            file.seek(0)
            file.write("500")


def _work(requests: queue.SimpleQueue[bytes], folder: str) -> None:
    while True:
        _send(_answer(requests.get(), folder))


@cache
def _import_compiler(folder: str) -> None:
    import tempfile  # noqa: PLC0415 (a driver may prepare itself meanwhile)

    from launchpath._compiler.clang import precompiled  # noqa: PLC0415

    tempfile.tempdir = folder
    precompiled.switch_on()
    gc.freeze()


def _send(message: bytes) -> None:
    rest = memoryview(frame.packed(message))
    while rest:
        rest = rest[os.write(0, rest) :]


def _answer(request: bytes, folder: str) -> bytes:
    """Give, pickled: whether it went well, result or exception, and stages; None if the request is not understood."""
    surroundings, before, body = pickle.loads(request)
    if surroundings is not None:
        _enter(surroundings)
    with suppress(Exception):  # it only saves time
        if before is not None:
            run(*pickle.loads(before))
    _import_compiler(folder)
    try:
        if surroundings is not None and surroundings.clang is not None:
            from launchpath._compiler.clang import frontend  # noqa: PLC0415 (after the surroundings are known)

            frontend.adopt(pickle.loads(surroundings.clang))
        function, arguments = pickle.loads(body)
    except Exception:  # an object of a class that is known to the parent alone
        return pickle.dumps((None, None, []))
    from launchpath._compiler import stages  # noqa: PLC0415

    try:
        with stages.record() as recorded:
            result = run(function, arguments)
        return pickle.dumps((True, result, recorded))
    except BaseException as error:
        import traceback  # noqa: PLC0415

        if not isinstance(error, LaunchpathError):
            error.add_note(f"in the process that compiles:\n{traceback.format_exc()}")
        try:
            message = pickle.dumps((False, error, []))
            pickle.loads(message)
        except Exception:  # an exception that cannot be pickled
            message = pickle.dumps(
                (False, RuntimeError(f"{type(error).__name__}: {error}\n{traceback.format_exc()}"), [])
            )
        return message


def _enter(surroundings: Surroundings) -> None:
    for name in os.environ.keys() - surroundings.environment.keys():
        del os.environ[name]
    os.environ.update(surroundings.environment)
    with suppress(OSError):
        os.chdir("/" if surroundings.folder is None else surroundings.folder)
    sys.path[:], sys.prefix = surroundings.path, surroundings.prefix
