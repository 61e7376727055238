"""The end of the process: what it does with kernels that are not complete, and what it says of them."""

from __future__ import annotations

import atexit
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

from launchpath import _core

_interrupted: list[bool] = []
_PACKAGE = f"{Path(__file__).parents[1]}/"


def at_exit() -> None:
    """Let work in flight end, for a bounded time. Drivers may wait without a bound for what has not ended then."""
    if _interrupted:
        _core.set_exit_patience(0)
    try:
        ended = _core.at_exit()
    except KeyboardInterrupt:
        _interrupted.append(True)
        ended = False
    if ended:
        return
    if _interrupted:
        _print_state("is ended by Ctrl-C, while kernels that it launched had not ended{}")
        _core.end_by_interrupt()
        return
    _print_state("has ended, kernels that it launched have not{}: a driver may wait for them; Ctrl-C ends the process")
    if _is_pythons():
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def note_interrupts() -> None:
    """Let no Ctrl-C at the end be lost in another callback of `atexit`, which are the later the earlier registered."""
    atexit.unregister(_note_interrupts)
    atexit.register(_note_interrupts)


def _note_interrupts() -> None:
    if _is_pythons():
        signal.signal(signal.SIGINT, _interrupt)


def _is_pythons() -> bool:
    return signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _interrupted.append(True)
    while frame is not None and frame.f_code is not at_exit.__code__:
        if frame.f_code.co_filename.startswith(_PACKAGE):
            return  # in another callback of launchpath's, which soon ends: an error there would only be printed
        frame = frame.f_back
    signal.default_int_handler(number, frame)


def _print_state(text: str) -> None:
    names = ", ".join(map(repr, _core.unfinished()))
    with suppress(OSError, ValueError, AttributeError):  # stderr is closed, or there is none
        print(f"launchpath: the program {text.format(f' ({names})' if names else '')}", file=sys.stderr, flush=True)
