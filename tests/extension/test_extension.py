"""A new kind of command touches six files; a new driver its own folder, and one registration.

Both are added to a copy of the package, and its core is built: so this is no part of the sample in ``make test``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import launchpath
from tests.extension import toy, word

PACKAGE = Path(launchpath.__file__).parent
ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.sample(0),
    pytest.mark.processes,
    pytest.mark.compiles,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not (PACKAGE / "_core").is_dir(), reason="the core's source is not here"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to import launchpath from whose core has the kind and the driver."""
    folder = tmp_path_factory.mktemp("extended")
    ignored = shutil.ignore_patterns("*.so", "core.c", "__pycache__")
    shutil.copytree(PACKAGE, folder / "src" / "launchpath", ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md", "scripts"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    word.add(folder / "src" / "launchpath")
    toy.add(folder / "src" / "launchpath")
    result = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=folder,
        env=os.environ | {"LAUNCHPATH_BUILD_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    return folder / "src"


def run(built: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": f"{built}{os.pathsep}{ROOT}"}
    result = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    return result


def test_a_kind_of_command(built: Path, tmp_path: Path) -> None:
    assert len(word.EDITS) == 6
    errors = run(built, "-m", "tests.extension.program_word", str(tmp_path)).stderr
    lines = [line for line in errors.splitlines() if ".write_word" in line]
    assert lines
    assert all("bytes 4, " in line and " waits) ok 0" in line for line in lines), lines


def test_a_driver(built: Path) -> None:
    """The tests of the simulated machine, and random programs, run on it."""
    selected = ["tests/model", "tests/unit/step", "tests/unit/order/test_clock_and_order.py"]
    options = ["-p", "tests.sample", "-p", "tests.extension.toy_plugin", "-p", "no:cacheprovider", "-q", "-x"]
    assert " passed" in run(built, "-m", "pytest", *options, *selected).stdout


def test_its_registration(built: Path) -> None:
    program = """
import launchpath as lp
from launchpath import _core, _drivers
machine = _core.Toy(1)
_drivers.registered.append(_drivers.Driver("toyed", "Toy", lambda: (list(machine.devices), [])))
(device,) = [device for device in lp.devices() if device.driver == "toyed"]
assert lp.device("toyed") is device
array = lp.zeros(16, "float32", device)
array.fill(3)
assert array.to_numpy().tolist() == [3.0] * 16
"""
    run(built, "-c", program)
