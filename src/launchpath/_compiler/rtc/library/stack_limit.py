"""The limit of the process's stack, which NVRTC takes away while it compiles.

NVRTC puts back the limit that it has found. That is no limit where another thread compiles already, and where it meets
a fatal error, such as a header that is not there, it puts nothing back. Processes that are started later would then
have no limit. So `guard` notes the limit before NVRTC compiles, and sets it again afterwards.
"""

from __future__ import annotations

import os
import threading

from launchpath._logged import tell_caller


class _StackLimitGuard:
    """Puts back the limit when the last thread leaves the ``with``. It does nothing on systems without such limits."""

    def __init__(self) -> None:
        self._limit = (0, 0)  # the soft and the hard limit before the first thread entered, in bytes
        self._is_reported = False
        self.forget_threads()

    def forget_threads(self) -> None:
        """Count no thread as inside: in a forked child, the threads are its parent's."""
        self._lock = threading.Lock()
        self._threads_inside = 0

    def __enter__(self) -> None:
        try:
            import resource  # noqa: PLC0415 (not on every system)
        except ImportError:
            return
        with self._lock:
            if not self._threads_inside:
                self._limit = resource.getrlimit(resource.RLIMIT_STACK)
            self._threads_inside += 1

    def __exit__(self, *error: object) -> None:
        try:
            import resource  # noqa: PLC0415
        except ImportError:
            return
        failure: Exception | None = None
        with self._lock:
            self._threads_inside -= 1
            if self._threads_inside or resource.getrlimit(resource.RLIMIT_STACK) == self._limit:
                return
            try:
                resource.setrlimit(resource.RLIMIT_STACK, self._limit)
            except (OSError, ValueError) as refusal:
                failure = refusal
        if failure is not None and not self._is_reported:
            self._is_reported = True
            _warn(self._limit[0], resource.getrlimit(resource.RLIMIT_STACK)[0], failure)


def _warn(expected: int, remaining: int, failure: Exception) -> None:
    text = (
        f"the limit of the process's stack: expected {_shown(expected)} again after NVRTC, got {_shown(remaining)}, "
        f"because the system refuses the former ({failure}): processes that are started from now on get the latter; "
        "set it for them with `ulimit -s`"
    )
    tell_caller(text)


def _shown(limit: int) -> str:
    return "no limit" if limit < 0 else f"{limit:,} bytes"


guard = _StackLimitGuard()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=guard.forget_threads)
