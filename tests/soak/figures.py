"""What a process holds at a moment."""

import ctypes
import gc
import os
import sys
import threading
from dataclasses import dataclass, fields
from pathlib import Path

import launchpath as lp

PAGE = os.sysconf("SC_PAGE_SIZE")


class _MallocInfo(ctypes.Structure):
    """``struct mallinfo2``: of all arenas."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        )
    )


_C = ctypes.CDLL(None)


@dataclass(frozen=True)
class Figures:
    """Bytes and counts, taken when nothing runs."""

    rss: int  # resident memory, after what is free in the heap has been given back
    heap: int  # bytes that are allocated from the C library
    free: int  # bytes that its arenas keep free: fragments
    threads: int
    files: int
    objects: int  # Python's that the collector knows
    blocks: int  # of Python's own allocator
    arrays: int

    @property
    def line(self) -> str:
        """Return it as a line to print."""
        mib = {"rss", "heap", "free"}
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return ", ".join(
            f"{name} {value / 2**20:.1f}" if name in mib else f"{name} {value}" for name, value in values.items()
        )


def take(devices: list[lp.Device]) -> Figures:
    """Let everything end, give back what is free, and measure."""
    gc.collect()
    for device in devices:
        device.synchronize()
        device.trim_memory()
    gc.collect()
    heap, free = _heap()
    if hasattr(_C, "malloc_trim"):
        _C.malloc_trim(0)
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE
    return Figures(
        rss=resident,
        heap=heap,
        free=free,
        threads=max(len(os.listdir("/proc/self/task")), threading.active_count()),
        files=len(os.listdir("/proc/self/fd")),
        objects=len(gc.get_objects()),
        blocks=sys.getallocatedblocks(),
        arrays=sum(device.pool.live for device in devices),
    )


def _heap() -> tuple[int, int]:
    if not hasattr(_C, "mallinfo2"):  # glibc before 2.33, or another C library
        return 0, 0
    _C.mallinfo2.restype = _MallocInfo
    info = _C.mallinfo2()
    return info.uordblks + info.hblkhd, info.fordblks
