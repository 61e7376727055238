"""What tracing has cost, by what processes have measured: read, added up, and printed."""

from pathlib import Path
from typing import Any

import pytest

from launchpath._trace.summaries.summarize import summarize
from tests.trace.builder import FACTS, Builder, call, clocks, command

ENTRIES = ["", "cuLaunchKernel", "cuCtxSynchronize", "clFinish"]


def figure(ns: float) -> dict[str, float]:
    return {"ns": ns, "ns_low": ns - 10, "ns_high": ns + 30, "calls": 1000}


def write(path: Path, commands: int, fact: Any) -> Path:
    facts = {**FACTS, "recorder": True, "entries": ENTRIES, "mode": "host", "cost": fact}
    slots = [*clocks(), call(2, 0, 1_000_000), call(2, 10, 20, flags=1), call(3, 30, 40)]
    for number in range(commands):
        at = 1000 * (number + 1)
        slots.append(command(number + 1, at, (at, at + 500), at + 500, flags=0, number=1))
    return Builder().meta(**facts).slots(*slots).write(path)


def test_the_figure_times_the_records_of_the_driver(tmp_path: Path) -> None:
    fact = {"cuda": {"device_times": False, "command": figure(60), "call": figure(40)}}
    summary = summarize(write(tmp_path / "t", 10, fact))
    (cost,) = summary.tracing.values()
    assert (cost.commands, cost.calls, cost.time) == (10, 2, 10 * 60 + 2 * 40)  # clFinish is not CUDA's
    assert (cost.low, cost.high, cost.span) == (10 * 50 + 2 * 30, 10 * 90 + 2 * 70, 1e6)
    assert summary.as_json()["tracing"]["cuda"]["us_command"] == pytest.approx(0.06)
    line = "records of cuda took 680.00ns (560.00ns to 1.04us), 0.07% of the time: 10 commands, 60.00ns each; 2 other calls"
    assert line in str(summary)
    assert "times of the device cost" not in str(summary)  # mode host has none


def test_processes_add_up_by_their_own_figures(tmp_path: Path) -> None:
    paths = [
        write(tmp_path / "a", 10, {"cuda": {"command": figure(60), "call": figure(40)}}),
        write(tmp_path / "b", 30, {"cuda": {"command": figure(100), "call": None}}),
        write(tmp_path / "c", 50, {"cuda": {"left_out": "the driver had ended"}}),
        write(tmp_path / "d", 70, None),
    ]
    summary = summarize(paths)
    cost = summary.tracing["cuda"]
    assert (cost.commands, cost.calls, cost.time_commands, cost.time_calls) == (40, 2, 3600, 80)
    assert (cost.span, cost.share) == (2e6, 3680 / 2e6)
    assert cost.not_measured == {"the driver had ended": 1}
    assert "40 commands, 90.00ns each" in str(summary)
    assert "what records of cuda cost was not measured in 1 process: the driver had ended" in str(summary)


@pytest.mark.parametrize(
    "fact",
    [
        5, [], {"cuda": 3}, {"cuda": {"command": 3}}, {"cuda": {"command": figure(1e300)}},
        {"cuda": {"command": {"ns": True, "ns_low": "", "ns_high": None}}}, {"cuda": {"left_out": [1]}},
    ],
)  # fmt: skip
def test_facts_without_sense_are_no_figures(tmp_path: Path, fact: Any) -> None:
    summary = summarize(write(tmp_path / "t", 3, fact))
    assert all(cost.time == 0 and cost.commands == 0 for cost in summary.tracing.values())
    assert "took" not in str(summary)
