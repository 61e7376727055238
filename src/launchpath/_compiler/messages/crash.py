"""Crashes of compilers: the signals that end them, and the usual cause."""

from __future__ import annotations

import signal

CRASHES = {
    int(getattr(signal, name)): name
    for name in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP")
    if hasattr(signal, name)
}
CRASH_REASON = "the source may nest thousands of levels deep, or the compiler may have a defect"
