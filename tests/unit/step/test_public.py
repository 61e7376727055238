"""`lp.Step`, `lp.step` and the report: what users see of them. What steps do is tested beside the core's other parts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import launchpath as lp
from launchpath._streams.step_report import StepReport, _cause
from tests.simulated import Machine
from tests.threads import apart


def filled(machine: Machine, count: int = 3) -> tuple[lp.Stream, list[lp.Array]]:
    (stream,) = machine.streams(("nonblocking",))
    return stream, [lp.zeros(4, "uint32", machine.device, stream) for _ in range(count)]


def test_a_step_shows_how_often_it_ran(machine: Machine) -> None:
    stream, arrays = filled(machine)
    step = lp.Step()
    assert repr(step) == "<Step, 0 runs>"
    with step:
        arrays[0].fill(1, stream)
    assert repr(step) == "<Step, 1 run>"
    frozen = step.freeze()
    assert repr(frozen) == "<FrozenStep, launched 0 times>"
    frozen.launch()
    assert repr(frozen) == "<FrozenStep, launched 1 time>"


def test_the_report_counts_what_was_kept_back_and_why_it_was_submitted(machine: Machine) -> None:
    machine.machine.automatic = True
    stream, arrays = filled(machine)
    step = lp.Step()
    for _ in range(2):
        with step:
            for array in arrays:
                array.fill(1, stream)
            arrays[0].to_numpy(stream)
            arrays[0].fill(2, stream)
    report = step.report()
    assert (report.runs, report.submissions, report.direct) == (2, 4, 0)
    assert list(report.early.values()) == [2]
    (reason,) = report.early
    lines = str(report).splitlines()
    assert (
        lines[0] == "2 runs: 12 commands (2 events among them) in 4 submissions, 0 at once"
    )  # an event behind each read
    assert f"submitted early 2 times: {reason}" in lines
    assert not [line for line in lines if line.startswith("at once")]


def test_what_goes_to_the_driver_at_once_is_counted(machine: Machine) -> None:
    machine.machine.automatic = True
    stream, arrays = filled(machine)
    step = lp.Step()
    with step:
        arrays[0].fill(1, stream)
        assert arrays[0].pointer
        arrays[1].fill(1, stream)
    report = step.report()
    assert (report.commands, report.direct, report.submissions) == (1, 1, 1)
    assert ["address" in reason for reason in report.early] == [True]
    assert "at once: other code has, or may have, the memory" in str(report)


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        ((0, 5, 0, "", "add"), "the first one, of 5 commands"),
        ((2, 5, 4, "add", "a copy"), "command 3 of 5: got a copy, expected add"),
        ((4, 5, 4, "", "add"), "5 commands, expected 4"),
        ((3, 3, 4, "add", ""), "3 commands, expected 4"),
        ((0, 1, 0, "", "add"), "the first one, of 1 command"),
        (
            (2, 5, 4, "an event", "an event", "one with a time"),
            "command 3 of 5: got an event, expected one with a time",
        ),
    ],
)
def test_causes_are_in_words(cause: Any, text: str) -> None:
    assert _cause(*cause) == text
    report = StepReport(1, 5, 0, 1, {}, 0, 0, 0, 0, 0, [_cause(*cause)])
    assert f"new sequence: {text}" in str(report).splitlines()
    assert ("stream.record" in str(report)) == ("an event" in text)


def test_a_report_counts_a_thing_once() -> None:
    assert str(StepReport(1, 1, 0, 1, {"a reason": 1}, 1, 1, 1, 0, 1024, [])).splitlines() == [
        "1 run: 1 command in 1 submission, 0 at once",
        "1 run of 1 graph: 1 command, 0 updated, 1,024 bytes compared",
        "submitted early 1 time: a reason",
    ]
    assert str(StepReport(0, 0, 0, 0, {}, 0, 0, 0, 0, 0, [])).splitlines() == [
        "0 runs: 0 commands in 0 submissions, 0 at once",
        "no graphs (no commands were kept back), 0 bytes compared",
    ]
    several = StepReport(1, 5, 0, 1, {}, 0, 0, 0, 0, 0, [], events=2, without_graph=["a reason", "another"])
    assert str(several).splitlines()[:2] == [
        "1 run: 5 commands (2 events among them) in 1 submission, 0 at once",
        "no graphs (a reason; another), 0 bytes compared",
    ]


def host_data(count: int) -> npt.NDArray[np.uint32]:
    return np.arange(count, dtype=np.uint32)


@pytest.mark.parametrize("count", [4, 40_000], ids=["small", "large"])
def test_host_data_in_a_step_is_kept_back_and_submits_nothing(machine: Machine, count: int) -> None:
    """The pieces of pinned memory, which copies before it may still use, are not looked at: that submitted early."""
    (stream,) = machine.streams(("nonblocking",))
    array = lp.asarray(host_data(count), device=machine.device, stream=stream)
    step = lp.Step()
    for _ in range(2):
        with step:
            array.copy_from(host_data(count), stream)
            array.fill(1, stream)
            array.copy_from(host_data(count), stream)
    report = step.report()
    assert (report.submissions, report.early) == (2, {})
    assert (array.to_numpy(stream) == host_data(count)).all()


def test_many_copies_of_host_data_wait_for_the_oldest(machine: Machine) -> None:
    machine.machine.automatic = True
    stream, arrays = filled(machine)
    step = lp.Step()
    with step:
        for _ in range(600):
            arrays[0].copy_from(host_data(4), stream)
    report = step.report()
    assert report.commands == 600 + report.events and report.submissions > 1
    assert ["copied more than 32 MiB of host memory, or more than 512 times" in reason for reason in report.early] == [
        True
    ]


def test_an_event_behind_an_upload_before_the_step_is_counted_and_explained(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    array = lp.asarray(host_data(40_000), device=machine.device, stream=stream)
    step = lp.Step()
    for _ in range(2):
        with step:
            array.fill(1, stream)
    report = step.report()
    assert (report.commands, report.events) == (3, 1)
    lines = str(report).splitlines()
    assert lines[0] == "2 runs: 3 commands (1 event among them) in 2 submissions, 0 at once"
    assert "new sequence: command 1 of 1: got a fill, expected an event" in lines
    assert lines[-1].startswith("an event: of stream.record") and "asarray" in lines[-1]


def test_events_of_the_program_are_counted(machine: Machine) -> None:
    stream, arrays = filled(machine)
    (other,) = machine.streams(("nonblocking",))
    step = lp.Step()
    with step:
        arrays[0].fill(1, stream)
        other.wait(stream.record())
        arrays[1].fill(1, other)
    assert (step.report().commands, step.report().events) == (3, 1)


def test_launches_of_a_frozen_step_compare_the_first_command_of_each_stream(machine: Machine) -> None:
    stream, arrays = filled(machine)
    step = lp.Step()
    with step:
        for array in arrays:
            array.fill(1, stream)
    frozen = step.freeze()
    compared = []
    for _ in range(4):
        frozen.launch()
        compared.append(frozen.report().compared)
    of_one = compared[1]
    assert compared == [0, of_one, 2 * of_one, 3 * of_one]
    with step:
        for array in arrays:
            array.fill(1, stream)
    assert 3 * of_one > step.report().compared > 2 * of_one  # of 3 commands, with what is between them


def test_the_report_says_why_there_are_no_graphs(machine: Machine) -> None:
    stream, arrays = filled(machine)
    step = lp.Step()
    reasons = []
    for _ in range(2):
        with step:
            arrays[0].fill(1, stream)
        reasons.append(str(step.report()).splitlines()[1].partition(",")[0])
    assert reasons == [
        "no graphs (no sequence of commands came a second time)",
        "no graphs (the driver of the device has none)",
    ]


def causes(machine: Machine, *bodies: Callable[[], Any]) -> list[str]:
    """How a step's runs differed: each runs one of the bodies."""
    step = lp.Step()
    for body in bodies:
        with step:
            body()
        machine.device.synchronize()
    return step.report().causes[1:]


def test_a_cause_says_what_differs_where_the_names_are_the_same(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking", "nonblocking"))
    a, b = (lp.zeros(4, "uint32", machine.device) for _ in range(2))
    rows = lp.zeros((4, 4), "uint32", machine.device)
    machine.device.synchronize()
    assert causes(machine, lambda: a.fill(1, stream), lambda: a.fill(1, other)) == [
        "command 1 of 1: got a fill, expected one on another stream"
    ]
    assert causes(
        machine,
        lambda: (a.fill(1, stream), other.wait(stream.record()), b.fill(1, other)),
        lambda: (a.fill(1, stream), stream.record(timing=True)),
    ) == ["command 2 of 2: got an event, expected one without a time"]
    with stream:
        differences = causes(machine, lambda: a.copy_from(b), lambda: rows.__setitem__((slice(None), 1), a))
    assert differences == ["command 1 of 1: got a copy of rows, expected a copy"]


def test_without_steps_nothing_is_kept_back(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    stream, arrays = filled(machine)
    monkeypatch.setenv("LAUNCHPATH_STEPS", "0")
    step = lp.Step()
    with step:
        arrays[0].fill(1, stream)
        assert machine.machine.calls["fill"]
    report = step.report()
    assert (report.runs, report.commands, report.direct) == (1, 0, 1)
    monkeypatch.setenv("LAUNCHPATH_STEPS", "maybe")
    with pytest.raises(lp.ArgumentValueError, match=r"LAUNCHPATH_STEPS: expected 0 \(off\) or 1 \(on\), got 'maybe'"):
        lp.Step()


def test_a_step_of_another_thread_is_refused() -> None:
    step = lp.Step()
    with step, pytest.raises(lp.LaunchpathError, match="create a step for each thread"):
        apart(step.__enter__)
    with step:  # it is not harmed
        pass
    assert step.report().runs == 2
