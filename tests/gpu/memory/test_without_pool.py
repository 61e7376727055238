"""The same without the library's stream-ordered allocation (LAUNCHPATH_STREAM_ORDERED=0), in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.sample import amount

FOLDER = Path(__file__).parents[1]


@pytest.mark.skipif(os.environ.get("LAUNCHPATH_STREAM_ORDERED") == "0", reason="this is that process")
def test_everything_of_memory():
    variables = os.environ | {"LAUNCHPATH_STREAM_ORDERED": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    variables = {key: value for key, value in variables.items() if not key.startswith("PYTEST_")}
    tests = [str(FOLDER / name) for name in ("memory/test_memory.py", "library/test_fault.py", "memory/test_peer.py")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    command += amount(["-p", "tests.sample"], [])
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=PATIENCE, check=False,
                           cwd=FOLDER.parent.parent)  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_switch(driver):
    from tests.gpu.process import run

    run(driver, """
    assert device.info["stream_ordered"] is False
    assert control.live("pools") == 0
    array = gpu.zeros(1000)
    del array
    gpu.settle()
    assert control.live("memory") == 0
    """, LAUNCHPATH_STREAM_ORDERED="0")  # fmt: skip
