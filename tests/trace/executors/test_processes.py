"""This machine's processes as an executor."""

import os
import signal
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


def killed(tmp_path: Path, kills: int, become: bool) -> tuple[Outcome, list[Path]]:
    """Kill the process that reads a file, so many times; the file then is a trace, or is not."""
    paths = traces(tmp_path, 7)
    stop = Stop(tmp_path / "stop.lptrace")
    outcomes: list[Outcome] = []
    inputs = [*inputs_of(paths), Input(str(stop.path), 1000)]
    reading = threading.Thread(
        target=lambda: outcomes.append(Processes(2, at_once=True).run(inputs, ignored)), daemon=True
    )
    (tmp_path / "more").mkdir()
    (last,) = traces(tmp_path / "more", 1)
    reading.start()
    for number in range(kills):
        pid = stop.reader()
        if number == kills - 1 and become:
            stop.become(last)
        os.kill(pid, signal.SIGKILL)
        stop.close()
        while os.path.exists(f"/proc/{pid}/fd/0"):
            pass
    reading.join(PATIENCE)
    (outcome,) = outcomes
    return outcome, [*paths, stop.path] if become else paths


@pytest.mark.processes
def test_a_killed_process_is_replaced(tmp_path: Path) -> None:
    outcome, paths = killed(tmp_path, 1, become=True)
    assert packing.pack(outcome.condensed) == sums(paths) and not outcome.left_out
    assert len(outcome.losses) == 1 and "was killed by SIGKILL" in outcome.losses[0]


@pytest.mark.processes
def test_a_file_that_ends_each_process_is_named(tmp_path: Path) -> None:
    # 8 files in a batch: again, and by halves until it is alone
    outcome, paths = killed(tmp_path, 5, become=False)
    assert packing.pack(outcome.condensed) == sums(paths)
    assert outcome.left_out == [
        (str(tmp_path / "stop.lptrace"), "each process that read it was killed by SIGKILL"),
    ]
    assert len(outcome.losses) == 4


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
