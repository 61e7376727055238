"""Rows of wrong input: a function, its arguments, and the code that it must return."""

from typing import Any, NamedTuple

BAD = 12345  # a handle that names nothing
FAR = 1000  # a device that there is not
HUGE = 1 << 60  # bytes
UP, DOWN, WITHIN, ANY = 1, 2, 3, 4  # kinds of copies


class Row(NamedTuple):
    """A call with wrong input.

    Parameters
    ----------
    function : str
        Its name.
    arguments : tuple
        A str is the name of a thing of tests/hip_api/world.py.
    code : str
        What it must return, without ``hipError``.
    why : str
        Why the code is right although the function's documentation does not list it.
    """

    function: str
    arguments: tuple[Any, ...]
    code: str
    why: str


def rows(functions: str, code: str, *arguments: tuple[Any, ...], why: str = "") -> list[Row]:
    """Return a row for each function, which are separated by spaces, and for each tuple of arguments."""
    return [Row(function, each, code, why) for function in functions.split() for each in arguments]


def each(index: int, right: tuple[Any, ...], *wrong: Any) -> list[tuple[Any, ...]]:
    """Return arguments that are right but for one, which is each of some wrong ones."""
    return [(*right[:index], value, *right[index + 1 :]) for value in wrong]
