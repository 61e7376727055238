"""A cluster of Dask's as an executor."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from launchpath._trace.condensed import packing
from launchpath._trace.executors import cluster as module
from launchpath._trace.executors.cluster import Cluster
from launchpath._trace.executors.inputs import Input
from launchpath._trace.executors.outcome import Outcome
from launchpath.errors import LibraryError, TraceFileError
from tests.command import run
from tests.patience import PATIENCE
from tests.trace.executors.files import Stop, inputs_of, sums, traces

dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")
pytestmark = pytest.mark.processes


def ignored(done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two workers, each a process."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            local_directory=str(tmp_path_factory.mktemp("dask")),
        ) as made,
    ):
        yield made


def test_the_same_numbers(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths, steps = traces(tmp_path, 12), []
    monkeypatch.chdir(tmp_path)  # workers have other folders
    paths = [Path(path.name) for path in paths]
    (tmp_path / "text").write_text("no trace")
    executor = Cluster(cluster.scheduler_address)
    outcome = executor.run(inputs_of([*paths, Path("text")]), lambda done, total: steps.append((done, total)))
    assert packing.pack(outcome.condensed) == sums(paths) and steps[-1] == (13, 13)
    ((path, reason),) = outcome.left_out
    assert path == "text" and reason.startswith("expected a trace") and "(on " in reason


def test_the_command(cluster: Any, tmp_path: Path) -> None:
    paths = traces(tmp_path, 12)
    done = run("report", tmp_path, "--with", f"dask={cluster.scheduler_address}", "--lpsum", tmp_path / "all")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "all").read_bytes() == sums(paths)


def test_a_worker_that_is_killed(cluster: Any, tmp_path: Path) -> None:
    """The same numbers, and nothing is left out."""
    paths, outcomes = traces(tmp_path, 8), list[Outcome]()
    stop = Stop(tmp_path / "stop.lptrace")
    (tmp_path / "more").mkdir()
    (last,) = traces(tmp_path / "more", 1)
    inputs = [*inputs_of(paths), Input(str(stop.path), 10**9)]  # a batch of its own: the other worker goes on
    executor = Cluster(cluster.scheduler_address)
    reading = threading.Thread(target=lambda: outcomes.append(executor.run(inputs, ignored)), daemon=True)
    reading.start()
    pid = stop.reader(reading)
    assert pid is not None
    stop.become(last)
    stop.kill(pid)
    reading.join(PATIENCE)
    (outcome,) = outcomes
    assert packing.pack(outcome.condensed) == sums([*paths, stop.path]) and not outcome.left_out


def test_a_file_that_ends_each_worker_is_named(cluster: Any, tmp_path: Path) -> None:
    paths, outcomes = traces(tmp_path, 3), list[Outcome]()
    stop = Stop(tmp_path / "stop.lptrace")
    inputs = [*inputs_of(paths), Input(str(stop.path), 10**9)]
    executor = Cluster(cluster.scheduler_address)
    reading = threading.Thread(target=lambda: outcomes.append(executor.run(inputs, ignored)), daemon=True)
    reading.start()
    assert stop.kill_readers(reading) == 2
    (outcome,) = outcomes
    assert packing.pack(outcome.condensed) == sums(paths)
    assert outcome.left_out == [(str(stop.path), "each process that read it was lost (KilledWorker)")]


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONNECTS", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://1"):
        with pytest.raises(TraceFileError, match="expected a scheduler of Dask at"):
            Cluster(address).run(inputs_of(traces(tmp_path, 1)), ignored)
    with pytest.raises(
        TraceFileError, match="expected a file that a scheduler of Dask has written, got .*: there is none"
    ):
        Cluster(str(tmp_path / "none.json")).run([], ignored)


def test_no_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WITHOUT_WORKERS", 0.5)
    with (
        distributed.LocalCluster(
            n_workers=0, dashboard_address=":0", processes=False, local_directory=str(tmp_path)
        ) as empty,
        pytest.raises(TraceFileError, match="got none for"),
    ):
        Cluster(empty.scheduler_address).run(inputs_of(traces(tmp_path, 1)), ignored)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(LibraryError, match=r"pip install 'launchpath\[dask\]'"):
        Cluster("tcp://127.0.0.1:9")
