"""The benchmark of stragglers, in small: one of each kind planted in real processes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.ranks.scenes import KINDS

ROOT = Path(__file__).parents[3]


@pytest.mark.times
@pytest.mark.processes
def test_planted_stragglers_are_named(tmp_path: Path) -> None:
    file = tmp_path / "ranks.json"
    command = [sys.executable, "-m", "benchmarks.ranks", "--processes", "4", "--steps", "40", "--places", "1"]
    done = subprocess.run(
        [*command, "--json", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(file.read_text())
    assert [row["planted"] for row in result["rows"]] == list(KINDS)
    assert all(row["right"] for row in result["rows"])
