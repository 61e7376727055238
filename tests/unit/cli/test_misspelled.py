"""Misspelled commands and options: the error names what they are like."""

import subprocess
import sys
from pathlib import Path

import pytest

from launchpath._host import run_words
from tests.command import run
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    ("words", "like"),
    [
        ("compil", "'compile'"),
        ("bench lauch", "'launch'"),
        ("cache cler", "'clear'"),
        ("clock mesure", "'measure'"),
        ("devices --verbos", "'--verbose'"),
        ("cache --al", "'--all'"),
        ("bench launch --chek", "'--check'"),
        ("report --perfeto x y", "'--perfetto'"),
        ("trace --outptu x -- true", "'--output'"),
        ("why --pruve -- true", "'--prove'"),
        ("run --devise 0 x.cu", "--device?"),
        ("run --fst x.py", "--fast?"),
        ("run --treace=f x.cu", "--trace?"),
    ],
)
def test_what_it_is_like_is_named(words: str, like: str) -> None:
    done = run(*words.split())
    assert done.exit_code == 2
    assert "id you mean" in done.stderr and like in done.stderr


def test_what_is_like_nothing_gets_all_commands() -> None:
    done = run("bench", "qqq")
    assert done.exit_code == 2
    assert "Expected one of arguments, compile, generated, " in done.stderr
    assert "Did you mean" not in done.stderr


@pytest.mark.parametrize("name", ["--device-w", "--device-c"])
def test_options_of_the_compiler_driver_are_its_own(name: str) -> None:
    assert "id you mean" not in run("run", name, "/no/such.cu").stderr


def test_a_python_program_has_its_own_ways() -> None:
    done = run("run", "train.py", "--epochs", "3")
    assert done.exit_code == 2
    assert "run it by `python train.py` or `launchpath run --fast train.py`" in done.stderr


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("--trace x.lptrace", "launchpath run --trace x.lptrace a.cu"),
        ("10 --trace=x.lptrace 3", "launchpath run --trace=x.lptrace a.cu"),
        ("--device pocl", "launchpath run --device pocl a.cu"),
        ("--device", "launchpath run --device a.cu"),
        ("--findings", "launchpath trace --findings -- launchpath run a.cu"),
        ("--fast", "launchpath run --fast a.cu"),
        ("-DN=4", "launchpath run -DN=4 a.cu"),
        ("-std=c++20", "launchpath run -std=c++20 a.cu"),
        ("-O3", "launchpath run -O3 a.cu"),
        ("-I/", "launchpath run -I/ a.cu"),
    ],
)
def test_an_option_behind_the_source_is_told_and_goes_to_the_program(words: str, command: str) -> None:
    asked = run_words.read(["a.cu", *words.split()])
    assert (asked.files, asked.arguments, asked.trace_file, asked.options) == (
        ("a.cu",),
        tuple(words.split()),
        None,
        (),
    )
    (remark,) = run_words.remarks(asked)
    assert f"write `{command}`" in remark and "behind a.cu is the program's argument" in remark


@pytest.mark.parametrize(
    "words", ["a.cu -- --trace x", "a.cu --steps 3 -n 4 -D 5 -Inowhere -O", "--trace x a.cu 3", "-O3 a.cu --tracing=1"]
)
def test_other_arguments_are_not_told(words: str) -> None:
    assert run_words.remarks(run_words.read(words.split())) == []


def test_an_own_option_between_the_source_and_the_marker_is_refused() -> None:
    done = run("run", "a.cu", "--trace", "x", "--", "3")
    assert done.exit_code == 2
    assert "--trace: expected this option first, before all others: `launchpath run --trace ...`" in done.stderr


@pytest.mark.compiles
@pytest.mark.processes
def test_the_program_gets_its_own_option_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int main(int n, char **words) { return n == 3 && words[1][2] == 't' ? 7 : 1; }")
    command = [sys.executable, "-m", "launchpath", "run", "a.cu"]
    for marker, is_told in ((), True), (("--",), False):
        line = [*command, *marker, "--trace", "mine"]
        done = subprocess.run(line, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 7, done.stderr
        assert ("launchpath run: --trace behind a.cu" in done.stderr) == is_told
    assert not (tmp_path / "mine").exists()
