"""Run a program with a reliable exit status.

Where SIGCHLD is ignored, or something else in the process waits for all its children, the system has no status to give,
and `subprocess` then says 0: success.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

UNKNOWN_STATUS = (
    "its exit status is not known: this process ignores SIGCHLD, or something in it takes the status of all its child "
    "processes; signal.signal(signal.SIGCHLD, signal.SIG_DFL) helps where it is ignored"
)

_LATER = 5  # by how much it is nicer: it gets a third of a processor that others want too
_PAUSE, _LONGEST = 0.0005, 0.02  # seconds between looks


class Ended(NamedTuple):
    """How a program ended."""

    code: int | None  # its exit code, or a signal's number, negative; None if that cannot be known
    output: bytes  # what it wrote on stdout
    errors: bytes  # what it wrote on stderr


def run(
    command: Sequence[str],
    stdin: bytes = b"",
    *,
    environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
    capture: bool = True,
    meanwhile: Callable[[], object] | None = None,
    waited_for: bool = True,
) -> Ended:
    """Run a program to its end.

    Parameters
    ----------
    command : sequence of str
    stdin : bytes
        What it reads on stdin.
    environment : dict of str to str, optional
        This process's if left out.
    timeout : float, optional
        Seconds.
    capture : bool
        If not, it writes where this process does.
    meanwhile : callable, optional
        Called once it has been started.
    waited_for : bool
        If not, other processes come first where processors are few.

    Raises
    ------
    OSError
        It cannot be started.
    subprocess.TimeoutExpired
        It was killed, for it took longer.
    """
    pipe = subprocess.PIPE if capture else None
    with _Process(command, stdin=subprocess.PIPE, stdout=pipe, stderr=pipe, env=environment) as process:
        try:
            if not waited_for and hasattr(os, "setpriority"):
                with suppress(OSError):  # it has ended
                    os.setpriority(os.PRIO_PROCESS, process.pid, _LATER)
            if meanwhile is not None:
                meanwhile()
            output, errors = process.communicate(stdin, timeout)
        except BaseException:
            process.kill()
            raise
    return Ended(None if process.lost else process.returncode, output or b"", errors or b"")


class _Process(subprocess.Popen[bytes]):
    """One that notes whether its exit status was lost."""

    lost = False

    def wait(self, timeout: float | None = None) -> int:
        """Wait; first without taking the status, for that says whether there is one."""
        end = None if timeout is None else time.monotonic() + timeout
        pause, flags = _PAUSE, 0 if end is None else getattr(os, "WNOHANG", 0)
        while self.returncode is None and not self.lost and hasattr(os, "waitid"):
            try:
                if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | flags) is not None:
                    break
            except ChildProcessError:
                self.lost = True
                break
            if end is not None and time.monotonic() > end:
                break
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST)
        return super().wait(None if end is None else max(0.0, end - time.monotonic()))
