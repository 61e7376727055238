"""Processes that end at random: `ends.py` has more of them."""

from pathlib import Path

import pytest

from tests.recorder.ends import run
from tests.recorder.programs import compiled

SEEDS = [("standin", seed) for seed in range(1000, 1016)] + [
    (which, seed) for which in ("Portable", "Intel") for seed in (1000, 1001)
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("ends", tmp_path_factory.mktemp("program"))


@pytest.mark.sample(8)
@pytest.mark.processes
@pytest.mark.parametrize(("which", "seed"), SEEDS)
def test_every_launch_that_returned_is_in_a_file(program: Path, tmp_path: Path, which: str, seed: int) -> None:
    ended = run(program, tmp_path, seed, which)
    if ended.absent:
        pytest.skip(f"no OpenCL platform is named {which}")
    assert ended.problems == []
