"""What tracing cost a program, by what its processes have measured at their ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from launchpath._report import format_share, format_time
from launchpath._trace.labels import text_of

_PREFIXES = {"cu": "cuda", "cl": "opencl", "hip": "hip"}  # of libraries' functions
_CUPTI = "cupti"
_SANE = 1e9  # nanoseconds of a record: a file that says more was damaged


@dataclass
class TracingCost:
    """How much longer the calls of a driver took because they were recorded. Times are sums, in nanoseconds.

    A process measures at its end what a record costs. The sums are that times the number of records.

    Attributes
    ----------
    commands, calls : int
        Records of commands, each node of each run of a graph among them, and of other calls: of processes that have
        measured.
    time_commands, time_calls : int
        What these have cost.
    low, high : int
        The same for both together, by the quartiles of what was measured: half of the measurements are in between.
    span : int
        The time from the first to the last record, of all these processes together.
    device_times : bool
        Whether asking for the device's times is in it, in mode ``device``.
    not_measured : dict
        Why processes have not measured: for each reason how many.
    """

    commands: int = 0
    calls: int = 0
    time_commands: int = 0
    time_calls: int = 0
    low: int = 0
    high: int = 0
    span: int = 0
    device_times: bool = True
    not_measured: dict[str, int] = field(default_factory=dict)

    @property
    def time(self) -> int:
        """Nanoseconds of all records."""
        return self.time_commands + self.time_calls

    @property
    def share(self) -> float:
        """The part of the processes' time that tracing took, if one thread of each makes the calls."""
        return self.time / self.span if self.span else 0.0

    def merge(self, other: TracingCost) -> None:
        """Count what another one has as well: of other processes."""
        for name in ("commands", "calls", "time_commands", "time_calls", "low", "high", "span"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.device_times = self.device_times and other.device_times
        for reason, count in other.not_measured.items():
            self.not_measured[reason] = self.not_measured.get(reason, 0) + count

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        return {
            "commands": self.commands,
            "calls": self.calls,
            "us_command": _each(self.time_commands, self.commands),
            "us_call": _each(self.time_calls, self.calls),
            "us": self.time / 1e3,
            "us_low": self.low / 1e3,
            "us_high": self.high / 1e3,
            "share": self.share,
            "device_times": self.device_times,
            "not_measured": self.not_measured,
        }

    def lines(self, driver: str, timed: bool) -> list[str]:
        """Say it. `timed`: the records have times of devices."""
        lines = []
        if self.commands or self.calls:
            parts = [
                f"{count} {noun}{'s' * (count != 1)}, {format_time(time / count)} each"
                for count, noun, time in (
                    (self.commands, "command", self.time_commands),
                    (self.calls, "other call", self.time_calls),
                )
                if count
            ]
            spread = f"{format_time(self.low)} to {format_time(self.high)}"
            what = "times of cuda by CUPTI" if driver == _CUPTI else f"records of {driver}"
            lines.append(
                f"{what} took {format_time(self.time)} ({spread}), {format_share(self.share, 1)} of the "
                f"time: {'; '.join(parts)}"
                + ("; what times of the device cost is not in it" if timed and not self.device_times else "")
            )
        what = "CUPTI" if driver == _CUPTI else f"records of {driver}"
        return lines + [
            f"what {what} cost was not measured in {count} process{'es' * (count != 1)}: {reason}"
            for reason, count in sorted(self.not_measured.items())
        ]


def tracing_costs(
    fact: Any, commands: Mapping[str, int], calls: Mapping[str, int], span: int
) -> dict[str, TracingCost]:
    """Give for each driver what its records have cost.

    Parameters
    ----------
    fact : object
        What a file says of it.
    commands, calls : mapping
        Records by the library's functions.
    span : int
        Nanoseconds from the first to the last record.
    """
    costs = {}
    for driver, measured in fact.items() if isinstance(fact, dict) else ():
        if not isinstance(measured, dict):
            continue
        cost = costs[text_of(driver)] = TracingCost()
        if "left_out" in measured:
            cost.not_measured[text_of(measured["left_out"])] = 1
            continue
        cost.device_times, cost.span = measured.get("device_times") is True, span
        for noun, counts in (("command", commands), ("call", calls)):
            figure = measured.get(noun)
            typical, low, high = (_number(figure, key) for key in ("ns", "ns_low", "ns_high"))
            count = sum(number for name, number in counts.items() if driver in _drivers(name))
            if typical is None or low is None or high is None or not count:
                continue
            setattr(cost, f"{noun}s", count)
            setattr(cost, f"time_{noun}s", round(typical * count))
            cost.low, cost.high = cost.low + round(low * count), cost.high + round(high * count)
    if _CUPTI in costs and "cuda" in costs:
        costs["cuda"].device_times = True  # they have a figure of their own
    return costs


def _drivers(function: str) -> tuple[str, ...]:
    """Tell what a call costs something of. What CUPTI costs was measured of launches, and not of runs of graphs."""
    driver = next((driver for prefix, driver in _PREFIXES.items() if function.startswith(prefix)), "")
    return (driver, _CUPTI) if driver == "cuda" and not function.startswith("cuGraphLaunch") else (driver,)


def _number(figure: Any, key: str) -> float | None:
    value = figure.get(key) if isinstance(figure, dict) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if isfinite(value) and abs(value) < _SANE else None


def _each(total: float, count: int) -> float | None:
    return total / 1e3 / count if count else None
