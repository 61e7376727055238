"""This machine's processes as an executor."""

import os
import threading
from pathlib import Path

import pytest

from launchpath._trace.condensed import packing
from launchpath._trace.executors import processes as module
from launchpath._trace.executors.inputs import Input
from launchpath._trace.executors.outcome import Outcome
from launchpath._trace.executors.processes import Processes
from launchpath.errors import TraceFileError
from tests.patience import PATIENCE
from tests.trace.executors.files import Stop, inputs_of, sums, traces


def ignored(done: int, total: int) -> None:
    pass


def test_few_files_are_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths, steps = traces(tmp_path, 5), []
    monkeypatch.setattr(module, "_Worker", None)
    outcome = Processes().run(inputs_of(paths), lambda done, total: steps.append((done, total)))
    assert packing.pack(outcome.condensed) == sums(paths) and steps == [(count, 5) for count in range(1, 6)]


@pytest.mark.processes
@pytest.mark.parametrize("most", [1, 3])
def test_processes_give_the_same(tmp_path: Path, most: int) -> None:
    paths, steps = traces(tmp_path, 12), []
    outcome = Processes(most, at_once=True).run(inputs_of(paths), lambda done, total: steps.append((done, total)))
    assert packing.pack(outcome.condensed) == sums(paths)
    assert steps[-1] == (12, 12) and (outcome.files, outcome.left_out, outcome.losses) == (12, [], [])


@pytest.mark.processes
def test_names_of_any_bytes(tmp_path: Path) -> None:
    (path,) = traces(tmp_path, 1)
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.lptrace")
    os.rename(path, odd)
    inputs = [Input(odd, 1000), Input(odd + "x", 1000)]
    outcome = Processes(1, at_once=True).run(inputs, ignored)
    assert [row["path"] for row in outcome.condensed.processes] == [odd]
    assert [each.path for each in outcome.left_out] == [odd + "x"]


@pytest.mark.processes
def test_damaged_files_are_named_and_the_rest_is_told(tmp_path: Path) -> None:
    paths = traces(tmp_path, 6)
    (tmp_path / "text").write_text("no trace")
    (tmp_path / "cut.lpsum").write_bytes(paths[2].read_bytes()[:-9])
    wrong = [tmp_path / "cut.lpsum", tmp_path / "text"]
    inputs = [*inputs_of([*wrong, *paths]), Input(str(tmp_path / "gone"), 7)]
    for executor in (Processes(), Processes(2, at_once=True)):
        outcome = executor.run(inputs, ignored)
        assert packing.pack(outcome.condensed) == sums(paths)
        assert [Path(each.path).name for each in outcome.left_out] == ["cut.lpsum", "gone", "text"]
        assert [each.reason.split(",")[0] for each in outcome.left_out][2] == "expected a trace"


def reading_with(stop: Stop, paths: list[Path]) -> tuple[threading.Thread, list[Outcome]]:
    outcomes: list[Outcome] = []
    inputs = [*inputs_of(paths), Input(str(stop.path), 1000)]
    executor = Processes(2, at_once=True)
    reading = threading.Thread(target=lambda: outcomes.append(executor.run(inputs, ignored)), daemon=True)
    reading.start()
    return reading, outcomes


@pytest.mark.processes
def test_a_killed_process_is_replaced(tmp_path: Path) -> None:
    paths = traces(tmp_path, 5)
    stop = Stop(tmp_path / "stop.lptrace")
    reading, outcomes = reading_with(stop, paths[1:])
    pid = stop.reader(reading)
    assert pid is not None
    stop.become(paths[0])
    stop.kill(pid)
    reading.join(PATIENCE)
    (outcome,) = outcomes
    assert packing.pack(outcome.condensed) == sums([*paths[1:], stop.path]) and not outcome.left_out
    assert outcome.losses == ["a process that read 5 files was killed by SIGKILL: they are read again"]


@pytest.mark.processes
def test_a_file_that_ends_each_process_is_named(tmp_path: Path) -> None:
    paths = traces(tmp_path, 3)
    stop = Stop(tmp_path / "stop.lptrace")
    reading, outcomes = reading_with(stop, paths)
    killed = stop.kill_readers(reading)
    (outcome,) = outcomes
    assert packing.pack(outcome.condensed) == sums(paths)
    assert outcome.left_out == [(str(stop.path), "each process that read it was killed by SIGKILL")]
    assert killed == 4 and len(outcome.losses) == 3  # 4 files, again, 2 and 1


@pytest.mark.processes
def test_processes_that_cannot_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = inputs_of(traces(tmp_path, 2))
    monkeypatch.setattr(module, "_START", "raise SystemExit(7)")
    with pytest.raises(TraceFileError, match="got one that ended with 7 at once"):
        Processes(2, at_once=True).run(inputs, ignored)
    monkeypatch.setattr("sys.executable", str(tmp_path / "none"))
    with pytest.raises(TraceFileError, match="got: .*No such file"):
        Processes(2, at_once=True).run(inputs, ignored)


@pytest.mark.processes
def test_no_process_is_left(tmp_path: Path) -> None:
    executor = Processes(2, at_once=True)
    pids: list[int] = []

    def failing(done: int, total: int) -> None:
        pids.extend(worker.process.pid for worker in executor.workers)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        executor.run(inputs_of(traces(tmp_path, 4)), failing)
    assert pids and not any(os.path.exists(f"/proc/{pid}") for pid in pids)
