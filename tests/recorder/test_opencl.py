"""Programs that use OpenCL without launchpath, on the runtimes of the tests."""

import sys
from collections import Counter
from pathlib import Path

import pytest

import launchpath as lp
from tests.recorder.opencl import platform
from tests.recorder.programs import compiled, traced


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("opencl_program", tmp_path_factory.mktemp("program"))


@pytest.mark.parametrize("which", ["Intel", "Portable"])
@pytest.mark.parametrize("mode", ["host", "device"])
def test_counts_are_those_of_the_program(program: Path, tmp_path: Path, mode: str, which: str) -> None:
    loader, variables = platform(which)
    done = traced(tmp_path, program, loader, which, options=("--mode", mode), **variables)
    if done.returncode in (3, 4):
        pytest.skip(f"no OpenCL platform is named {which}")
    assert done.returncode == 0, done.stderr
    launches, value, properties = done.stdout.split()
    assert (value, properties) == (launches, "0")  # profiling is not shown
    saved = lp.read_trace(tmp_path / "t.lptrace")
    (table,) = saved.dispatches()
    accepted = ~table["failed"]
    functions = Counter(table["function"][accepted].tolist())
    assert functions == {
        "clEnqueueNDRangeKernel": int(launches), "clEnqueueReadBuffer": 1, "clEnqueueWriteBuffer": 1, "clEnqueueFillBuffer": 1,
    }  # fmt: skip
    assert int(table["failed"].sum()) == 1
    assert set(table["name"][table["command"] == "launch"]) == {"add"}
    assert table["timed"][accepted].all() == (mode == "device")
    if mode == "device":
        timed = {name: column[accepted] for name, column in table.items()}
        assert (timed["driver_begin"] <= timed["started"]).all()
        assert (timed["started"] <= timed["ended"]).all()
        # A runtime without a timer is compared by when commands were queued. PoCL's clock is some 0.1 s apart from the host's.
        assert (timed["ended"] <= max(saved.calls()[0]["end"]) + 50_000).all()
    assert saved.summary().counts["untimed"] == 0  # what the cost is measured by is not counted
    names = Counter(saved.calls()[0]["name"].tolist())
    assert (names["clBuildProgram"], names["clFinish"], names["clCreateBuffer"]) == (1, 1, 1)


@pytest.mark.parametrize("mode", ["host", "device"])
def test_each_launch_has_one_record_beside_launchpath(tmp_path: Path, mode: str) -> None:
    loader, variables = platform("Intel")
    done = traced(
        tmp_path,
        sys.executable,
        Path(__file__).with_name("beside.py"),
        loader,
        "Intel",
        options=("--mode", mode),
        **variables,
    )
    assert done.returncode == 0, done.stderr
    ours, theirs = map(int, done.stdout.split())
    names: Counter[str] = Counter()
    for file in tmp_path.glob("*.lptrace"):
        (table,) = lp.read_trace(file).dispatches()
        names.update(table["name"][table["command"] == "launch"].tolist())
    assert names == {"ours": ours, "theirs": theirs}
