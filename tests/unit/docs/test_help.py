"""``help(launchpath)``: two screens that lead on."""

import inspect
import pydoc
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import launchpath as lp

SCREENS = 100  # lines, of 80 columns


def check(text: str) -> None:
    lines = text.partition("\nFILE\n")[0].splitlines()  # the file's path has any length
    assert len(text.splitlines()) <= SCREENS
    assert max(map(len, lines)) <= 80
    words = set(re.findall(r"\w+", text.partition("PACKAGE CONTENTS")[0]))
    assert set(lp.__all__) <= words


def test_help_fits_two_screens_and_names_everything() -> None:
    check(pydoc.render_doc(lp, "Help on %s:", renderer=pydoc.plaintext))


@pytest.mark.processes
def test_help_of_the_command_is_the_same() -> None:
    done = subprocess.run([sys.executable, "-m", "pydoc", "launchpath"], capture_output=True, text=True, check=True)
    check(done.stdout)


@pytest.mark.compiles
@pytest.mark.parametrize("device", lp.devices(), ids=str)
def test_what_to_type_first_runs(device: lp.Device, capsys: pytest.CaptureFixture[str]) -> None:
    example = (lp.__doc__ or "").partition("A first program::\n\n")[2].partition("\nThe public names;")[0]
    with device:
        exec(compile(textwrap.dedent(example), "help", "exec"), {})
    assert capsys.readouterr().out == "999.0\n"


def test_only_the_help_of_the_package_is_short() -> None:
    assert dict(inspect.getmembers(lp, inspect.isclass)).keys() <= set(dir(lp))
    assert {"Device", "Kernel", "Array"} <= dict(inspect.getmembers(lp, inspect.isclass)).keys()
    assert "per_thread_stream" in pydoc.plain(pydoc.render_doc(lp.Device))


def test_everything_can_be_imported_at_once() -> None:
    names: dict[str, object] = {}
    exec("from launchpath import *", names)
    names.pop("__builtins__")
    assert names == {name: getattr(lp, name) for name in lp.__all__}


def test_help_names_pages_that_exist() -> None:
    folder = Path(__file__).parents[3]
    if not (folder / "docs").exists():
        pytest.skip("not in a checkout")
    pages = re.findall(r"``(docs/\S+\.md)``", lp.__doc__ or "")
    assert pages and all((folder / page).exists() for page in pages)


@pytest.mark.parametrize("function", [lp.step, lp.compile, lp.zeros])
def test_help_of_a_function_is_headed_as_one(function: object) -> None:
    assert pydoc.plain(pydoc.render_doc(function)).startswith(
        "Python Library Documentation: function in module launchpath\n"
    )
