"""Wrong input of every function of HIP's ends in a code, and in the right one: see docs/hip.md.

The right code is one that the function's documentation lists, unless the row says why AMD's runtime returns another.
"""

import inspect

import pytest

from launchpath import hip as module
from tests.standin.headers import include_folder

from . import rows_copies, rows_devices, rows_graphs, rows_memory, rows_modules, rows_streams, rows_textures
from .calls import ok
from .documented_codes import of_bindings, of_header
from .test_launch_codes import LAUNCHES

TABLES = (rows_devices, rows_memory, rows_copies, rows_streams, rows_modules, rows_graphs, rows_textures)
ROWS = [row for table in TABLES for row in table.ROWS]
# Functions that have arguments, and for which none is wrong.
NEVER_WRONG = {
    "hipGetErrorName": "other numbers are hipErrorUnknown",
    "hipGetErrorString": "other numbers are an unknown error",
}
SUCCESS = "hipSuccess"


def call(world, row):
    """Return the code's name, and the other outputs."""
    arguments = [getattr(world, each) if isinstance(each, str) else each for each in row.arguments]
    try:
        code, *outputs = getattr(module, row.function)(*arguments)
    except Exception as error:
        return repr(error), []
    return code.name, outputs


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__.rpartition("_")[2])
def test_the_codes_of_wrong_input(hip, world, table):
    wrong = []
    several = ok(hip.hipGetDeviceCount()) > 1
    for row in table.ROWS:
        if "another" in row.arguments and not several:
            continue
        code, outputs = call(world, row)
        if code != f"hipError{row.code}" or any(output is not None for output in outputs):
            wrong.append(f"{row.function}{row.arguments}: expected {row.code}, got {code} and {outputs}")
        elif hip.hipGetLastError()[0].name != code:
            wrong.append(f"{row.function}{row.arguments}: {code} is not the last error")
    assert not wrong, "\n".join(wrong)


def _lists(function, documented):
    """Return what the function's documentation lists; a variant without a list has that of its original."""
    codes = documented(function) - {SUCCESS}
    return codes or documented(function.removesuffix("_spt")) - {SUCCESS}


def test_the_codes_are_documented():
    wrong = {
        f"{row.function}: {row.code} is {'listed: leave the reason out' if row.why else 'not listed: say why'}"
        for row in ROWS
        if (f"hipError{row.code}" in _lists(row.function, of_bindings)) == bool(row.why)
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_the_header_lists_what_the_bindings_do():
    """The bindings' lists are read well: few differ from those of an older header, and these lack codes only."""
    header = of_header(include_folder("hip"))
    assert len(header) > 250
    assert header["hipEventRecord"] >= {"hipErrorInvalidHandle", "hipErrorLaunchFailure"}
    both = [name for name in sorted(module.SUPPORTED & header.keys()) if header[name] - {SUCCESS}]
    assert len(both) > 200
    same = [name for name in both if header[name] - {SUCCESS} <= of_bindings(name)]
    assert len(same) > 0.9 * len(both), set(both) - set(same)


def test_every_function_has_wrong_input():
    rows = {row.function for row in ROWS} | set(LAUNCHES)
    assert rows <= module.SUPPORTED
    taking = {name for name in module.SUPPORTED if inspect.signature(getattr(module, name)).parameters}
    assert taking - rows == set(NEVER_WRONG)


def test_nothing_at_all_is_refused_or_a_default(hip, world):
    """None in place of every handle and pointer: a code, or a type that hip-python refuses too."""
    for name in sorted(module.SUPPORTED):
        function = getattr(module, name)
        count = len(inspect.signature(function).parameters)
        if not count or name in DONE_WITH_NOTHING:
            continue
        try:
            code, *_ = function(*[None] * count)
        except TypeError:  # an int is expected
            continue
        assert code.name.startswith("hip"), name
    hip.hipGetLastError()


# These change the thread or the device.
DONE_WITH_NOTHING = ("hipCtxSetCurrent", "hipGraphCreate")
