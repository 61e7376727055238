"""The slots of a trace's file, read by the format alone, for tests."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from launchpath._trace import format


@dataclass
class Raw:
    """The slots of a file, by thread, and its counters, names and metadata."""

    counters: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    threads: dict[int, list[np.ndarray]] = field(default_factory=dict)
    frames: list[np.void] = field(default_factory=list)  # of calls that threads were in: command slots

    def slots(self, kind: int) -> np.ndarray:
        """All slots of a kind."""
        parts = [part[part[:, 0] == kind] for parts in self.threads.values() for part in parts]
        return np.concatenate(parts or [np.zeros((0, 64), "u1")]).view(format.LAYOUTS[kind])[:, 0]

    def commands(self) -> list[tuple[np.void, np.void]]:
        """Commands with their details."""
        pairs = []
        for parts in self.threads.values():
            slots = np.concatenate(parts)
            (at,) = np.nonzero(slots[:, 0] == format.COMMAND)
            assert (slots[at + 1, 0] == format.DETAIL).all()
            heads = slots[at].view(format.COMMAND_SLOT)[:, 0]
            pairs += zip(heads, slots[at + 1].view(format.DETAIL_SLOT)[:, 0], strict=True)
        return sorted(pairs, key=lambda pair: int(pair[0]["begin"]))

    def dispatches(self) -> list[tuple[np.void, np.void]]:
        """Launches that were submitted to the driver."""
        return [
            (command, detail)
            for command, detail in self.commands()
            if detail["command"] == format.LAUNCH and not command["flags"] & format.KEPT_BACK
        ]

    def times(self) -> dict[int, np.void]:
        """Times by the command's correlation id."""
        slots = self.slots(format.TIMES)
        times = {int(slot["correlation"]): slot for slot in slots}
        assert len(times) == len(slots)
        return times

    def name(self, command: np.void) -> str:
        """Return the kernel's name; empty for a copy or a fill."""
        return self.names[int(command["name"])] if command["name"] else ""

    def calls(self, kind: int = format.CALL) -> list[str]:
        """Names of the driver's calls, or launchpath's, in their order."""
        slots = np.sort(self.slots(kind), order="begin")
        names = self.meta["entries" if kind == format.CALL else "api"]
        return [names[slot["entry"]] for slot in slots]


def read(path: str | Path) -> Raw:
    """Read a file, and check that it is whole: no block is missing, and no slot of a ring."""
    data = np.fromfile(path, "u1")
    raw, at, seen = Raw(), 0, {}
    rings = []
    while at < len(data):
        block = data[at : at + 64].view(format.BLOCK)[0]
        if block["magic"] == 0:  # not written yet, or never
            at += format.PAGE
            continue
        assert block["magic"] == format.MAGIC, (at, len(data))
        body = data[at + 64 : at + int(block["size"])]
        if block["kind"] == format.HEADER:
            values = body[: 8 * len(format.COUNTERS)].view("<u8")
            raw.counters = dict(zip(format.COUNTERS, map(int, values), strict=True))
        elif block["kind"] == format.SLOTS:
            first, count = int(block["first"]), int(block["count"])
            assert seen.get(int(block["ring"]), 0) == first
            seen[int(block["ring"])] = first + count
            slots = body[: 64 * count].reshape(-1, 64)
            assert len(slots) == count
            raw.threads.setdefault(int(block["thread"]), []).append(slots)
        elif block["kind"] == format.NAMES:
            number, size = map(int, body[:8].view("<u4"))
            raw.names[number] = bytes(body[8 : 8 + size]).decode()
        elif block["kind"] == format.META:
            raw.meta |= json.loads(bytes(body[: int(block["count"])]))
        else:
            assert block["kind"] == format.RING
            rings.append((block, data[at : at + int(block["size"])]))
        at += int(block["size"])
    for block, ring in rings:
        _read_ring(raw, block, ring, seen.get(int(block["ring"]), 0))
    return raw


def _read_ring(raw: Raw, block: np.void, ring: np.ndarray, drained: int) -> None:
    """Take slots that stand in a ring only."""
    head, capacity = int(ring[format.RING_HEAD :][:8].view("<u8")[0]), int(block["capacity"])
    slots = ring[format.RING_SLOTS :].reshape(-1, 64)
    if head > drained:
        raw.threads.setdefault(int(block["thread"]), []).append(slots[np.arange(drained, head) % capacity])
    if ring[format.RING_FRAME]:
        raw.frames.append(ring[format.RING_FRAME :][:64].view(format.COMMAND_SLOT)[0])
