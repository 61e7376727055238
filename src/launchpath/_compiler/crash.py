"""Crashes of compilers: the signals that end them, and what usually does that."""

from __future__ import annotations

import signal

CRASHES = {
    int(getattr(signal, name)): name
    for name in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP")
    if hasattr(signal, name)
}
CRASH_REASON = "a source that nests thousands of levels deep does that, and so may a defect of the compiler"
