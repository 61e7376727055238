"""The limit of the process's stack, which NVRTC takes away while it compiles.

It puts back what it has found. That is no limit where another thread compiles already, and where it meets a fatal
error, such as a header that is not there, it puts nothing back. Processes that are started later would have no limit.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress


class _StackLimit:
    """Keeps the limit: it is put back when the last thread leaves the ``with``."""

    def __init__(self) -> None:
        self._limit = (0, 0)
        self.begin()

    def begin(self) -> None:
        """Have no thread inside."""
        self._lock = threading.Lock()
        self._inside = 0

    def __enter__(self) -> None:
        with suppress(ImportError), self._lock:
            import resource  # noqa: PLC0415 (not on every system)

            if not self._inside:
                self._limit = resource.getrlimit(resource.RLIMIT_STACK)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with suppress(ImportError, OSError, ValueError), self._lock:
            import resource  # noqa: PLC0415

            self._inside -= 1
            if not self._inside and resource.getrlimit(resource.RLIMIT_STACK) != self._limit:
                resource.setrlimit(resource.RLIMIT_STACK, self._limit)


kept = _StackLimit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=kept.begin)  # the threads are its parent's
