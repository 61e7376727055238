"""Modules that are imported later, child processes, and `launchpath run --fast`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from launchpath._fast import environment, imports, running
from tests.standin.build import ROOT

LIBRARY = """
import sys, types
class JITFunction: ...
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder with a Triton that has nothing that launchpath knows, and a program."""
    package = tmp_path / "triton" / "runtime"
    package.mkdir(parents=True)
    (tmp_path / "triton" / "__init__.py").write_text("__version__ = '99.0'\n")
    (package / "__init__.py").touch()
    (package / "jit.py").write_text(
        "class KernelInterface:\n    def __getitem__(self, grid): return lambda *a, **k: self.run(*a, grid=grid, warmup=False, **k)\n"
        "class JITFunction(KernelInterface):\n    _fn_name = 'mine'\n    def run(self, *args, grid, warmup, **kwargs): return (args, grid)\n"
    )
    (tmp_path / "program.py").write_text(
        "import os, subprocess, sys\n"
        "from triton.runtime import jit\n"
        "import inspect\n"
        "assert jit.JITFunction()[(1,)](5) == ((5,), (1,))\n"
        "print(type(vars(jit.JITFunction)['run']).__name__, __name__, sys.argv[1:], jit.__loader__.__class__.__name__)\n"
        "assert 'class JITFunction' in inspect.getsource(jit)\n"
        "if 'child' in sys.argv: sys.exit(subprocess.run([sys.executable, __file__, 'grandchild']).returncode)\n"
        "if 'signal' in sys.argv: os.kill(os.getpid(), 15)\n"
        "sys.exit(7)\n"
    )
    return tmp_path


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment_ = {**os.environ, "PYTHONPATH": path, **variables}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment_, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.processes
def test_program_runs_as_under_python(library: Path) -> None:
    answer = run(library, "-m", "launchpath", "run", "--fast", "program.py", "a", "-b", "child")
    assert answer.returncode == 7, answer.stderr
    assert answer.stdout.splitlines() == [
        "FastRun __main__ ['a', '-b', 'child'] SourceFileLoader", "FastRun __main__ ['grandchild'] SourceFileLoader",
    ]  # fmt: skip
    lines = [line for line in answer.stderr.splitlines() if line]
    assert len(lines) == 2, answer.stderr
    assert all("0 launches were fast, 1 went their library's own way" in line for line in lines)
    assert "a version that launchpath does not know, 1" in lines[0]


@pytest.mark.processes
def test_module_signal_and_quiet(library: Path) -> None:
    answer = run(library, "-m", "launchpath", "run", "--fast", "-m", "program", "x", LAUNCHPATH_FAST="quiet")
    assert (answer.returncode, answer.stderr) == (7, "")
    assert answer.stdout == "FastRun __main__ ['x'] SourceFileLoader\n"
    answer = run(library, "-m", "launchpath", "run", "--fast", "program.py", "signal")
    assert answer.returncode == -signal.SIGTERM


@pytest.mark.processes
def test_sitecustomize_of_the_environment_runs_too(library: Path) -> None:
    (library / "sitecustomize.py").write_text("print('mine', __name__)\n")
    answer = run(library, "-m", "launchpath", "run", "--fast", "program.py")
    assert answer.stdout.splitlines() == ["mine sitecustomize"] * 2 + ["FastRun __main__ [] SourceFileLoader"], (
        answer.stderr
    )


@pytest.mark.processes
def test_process_without_the_variable_is_as_ever(library: Path) -> None:
    answer = run(library, "program.py", PYTHONPATH=os.pathsep.join([environment.SITE, str(library), str(ROOT / "src")]))
    assert answer.stdout == "function __main__ [] SourceFileLoader\n"


@pytest.mark.processes
def test_library_that_is_imported_already_is_replaced(library: Path) -> None:
    (library / "late.py").write_text(
        "from triton.runtime import jit\nfrom launchpath import fast\nfast.install(children=False)\n"
        "print(type(vars(jit.JITFunction)['run']).__name__)\nfast.uninstall()\nprint(type(vars(jit.JITFunction)['run']).__name__)\n"
    )
    answer = run(library, "late.py")
    assert answer.stdout.split() == ["FastRun", "function"], answer.stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["program.py", "-x"], ["program.py", "-x"]), (["-m", "module", "a"], ["-m", "module", "a"]),
        (["--", "program.py"], ["program.py"]),
    ],
)  # fmt: skip
def test_command(words: list[str], line: list[str]) -> None:
    assert running.command(words) == [sys.executable, *line]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "got nothing"),
        (["-m"], "got -m"),
        (["--trace", "x"], "got --trace x"),
        (["saxpy.cu"], "got saxpy.cu: omit --fast"),
    ],
)
def test_words_that_name_no_program(words: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        running.command(words)


def test_environment_is_handed_down_and_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(environment.NAME, raising=False)
    monkeypatch.setenv("PYTHONPATH", f"a{os.pathsep}b")
    environment.hand_down()
    environment.hand_down()
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [environment.SITE, "a", "b"]
    assert os.environ[environment.NAME] == "1"
    environment.take_back()
    assert os.environ["PYTHONPATH"] == f"a{os.pathsep}b"
    assert environment.NAME not in os.environ
    monkeypatch.delenv("PYTHONPATH")
    environment.hand_down()
    environment.take_back()
    assert "PYTHONPATH" not in os.environ


def test_finder_leaves_other_modules_alone() -> None:
    finder = imports.Finder(lambda name: None)
    assert finder.find_spec("json", None) is None
    assert finder.find_spec("triton.runtime.jit", ["nowhere"]) is None
