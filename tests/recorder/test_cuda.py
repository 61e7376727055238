"""Programs that use CUDA's driver without launchpath, on the stand-in."""

import sys
from collections import Counter
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import launchpath as lp
from tests.recorder.programs import compiled, traced
from tests.standin.build import library
from tests.standin.client import IMAGE
from tests.tracing.raw import read


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("cuda_program", tmp_path_factory.mktemp("program"))


def run(program: Path, folder: Path, end: str, *options: str, path: str | None = None) -> CompletedProcess[str]:
    (folder / "image").write_bytes(IMAGE)
    variables = {"STANDIN_KERNELS": str(library("kernels"))}
    return traced(
        folder,
        program,
        path or library("cuda"),
        end,
        folder / "image",
        options=("--mode", "host", *options),
        **variables,
    )


def launches(file: Path) -> Counter[tuple[str, str]]:
    (table,) = lp.read_trace(file).dispatches()
    return Counter(zip(table["name"], table["function"], strict=True))


@pytest.mark.parametrize(("end", "code"), [("exit", 0), ("_exit", 3), ("abort", 134), ("kill", 137)])
def test_every_launch_that_returned_is_in_the_file(program: Path, tmp_path: Path, end: str, code: int) -> None:
    done = run(program, tmp_path, end)
    assert done.returncode == code, done.stderr
    assert done.stdout == "launched\n"
    assert launches(tmp_path / "t.lptrace") == {("nothing", "cuLaunchKernel"): 300}
    (process,) = lp.read_trace(tmp_path / "t.lptrace").summary().processes
    assert process["devices"] == 1


def test_a_device_has_its_address_on_the_pci_bus(program: Path, tmp_path: Path) -> None:
    """By it the findings see that two processes share a GPU."""
    assert run(program, tmp_path, "exit").returncode == 0
    (facts,) = read(tmp_path / "t.lptrace").meta["devices"]
    assert (facts["name"], facts["pci_bus"]) == ("Stand-in GPU 0", "0000:01:00.0")


def test_threads_have_rings_of_their_own(program: Path, tmp_path: Path) -> None:
    assert run(program, tmp_path, "threads").returncode == 0
    (table,) = lp.read_trace(tmp_path / "t.lptrace").dispatches()
    assert sorted(Counter(table["thread"].tolist()).values()) == [200, 400]


def test_exec_begins_another_file_and_keeps_the_first(program: Path, tmp_path: Path) -> None:
    assert run(program, tmp_path, "exec").returncode == 0
    files = sorted(tmp_path.glob("*.lptrace"))
    assert len(files) == 2
    assert [launches(file).total() for file in files] == [300, 300]


def test_a_forked_child_that_submits_nothing_writes_nothing(program: Path, tmp_path: Path) -> None:
    assert run(program, tmp_path, "fork").returncode == 0
    assert [file.name for file in tmp_path.glob("*.lptrace")] == ["t.lptrace"]
    assert launches(tmp_path / "t.lptrace").total() == 300


def test_a_trace_in_a_trace_has_the_program_alone(program: Path, tmp_path: Path) -> None:
    inner = (sys.executable, "-m", "launchpath", "trace", "-o", "inner.lptrace", "--mode", "host", "--")
    (tmp_path / "image").write_bytes(IMAGE)
    words = (*inner, program, library("cuda"), "exit", tmp_path / "image")
    done = traced(tmp_path, *words, STANDIN_KERNELS=str(library("kernels")))
    assert done.returncode == 0, done.stderr
    assert "a trace goes on around this one" in done.stderr
    assert launches(tmp_path / "inner.lptrace").total() == 300
    assert sum(launches(file).total() for file in tmp_path.glob("*.lptrace")) == 300


def test_a_process_ends_with_its_last_thread(program: Path, tmp_path: Path) -> None:
    assert run(program, tmp_path, "pthread_exit").returncode == 0
    saved = lp.read_trace(tmp_path / "t.lptrace")
    assert saved.calls()[0]["name"].tolist() == ["cuInit"]
    assert saved.summary().counts["not_ended"] == 0


def test_launches_excluded_by_name_are_counted(program: Path, tmp_path: Path) -> None:
    assert run(program, tmp_path, "exit", "--exclude", "^noth").returncode == 0
    assert launches(tmp_path / "t.lptrace").total() == 0
    assert lp.read_trace(tmp_path / "t.lptrace").summary().counts["excluded"] == 300


def test_a_pattern_that_posix_lacks_is_refused(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "exit", "--include", r"\d")
    assert done.returncode == 0
    assert "no extended regular expression of POSIX" in done.stderr
    assert not list(tmp_path.glob("*.lptrace"))


def test_names_without_a_library_or_a_device_leave_no_trace(tmp_path: Path) -> None:
    done = traced(tmp_path, "sh", "-c", "ls / > /dev/null; exit 4")
    assert done.returncode == 4
    assert not list(tmp_path.glob("*.lptrace"))
    assert "no trace" in done.stderr


def test_a_file_that_cannot_be_written_does_not_stop_the_program(program: Path, tmp_path: Path) -> None:
    (tmp_path / "t0.lptrace").mkdir()  # the command does not know what the name will be
    done = run(program, tmp_path, "exit", "--output", "t%rank%.lptrace")
    assert done.returncode == 0
    assert "no trace was begun" in done.stderr
