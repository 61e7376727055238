"""A program in this process: loaded, and its `main` called as the system would call it.

The process is the program's from then on: signals do what they do in a C program, `exit` ends it, and its standard
streams, its folder and its environment are the program's own.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import NoReturn

from launchpath import _core
from launchpath._host.runtime import memory, process
from launchpath._trace.format import HOST_PROGRAM
from launchpath._tracing.beginning import trace as make_trace
from launchpath._tracing.session import add_at_end, stop_at_exit
from launchpath.errors import LibraryError
from launchpath.hip._devices.current import on_first

_POINTER = 8  # bytes
_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)  # `main`, and constructors
_SIGNALS = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)  # that Python handles or ignores


def start() -> NoReturn:
    """Run the program whose entry has started this process: ``sys.argv`` is its file, then its arguments."""
    run(sys.argv[1], sys.argv[2:])


def run(path: str, arguments: list[str], trace_file: str | None = None) -> NoReturn:
    """Run a program.

    Parameters
    ----------
    path : str
        Its file.
    arguments : list of str
        Those of `main`, its name first.
    trace_file : str, optional
        Where to write a trace of it.

    Raises
    ------
    LibraryError
        The file cannot be loaded, or has no `main`.
    """
    process.serve()
    on_first(lambda _device: at_exit(_end))  # before the destructors of its library
    memory.only_program()
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    _name_process(arguments[0])
    add_at_end(lambda: {HOST_PROGRAM: arguments[0]})
    if trace_file is not None:
        trace = make_trace(trace_file)
        trace.start()
    at_exit(stop_at_exit)  # of this trace, or that of `launchpath trace`: Python's own exit never comes
    try:
        program = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        # The linker's: a program may hide its `main`.
        place = ctypes.c_uint64.in_dll(program, "launchpath_main").value
        first, end = (ctypes.c_uint64 * 2).in_dll(program, "launchpath_constructors")
    except (OSError, ValueError) as error:
        raise LibraryError(f"{path}: expected a program that launchpath c++ has linked, got {error}") from error
    words = [os.fsencode(word) for word in arguments]
    argv = (ctypes.c_char_p * (len(words) + 1))(*words, None)
    environment = ctypes.c_void_p.in_dll(ctypes.CDLL(None), "environ")
    given = len(words), ctypes.addressof(argv), environment
    _core.set_wait_in_slices(False)  # no signal's handler of Python's is waited for
    sys.stdout.flush()
    for constructor in (ctypes.c_uint64 * ((end - first) // _POINTER)).from_address(first) if end > first else ():
        _FUNCTION(constructor)(*given)
    code = _FUNCTION(place)(*given)
    # As the C library does when `main` returns: its exit handlers, the program's destructors, its streams written out.
    ctypes.CDLL(None).exit(code)
    os._exit(code)


_kept: list[object] = []  # that C code calls


def at_exit(call: Callable[[], object]) -> None:
    """Call a function when the process ends by `exit`, behind the program's own exit handlers and destructors."""
    handler = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _argument: call())
    _kept.append(handler)
    ctypes.CDLL(None).__cxa_atexit(handler, None, None)


def _end() -> None:
    """Let the devices' work end before their libraries' destructors run, and let no other thread give them more."""
    has_others = _core.host_ends()
    _core.settle()
    # A library's threads have last steps to do behind a command that is complete, and another thread may have been
    # about to give it one.
    time.sleep(0.05 if has_others or threading.current_thread() is not threading.main_thread() else 0.001)
    _core.settle()


def _name_process(path: str) -> None:
    set_name = 15  # PR_SET_NAME
    ctypes.CDLL(None).prctl(set_name, os.fsencode(os.path.basename(path))[:15], 0, 0, 0)
