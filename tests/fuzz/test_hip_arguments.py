"""Odd arguments to HIP's functions: a code, or the TypeError that hip-python raises as well; no process ends by a signal.

``LAUNCHPATH_FUZZ_SECONDS`` says for how long (``make fuzz``), with 0 until all cases were made; without it there are some.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

SECONDS = os.environ.get("LAUNCHPATH_FUZZ_SECONDS") or ""
SEED = int(os.environ.get("LAUNCHPATH_FUZZ_SEED") or 1)
_ROOT = Path(__file__).parents[2]
_SOME = 3001  # every so manyeth case, if not all are to be made
_STEP = 7919  # a prime: rounds of so many steps go through all cases, each function early
_ALL = 101  # the same where no time ends them: few processes, each of some seconds
_CRASHES = 5  # after so many no more are looked for


def _round(device: str, first: int, step: int, until: float, log: Path) -> tuple[int, list[str]]:
    """Make every `step`th case from `first` on, in processes; gives how many, and what is wrong."""
    made, problems, crashes = 0, [], 0
    following: int | None = first
    # The launchpath of this process, which may be one of `make sanitize`. In another folder: some functions write files of
    # any name.
    around = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)])}
    while following is not None and time.monotonic() < until and crashes < _CRASHES:
        left = str(min(until - time.monotonic(), 1e6))
        command = [sys.executable, "-m", "tests.fuzz.hip_arguments", device, str(following), str(step), left, str(log)]
        done = subprocess.run(
            command, cwd=log.parent, env=around, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode == 0:
            report = json.loads(done.stdout.splitlines()[-1])
            made, problems, following = made + report["made"], problems + report["problems"], report["next"]
            continue
        crashes += 1
        last = log.read_text(errors="replace").splitlines()[0] if log.exists() else "no case"
        problems.append(f"ended with {done.returncode} in {last}\n{done.stderr[-3000:]}")
        if not last[:1].isdigit():
            break
        following = int(last.split()[0]) + step
    return made, problems


def test_odd_arguments_of_hip(device: Any, tmp_path: Path) -> None:
    pytest.importorskip("rocm.bindings.hip")
    if device.info["kind"] != "cpu":
        pytest.skip("a fault there ends more than one process")
    import launchpath as lp

    index, log = str(lp.devices().index(device)), tmp_path / "case"
    if SECONDS:
        until = time.monotonic() + float(SECONDS) if float(SECONDS) else float("inf")
        step = _STEP if float(SECONDS) else _ALL
        rounds = [(first, step) for first in range(step)]
    else:
        until, rounds = float("inf"), [(SEED, _SOME)]
    made, problems = 0, []
    for first, step in rounds:
        if time.monotonic() < until:
            more, wrong = _round(index, first, step, until, log)
            made, problems = made + more, problems + wrong
        if len(problems) > 100:
            break
    print(f"{made} cases of HIP's functions with odd arguments")
    assert made
    assert not problems, f"{len(problems)} cases went wrong:\n" + "\n".join(problems[:50])
