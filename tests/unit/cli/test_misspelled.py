"""Misspelled commands and options: the error names what they are like."""

import pytest

from tests.command import run


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
