"""Child processes launch by launchpath, too: forked, spawned and started ones, with the installed Triton on the stand-in."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.standin.build import ROOT

pytest.importorskip("triton", reason="Triton is not installed (extra `fast`)")
pytest.importorskip("torch", reason="torch is not installed")

PROGRAMS = ("forked_first", "forked_later", "forked_while_another_thread_compares", "spawned", "started")


@pytest.mark.compiles
@pytest.mark.processes
@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str, tmp_path: Path) -> None:
    from tests.fast_launches.triton_cuda import prepared

    command = [sys.executable, "-W", "ignore", "-m", "tests.fast_launches.children_programs", program]
    answer = subprocess.run(
        command, env=prepared(tmp_path), cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
