"""Which clock a process has: two processes with the same identity read the same monotonic clock."""

from __future__ import annotations

import os
import socket

_BOOT = "/proc/sys/kernel/random/boot_id"
_NAMESPACE = "/proc/self/ns/time"


def identity() -> str:
    """Name this process's monotonic clock.

    That is the system's start, and the time namespace, in which a container may have a clock of its own. Where the
    system does not tell its start the host's name stands for it.
    """
    try:
        with open(_BOOT, encoding="ascii") as file:
            start = file.read().strip()
    except (OSError, ValueError):
        return f"host {socket.gethostname()}"
    try:
        return f"{start} {os.readlink(_NAMESPACE)}"
    except OSError:  # a kernel without time namespaces
        return start
