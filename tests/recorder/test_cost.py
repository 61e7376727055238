"""What a record costs, as the recorder measures it at the end of a process."""

import time
from pathlib import Path
from typing import Any

import pytest

import launchpath as lp
from launchpath._trace.files.file import TraceFile
from tests.recorder.opencl import platform
from tests.recorder.programs import compiled, traced
from tests.recorder.test_opencl import program as opencl_program  # noqa: F401 (a fixture)
from tests.standin.build import library
from tests.standin.client import IMAGE

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

MOST = 50_000  # nanoseconds of a record, on a machine with much else to do


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("cost_program", tmp_path_factory.mktemp("program"))


def run(program: Path, folder: Path, end: str, mode: str = "host") -> tuple[str, dict[str, Any]]:
    """Run the program; gives what it printed, and the fact."""
    (folder / "image").write_bytes(IMAGE)
    variables = {"STANDIN_KERNELS": str(library("kernels"))}
    words = (program, library("cuda"), end, folder / "image")
    done = traced(folder, *words, options=("--mode", mode), **variables)
    assert done.returncode == 5, done.stderr
    with TraceFile(folder / "t.lptrace") as file:
        assert file.counters["state"] == 1
        return done.stdout, file.meta["cost"]["cuda"]


def check(figure: dict[str, float]) -> None:
    assert figure["ns_low"] <= figure["ns"] <= figure["ns_high"]
    assert 0 < figure["ns"] < MOST
    assert figure["calls"] >= 200


@pytest.mark.parametrize("mode", ["host", "device"])
def test_cuda_is_measured_and_left_as_it_was(program: Path, tmp_path: Path, mode: str) -> None:
    printed, cost = run(program, tmp_path, "exit", mode)
    assert printed == "0 1 1\n"
    check(cost["command"])
    check(cost["call"])
    assert cost["device_times"] is False
    saved = lp.read_trace(tmp_path / "t.lptrace")
    (commands,), (calls,), (streams,) = saved.dispatches(), saved.calls(), saved.streams()
    assert commands["function"].tolist() == ["cuLaunchKernel"] * 100
    assert "cuStreamQuery" not in calls["name"]
    assert len(streams["stream"]) == 2  # the default one, and the program's
    summary = saved.summary()
    assert summary.tracing["cuda"].commands == 100
    assert summary.counts["untimed"] + summary.kernels.total().calls == (100 if mode == "device" else 0)
    assert summary.tracing["cuda"].calls == len(calls["name"])
    assert "records of cuda took" in str(summary)
    assert ("times of the device" in str(summary)) == (mode == "device")


def test_streams_that_are_busy_for_ever_do_not_hang_the_exit(program: Path, tmp_path: Path) -> None:
    begin = time.monotonic()
    printed, cost = run(program, tmp_path, "busy")
    assert time.monotonic() - begin < 5
    assert printed == "0 1 1\n"
    check(cost["command"])


@pytest.mark.parametrize(("end", "reason"), [
    ("no context", "the thread that ended the process had no context"), ("capture", "a stream was captured"),
])  # fmt: skip
def test_where_it_would_disturb_nothing_is_measured_and_the_report_says_so(
    program: Path, tmp_path: Path, end: str, reason: str
) -> None:
    printed, cost = run(program, tmp_path, end)
    assert (printed, cost) == ("0 1 1\n", {"left_out": reason})
    assert f"cuda cost was not measured in 1 process: {reason}" in str(lp.read_trace(tmp_path / "t.lptrace").summary())


@pytest.mark.parametrize("which", ["Intel", "Portable"])
@pytest.mark.parametrize("mode", ["host", "device"])
def test_opencl_is_measured(opencl_program: Path, tmp_path: Path, mode: str, which: str) -> None:  # noqa: F811
    loader, variables = platform(which)
    done = traced(tmp_path, opencl_program, loader, which, options=("--mode", mode), **variables)
    if done.returncode in (3, 4):
        pytest.skip(f"no OpenCL platform is named {which}")
    assert done.returncode == 0, done.stderr
    with TraceFile(tmp_path / "t.lptrace") as file:
        cost = file.meta["cost"]["opencl"]
        assert file.counters["unfinished"] == 0
    check(cost["call"])
    if mode == "host":
        check(cost["command"])
    assert (
        abs(cost["command"]["ns"]) < MOST
    )  # with events: what a processor that runs the commands is busy with comes in between
    assert cost["device_times"] == (mode == "device")
    summary = lp.read_trace(tmp_path / "t.lptrace").summary()
    assert summary.tracing["opencl"].commands == 504
    assert len(lp.read_trace(tmp_path / "t.lptrace").streams()[0]["stream"]) == 1
    assert summary.driver_calls["clEnqueueFillBuffer"].calls == 1
