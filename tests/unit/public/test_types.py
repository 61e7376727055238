"""What type checkers accept of calls works, and what they refuse does not: the files of tests/types, by mypy and pyright."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import launchpath as lp
from tests.patience import PATIENCE
from tests.types import accepted

pytestmark = pytest.mark.compiles

FOLDER = Path(accepted.__file__).parent
ACCEPTED, REFUSED = "accepted.py", "refused.py"
LINES = (FOLDER / REFUSED).read_text(encoding="utf-8").splitlines()
MARKED = {number: line.strip() for number, line in enumerate(LINES, 1) if line.endswith("  # error")}
DEVICES = lp.devices()

Places = set[tuple[str, int]]  # file and line


@pytest.fixture(scope="module")
def checkers() -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Both checkers, at work at the same time."""
    source = str(Path(lp.__file__).parents[1])
    mypy = ["mypy", "--config-file=", f"--cache-dir={FOLDER.parents[1] / 'build' / 'mypy'}", "--strict"]
    commands = {
        "mypy": [*mypy, "--follow-imports=silent", str(FOLDER / ACCEPTED), str(FOLDER / REFUSED)],
        "pyright": ["pyright", "--outputjson", "-p", str(FOLDER), "--pythonpath", sys.executable],
    }
    started = {
        name: subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=FOLDER.parents[1],
            env={**os.environ, "MYPYPATH": source},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, command in commands.items()
    }
    yield started
    for process in started.values():
        process.kill()
        process.communicate()


def of_mypy(out: str) -> tuple[Places, str]:
    places = re.findall(r"^(.+?):(\d+): error: ", out, re.MULTILINE)
    return {(Path(file).name, int(line)) for file, line in places}, out


def of_pyright(out: str) -> tuple[Places, str]:
    errors = [error for error in json.loads(out)["generalDiagnostics"] if error["severity"] == "error"]
    places = {(Path(error["file"]).name, error["range"]["start"]["line"] + 1) for error in errors}
    return places, "\n".join(
        f"{Path(error['file']).name}:{error['range']['start']['line'] + 1}: {error['message']}" for error in errors
    )


def test_checkers_refuse_the_marked_lines_alone(checkers: dict[str, subprocess.Popen[str]]) -> None:
    wanted = {(REFUSED, line) for line in MARKED}
    wrong = {}
    for name, read in (("mypy", of_mypy), ("pyright", of_pyright)):
        out, err = checkers[name].communicate(timeout=PATIENCE)
        assert out, err
        places, text = read(out)
        wrong[name, "accepts what does not work"] = sorted(wanted - places)
        wrong[name, text] = sorted(places - wanted)
    assert not {case: places for case, places in wrong.items() if places}


@pytest.mark.parametrize("device", DEVICES, ids=str)
def test_what_they_accept_works(device: lp.Device) -> None:
    accepted.on_any_device(device)


@pytest.mark.skipif(not DEVICES, reason="no device here")
def test_what_they_refuse_fails() -> None:
    from tests.types import refused

    passed = []
    for number, line in MARKED.items():
        try:
            exec(line, vars(refused))
        except (TypeError, ValueError, AttributeError, lp.LaunchpathError):
            continue
        passed.append(f"{number}: {line}")
    assert not passed
    refused.stream.synchronize()
