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
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

from launchpath.errors import CompileError, LaunchpathError

from . import frame

HELLO = b"ready"
# New objects before Python looks for cycles among them: a compilation makes many objects, and nearly none in cycles.
_GARBAGE = 100_000

# The functions that a parent calls: module and name.
COMPILE = ("launchpath._compiler.compile", "compile")
SIGNATURE = ("launchpath._compiler.parameter_list", "signature")
FINISH = ("launchpath._compiler.precompiled", "finish")
DRIVER_BUILD = ("launchpath._compiler.process.driver_build", "build")
DRIVER_PREPARATION = ("launchpath._compiler.process.driver_build", "prepare")


class Surroundings(NamedTuple):
    """The state of a process on which a compilation depends besides its arguments.

    Attributes
    ----------
    environment : dict of str to str
    folder : str or None
        The current folder; None if it was removed.
    path : list of str
        ``sys.path``.
    prefix : str
        ``sys.prefix``.
    clang : launchpath._compiler.frontend.Clang
    """

    environment: dict[str, str]
    folder: str | None
    path: list[str]
    prefix: str
    clang: Any


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
    tempfile.tempdir = folder
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_work, args=(requests,), daemon=True).start()
    try:
        _send(HELLO)
        while True:
            requests.put(frame.read(lambda size: os.read(0, size)))
    finally:  # whatever it was: without a parent there is nothing to do
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


def _work(requests: queue.SimpleQueue[bytes]) -> None:
    from launchpath._compiler import precompiled  # noqa: PLC0415 (the parent, which imports this file, has no use for it)

    precompiled.switch_on()
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    while True:
        _send(_answer(requests.get()))


def _send(message: bytes) -> None:
    rest = memoryview(frame.packed(message))
    while rest:
        rest = rest[os.write(0, rest) :]


def _answer(request: bytes) -> bytes:
    """Give, pickled: whether it went well, result or exception, and stages; None if the request is not understood."""
    try:
        surroundings, body = pickle.loads(request)
        if surroundings is not None:
            _enter(surroundings)
        function, arguments, before = pickle.loads(body)
    except Exception:  # an object of a class that is known to the parent alone
        return pickle.dumps((None, None, []))
    from launchpath._compiler import stages  # noqa: PLC0415 (the parent, which imports this file, may not need it)

    try:
        with stages.record() as recorded:
            if before is not None:
                with suppress(Exception):  # it only saves time
                    run(*before)
            result = run(function, arguments)
        return pickle.dumps((True, result, recorded))
    except BaseException as error:
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
    from launchpath._compiler import frontend  # noqa: PLC0415 (after the surroundings are known)

    for name in os.environ.keys() - surroundings.environment.keys():
        del os.environ[name]
    os.environ.update(surroundings.environment)
    with suppress(OSError):
        os.chdir("/" if surroundings.folder is None else surroundings.folder)
    sys.path[:], sys.prefix = surroundings.path, surroundings.prefix
    if surroundings.clang is not None:
        frontend.adopt(surroundings.clang)
