"""What `launchpath why` says of a program, held against what was planted and measured."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.findings.catalogue import Program
from launchpath._findings.interval import Interval

SHARE, LEAST = 0.1, 5.0  # a prediction may be wrong by this share of what was measured, or by so many microseconds
PLAIN = (
    "program", "kinds", "us", "wide", "costs", "named", "line", "silent", "hidden", "with_fault", "without", "not_said",
)  # fmt: skip
# A trace knows the lines of calls. What happens between two calls is near one of them, by so many lines.
BETWEEN, AROUND = ("host-code", "thread-not-running", "lock"), 3
COSTS = 0.02  # a fault that costs less than this share of a repetition costs nothing


@dataclass(frozen=True)
class Prediction:
    """What a finding says that its mend saves of a repetition of the program, in microseconds."""

    kind: str
    how: str
    us: float
    measured: float

    @property
    def error(self) -> float:
        """Microseconds by which it is wrong."""
        return self.us - self.measured

    @property
    def right(self) -> bool:
        """Whether it is near enough."""
        return abs(self.error) <= max(LEAST, SHARE * abs(self.measured))

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it."""
        return {"kind": self.kind, "how": self.how, "us": self.us, "us_measured": self.measured, "right": self.right}


@dataclass
class Verdict:
    """A program on a device.

    Attributes
    ----------
    measured : dict
        What each mend saves of a repetition, in microseconds.
    wide : list of str
        The kinds whose difference is not known well: the programs' runs differ too much.
    costs : bool
        Whether the fault costs anything on this device.
    named : bool
        The planted kinds are the first ones; of a fault that costs nothing: it is not named, but for hidden ones.
    line : bool
        The first line that is named is that of the fault.
    silent : bool
        Nothing is said of the mended program.
    """

    program: str
    kinds: tuple[str, ...]
    us: float = 0.0
    measured: dict[str, Interval] = field(default_factory=dict)
    wide: list[str] = field(default_factory=list)
    costs: bool = True
    named: bool = False
    line: bool = False
    silent: bool = False
    hidden: list[str] = field(default_factory=list)
    with_fault: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    not_said: list[str] = field(default_factory=list)
    predictions: list[Prediction] = field(default_factory=list)
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it."""
        row: dict[str, Any] = {name: getattr(self, name) for name in PLAIN}
        row["us_measured"] = {kind: measured.as_json() for kind, measured in self.measured.items()}
        row["predictions"] = [prediction.as_json() for prediction in self.predictions]
        return row | ({"problem": self.problem} if self.problem else {})

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Verdict:
        """Read back what `as_json` has written."""
        plain = {name: row[name] for name in PLAIN if name in row} | {"kinds": tuple(row["kinds"])}
        measured = {kind: Interval(**interval) for kind, interval in row["us_measured"].items()}
        predictions = [
            Prediction(each["kind"], each["how"], each["us"], each["us_measured"]) for each in row["predictions"]
        ]
        return cls(**plain, measured=measured, predictions=predictions, problem=row.get("problem", ""))


def costs(measured: Interval, us: float) -> bool:
    """Whether a measured difference is one: its interval is above nothing, and it is a share that matters."""
    return measured.low > 0 and measured.value > max(LEAST, COSTS * us)


def hold(verdict: Verdict, program: Program, report: dict[str, Any]) -> None:
    """Hold the findings in the program with its faults against what was planted."""
    findings = report["findings"]
    verdict.with_fault = [finding["kind"] for finding in findings]
    verdict.hidden = [finding["kind"] for finding in report["hidden"]]
    verdict.not_said += report.get("not_said", [])
    if not verdict.costs:
        verdict.named = verdict.line = not set(program.kinds) & set(verdict.with_fault)
        return
    first = verdict.with_fault[: len(program.kinds)]
    verdict.named = sorted(first) == sorted(program.kinds)
    verdict.line = all(_names_line(program, kind, findings) for kind in program.kinds)


def _names_line(program: Program, kind: str, findings: list[dict[str, Any]]) -> bool:
    lines = program.lines().get(kind, [])
    for finding in findings:
        if finding["kind"] == kind:
            if kind in BETWEEN:
                return any(_distance(program, site, lines) <= AROUND for site in finding["sites"])
            return any(_distance(program, site, lines) == 0 for site in finding["sites"][:1])
    return False


def _distance(program: Program, site: str, lines: list[int]) -> float:
    """Count the lines between a site and the nearest one where a fault is planted; of another file: infinite."""
    file, number = _place(site)
    return min((abs(number - line) for line in lines if file == program.file.name), default=math.inf)


def _place(site: str) -> tuple[str, int]:
    """Split "path:line function" into the file's name and the line."""
    path, _, rest = site.rpartition(":")
    number = rest.split(" ")[0]
    return Path(path).name, int(number) if number.isdigit() else 0


def predictions(verdict: Verdict, report: dict[str, Any], repetitions: int) -> list[Prediction]:
    """Return what each proof of the planted kinds predicts of a repetition of the program."""
    predicted = []
    for kind, measured in verdict.measured.items():
        finding = next((each for each in report["findings"] if each["kind"] == kind), None)
        for proof in finding["proofs"] if finding and verdict.costs else ():
            if proof["us_saving"]:
                us = proof["us_saving"]["value"] * finding["repetitions"] / repetitions
                predicted.append(Prediction(kind, proof["how"], us, measured.value))
    return predicted
