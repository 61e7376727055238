"""The installed Triton, on the CUDA stand-in: its launches by launchpath."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.standin.build import ROOT

pytest.importorskip("triton", reason="Triton is not installed (extra `fast`)")
pytest.importorskip("torch", reason="torch is not installed")

PROGRAMS = ("results", "hooks", "other_arguments", "difference", "globals", "uninstall", "random", "launchers")
INDUCTOR = ("static", "of_triton", "unknown", "existing", "in_c")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    from tests.fast_launches.triton_cuda import prepared

    folder: Path = tmp_path_factory.mktemp("cuda")
    return prepared(folder)


def run(module: str, program: str, environment: dict[str, str]) -> None:
    command = [sys.executable, "-W", "ignore", "-m", f"tests.fast_launches.{module}", program]
    answer = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert answer.returncode == 0, answer.stderr[-3000:]


@pytest.mark.compiles
@pytest.mark.processes
@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str, environment: dict[str, str]) -> None:
    run("triton_programs", program, environment)


@pytest.mark.compiles
@pytest.mark.processes
@pytest.mark.parametrize("program", INDUCTOR)
def test_program_of_inductor(program: str, environment: dict[str, str]) -> None:
    run("inductor_programs", program, environment)
