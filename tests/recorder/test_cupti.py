"""Times of CUDA devices: CUPTI, loaded by the driver into a program that knows nothing of it, on the stand-ins."""

import os
import subprocess
import time
from collections import Counter
from pathlib import Path

import numpy
import pytest

import launchpath as lp
from launchpath._recorder.environment import OPTIONS, loading
from tests.recorder import cuda_random
from tests.recorder.programs import compiled, traced
from tests.standin.build import library
from tests.standin.client import IMAGE

FIRST, SECOND = "130001", "130500"  # versions of CUPTI: with records as they are, and of chosen fields


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("cuda_times", tmp_path_factory.mktemp("program"))


def run(program: Path, folder: Path, scene: str, *options: str, **variables: str) -> lp.SavedTrace:
    (folder / "image").write_bytes(IMAGE)
    done = traced(
        folder,
        program,
        library("cuda"),
        scene,
        folder / "image",
        options=options,
        **{**cuda_random.standin_variables(), **variables},
    )
    assert done.returncode == 0, done.stderr
    return lp.read_trace(folder / "t.lptrace")


def commands(saved: lp.SavedTrace) -> dict[str, numpy.ndarray]:
    (table,) = saved.dispatches()
    return table


def check_times(table: dict[str, numpy.ndarray], chosen: numpy.ndarray) -> None:
    timed = {name: column[chosen] for name, column in table.items()}
    assert timed["timed"].all()
    assert (timed["driver_begin"] <= timed["started"]).all()
    assert (timed["started"] <= timed["ended"]).all()


@pytest.mark.parametrize("version", [FIRST, SECOND])
def test_each_command_has_times(program: Path, tmp_path: Path, version: str) -> None:
    saved = run(program, tmp_path, "commands", STANDIN_CUPTI_VERSION=version)
    table = commands(saved)
    accepted = ~table["failed"]
    assert Counter(table["function"][accepted].tolist()) == {
        "cuLaunchKernel": 100, "cuMemsetD8Async": 5, "cuMemcpyAsync": 5}  # fmt: skip
    counted = accepted & ((table["command"] == "launch") | (version == SECOND))
    check_times(table, counted)
    # CUPTI 13.0 crashes programs whose threads copy: their commands go without times
    assert saved.summary().counts["untimed"] == (0 if version == SECOND else 10)
    assert saved.summary().counts["unfinished"] == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize("version", ["120900", SECOND])
@pytest.mark.parametrize("clones", ["0", "1", "2"])
def test_times_of_a_graph_are_those_of_its_nodes(program: Path, tmp_path: Path, version: str, clones: str) -> None:
    saved = run(program, tmp_path, "graph", STANDIN_CUPTI_VERSION=version, STANDIN_CUPTI_CLONES=clones)
    table = commands(saved)
    nodes = table["function"] == "cuGraphLaunch"
    assert Counter(zip(table["name"][nodes], table["command"][nodes], strict=True)) == {
        ("nothing", "launch"): 12, ("deep", "launch"): 9, ("", "fill"): 7, ("", "copy"): 7}  # fmt: skip
    check_times(table, nodes)
    for run_ in range(1, 8):
        of_run = {name: column[nodes & (table["run"] == run_)] for name, column in table.items()}
        order = numpy.argsort(of_run["node"])
        assert of_run["node"][order].tolist() == [0, 1, 2, 3, 4]
        assert (numpy.diff(of_run["started"][order]) > 0).all()  # a node's times are its own
    assert saved.summary().counts["not_understood"] == 0
    kept = table["function"] != "cuGraphLaunch"
    assert not table["timed"][kept].any()  # they were captured


def test_what_cupti_costs_is_measured_and_leaves_no_records(program: Path, tmp_path: Path) -> None:
    saved = run(program, tmp_path, "commands", STANDIN_CUPTI_VERSION=SECOND)
    summary = saved.summary()
    cost = summary.tracing["cupti"]
    if cost.not_measured:  # a busy machine
        assert "what CUPTI cost was not measured in 1 process: launches failed, or took too long" in str(summary)
    else:
        assert (cost.commands, cost.calls) == (111, 0)
        assert abs(cost.time) < 111 * 100_000
        assert "times of cuda by CUPTI took" in str(summary)
        assert "what times of the device cost is not in it" not in str(summary)
    assert set(commands(saved)["name"].tolist()) == {"nothing", ""}
    assert summary.counts["not_understood"] == 0


def test_threads_have_the_times_of_their_own_commands(program: Path, tmp_path: Path) -> None:
    table = commands(run(program, tmp_path, "threads", STANDIN_CUPTI_VERSION=SECOND, STANDIN_CUPTI_RECORDS="7"))
    assert len(table["thread"]) == 800
    check_times(table, numpy.ones(800, bool))
    for thread in set(table["thread"].tolist()):
        started = table["started"][table["thread"] == thread]
        assert (numpy.diff(started) > 0).all()


def test_buffers_that_come_late_and_out_of_order(program: Path, tmp_path: Path) -> None:
    table = commands(
        run(program, tmp_path, "commands", STANDIN_CUPTI_VERSION=SECOND, STANDIN_CUPTI_RECORDS="3",
            STANDIN_CUPTI_NEWEST_FIRST="1", STANDIN_CUPTI_AT_FLUSH="1", STANDIN_CUPTI_LATE_US="300")
    )  # fmt: skip
    check_times(table, ~table["failed"])


def test_a_record_that_never_comes_is_counted(program: Path, tmp_path: Path) -> None:
    saved = run(program, tmp_path, "commands", STANDIN_CUPTI_VERSION=SECOND, STANDIN_CUPTI_LOSE="50")
    table, counts = commands(saved), saved.summary().counts
    assert int((~table["timed"] & ~table["failed"]).sum()) == 1
    assert counts["failed_times"] + counts["unfinished"] == 1


def test_what_is_in_flight_at_the_end_has_times(program: Path, tmp_path: Path) -> None:
    table = commands(run(program, tmp_path, "flight", STANDIN_CUPTI_VERSION=SECOND))
    check_times(table, ~table["failed"])


def test_a_device_that_is_busy_for_ever_does_not_hang_the_exit(program: Path, tmp_path: Path) -> None:
    saved = run(program, tmp_path, "busy", STANDIN_CUPTI_VERSION=SECOND)
    table, summary = commands(saved), saved.summary()
    assert table["timed"].tolist() == [True] * 5 + [False] * 20
    assert (summary.counts["unfinished"], summary.counts["failed_times"]) == (20, 0)
    assert "what CUPTI cost was not measured in 1 process: work was in flight" in str(summary)


@pytest.mark.parametrize("version", [FIRST, SECOND])
def test_another_profiler(program: Path, tmp_path: Path, version: str) -> None:
    saved = run(program, tmp_path, "commands", STANDIN_CUPTI_VERSION=version, STANDIN_CUPTI_OTHER="1")
    table = commands(saved)
    if version == SECOND:  # two can be there
        check_times(table, ~table["failed"])
    else:
        assert not table["timed"].any()
        assert saved.summary().counts["untimed"] == 110
        assert "by nothing: another profiler is attached to this process" in str(saved.summary())


def test_host_mode_asks_for_no_cupti(program: Path, tmp_path: Path) -> None:
    table = commands(run(program, tmp_path, "commands", "--mode", "host"))
    assert len(table["timed"]) == 111
    assert not table["timed"].any()


def test_no_cupti_is_said_in_the_report(program: Path, tmp_path: Path) -> None:
    saved = run(program, tmp_path, "commands", LAUNCHPATH_CUPTI_LIBRARY="/none/libcupti.so.13")
    assert "CUPTI is not installed" in str(saved.summary())
    assert not commands(saved)["timed"].any()


def test_times_end_before_the_limit_of_records_of_graphs(program: Path, tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(IMAGE)
    environment = {**os.environ, **cuda_random.standin_variables(), "LAUNCHPATH_TRACE": str(tmp_path / "t.lptrace")}
    environment |= loading({}, time.time_ns(), environment).variables
    environment[OPTIONS] += ";graph_records=10"
    words = (program, library("cuda"), "limit", tmp_path / "image")
    subprocess.run(list(map(str, words)), env=environment, check=True, timeout=60)
    saved = lp.read_trace(tmp_path / "t.lptrace")
    table, summary = commands(saved), saved.summary()
    assert 10 < int(table["timed"].sum()) < len(table["timed"]) == 1000
    assert summary.counts["untimed"] + summary.counts["unfinished"] == int((~table["timed"]).sum()) > 0
    assert "by cupti, which was ended: it had told of so many nodes of graphs" in str(summary)
    assert summary.counts["not_understood"] == 0  # calls behind it are recorded, only without times


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_random_commands_of_several_threads(seed: int, tmp_path: Path) -> None:
    random = compiled("cuda_random", tmp_path)
    assert cuda_random.check(random, tmp_path, seed, 4, 200) > 500
    assert cuda_random.check(random, tmp_path, seed, 4, 200, "--mode", "host") > 500
