"""The benchmark of two simulated hosts, in small."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.hosts.__main__ import MOST
from benchmarks.hosts.world import SCENES, FakeClock, World


def test_a_fake_clock_runs_as_it_says(tmp_path: Path) -> None:
    world = World(tmp_path / "world")
    clock = FakeClock(world.now(), 5 * 10**9, drift=100, correction=50, every=60, length=5)
    second = 10**9
    assert clock.corrected(clock.begin) == clock.begin + 5 * second
    assert clock.raw(clock.begin + 10 * second) == clock.begin + 15 * second + 1_000_000
    assert clock.corrected(clock.begin + 63 * second) - clock.raw(clock.begin + 63 * second) == 50_000 * 8
    begun = world.now()
    world.skip(1000 * second)
    assert 1000 * second < World(tmp_path / "world").now() - begun < 1100 * second


@pytest.mark.processes
def test_true_offsets_are_inside_the_stated_bound(tmp_path: Path) -> None:
    """Each scene once, with 5 times. How wide the bound is depends on what else the machine does."""
    file = tmp_path / "hosts.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.hosts", "--traces", "1", "--seconds", "130", "--json", str(file)],
        capture_output=True, text=True, timeout=200, check=False, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert file.exists(), done.stdout + done.stderr
    result = json.loads(file.read_text())
    assert result["all"]["inside"] == result["all"]["times"] == 5 * len(SCENES)
    assert result["all"]["greatest ratio"] <= 2 * MOST
    assert done.returncode == (result["all"]["greatest ratio"] > MOST)
    assert all(not any(row["failed, lost, refused, steps"]) for row in result["rows"])
