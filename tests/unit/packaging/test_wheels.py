"""`make wheels`: which Pythons it builds for, and what it refuses. Building takes minutes, this does not."""

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from scripts import interpreters, wheels
from tests import shipped
from tests.python import python as run_python

pytestmark = pytest.mark.processes

HEADERS = (Path(sysconfig.get_path("include")) / "Python.h").exists()
TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"


def python(folder: Path, name: str, facts: str) -> str:
    """A program that answers as a Python with these facts would."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{facts}'\n")
    path.chmod(0o755)
    return str(path)


def facts(minor: int, headers: bool = True, free_threaded: bool = False, implementation: str = "cpython") -> str:
    bits = {True: "true", False: "false"}
    return (
        f'{{"version": [3, {minor}, 1], "implementation": "{implementation}", '
        f'"headers": {bits[headers]}, "free_threaded": {bits[free_threaded]}}}'
    )


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine whose PATH and pyenv have only what a test puts there, and whose own Python is too old."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr(interpreters, "candidates", lambda: sorted(map(str, tmp_path.glob("python3*"))))
    return tmp_path


@pytest.mark.skipif(not HEADERS, reason="this Python's headers are not installed")
def test_this_python_is_looked_at_itself():
    seen = interpreters.look_at(sys.executable)
    assert isinstance(seen, interpreters.Interpreter)
    assert seen.version == sys.version_info[:3]
    assert seen.tag.rstrip("t") == TAG


def test_where_pythons_are_looked_for(tmp_path, monkeypatch):
    folder = tmp_path / "versions" / "3.12.1" / "bin"
    folder.mkdir(parents=True)
    python(folder, "python", facts(12))
    on_path = python(tmp_path, "python3.13", facts(13))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert {on_path, str(folder / "python")} <= set(interpreters.candidates())


def test_an_interpreter_for_each_tag(machine):
    first = python(machine, "python3.12", facts(12))
    python(machine, "python3.12-again", facts(12))
    newer = python(machine, "python3.14", facts(14))
    python(machine, "python3.9", facts(9))
    python(machine, "python3.13", facts(13, headers=False))
    python(machine, "python3.14t", facts(14, free_threaded=True))
    assert [(each.tag, each.path) for each in interpreters.search()] == [("cp312", first), ("cp314", newer)]


def test_named_interpreters(machine):
    first, other = (
        python(machine, "python3.12", facts(12)),
        python(machine, "python3.14t", facts(14, free_threaded=True)),
    )
    assert [each.tag for each in interpreters.search(f"{first}, python3.14t")] == ["cp312", "cp314t"]
    assert [each.path for each in interpreters.search(other)] == [other]


@pytest.mark.parametrize(
    "answer, reason",
    [
        (facts(10), "expected Python 3.11 or later, got 3.10.1"),
        (facts(12, headers=False), "expected its headers"),
        (facts(12, implementation="pypy"), "expected CPython, got pypy"),
        ("nothing", "expected a Python"),
    ],
)
def test_named_interpreters_must_do(machine, answer, reason):
    path = python(machine, "python3.x", answer)
    with pytest.raises(SystemExit, match=f"{path}: {reason}"):
        interpreters.search(path)


def test_a_machine_without_any(machine):
    old = python(machine, "python3.9", facts(9))
    with pytest.raises(SystemExit, match="(?s)got none.*" + old):
        interpreters.search()


def test_figures_that_are_missed():
    assert not wheels.wrong_figures("x.whl", shipped.MOST, wheels.MOST_INSTALLED)
    assert wheels.wrong_figures("x.whl", shipped.MOST + 1, wheels.MOST_INSTALLED + 1) == [
        "x.whl: expected at most 4,000,000 bytes as a wheel, got 4,000,001",
        "x.whl: expected at most 150,000,000 bytes installed, got 150,000,001",
    ]


def test_the_size_of_a_folder(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_bytes(bytes(100))
    (tmp_path / "b").write_bytes(bytes(23))
    assert wheels.size(tmp_path) == 123


def test_a_command_that_fails_shows_its_output(capfd):
    with pytest.raises(SystemExit, match="(?s)reason.*expected success, got exit status 3"):
        wheels.run(sys.executable, "-c", "print('reason'); raise SystemExit(3)")


def test_the_core_is_compiled_from_what_is_named(tmp_path):
    """setup.py compiles the C that Cython wrote once, and asks Cython for none."""
    source = tmp_path / "core.c"
    show = (
        "from distutils.core import run_setup\n"
        "core, *_ = run_setup('setup.py', ['-q'], 'config').ext_modules\nprint(core.sources)"
    )
    pytest.importorskip("setuptools", minversion="77")
    pytest.importorskip("Cython")
    done = run_python("-c", "import setuptools\n" + show, cwd=shipped.ROOT, env={"LAUNCHPATH_BUILD_CORE": str(source)})
    assert done.stdout.splitlines()[-1] == str([str(source)])
