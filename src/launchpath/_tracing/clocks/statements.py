"""What others say of a host's time of day: chrony, PTP and the kernel.

This is about the time since 1970, and UTC; the times of a trace are of the monotonic clock. It is noted beside what was
measured, and nothing is computed from both.
"""

from __future__ import annotations

import ctypes
import math
import re
import shutil
import subprocess
from typing import Any

_PATIENCE = 2.0  # seconds for a program
_UNSYNCHRONIZED = 0x40  # STA_UNSYNC
_KEYS = re.compile(r"^\s*(\w+)\s+(\S+)\s*$", re.MULTILINE)


def statements() -> dict[str, Any]:
    """Ask all of them that are there. This starts programs, so it is not for a process that is traced.

    Returns
    -------
    dict
        ``chrony``: ``source``, and in nanoseconds ``offset`` and ``bound``, which is chrony's own: offset, dispersion
        and half of the delay to its source. ``ptp``: ``source``, ``offset``, ``delay``. ``kernel``: see `kernel`. What
        there is not is left out.
    """
    told = {
        "chrony": chrony(_output(["chronyc", "-n", "-c", "tracking"])),
        "ptp": ptp(_output(["pmc", "-u", "-b", "0", "GET TIME_STATUS_NP", "GET CURRENT_DATA_SET"])),
        "kernel": kernel(),
    }
    return {name: facts for name, facts in told.items() if facts}


def chrony(text: str) -> dict[str, Any]:
    """Read what ``chronyc -c tracking`` prints; empty if it is not that, or chrony has no source."""
    fields = text.strip().split(",")
    if len(fields) < 14 or not fields[1] or fields[13] == "Not synchronised":
        return {}
    try:
        offset, delay, dispersion = (float(fields[place]) for place in (4, 10, 11))
    except ValueError:
        return {}
    if not all(map(math.isfinite, (offset, delay, dispersion))):
        return {}
    bound = abs(offset) + dispersion + delay / 2
    return {"source": fields[1], "offset": round(offset * 1e9), "bound": math.ceil(bound * 1e9)}


def ptp(text: str) -> dict[str, Any]:
    """Read what linuxptp's ``pmc`` prints; empty if there is no grandmaster."""
    told = dict(_KEYS.findall(text))
    if told.get("gmPresent") != "true":
        return {}
    try:
        offset, delay = float(told["master_offset"]), float(told.get("meanPathDelay", "0"))
    except (KeyError, ValueError):
        return {}
    if not math.isfinite(offset) or not math.isfinite(delay):
        return {}
    return {"source": told.get("gmIdentity", ""), "offset": round(offset), "delay": round(delay)}


class _Timex(ctypes.Structure):
    """``struct timex`` of 64-bit Linux."""

    _fields_ = [
        ("modes", ctypes.c_uint),
        *[(name, ctypes.c_long) for name in ("offset", "freq", "maxerror", "esterror")],
        ("status", ctypes.c_int),
        *[(name, ctypes.c_long) for name in ("constant", "precision", "tolerance", "sec", "usec", "tick")],
        ("rest", ctypes.c_byte * 256),
    ]


def kernel() -> dict[str, Any]:
    """Ask the kernel: ``synchronized``, and in nanoseconds ``bound``, by how much it may be wrong, and ``estimate``.

    A daemon tells it these. Empty where there is no such call.
    """
    try:
        timex = _Timex()
        state = ctypes.CDLL(None).adjtimex(ctypes.byref(timex))
    except (AttributeError, OSError):
        return {}
    if state < 0:
        return {}
    synchronized = not timex.status & _UNSYNCHRONIZED
    return {"synchronized": synchronized, "bound": timex.maxerror * 1000, "estimate": timex.esterror * 1000}


def _output(command: list[str]) -> str:
    program = shutil.which(command[0])
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
