"""Regions of a program that repeat, and where the time of a repetition goes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from launchpath._findings.anchor import Anchor
from launchpath._findings.interval import Interval

# Where a region comes from.
RANGE, STEP, REPETITION = "range", "step", "repetition"

# What a region's time depends on.
HOST, DEVICE, NEITHER, UNKNOWN = "host", "device", "neither", "unknown"

# Why a device is idle: the keys of `RegionSummary.idle`. docs/findings.md says what each means.
CAUSES = (
    "synchronize",
    "copy",
    "upload",
    "allocation",
    "load and compile",
    "lock",
    "GIL",
    "thread not running",
    "other stream",
    "host code",
    "launching",
    "launch latency",
    "query",
    "tracing",
    "other",
)


@dataclass(frozen=True)
class Share:
    """What a device runs for a part of a repetition.

    Attributes
    ----------
    name : str
        A kernel, or the function of a copy or a fill.
    role : str
        ``kernel``, ``copy`` or ``fill``.
    part : float
        Of the time of a repetition, from 0 to 1: the union of its runs.
    """

    name: str
    role: str
    part: float


@dataclass
class RegionSummary:
    """A region of a program that repeats, and where the time of a repetition goes.

    Attributes
    ----------
    name : str
        A range's or a step's name, or the first kernel of the sequence that repeats.
    source : str
        How it is known: `RANGE`, `STEP` or `REPETITION`: found in the records.
    thread : str
        The thread that runs it.
    repetitions : int
    period : Interval
        Nanoseconds of one repetition.
    busy : float
        The share of a repetition in which a device works, from 0 to 1: the union of its works.
    idle : dict
        Nanoseconds of a repetition in which no device works, by cause: `CAUSES`. With the busy time they are `period`.
    works : list of Share
        What the device runs for most of the time, the longest first.
    bound : str
        What its time depends on: `HOST`, `DEVICE`, `NEITHER` alone, or `UNKNOWN`.
    anchor : Anchor or None
        What tells the repetitions of the running program.
    counts : dict
        How many calls of a repetition an intervention can delay: ``submissions``, ``synchronizations``, ``copies``; and
        ``host-code``, nanoseconds.
    mean : float
        Nanoseconds of a repetition in the mean: more than `period`, its typical time, where some take far longer.
    own : bool
        Whether the calls are launchpath's own, so that its mends can be forced.
    """

    name: str
    source: str
    thread: str
    repetitions: int
    period: Interval
    busy: float
    idle: dict[str, float] = field(default_factory=dict)
    works: list[Share] = field(default_factory=list)
    bound: str = UNKNOWN
    anchor: Anchor | None = None
    counts: dict[str, float] = field(default_factory=dict)
    mean: float = 0.0
    own: bool = False

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        return {
            "name": self.name,
            "source": self.source,
            "thread": self.thread,
            "repetitions": self.repetitions,
            "us_repetition": self.period.scaled(1e-3).as_json(),
            "us_repetition_mean": self.mean / 1e3,
            "busy": self.busy,
            "us_idle": {cause: time / 1e3 for cause, time in self.idle.items()},
            "works": [{"name": each.name, "role": each.role, "share": each.part} for each in self.works],
            "bound": self.bound,
        }
