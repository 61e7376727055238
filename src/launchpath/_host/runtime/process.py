"""Launchpath as compiled programs find it in their process."""

from __future__ import annotations

import ctypes
import os
import threading

from launchpath import _core
from launchpath._host.runtime import calls, functions, variables

_lock = threading.Lock()
_served: list[ctypes.CDLL] = []


def serve() -> None:
    """Let programs and libraries that are loaded into this process find launchpath. To call it again does nothing."""
    with _lock:
        if _served:
            return
        functions.install()
        variables.install()
        _core.register_host_caller(calls.answer)
        # The core's one exported function is found by name from then on.
        _served.append(ctypes.CDLL(_core.__file__, mode=ctypes.RTLD_GLOBAL | os.RTLD_NOLOAD))
