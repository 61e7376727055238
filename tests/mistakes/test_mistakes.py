"""Each mistake is told well, but for those that are known not to be."""

from __future__ import annotations

import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

import launchpath as lp
from tests.mistakes import subjects
from tests.mistakes.mistake import Command, Mistake, Process, missing
from tests.patience import PATIENCE
from tests.python import python

SUBJECTS = [module.name for module in pkgutil.iter_modules(subjects.__path__)]
CACHE = ("LAUNCHPATH_CACHE_DIR", "LAUNCHPATH_CACHE_LIMIT")  # of this run of the tests

pytestmark = [pytest.mark.compiles, pytest.mark.processes, pytest.mark.skipif(not lp.devices(), reason="no device")]


def mistakes(subject: str) -> list[Mistake]:
    return list(import_module(f"tests.mistakes.subjects.{subject}").MISTAKES)


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join(part or os.getcwd() for part in sys.path)
    own = {key: value for key, value in os.environ.items() if not key.startswith("LAUNCHPATH_") or key in CACHE}
    return {**own, "PYTHONPATH": path, "COLUMNS": "200", **more}


def faults_of_process(mistake: Process | Command, folder: Path) -> tuple[list[str], str]:
    """Run it: the faults of what it tells, and the text."""
    if isinstance(mistake, Command):
        words = [sys.executable, "-m", "launchpath", *mistake.program.split()]
        more = {}
    else:
        (folder / "program.py").write_text(mistake.program.strip())
        words, more = [sys.executable, str(folder / "program.py")], dict(mistake.environment)
    process = subprocess.Popen(
        words, env=environment(**more), cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    if isinstance(mistake, Process) and mistake.interrupted:
        process.stdout.readline()
        time.sleep(1.0)  # from the line's end to where the program waits
        process.send_signal(signal.SIGINT)
    try:
        _, text = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return ["hangs"], process.communicate()[1]
    faults = missing(mistake, text)
    if process.returncode < 0 and "launchpath: " not in text:
        faults.append(f"ends by signal {-process.returncode} without a line of launchpath's")
    files = [line for line in text.splitlines() if line.startswith('  File "')]
    if files and os.path.dirname(lp.__file__) in files[-1]:
        faults.append(f"the traceback ends in {files[-1].strip()}")
    return faults, text


def faults_of(subject: str, folder: Path) -> dict[int, tuple[list[str], str]]:
    """What is wrong with what a subject's mistakes tell, by their numbers, and the texts."""
    listed = mistakes(subject)
    told = {}
    if any(not isinstance(each, (Process, Command)) for each in listed):
        told = json.loads(python("-m", "tests.mistakes.world", subject, env=environment()).stdout)
    for n, each in enumerate(listed):
        if isinstance(each, (Process, Command)):
            told[str(n)] = faults_of_process(each, folder)
    return {int(n): (faults, text) for n, (faults, text) in told.items()}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_it_is_told_well(subject: str, tmp_path: Path) -> None:
    listed, told = mistakes(subject), faults_of(subject, tmp_path)
    assert sorted(told) == list(range(len(listed)))
    bad = [(n, faults, text) for n, (faults, text) in sorted(told.items()) if faults and not listed[n].known]
    assert not bad, "\n\n".join(f"{listed[n].program}\n{faults}\n{text}" for n, faults, text in bad)
    mended = [listed[n].program for n, (faults, _) in told.items() if listed[n].known and not faults]
    assert not mended, "told well now: take out the reason why not"


def test_they_are_enough() -> None:
    every = [each for subject in SUBJECTS for each in mistakes(subject)]
    assert len({(each.program, type(each)) for each in every}) >= 60
    assert sum(not each.known for each in every) >= len(every) * 55 / 60
