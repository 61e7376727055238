"""`launchpath trace` for programs of other libraries on a GPU: as many records as the programs count, with times.

python -m pytest tests/gpu/real/any_program.py
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import launchpath as lp
from tests.gpu.real.counted_programs import KERNELS


def traced(folder: Path, mode: str, *words: str) -> tuple[str, lp.SavedTrace]:
    command = [sys.executable, "-m", "launchpath", "trace", "-o", "t.lptrace", "--mode", mode, "--", sys.executable]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [*command, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[-1], lp.read_trace(folder / "t.lptrace")


@pytest.mark.parametrize("mode", ["host", "device"])
@pytest.mark.parametrize("which", list(KERNELS))
def test_records_are_as_many_as_the_program_counts(which: str, mode: str, tmp_path: Path) -> None:
    pytest.importorskip(which)
    launches, saved = traced(tmp_path, mode, "-m", "tests.gpu.real.counted_programs", which)
    (table,) = saved.dispatches()
    parts = KERNELS[which][1]
    own = numpy.array([any(part in name for part in parts) and "broadcast" not in name for name in table["name"]])
    own &= table["command"] == "launch"
    summary = saved.summary()
    print(
        which, mode, launches, int(own.sum()), int(table["timed"].sum()), len(own), summary.counts, summary.not_traced
    )
    print(summary.processes[0]["times"])
    assert int(own.sum()) == int(launches)
    assert summary.counts["not_understood"] == 0
    if mode == "device":
        assert table["timed"][own].all()
        timed = {name: column[own] for name, column in table.items()}
        assert (timed["started"] <= timed["ended"]).all()
        assert (timed["started"] >= timed["driver_begin"] - 1000).all()
        assert table["timed"][table["command"] == "launch"].all()
        assert summary.counts["unfinished"] == summary.counts["failed_times"] == 0
