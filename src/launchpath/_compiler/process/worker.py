"""A worker: a process that compiles, on the parent's side.

An interrupt may strike between any two lines here. So a `Worker` holds its process from the moment it exists, and a
worker that is dropped ends its process: a process cannot be lost.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from weakref import WeakSet

from launchpath.errors import CompileError

from .. import limit
from ..messages.crash import CRASH_REASON, CRASHES
from . import child, frame

# Python's own start may be slow where its files come over a network.
_START = 60.0
_DEATH = 0.3  # seconds; a killed process may be slow to give back much memory
_POLL = 0.001
_FIRST = 3  # the first file descriptor behind the standard ones, which a daemon may have closed
# Without `site`, and with a package that has a path but not the contents of `launchpath/__init__.py`: those load the
# core and NumPy, which no compiler needs. And with many new objects before Python looks for cycles among them: imports
# and compilations make many objects, and nearly none in cycles.
_CODE = """import gc, sys, types
gc.set_threshold(100000)
sys.path[:], sys.dont_write_bytecode, sys.pycache_prefix = {path!r}, {bare!r}, {prefix!r}
sys.modules["launchpath"] = package = types.ModuleType("launchpath")
package.__path__ = {package!r}
from launchpath._compiler.process.child import main
main({folder!r})
"""

_alive: WeakSet[Worker] = WeakSet()
_exiting: list[bool] = []  # not empty once the interpreter exits
_unreaped: list[int] = []  # killed processes that were not dead yet when they were last looked at


class NotStarted(Exception):
    """No process can be started, or it did not come as far as taking requests."""


class Crashed(CompileError):
    """The process crashed: it was ended by a signal of a program's own making."""


class Worker:
    """A process that compiles. It is started by the first `ask`, and ended by `end` or when the worker is dropped.

    Attributes
    ----------
    surroundings : child.Surroundings or None
        The surroundings that the process received last.
    used : float
        When it gave its last answer, by ``time.monotonic``.
    """

    # Of the class, for `__del__` if an interrupt comes before the object has them.
    surroundings: child.Surroundings | None = None
    used = 0.0
    _socket: socket.socket | None = None
    _folder = ""

    def __init__(self) -> None:
        self._words: list[int] = []  # a file for the process's stderr
        self._pids: list[int] = []
        _alive.add(self)

    def __del__(self) -> None:
        if hasattr(self, "_pids"):
            self.end()

    def ask(self, request: bytes, name: str, seconds: float | None) -> bytes:
        """Send a request and wait for its answer; any thread's interrupt gets through.

        Raises
        ------
        NotStarted
        CompileError
            The process crashed, was killed, gave no readable answer, or took longer than `seconds`. The worker cannot
            be used any more.
        """
        if self._socket is None:
            self._start()
        assert self._socket is not None
        end = None if seconds is None else time.monotonic() + seconds
        try:
            answer = self._exchange(request, seconds, end)
        except TimeoutError:
            self.end()
            raise CompileError(f"{name}: the compiler {limit.text(seconds or 0)}") from None
        except frame.FrameError as error:
            self.end()
            raise CompileError(f"{name}: the answer of the compiler's process cannot be read: {error}") from None
        except (EOFError, ConnectionError):
            raise self._death(name) from None
        self.used = time.monotonic()
        return answer

    def _exchange(self, request: bytes, seconds: float | None, end: float | None) -> bytes:
        assert self._socket is not None
        try:
            self._socket.settimeout(seconds)
            with suppress(BrokenPipeError, ConnectionError):  # then reading says why
                self._socket.sendall(frame.packed(request))
            return frame.read(partial(self._receive, end))
        except (EOFError, OSError):
            while _exiting:  # a daemon thread, whose process was ended at exit: no caller is left for its failure
                time.sleep(1)
            raise

    @property
    def usable(self) -> bool:
        """Whether the process still waits for a request; it may have been killed since."""
        if self._socket is None:
            return False
        try:
            self._socket.settimeout(0)
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False  # it has closed its end, or sent bytes without a request

    def kill(self) -> None:
        """Kill the process, from a thread that does not wait for it. The waiting thread ends the worker."""
        for pid in list(self._pids):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the process with all that it started, and remove its files."""
        if self._socket is not None:
            self._socket.close()
        while self._pids:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._pids[-1], signal.SIGKILL)
            if _reaped(self._pids[-1], _DEATH) is None:
                _unreaped.append(self._pids[-1])
            self._pids.pop()
        reap()
        while self._words:
            os.close(self._words.pop())
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""

    def forget(self) -> None:
        """Let go of the process without touching it: in the child of a fork it is somebody else's."""
        self._pids.clear()
        self._folder = ""
        self.end()

    def _start(self) -> None:
        executable = _executable()
        try:
            folder = os.path.join(tempfile.gettempdir(), f"launchpath-{os.urandom(8).hex()}")
            self._socket, theirs = socket.socketpair()
            self._open_words()
        except OSError as error:
            self.end()
            raise NotStarted(str(error)) from error
        if theirs.fileno() < _FIRST:
            import fcntl  # noqa: PLC0415 (not on every system)

            theirs = socket.socket(fileno=fcntl.fcntl(theirs.detach(), fcntl.F_DUPFD_CLOEXEC, _FIRST))
        package = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]
        code = _CODE.format(
            path=sys.path, bare=sys.dont_write_bytecode, prefix=sys.pycache_prefix, package=package, folder=folder
        )
        command = [executable, "-S", "-P", "-X", f"utf8={sys.flags.utf8_mode}", "-c", code]
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs.fileno(), 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, self._words[-1], 2),
        ]
        # A process group of its own: the terminal's Ctrl-C does not reach it, and Clang is killed along with it.
        spawn = partial(os.posix_spawn, file_actions=actions, setpgroup=0)
        self._folder = folder
        with theirs:
            try:
                # In one step for interrupts, which strike between Python's instructions: else the number could be lost.
                self._pids.extend(map(spawn, (executable,), (command,), (os.environ,)))
            except OSError as error:
                self.end()
                raise NotStarted(str(error)) from error
        try:
            hello = frame.read(partial(self._receive, time.monotonic() + _START))
        except (EOFError, OSError, frame.FrameError) as error:
            words = self._last_words()
            self.end()
            raise NotStarted(f"{executable} did not become ready: {words or error}") from None
        if hello != child.HELLO:
            self.end()
            raise NotStarted(f"{executable}: expected the message that it is ready, got another")

    def _open_words(self) -> None:
        # In one step for interrupts, as where the process is started.
        if hasattr(os, "memfd_create"):
            self._words.extend(map(os.memfd_create, ("launchpath",)))
        else:
            self._words.extend(map(os.open, (os.devnull,), (os.O_RDWR,)))
        if self._words[-1] < _FIRST:
            import fcntl  # noqa: PLC0415 (not on every system)

            self._words.extend(map(fcntl.fcntl, (self._words[-1],), (fcntl.F_DUPFD_CLOEXEC,), (_FIRST,)))

    def _receive(self, end: float | None, size: int) -> bytes:
        assert self._socket is not None
        if end is not None:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
        else:
            self._socket.settimeout(None)
        return self._socket.recv(size)

    def _death(self, name: str) -> CompileError:
        """Say how the process ended. It has closed its socket, and ends on its own account."""
        status = _reaped(self._pids[-1], 1.0) if self._pids else None
        words = self._last_words()
        self.end()
        ended = status if status is not None and status >= 0 else 0
        number = os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else 0
        if number in CRASHES:
            problem = f"the compiler crashed ({CRASHES[number]}): {CRASH_REASON}"
        elif number:
            called = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
            problem = f"the compiler was killed ({called})"
            problem += ": perhaps for want of memory" if number == signal.SIGKILL else ""
        else:
            problem = "the compiler's process ended without an answer"
            if status == -1:
                problem += "; why is not known, for this process ignores SIGCHLD or takes its children's exit status"
        kind = Crashed if number in CRASHES else CompileError
        return kind("\n".join(filter(None, [f"{name}: {problem}", words])), words)

    def _last_words(self) -> str:
        if not self._words:
            return ""
        try:
            size = os.fstat(self._words[-1]).st_size
            text = os.pread(self._words[-1], 4096, max(0, size - 4096)).decode(errors="replace")
        except OSError:
            return ""
        return "\n".join(text.strip().splitlines()[-5:])


def _executable() -> str:
    """Python's own program.

    Raises
    ------
    NotStarted
        There is no such program: Python is embedded in another program, or frozen into it. That program may do anything
        if it is started.
    """
    program = sys.executable or ""
    if getattr(sys, "frozen", False) or "python" not in os.path.basename(program).lower():
        raise NotStarted(f"{program or 'this program'} is not Python's own program")
    if not hasattr(os, "posix_spawn"):
        raise NotStarted("this system has no posix_spawn")
    return program


def _reaped(pid: int, seconds: float) -> int | None:
    """Wait for a process; give its status, -1 if that was lost, None if the process is not dead yet."""
    for left in _steps(seconds):
        try:
            done, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:  # SIGCHLD is ignored, or a handler waits for all children
            return -1
        if done:
            return status
        if left:
            time.sleep(_POLL)
    return None


def _steps(seconds: float) -> Iterator[bool]:
    """Yield whether there is time left, until there is none."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield True
    yield False


def reap() -> bool:
    """Take the status of killed processes that have died since; say whether there are others still."""
    for pid in list(_unreaped):
        if _reaped(pid, 0.0) is not None:
            with suppress(ValueError):  # another thread was faster
                _unreaped.remove(pid)
    return bool(_unreaped)


def end_at_exit() -> None:
    """Close all sockets, by which the processes end, without any messages about them."""
    _exiting.append(True)
    forget_all()


def forget_all() -> None:
    """Let go of all processes in the child of a fork: its parent's requests must not mix with its own."""
    for worker in list(_alive):
        worker.forget()
    _unreaped.clear()
