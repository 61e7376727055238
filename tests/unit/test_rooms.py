"""What is public of launchpath, and what `dir` and completion show of it."""

from __future__ import annotations

import pkgutil

import launchpath as lp

PUBLIC_ROOMS = {"errors", "interop"}


def test_a_module_is_public_or_has_an_underscore():
    modules = {module.name for module in pkgutil.iter_modules(lp.__path__)}
    assert {name for name in modules if not name.startswith("_")} == PUBLIC_ROOMS


def test_no_module_takes_the_name_of_something_public():
    modules = {module.name for module in pkgutil.iter_modules(lp.__path__)}
    assert not (modules & set(lp.__all__)) - PUBLIC_ROOMS


def test_dir_shows_what_is_public():
    shown = {name for name in dir(lp) if not name.startswith("__")}
    assert shown == set(lp.__all__) | PUBLIC_ROOMS
