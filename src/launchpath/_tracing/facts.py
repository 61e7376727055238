"""Facts that stand in a trace's file beside the records: about the process, its devices and its clock."""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

from launchpath import _core
from launchpath._streams.device import Device
from launchpath._tracing.file_name import rank
from launchpath._version import __version__


def process_facts() -> dict[str, Any]:
    """Tell what this process is."""
    return {
        "pid": os.getpid(),
        "rank": rank(),
        "host": socket.gethostname(),
        "argv": list(sys.argv),
        "executable": sys.executable,
        "python": sys.version.split()[0],
        "launchpath": __version__,
        "processors": _processors(),
    }


def _processors() -> int:
    """Count the processors that this process may use: a device's threads may have others than the program's."""
    try:
        threads = os.listdir("/proc/self/task")
        return len(set().union(*map(os.sched_getaffinity, map(int, threads))))
    except (OSError, AttributeError):  # a thread has ended meanwhile, or the system has no such calls
        return os.cpu_count() or 0


def device_facts(device: Device) -> dict[str, Any]:
    """Tell what a device is, and which names its library's functions have."""
    info = device.info
    facts = {key: info.get(key, "") for key in ("name", "driver", "platform", "vendor", "kind")}
    facts["units"] = info.get("compute_units", 0)
    if info.get("pci_bus"):
        facts["pci_bus"] = info["pci_bus"]  # of the host: processes that have the same one share the device
    return facts | {"library": _core.device_traits(device).get("calls", facts["driver"])}


def processors_share_clock() -> bool:
    """Whether the system itself takes its time from the processor's counter: then all processors' agree."""
    try:
        with open("/sys/devices/system/clocksource/clocksource0/current_clocksource", encoding="ascii") as file:
            return file.read().strip() == "tsc"
    except OSError:
        return False


def findings_facts(wanted: bool) -> dict[str, Any]:
    """Give what the file says of findings, if they are wanted: whether source lines are there, and why not."""
    if not wanted:
        return {}
    source, reason = _core.trace_findings()
    return {"findings": True, "sites": {"from": source} | ({"left_out": reason} if reason else {})}


def delays_facts() -> dict[str, Any]:
    """Give the delays that were asked for, or why they are refused; empty: none were."""
    delays = _core.trace_delays()
    if delays is None:
        return {}
    text, refused, _, _ = delays
    return {"delays": {"refused": refused} if refused else {"text": text}}


def delays_seen() -> dict[str, Any]:
    """Give how often the anchor of the delays has occurred, and how many blocks there were; empty: no delays."""
    delays = _core.trace_delays()
    if delays is None or delays[1] is not None:
        return {}
    return {"delays_seen": {"anchors": delays[2], "blocks": delays[3]}}
