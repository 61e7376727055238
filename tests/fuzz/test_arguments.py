"""Odd arguments to everything public: an error on purpose or a right result, and nothing else.

``LAUNCHPATH_FUZZ_SECONDS`` and ``LAUNCHPATH_FUZZ_SEED`` say for how long, and which calls (``make fuzz``).
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SECONDS = float(os.environ.get("LAUNCHPATH_FUZZ_SECONDS") or 2)
SEED = int(os.environ.get("LAUNCHPATH_FUZZ_SEED") or 1)
_ROOT = Path(__file__).parents[2]
_CRASHES = 5  # after so many no more are looked for


def run(device: str, folder: Path) -> list[str]:
    """Make calls in a process until the time is over, in another one behind a call that ended it; gives what is wrong."""
    log = folder / "calls"
    problems: list[str] = []
    first, left = 0, SECONDS
    # The launchpath of this process, which may be one of `make sanitize`. In another folder: some functions write files of
    # any name.
    around = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)])}
    while len(problems) < _CRASHES:
        command = [sys.executable, "-m", "tests.fuzz.arguments", device, str(SEED), str(first), str(left), str(log)]
        done = subprocess.run(
            command, cwd=folder, env=around, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode == 0:
            return problems + json.loads(done.stdout.splitlines()[-1])["problems"]
        last = log.read_text(errors="replace").splitlines()[-1] if log.exists() else "no call"
        problems.append(f"ended with {done.returncode} in {last}\n{done.stderr[-3000:]}")
        if not last[:1].isdigit():
            break
        first, left = int(last.split()[0]) + 1, left / 2
    return problems


def check(device: str, folder: Path) -> None:
    problems = run(device, folder)
    again = f"LAUNCHPATH_FUZZ_SEED={SEED}"
    assert not problems, f"{len(problems)} calls went wrong ({again}):\n" + "\n".join(problems[:50])


def test_odd_arguments_on_the_simulated_driver(tmp_path: Path) -> None:
    check("simulated", tmp_path)


def test_odd_arguments_on_a_cpu_device(device: Any, tmp_path: Path) -> None:
    if device.info["kind"] != "cpu":
        pytest.skip("a fault there ends more than one process")
    import launchpath as lp

    check(str(lp.devices().index(device)), tmp_path)
