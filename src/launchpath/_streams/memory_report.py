"""The report of a device's memory, for people to read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from launchpath import _core

if TYPE_CHECKING:
    from launchpath._streams.device import Device  # which imports this module

_STATES = ("in use", "waiting", "free")
_KINDS = ("device memory", "pinned host memory", "managed memory")  # by the number that the core gives
_LARGEST = 12  # sizes that are listed; the others are summed up
_COUNTS = (
    ("allocations", "allocations"),
    ("reused_in_order", "of them in the order of a stream, of memory that its own work still used"),
    ("ordered", "waits of other streams for such memory"),
    ("waits", "waits of the host for memory"),
    ("driver_allocations", "calls of the driver to allocate"),
    ("driver_frees", "calls of the driver to free"),
)


def memory_report(device: Device) -> str:
    """Write which sizes a device's pool holds, what waits for which work, and what it has done."""
    info = device.memory_info()
    extents = _core.memory_extents(device)
    lines = [f"{device.name}: {_size(info['total'] - info['free'])} of {_size(info['total'])} are taken"]
    for kind, title in enumerate(_KINDS):
        lines += _table(title, [extent for extent in extents if extent[2] == kind])
    waits: Counter[str] = Counter()
    for nbytes, state, _, users in extents:
        if state == "waiting":
            for stream, queue, number in users:
                waits[f"{stream} stream, queue {queue}, up to its command {number}"] += nbytes
    lines += [f"{_size(nbytes)} wait for: {text}" for text, nbytes in waits.most_common(_LARGEST)]
    return "\n".join(lines + [f"{info[name]:,} {text}" for name, text in _COUNTS])


def _table(title: str, extents: list[tuple[int, str, int, list[tuple[str, int, int]]]]) -> list[str]:
    if not extents:
        return []
    counts = Counter((nbytes, state) for nbytes, state, *_ in extents)
    sizes = sorted({nbytes for nbytes, _ in counts}, key=lambda nbytes: -nbytes * _times(counts, nbytes))
    lines = [f"{title:20}" + "".join(f"{state:>16}" for state in _STATES)]
    for nbytes in sizes[:_LARGEST]:
        lines.append(f"{_size(nbytes):>20}" + "".join(f"{counts[nbytes, state]:>16,}" for state in _STATES))
    if len(sizes) > _LARGEST:
        others = set(sizes[_LARGEST:])
        rest: Counter[str] = Counter()
        for (nbytes, state), n in counts.items():
            rest[state] += n if nbytes in others else 0
        lines.append(f"{'other sizes':>20}" + "".join(f"{rest[state]:>16,}" for state in _STATES))
    total = {state: sum(nbytes * n for (nbytes, s), n in counts.items() if s == state) for state in _STATES}
    lines.append(f"{'all':>20}" + "".join(f"{_size(total[state]):>16}" for state in _STATES))
    return lines


def _times(counts: Counter[tuple[int, str]], nbytes: int) -> int:
    return sum(counts[nbytes, state] for state in _STATES)


def _size(nbytes: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if nbytes < 1024 or unit == "GiB":
            break
        nbytes /= 1024
    return f"{nbytes:,.0f} {unit}" if unit == "bytes" else f"{nbytes:,.1f} {unit}"
