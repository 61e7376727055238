"""The core calls a driver by its table alone: no file outside of the drivers' folders names a function of theirs."""

import re
from pathlib import Path

import pytest

from launchpath import _core

CORE = Path(_core.__file__).parent / "_core"
DRIVERS = ("driver/opencl", "driver/gpu", "driver/simulated")
BASELINES = "baselines"  # C's own loops, which measure what the core costs

pytestmark = pytest.mark.skipif(not CORE.is_dir(), reason="the core's source is not here")


def _functions(folder: str) -> set[str]:
    """The functions that the files of a driver define."""
    text = "".join(path.read_text() for path in (CORE / folder).rglob("*.pxi"))
    return set(re.findall(r"^cdef [^(=\n]*?(\w+)\(", text, re.MULTILINE))


def _called(path: Path) -> set[str]:
    """What a file calls, comments and texts left out."""
    text = re.sub(r'"""(?s:.*?)"""|#.*|"[^"\n]*"', "", path.read_text())
    return set(re.findall(r"\b(\w+)\(", text))


def test_the_core_calls_no_function_of_a_driver():
    functions = set().union(*map(_functions, DRIVERS))
    assert len(functions) > 200
    outside = [CORE / folder for folder in (*DRIVERS, BASELINES)]
    files = [path for path in CORE.rglob("*.pxi") if not any(path.is_relative_to(folder) for folder in outside)]
    assert len(files) > 40
    past = {str(path.relative_to(CORE)): sorted(_called(path) & functions) for path in files}
    assert {path: names for path, names in past.items() if names} == {}


def test_the_baselines_do():
    called = set().union(*map(_called, (CORE / BASELINES).glob("*.pxi")))
    assert {"gpu_begin", "opencl_allow_indirect"} <= called


def test_no_driver_calls_another():
    """Their classes and functions carry the driver's name; what they share is in `driver/table.pxi`."""
    for folder in DRIVERS:
        others = set().union(*(_functions(other) for other in DRIVERS if other != folder)) - _functions(folder)
        called = set().union(*map(_called, (CORE / folder).rglob("*.pxi")))
        assert called & others == set(), folder
