"""What is known of a driver besides its table of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Driver(NamedTuple):
    """A driver, as `launchpath._drivers.drivers` lists it.

    Attributes
    ----------
    name : str
        What its devices' ``info["driver"]`` is.
    title : str
        What messages call it.
    find : function
        Gives its devices, and what was left out: (what, why). It may raise a `LibraryError`, with the reason why there
        are none.
    words : tuple of str
        What users ask for it by.
    absent : str
        What to do where its library is not there; empty: nothing is said of it.
    calls : dict of str to dict of str to str
        What its library calls the functions behind entries of the table, as other tools know them; by the devices'
        ``traits["calls"]``, which is the driver's name where it is not set.
    """

    name: str
    title: str
    find: Callable[[], tuple[list[Any], list[tuple[str, str]]]]
    words: tuple[str, ...] = ()
    absent: str = ""
    calls: Mapping[str, Mapping[str, str]] = {}
