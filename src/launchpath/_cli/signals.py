"""Signals of a command that runs a program: they are for the program."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

PASSED = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
_KEPT = PASSED | {signal.SIGCHLD}
_LOOK = 1.0  # seconds: a process whose parent ignored SIGCHLD gets none


@contextmanager
def signals_kept() -> Iterator[Signals]:
    """Keep signals back, in the threads too that start meanwhile, until the program runs that they are for."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _KEPT)
    try:
        yield Signals(before)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Signals:
    """The signals that are kept back.

    Parameters
    ----------
    before : set of int
        Those that were kept back before, and are in the program.
    """

    def __init__(self, before: set[int | signal.Signals]) -> None:
        self._before = before

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        """Run a program, pass signals on to it, and give its exit code.

        What the terminal sends (Ctrl-C) goes to the program as well, by the terminal, and is not passed on.

        Raises
        ------
        OSError
            It cannot be run.
        """
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)  # an interrupt until now ends the command
        signal.pthread_sigmask(signal.SIG_BLOCK, _KEPT)
        # Between fork and exec: a function of C alone, which takes no lock.
        restore = self._as_before
        with subprocess.Popen(command, env=environment, preexec_fn=restore) as process:  # noqa: PLW1509
            while process.poll() is None:
                info = signal.sigtimedwait(_KEPT, _LOOK)
                if info is not None and info.si_signo in PASSED and _is_of_a_process(info):
                    process.send_signal(info.si_signo)
            while signal.sigtimedwait(_KEPT, 0) is not None:  # they came too late for the program
                pass
            return process.returncode

    def _as_before(self) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)


def _is_of_a_process(info: signal.struct_siginfo) -> bool:
    """Whether a process sent the signal: the system's own codes, as for the terminal's, are above 0."""
    return info.si_code <= 0
