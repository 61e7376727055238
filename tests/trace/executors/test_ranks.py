"""MPI's ranks as an executor."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from launchpath._trace.executors.chosen import executor
from launchpath._trace.executors.processes import Processes
from launchpath._trace.executors.ranks import started_ranks
from tests.command import run
from tests.patience import PATIENCE
from tests.trace.executors.files import sums, traces

BESIDE = os.path.dirname(sys.executable)
MPIEXEC = shutil.which("mpiexec", path=f"{BESIDE}{os.pathsep}{os.environ.get('PATH', '')}")


def mpirun(count: int, *words: object, **more: str) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("mpi4py")
    if MPIEXEC is None:
        pytest.skip("no mpiexec here")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([part or os.getcwd() for part in sys.path]),
        # Open MPI's own conditions
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        **more,
    }
    command = [MPIEXEC, "-n", str(count), sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)


def report(count: int, *words: object) -> subprocess.CompletedProcess[str]:
    return mpirun(count, "-m", "launchpath", "report", *words)


@pytest.mark.processes
@pytest.mark.parametrize("count", [2, 4, 5])
def test_the_same_numbers(tmp_path: Path, count: int) -> None:
    paths = traces(tmp_path, 7)
    done = report(count, tmp_path, "--lpsum", tmp_path / "all")
    assert (done.returncode, done.stdout) == (0, f"written: {tmp_path / 'all'}\n"), done.stderr
    assert (tmp_path / "all").read_bytes() == sums(paths)


@pytest.mark.processes
def test_rank_0_prints_and_names_what_is_damaged(tmp_path: Path) -> None:
    traces(tmp_path, 5)
    (tmp_path / "text.lptrace").write_text("no trace")
    done, alone = report(4, tmp_path), run("report", tmp_path)
    assert done.returncode == alone.exit_code == 1
    assert done.stdout == alone.stdout
    assert done.stderr.count("could not be read, and are left out: 1 of 6") == 1


@pytest.mark.processes
def test_an_error_before_files_are_read_ends_all_ranks(tmp_path: Path) -> None:
    done = report(3, tmp_path)
    assert done.returncode == 1 and "without any" in done.stderr


@pytest.mark.processes
def test_a_rank_that_fails_ends_all(tmp_path: Path) -> None:
    traces(tmp_path, 40)
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from mpi4py import MPI\n"
        "from launchpath._cli import main\n"
        "from launchpath._trace.executors.part import Part\n"
        "def failing(self): raise MemoryError('planted')\n"
        "if MPI.COMM_WORLD.rank == 1: Part.pack = failing\n"
        "main(sys.argv[1:])\n"
    )
    done = mpirun(2, program, "report", tmp_path)
    assert done.returncode != 0 and "MemoryError: planted" in done.stderr and "Kernels" not in done.stdout


@pytest.mark.processes
def test_ranks_of_another_mpi(tmp_path: Path) -> None:
    traces(tmp_path, 2)
    done = mpirun(1, "-m", "launchpath", "report", tmp_path, OMPI_COMM_WORLD_SIZE="3")
    assert done.returncode == 1 and "expected 3 ranks, as the environment says, got 1" in done.stderr
    done = mpirun(1, "-m", "launchpath", "report", "--with", "processes", tmp_path, OMPI_COMM_WORLD_SIZE="3")
    assert done.returncode == 0 and "Kernels" in done.stdout


@pytest.mark.parametrize(
    "environment, count",
    [
        ({}, 1),
        ({"OMPI_COMM_WORLD_SIZE": "4"}, 4),
        ({"PMI_SIZE": "1"}, 1),
        ({"SLURM_STEP_NUM_TASKS": "64", "SLURM_NTASKS": "128"}, 64),
        ({"SLURM_NTASKS": "128"}, 1),  # a script of sbatch, which runs once
        ({"PMI_SIZE": "many", "MV2_COMM_WORLD_SIZE": "0"}, 1),
    ],
)
def test_how_many_ranks_were_started(environment: dict[str, str], count: int) -> None:
    assert started_ranks(environment) == count


def test_names_of_executors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "4")
    assert isinstance(executor("processes"), Processes)
    for name in ("", "dask", "dask=", "slurm"):
        with pytest.raises(ValueError, match="expected processes, dask=ADDRESS or mpi, got"):
            executor(name)
