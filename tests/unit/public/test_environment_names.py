"""The names of environment variables: those that are read, those of the documentation, and misspelled ones."""

import re
import warnings
from pathlib import Path

import pytest

from launchpath._environment import NAMES, warn_of_unknown
from tests.faults.processes import start

ROOT = Path(__file__).parents[3]


def said(**environment: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_unknown(environment)
    assert all(each.category is RuntimeWarning for each in caught)
    return [str(each.message) for each in caught]


def test_all_that_are_read_are_known():
    read = set()
    for path in (ROOT / "src" / "launchpath").rglob("*.py"):
        read |= set(re.findall(r"[\"'](LAUNCHPATH_[A-Z_]+)[\"']", path.read_text()))
    assert read - {"LAUNCHPATH_", "LAUNCHPATH_HEAP_BYTES"} == {*NAMES}  # a macro of sources is no variable


def test_the_page_has_the_same():
    page = (ROOT / "docs" / "environment.md").read_text()
    assert re.findall(r"^\| `(LAUNCHPATH_[A-Z_]+)` \|", page, re.MULTILINE) == [*NAMES]


def test_known_names_and_those_of_others_pass():
    assert said(**dict.fromkeys(NAMES, ""), PATH="", launchpath="", LAUNCHPATH_TEST_REQUIRE="intel") == []


def test_the_nearest_name_is_told():
    begin = "{} has no effect: launchpath reads no environment variable of that name: "
    assert said(LAUNCHPATH_DEBUGG="1", LAUNCHPATH_CACHE_FOLDER="") == [
        begin.format("LAUNCHPATH_DEBUGG") + "did you mean LAUNCHPATH_DEBUG?",
        begin.format("LAUNCHPATH_CACHE_FOLDER") + "did you mean LAUNCHPATH_CACHE_DIR?",
    ]
    (text,) = said(LAUNCHPATH_QQ="1")
    assert text == begin.format("LAUNCHPATH_QQ") + f"expected one of {', '.join(NAMES)}"


@pytest.mark.processes
@pytest.mark.parametrize("code", ["", "lp.devices()", "import launchpath.hip, launchpath.hiprtc"])
def test_a_program_is_warned_once_at_its_import(code):
    process = start(code, head="import launchpath as lp\n", LAUNCHPATH_DEBUGG="1")
    out, err = process.communicate()
    assert (process.returncode, out) == (0, "")
    assert err.count("LAUNCHPATH_DEBUGG has no effect") == 1
    assert "<string>:1: RuntimeWarning: " in err
