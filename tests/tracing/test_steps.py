"""Steps and graphs in traces: as many records as launches, each with its node."""

from collections import Counter
from pathlib import Path

import pytest

import launchpath as lp
from launchpath._report import Entry
from launchpath._trace import format
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.tracing.conftest import Launch
from tests.tracing.raw import Raw, read


def nodes(raw: Raw) -> Counter[tuple[int, int]]:
    """Count launches by step and node."""
    return Counter((int(detail["step"]), int(detail["node"])) for _, detail in raw.dispatches())


@pytest.mark.parametrize("mode", ["host", "device", "serialized"])
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.sample(2)
def test_a_step_of_20_launches_run_256_times_has_5120_records(
    stream: lp.Stream, launch: Launch, path: Path, mode: str, frozen: bool
) -> None:
    step = lp.Step()
    for _ in range(3):  # begun before the trace
        with step:
            for i in range(20):
                launch(i)
    again = step.freeze() if frozen else None
    with lp.trace(path, mode=mode) as trace:
        for _ in range(256):
            if again is not None:
                again.launch()
                continue
            with step:
                for i in range(20):
                    launch(i)
        stream.synchronize()
    raw = read(path)
    assert len(raw.dispatches()) == 5120
    for command, _ in raw.dispatches():
        assert raw.name(command) == "mix"
    counts = nodes(raw)
    assert set(counts.values()) == {256}
    assert {node for _, node in counts} == set(range(20))
    assert len({step for step, _ in counts} - {0}) == 1
    runs = Counter(int(detail["run"]) for _, detail in raw.dispatches())
    assert len(runs) == 256
    kept_back = [command for command, _ in raw.commands() if command["flags"] & format.KEPT_BACK]
    assert len(kept_back) == (0 if frozen else 5120)
    report = (step if again is None else again).report()
    assert (report.direct, report.commands) == (0, 20 * (256 if frozen else 259))
    calls = trace.summary().calls
    assert ("launch" in calls, calls.get("launch", Entry("")).calls) == (not frozen, 0 if frozen else 5120)
    if mode != "host":
        times = raw.times()
        assert len(times) == 5120
        for command, detail in raw.dispatches():
            known = times[int(command["correlation"])]
            assert (known["node"], known["step"]) == (detail["node"], detail["step"])
    assert trace.counts["untimed"] == trace.counts["overlapped"] == 0


def test_a_part_that_is_submitted_early_goes_on_counting_nodes(stream: lp.Stream, launch: Launch, path: Path) -> None:
    step = lp.Step()
    with lp.trace(path):
        for _ in range(3):
            with step:
                for i in range(10):
                    launch(i)
                    if i == 4:
                        stream.synchronize()
        stream.synchronize()
    assert {node: n for (_, node), n in nodes(read(path)).items()} == dict.fromkeys(range(10), 3)


def test_captures_and_their_graphs(stream: lp.Stream, launch: Launch, path: Path) -> None:
    with lp.trace(path):
        stream.begin_capture()
        for i in range(6):
            launch(i)
        executable = stream.end_capture().instantiate()
        for _ in range(7):
            executable.launch(stream)
        stream.synchronize()
    raw = read(path)
    assert len(raw.dispatches()) == 42
    assert sum(bool(command["flags"] & format.KEPT_BACK) for command, _ in raw.commands()) == 6
    assert set(nodes(raw).values()) == {7}
    assert raw.calls(format.API).count("ExecutableGraph.launch") == 7


@pytest.mark.parametrize("mode", ["host", "device", "serialized"])
def test_launches_of_a_graph_on_a_stream_that_other_code_has(
    stream: lp.Stream, launch: Launch, path: Path, mode: str
) -> None:
    """They are not kept back, and are no calls of `launch` all the same."""
    stream.begin_capture()
    for i in range(6):
        launch(i)
    executable = stream.end_capture().instantiate()
    assert stream.handle
    with lp.trace(path, mode=mode) as trace:
        for _ in range(7):
            executable.launch(stream)
        stream.synchronize()
    raw = read(path)
    assert executable.report().direct > 0
    assert set(nodes(raw).values()) == {7}
    assert len({step for step, _ in nodes(raw)} - {0}) == 1
    assert len({int(detail["run"]) for _, detail in raw.dispatches()}) == 7
    assert "launch" not in trace.summary().calls
    assert trace.summary().calls["ExecutableGraph.launch"].calls == 7


@pytest.mark.parametrize("mode", ["host", "device", "serialized"])
def test_a_step_is_frozen_in_a_trace(stream: lp.Stream, launch: Launch, path: Path, mode: str) -> None:
    step = lp.Step()
    with lp.trace(path, mode=mode):
        with step:
            for i in range(3):
                launch(i)
        frozen = step.freeze()
        frozen.launch()
        stream.synchronize()
    assert len(read(path).dispatches()) == 6


def test_launches_in_a_step_that_go_to_the_driver_at_once_count_once(
    stream: lp.Stream, launch: Launch, path: Path
) -> None:
    """Where launches are serialized, the wait behind each is no command of the step."""
    step = lp.Step()
    assert stream.handle
    with lp.trace(path, mode="serialized") as trace:
        with step:
            for i in range(5):
                launch(i)
        stream.synchronize()
    assert (step.report().direct, step.report().commands) == (5, 0)
    assert trace.summary().calls["launch"].calls == len(read(path).dispatches()) == 5


def test_a_launch_that_is_kept_back_is_of_the_current_stream(machine: Machine, path: Path) -> None:
    machine.machine.background()
    streams = machine.streams(("nonblocking", "nonblocking"))
    there, b = arrays(machine, 2), arrays(machine, 1)[0]
    kernel = machine.kernel()[1, 1]
    with lp.trace(path, mode="host"), lp.Step():
        for stream, array in zip(streams, there, strict=True):
            with stream:
                kernel(array, b, 16, 5)
    raw = read(path)
    kept_back = [int(command["stream"]) for command, _ in raw.commands() if command["flags"] & format.KEPT_BACK]
    assert len(set(kept_back)) == 2
    assert kept_back == [int(command["stream"]) for command, _ in raw.dispatches()]
