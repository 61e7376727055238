"""The result of a benchmark: measured rows, and figures computed from them with their requirements."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


def scaled(us: float, digits: int = 2) -> str:
    """Write microseconds; thousands of them as milliseconds or seconds."""
    if abs(us) < 1e3:
        return f"{us:.{digits}f} us"
    return f"{us / 1e3:.1f} ms" if abs(us) < 1e6 else f"{us / 1e6:.2f} s"


@dataclass(frozen=True)
class Row:
    """One case of one subject: host time of a launch, or what else the result says."""

    # who launched: ``launchpath``, ``c``, ``pyopencl``, ``cupy``, ``opencl`` (written by hand in OpenCL C), ...
    subject: str
    # ``arguments``, ``idle_streams``, ``busy_streams``, ``ordering``, ``synchronize``, ``busy_thread``, ``kernel``...
    case: Mapping[str, Any]
    # median, least and greatest of the blocks, in microseconds a launch
    us: float
    us_min: float
    us_max: float
    runs: int  # how many blocks
    blocks: tuple[float, ...] = ()  # each of them, in the order of the rounds; empty where only the summary was kept
    # bytes of device memory that the subject's pool took from the driver meanwhile and kept, where that is measured
    held: int | None = None

    @classmethod
    def of(cls, subject: str, case: Mapping[str, Any], blocks: Sequence[float]) -> Row:
        """Summarize the blocks, each in microseconds a launch."""
        return cls(subject, case, statistics.median(blocks), min(blocks), max(blocks), len(blocks), tuple(blocks))

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Row:
        """Read what `as_json` wrote."""
        us, least, most = (float(row[name]) for name in ("us", "us_min", "us_max"))
        blocks = tuple(row.get("blocks", ()))
        return cls(row["subject"], row["case"], us, least, most, int(row["runs"]), blocks, row.get("held"))

    def minus(self, other: Row) -> float:
        """Give the median of the rounds' differences in microseconds.

        Both were measured once in each round: what slows the machine for longer than a round is in both. Of rows
        without rounds in common the medians are compared.
        """
        if self.blocks and len(self.blocks) == len(other.blocks):
            return statistics.median(
                block - other_block for block, other_block in zip(self.blocks, other.blocks, strict=True)
            )
        return self.us - other.us

    def over(self, other: Row) -> float:
        """Give the median of the rounds' ratios; see `minus`."""
        if self.blocks and len(self.blocks) == len(other.blocks):
            return statistics.median(
                block / other_block for block, other_block in zip(self.blocks, other.blocks, strict=True)
            )
        return self.us / other.us

    def as_json(self) -> dict[str, Any]:
        """Give the row as JSON takes it."""
        return {
            "subject": self.subject,
            "case": dict(self.case),
            "us": round(self.us, 4),
            "us_min": round(self.us_min, 4),
            "us_max": round(self.us_max, 4),
            "runs": self.runs,
            **({"blocks": [round(block, 4) for block in self.blocks]} if self.blocks else {}),
            **({} if self.held is None else {"held": self.held}),
        }


@dataclass(frozen=True)
class Figure:
    """A number made of a row and what it is held against."""

    row: Row  # where it is printed
    against: str  # what the row is compared with, in words
    value: float
    # ``us`` (a difference in microseconds), ``time`` (microseconds), ``ratio``, ``GB/s``, ``blocks`` (of memory) or
    # ``markers``
    kind: str = "ratio"
    at_most: float | None = None  # what is required, if anything is
    at_least: float | None = None  # what is required, if anything is

    @property
    def met(self) -> bool:
        """Whether the requirement holds; True if there is none."""
        return (self.at_most is None or self.value <= self.at_most) and (
            self.at_least is None or self.value >= self.at_least
        )

    def text(self, value: float | None = None) -> str:
        """Write the value, or another one of its kind."""
        value = self.value if value is None else value
        if self.kind == "us":
            return f"{value:+.2f} us" if abs(value) < 1e3 else f"{value / 1e3:+.1f} ms"
        if self.kind == "markers":
            return f"{value:.0f} markers"
        if self.kind == "time":
            return scaled(value)
        if self.kind in ("GB/s", "blocks"):
            return f"{value:.2f} {self.kind}"
        return f"{value:.2f} x" if value < 10 else f"{value:.1f} x"

    def requirement(self) -> str:
        """Write what is required, and whether it was missed; empty if nothing is."""
        if self.at_most is not None:
            text = f"at most {self.text(self.at_most)}"
        elif self.at_least is not None:
            text = f"at least {self.text(self.at_least)}"
        else:
            return ""
        return text if self.met else f"{text}: MISSED"


@dataclass
class Result:
    """A benchmark's outcome on one device."""

    benchmark: str
    device: str  # its name
    rows: list[Row] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # peers that were not measured, and why
    measured: str = "host time of a launch"  # what the rows' times are of
    versions: dict[str, str] = field(default_factory=dict)  # of peers

    def find(self, subject: str, **case: Any) -> Row:
        """Give the row of a subject whose case is exactly this.

        Raises
        ------
        KeyError
            There is none.
        """
        for row in self.rows:
            if row.subject == subject and row.case == case:
                return row
        raise KeyError(f"no row of {subject} for {case}")

    def compare(
        self, row: Row, other: Row, against: str, at_most: float | None = None, at_least: float | None = None
    ) -> None:
        """Add the ratio of two rows as a figure, with what it must be."""
        self.figures.append(Figure(row, against, row.over(other), at_most=at_most, at_least=at_least))

    @property
    def missed(self) -> list[Figure]:
        """Figures that do not meet what is required."""
        return [figure for figure in self.figures if not figure.met]

    def as_json(self) -> dict[str, Any]:
        """Give the result as JSON takes it."""
        return {
            "benchmark": self.benchmark,
            "device": self.device,
            "rows": [row.as_json() for row in self.rows],
            **({"versions": self.versions} if self.versions else {}),
        }
