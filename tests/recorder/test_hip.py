"""Programs that use HIP's runtime without launchpath, on stand-ins of it and of rocprofiler-sdk."""

import os
import subprocess
from collections import Counter
from pathlib import Path
from subprocess import CompletedProcess

import numpy
import pytest

import launchpath as lp
from launchpath._findings.intervention.blocks import read_blocks
from launchpath._recorder.environment import DOOR, HIP_TOOLS, LIBRARY, library
from tests.recorder.programs import FOLDER, traced
from tests.standin.build import compile_c
from tests.tracing.raw import read

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

SOURCES = FOLDER / "hip"
SHARED = ["-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread"]


def build(folder: Path, *flags: str) -> Path:
    """Compile the stand-ins and the program, as an installation of ROCm."""
    libraries = folder / "lib"
    libraries.mkdir(parents=True)
    profiler = libraries / "librocprofiler-sdk.so"
    for words in (
        [*SHARED, *flags, "-o", profiler, SOURCES / "rocprofiler.c", "-ldl"],
        [*SHARED, "-o", libraries / "libamdhip64-standin.so", SOURCES / "runtime.c", profiler, "-Wl,-rpath,$ORIGIN"],
        [*SHARED, "-o", libraries / "libother.so", SOURCES / "other.c", profiler, "-Wl,-rpath,$ORIGIN"],
        ["-O1", "-pthread", "-o", folder / "program", SOURCES / "program.c", "-ldl"],
    ):
        done = compile_c(*words)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def rocm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("rocm") / "rocm")


def run(rocm: Path, folder: Path, end: str, *options: str, **variables: str) -> CompletedProcess[str]:
    runtime = rocm / "lib" / "libamdhip64-standin.so"
    return traced(folder, rocm / "program", runtime, end, options=options, ROCM_PATH=str(rocm), **variables)


def commands(file: Path) -> tuple[dict, Counter[tuple[str, str]]]:
    (table,) = lp.read_trace(file).dispatches()
    accepted = ~table["failed"]
    return table, Counter(zip(table["command"][accepted].tolist(), table["function"][accepted].tolist(), strict=True))


def expected(stdout: str) -> dict[tuple[str, str], int]:
    """Tell what the program's counts mean."""
    launches, copies, fills = map(int, stdout.split())
    return {
        ("launch", "hipLaunchKernel"): launches // 4,
        ("launch", "hipModuleLaunchKernel"): launches - launches // 4,
        ("copy", "hipMemcpy"): copies - 1,
        ("copy", "hipMemcpyAsync"): 1,
        ("fill", "hipMemsetAsync"): fills,
    }


@pytest.mark.sample(4)
@pytest.mark.parametrize("mode", ["host", "device"])
@pytest.mark.parametrize(("end", "code"), [("exit", 0), ("_exit", 3), ("threads", 0), ("fork", 0)])
def test_counts_are_those_of_the_program(rocm: Path, tmp_path: Path, mode: str, end: str, code: int) -> None:
    done = run(rocm, tmp_path, end, "--mode", mode)
    assert done.returncode == code, done.stderr
    table, counts = commands(tmp_path / "t.lptrace")
    assert counts == expected(done.stdout)
    assert [file.name for file in tmp_path.glob("*.lptrace")] == ["t.lptrace"]
    assert Counter(table["name"][table["command"] == "launch"].tolist()) == {
        "saxpy": counts["launch", "hipModuleLaunchKernel"], "scale": counts["launch", "hipLaunchKernel"],
    }  # fmt: skip
    names = Counter(lp.read_trace(tmp_path / "t.lptrace").calls()[0]["name"].tolist())
    assert (names["hipMalloc"], names["hipFree"], names["hipModuleLoadData"], names["hipStreamCreate"]) == (1, 1, 1, 1)
    assert "hipGetLastError" not in names
    if end == "threads":
        assert len(set(table["thread"].tolist())) == 3
        assert set(table["device"].tolist()) == {0, 1}
    if mode == "host":
        assert not table["timed"].any()
    elif end != "_exit":
        in_time = table["timed"]
        assert int((~in_time).sum()) == 1  # the copy of 8 bytes, which the host does
        assert lp.read_trace(tmp_path / "t.lptrace").summary().counts["unfinished"] == 0


def test_devices_have_their_addresses_on_the_pci_bus(rocm: Path, tmp_path: Path) -> None:
    """By them the findings see that two processes share a GPU."""
    assert run(rocm, tmp_path, "threads", "--mode", "host").returncode == 0
    devices = read(tmp_path / "t.lptrace").meta["devices"]
    assert {facts["name"]: facts["pci_bus"] for facts in devices} == {"first": "0000:01:00.0", "second": "0000:02:00.0"}


def test_times_are_on_the_clock_of_the_host(rocm: Path, tmp_path: Path) -> None:
    done = run(rocm, tmp_path, "synchronize", "--mode", "device")
    assert done.returncode == 0, done.stderr
    table, _ = commands(tmp_path / "t.lptrace")
    calls = lp.read_trace(tmp_path / "t.lptrace").calls()[0]
    waited = calls["end"][calls["name"] == "hipStreamSynchronize"].max()
    timed = table["timed"]
    assert (table["driver_begin"][timed] <= table["started"][timed] + 100_000).all()
    assert (table["started"][timed] <= table["ended"][timed]).all()
    assert (table["ended"][timed] <= waited + 100_000).all()  # nanoseconds
    cost = lp.read_trace(tmp_path / "t.lptrace").summary().tracing["hip"]
    assert cost.not_measured == {"no call of HIP's goes past rocprofiler-sdk": 1}


def shapes(table: dict, function: str) -> set[tuple[int, ...]]:
    """Give the grids, blocks and shared memory of a function's launches."""
    rows = table["function"] == function
    names = [f"{noun}_{axis}" for noun in ("grid", "block") for axis in "xyz"]
    return set(zip(*(table[name][rows].tolist() for name in (*names, "shared")), strict=True))


def test_what_a_launch_and_a_copy_are(rocm: Path, tmp_path: Path) -> None:
    run(rocm, tmp_path, "exit", "--mode", "device")
    table, _ = commands(tmp_path / "t.lptrace")
    assert shapes(table, "hipModuleLaunchKernel") == {(2, 3, 1, 32, 2, 1, 64)}
    assert shapes(table, "hipLaunchKernel") == {(7, 1, 1, 128, 1, 1, 16)}
    copies = table["command"] == "copy"
    assert sorted(table["bytes"][copies].tolist()) == [8, 100, 10000]
    assert set(table["direction"][copies].tolist()) == {"host to device", "device to host"}


@pytest.mark.parametrize("mode", ["host", "device"])
def test_refused_calls_are_failures(rocm: Path, tmp_path: Path, mode: str) -> None:
    done = run(rocm, tmp_path, "refused", "--mode", mode)
    assert done.returncode == 0, done.stderr
    table, counts = commands(tmp_path / "t.lptrace")
    assert counts == expected(done.stdout)
    assert Counter(table["function"][table["failed"]].tolist()) == {"hipModuleLaunchKernel": 1, "hipMemcpy": 1}


def test_nodes_of_graphs_come_from_the_device(rocm: Path, tmp_path: Path) -> None:
    done = run(rocm, tmp_path, "graph", "--mode", "device")
    assert done.returncode == 0, done.stderr
    table, counts = commands(tmp_path / "t.lptrace")
    of_graph = table["function"] == "hipGraphLaunch"
    assert Counter(zip(table["command"][of_graph].tolist(), table["name"][of_graph].tolist(), strict=True)) == {
        ("launch", "saxpy"): 10, ("launch", "scale"): 10, ("copy", ""): 10,
    }  # fmt: skip
    assert table["timed"][of_graph].all()
    assert Counter(table["node"][of_graph].tolist()) == {0: 10, 1: 10, 2: 10}
    assert shapes(table, "hipGraphLaunch") == {(3, 1, 1, 32, 1, 1, 0), (5, 1, 1, 64, 1, 1, 0), (0, 0, 0, 0, 0, 0, 0)}
    launched = counts["launch", "hipModuleLaunchKernel"] + counts["launch", "hipLaunchKernel"]
    assert launched == int(done.stdout.split()[0]) - 4  # what was captured did not run


def test_in_mode_host_runs_of_graphs_are_counted_as_not_understood(rocm: Path, tmp_path: Path) -> None:
    run(rocm, tmp_path, "graph", "--mode", "host")
    assert lp.read_trace(tmp_path / "t.lptrace").summary().counts["not_understood"] == 10


@pytest.mark.parametrize("mode", ["host", "device"])
def test_a_function_that_is_newer_is_counted_by_name(rocm: Path, tmp_path: Path, mode: str) -> None:
    done = run(rocm, tmp_path, "newest", "--mode", mode)
    _, counts = commands(tmp_path / "t.lptrace")
    assert counts == expected(done.stdout)
    assert "hipMemcpyNewest" in str(lp.read_trace(tmp_path / "t.lptrace").summary())


@pytest.mark.parametrize("mode", ["host", "device"])
def test_calls_of_the_core_have_no_second_record(rocm: Path, tmp_path: Path, mode: str) -> None:
    done = run(rocm, tmp_path, "core", "--mode", mode)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.glob("*.lptrace"))


@pytest.mark.parametrize("mode", ["host", "device"])
def test_another_tool_has_its_own_records(rocm: Path, tmp_path: Path, mode: str) -> None:
    other = str(rocm / "lib" / "libother.so")
    done = run(rocm, tmp_path, "exit", "--mode", mode, **{HIP_TOOLS: other})
    assert done.returncode == 0, done.stderr
    assert f"{HIP_TOOLS}: {other} stays" in done.stderr
    assert "other tool: 200 calls, 201 dispatches, 0 wrong" in done.stderr
    assert commands(tmp_path / "t.lptrace")[1] == expected(done.stdout)


def test_excluded_kernels_are_counted(rocm: Path, tmp_path: Path) -> None:
    run(rocm, tmp_path, "graph", "--mode", "device", "--exclude", "^scale$")
    table, _ = commands(tmp_path / "t.lptrace")
    assert "scale" not in table["name"].tolist()
    assert lp.read_trace(tmp_path / "t.lptrace").summary().counts["excluded"] == 51 + 10


def test_an_older_version_is_refused(rocm: Path, tmp_path: Path) -> None:
    done = run(rocm, tmp_path, "exit", STANDIN_ROCP_VERSION="600")
    assert done.returncode == 0, done.stderr
    assert "expected rocprofiler-sdk 1.0 or later, got 0.6" in done.stderr
    assert not list(tmp_path.glob("*.lptrace"))


def test_a_missing_function_is_named(tmp_path: Path) -> None:
    rocm = build(tmp_path / "rocm", "-DWITHOUT_TIMESTAMP")
    done = run(rocm, tmp_path, "exit")
    assert done.returncode == 0, done.stderr
    assert "rocprofiler-sdk has no rocprofiler_get_timestamp" in done.stderr
    assert not list(tmp_path.glob("*.lptrace"))


def test_without_rocprofiler_the_program_runs_alone(rocm: Path, tmp_path: Path) -> None:
    """HIP's runtime ends a process that asks for a tool, by a variable or by the function's name, where there is none."""
    without = tmp_path / "rocm" / "lib"
    without.mkdir(parents=True)
    (without / "libamdhip64.so").touch()
    done = traced(
        tmp_path, rocm / "program", rocm / "lib" / "libamdhip64-standin.so", "exit", ROCM_PATH=str(without.parent)
    )
    assert done.returncode == 0, done.stderr
    path = library()
    assert path is not None
    names = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    assert "rocprofiler_configure" not in names
    door = path.replace(LIBRARY, DOOR)
    assert (
        "rocprofiler_configure" in subprocess.run(["nm", "-D", door], capture_output=True, text=True, check=True).stdout
    )


def test_the_door_alone_is_no_tool(rocm: Path) -> None:
    """As in a program of another user, which the recorder is not loaded into."""
    path = library()
    assert path is not None
    environment = {name: text for name, text in os.environ.items() if not name.startswith("LAUNCHPATH")}
    words = [rocm / "program", rocm / "lib" / "libamdhip64-standin.so", "exit"]
    environment[HIP_TOOLS] = path.replace(LIBRARY, DOOR)
    done = subprocess.run(
        [str(word) for word in words], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_launches_are_delayed(rocm: Path, tmp_path: Path) -> None:
    delay = 200_000
    text = f"target=submissions;delays={delay},{delay + 1};repetitions=2;settle=0;warmup=0;kind=function;"
    text += "anchor=hipModuleLaunchKernel"
    done = run(rocm, tmp_path, "exit", "--mode", "host", LAUNCHPATH_DELAYS=text)
    assert done.returncode == 0, done.stderr
    blocks = read_blocks(tmp_path.glob("*.lptrace"))
    assert len(blocks) > 5
    assert (blocks.slots["delays"] >= 2).all()
    (table,) = lp.read_trace(next(tmp_path.glob("*.lptrace"))).dispatches()
    launches = table["command"] == "launch"
    took = numpy.sort((table["driver_end"] - table["driver_begin"])[launches])
    assert took[len(took) // 2] < delay / 2
    assert numpy.median(numpy.diff(table["driver_begin"][launches])) > delay
