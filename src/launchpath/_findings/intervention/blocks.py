"""The blocks of an intervention, as the files of a process have them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._findings.intervention.delays import TARGETS, Delays, DelaysError, parse
from launchpath._findings.intervention.slopes import Slope, slope_of
from launchpath._trace.format import (
    API,
    CALL,
    DELAYS,
    DELAYS_SLOT,
    DEVICE_TO_HOST,
    DIRECTION,
    TIMES,
)
from launchpath._trace.records import Records

Array = NDArray[Any]
_BEHIND = 0.05  # of a block's time: if the device ends later than the host by more than that, its times count


@dataclass
class Blocks:
    """The blocks of a process.

    Attributes
    ----------
    delays : Delays or None
        What was delayed. None: nothing was.
    slots : numpy.ndarray
        The ``DELAYS`` slots, in their order.
    begin, end : numpy.ndarray
        For each block when it began and ended, nanoseconds of the monotonic clock.
    time, spent : numpy.ndarray
        For each block the time of a repetition, and what delays have taken of it, nanoseconds. Where the program waits
        for the device in each repetition, a typical one's. Else a block's mean; and where the device is behind the
        host, a block lasts until the work has ended that was submitted in it.
    by_device : bool
        Whether times of the device were needed.
    anchors : int
        How often the anchor has occurred; -1: the file does not say it.
    not_said : list of str
        Why there are no blocks, or no slopes.
    """

    delays: Delays | None = None
    slots: Array = field(default_factory=lambda: numpy.zeros(0, DELAYS_SLOT))
    begin: Array = field(default_factory=lambda: numpy.zeros(0))
    end: Array = field(default_factory=lambda: numpy.zeros(0))
    time: Array = field(default_factory=lambda: numpy.zeros(0))
    spent: Array = field(default_factory=lambda: numpy.zeros(0))
    by_device: bool = False
    anchors: int = -1
    not_said: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.slots)

    @property
    def disturbance(self) -> float:
        """How many times as long a repetition took in the mean of all blocks as a typical one."""
        whole = float((self.end - self.begin).sum())
        usual = float((self.time * self.slots["repetitions"]).sum())
        return whole / usual if usual > 0 else 1.0

    @property
    def seconds(self) -> float:
        """What all blocks have taken, with the repetitions between them."""
        return float(self.end[-1] - self.begin[0]) / 1e9 if len(self) else 0.0

    def slope(self, target: str) -> Slope:
        """Compute the slope of a target. Blocks without delay are those of all targets."""
        assert self.delays is not None
        mine = (self.slots["target"] == TARGETS[target]) | (self.slots["delay"] == 0)
        repetitions = self.slots["repetitions"][mine]
        slope = slope_of(
            (self.slots["number"] // len(self.delays.arms))[mine].astype("f8"),
            self.slots["delay"][mine].astype("f8"),
            self.spent[mine],
            self.time[mine],
            (self.slots["delays"][mine] / repetitions).astype("f8"),
            self.seconds,
        )
        return replace(slope, interval=None) if self.not_said else slope


def read_blocks(paths: Iterable[str | os.PathLike[str]]) -> Blocks:
    """Read the blocks of a program: of that of its processes which has most of them."""
    processes: dict[int, list[str]] = {}
    for path in [os.fspath(each) for each in paths]:
        with Records(path) as records:
            processes.setdefault(records.process.pid or -1, []).append(path)
    read = [_read_process(files) for files in processes.values()]
    asked = [blocks for blocks in read if blocks.delays is not None or blocks.not_said]
    if not asked:
        return Blocks(not_said=["nothing was delayed: no process of the program has begun a trace with delays"])
    return max(asked, key=lambda blocks: (len(blocks), blocks.anchors))


def _read_process(paths: Sequence[str]) -> Blocks:
    """Read the blocks of one process: the recorder and launchpath write a file each."""
    blocks = Blocks()
    works: list[tuple[Array, Array]] = []
    waits: list[Array] = []
    for path in paths:
        with Records(path) as records:
            slots = _read_file(records, blocks, works, waits)
            if len(slots):
                blocks.slots = slots
                blocks.begin, blocks.end = records.host(slots["begin"]), records.host(slots["end"])
    if len(blocks):
        rate = (blocks.end - blocks.begin) / (blocks.slots["end"].astype("f8") - blocks.slots["begin"])
        blocks.spent = blocks.slots["spent"] * rate / blocks.slots["repetitions"]
        waited = numpy.sort(numpy.concatenate([*waits, numpy.zeros(0, "i8")]))
        in_block = numpy.searchsorted(waited, blocks.end) - numpy.searchsorted(waited, blocks.begin)
        if numpy.median(in_block / blocks.slots["repetitions"]) >= 1:
            blocks.time, blocks.spent = blocks.slots["typical"] * rate, blocks.slots["typical_spent"] * rate
            return blocks
        begin, end = _by_device(blocks, works) if works else (blocks.begin, blocks.end)
        blocks.time = (end - begin) / blocks.slots["repetitions"]
        if not works and not numpy.median(in_block) >= 1:
            blocks.not_said.append(
                "the trace has no times of the device, and the program does not wait for it: how long a repetition of "
                "the device takes is not known"
            )
    elif blocks.delays is not None:
        blocks.not_said.append(_no_blocks(blocks))
    return blocks


def _no_blocks(blocks: Blocks) -> str:
    assert blocks.delays is not None
    anchor, delays = blocks.delays.anchor, blocks.delays
    if blocks.anchors == 0:
        return f"anchor {anchor} did not occur: no blocks"
    needed = delays.every * (1 + delays.warmup + delays.settle + delays.repetitions)
    if blocks.anchors < 0:
        return f"the process has ended without a word of the anchor {anchor}, and has no blocks"
    return f"anchor {anchor} occurred {blocks.anchors} times: no blocks, the first one needs {needed}"


def _read_file(
    records: Records,
    blocks: Blocks,
    works: list[tuple[Array, Array]],
    waits: list[Array],
) -> Array:
    meta = records.file.meta
    asked, seen = meta.get("delays"), meta.get("delays_seen")
    if isinstance(asked, dict) and isinstance(asked.get("text"), str):
        try:
            blocks.delays = parse(asked["text"])
        except DelaysError as error:
            blocks.not_said.append(f"the delays of the file cannot be read: {error}")
    elif isinstance(asked, dict):
        blocks.not_said.append(f"nothing was delayed: {asked.get('refused')}")
    if isinstance(seen, dict) and isinstance(seen.get("anchors"), int):
        blocks.anchors = max(blocks.anchors, seen["anchors"])
    slots = [numpy.zeros(0, DELAYS_SLOT)]
    waiting = {
        kind: numpy.array(numbers, "i8")
        for kind, numbers in zip((API, CALL), records.labels.synchronizing(), strict=True)
    }
    for chunk in records.chunks():
        if chunk.counts[DELAYS]:
            slots.append(chunk.slots_of(DELAYS))
        if chunk.counts[TIMES]:
            placed = records.placed(chunk.slots_of(TIMES))
            ran = ~placed.failed
            works.append((placed.enqueued[ran], placed.end[ran]))
        commands = chunk.commands()[0]
        if len(commands):
            waits.append(records.host(commands["end"][commands["flags"] & DIRECTION == DEVICE_TO_HOST]))
        for kind, numbers in waiting.items():
            calls = chunk.slots_of(kind)
            waits.append(records.host(calls["end"][numpy.isin(calls["entry"], numbers) & (calls["parent"] == 0)]))
    found = numpy.concatenate(slots)
    return found[numpy.argsort(found["begin"], kind="stable")]


def _by_device(blocks: Blocks, works: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Give begins and ends of blocks. Where the host runs ahead of the device by much, the device's work ends them.

    A block has then ended when the last command has that was submitted until then. For a program that is ahead by less
    the host's clock is the better one.
    """
    enqueued, end = (numpy.concatenate(each) for each in zip(*works, strict=True))
    order = numpy.argsort(enqueued, kind="stable")
    enqueued, latest = enqueued[order], numpy.maximum.accumulate(end[order])

    def ended(times: Array) -> Array:
        places = numpy.searchsorted(enqueued, times)
        last = numpy.where(places > 0, latest[numpy.maximum(places - 1, 0)], times)
        return numpy.maximum(times, last)

    behind = numpy.median(ended(blocks.end) - blocks.end)
    blocks.by_device = bool(behind > _BEHIND * numpy.median(blocks.end - blocks.begin))
    return (ended(blocks.begin), ended(blocks.end)) if blocks.by_device else (blocks.begin, blocks.end)
