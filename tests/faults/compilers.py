"""What a compiler may do wrong, as functions that the process which compiles is asked to call."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time

from launchpath._compiler.process import driver_build


def add(first, other):
    return first + other


def die(number):
    """End as a crash does: libclang's handlers return, then the instruction that crashed is executed again."""
    if number == signal.SIGSEGV:
        ctypes.string_at(0)
    elif number == signal.SIGABRT:
        os.abort()
    os.kill(os.getpid(), number)
    time.sleep(60)


def opened(opening, device):
    """How many libraries are open once those builds have ended that began before."""
    driver_build.build(opening, device, b"", "")
    return driver_build._opened.cache_info().currsize


def leave(code):
    os._exit(code)


def overflow():
    """Overflow the stack in C code."""
    nested = []
    for _ in range(10_000_000):
        nested = [nested]
    sys.setrecursionlimit(1 << 30)
    return nested == eval("[" * 50 + "]" * 50) or repr(nested)


def descend():
    """Recurse without an end in Python code."""
    return descend()


def sleep(seconds):
    time.sleep(seconds)


def spin():
    """Never give up Python's lock for longer than it must be."""
    while True:
        pass


def babble(data):
    """Write over the answer."""
    os.write(0, data)
    time.sleep(60)


def words(text):
    os.write(2, text)
    os.abort()


def process(seconds):
    """Start a process, as Clang is, give its number to a file, and wait for it."""
    path = os.path.join(os.environ["COMPILERS_FOLDER"], "process")
    child = subprocess.Popen(["sleep", str(seconds)])
    with open(path + ".new", "w") as file:
        file.write(str(child.pid))
    os.rename(path + ".new", path)
    child.wait()


def unpicklable():
    error = ValueError("odd")
    error.lock = threading.Lock()
    raise error


def facts():
    """What the process has inherited."""
    return {
        "pid": os.getpid(),
        "files": sorted(int(name) for name in os.listdir("/proc/self/fd")),
        "group": os.getpgrp(),
        "folder": os.getcwd(),
        "variable": os.environ.get("COMPILERS_VARIABLE"),
        "path": sys.path[0],
        "children": signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL,
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "modules": [name for name in ("numpy", "launchpath._core") if name in sys.modules],
    }


def build_crashes(opening, device, code, options):
    """In place of a driver's compiler: crash, unless it is to do without its optimizations."""
    if "-cl-opt-disable" not in options.split():
        die(signal.SIGSEGV)
    return driver_build.build(opening, device, code, options)


def build_always_crashes(opening, device, code, options):
    die(signal.SIGABRT)


def build_is_refused(opening, device, code, options):
    return driver_build.Built(b"", "the linker's words")


def build_is_not_possible(opening, device, code, options):
    return None


def build_takes_long(opening, device, code, options):
    time.sleep(60)
