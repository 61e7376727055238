"""What is public of launchpath, and what `dir` and completion show of it."""

import inspect
import pkgutil

import pytest

import launchpath as lp

PUBLIC_MODULES = {"errors", "fast", "interop"}
OF_EXTRAS = {"hip", "hiprtc"}  # they need an extra, so launchpath does not import them by itself


def test_a_module_is_public_or_has_an_underscore():
    modules = {module.name for module in pkgutil.iter_modules(lp.__path__)}
    assert {name for name in modules if not name.startswith("_")} == PUBLIC_MODULES | OF_EXTRAS


def test_no_module_takes_the_name_of_something_public():
    modules = {module.name for module in pkgutil.iter_modules(lp.__path__)}
    assert not (modules & set(lp.__all__)) - PUBLIC_MODULES


def test_dir_shows_what_is_public():
    shown = {name for name in dir(lp) if not name.startswith("__")}
    assert shown == set(lp.__all__) | PUBLIC_MODULES | {"range"}  # which `import *` leaves to Python


def test_what_the_core_imports_counts_too():
    grimp = pytest.importorskip("grimp")
    pytest.importorskip("importlinter")
    from scripts.contracts import CORE, complete

    graph = complete(grimp.build_graph("launchpath", cache_dir=None))
    assert {"launchpath.errors", "launchpath._shown"} <= graph.find_modules_directly_imported_by(CORE)
    assert {"launchpath.__init__", "launchpath._memory.array"} <= graph.find_modules_that_directly_import(CORE)
    assert not graph.find_modules_directly_imported_by("launchpath")  # they are those of `launchpath.__init__`


def test_dir_of_the_public_modules_shows_what_is_public():
    for module in (lp.fast, lp.interop, lp.errors):
        assert {name for name in dir(module) if not name.startswith("__")} == set(module.__all__)
    errors = {name for name, value in vars(lp).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert errors <= set(lp.errors.__all__)


def test_signatures_show_what_is_public():
    for name in lp.__all__:
        try:
            parameters = inspect.signature(getattr(lp, name)).parameters
        except (TypeError, ValueError):  # modules, and classes of the core
            continue
        assert not [parameter for parameter in parameters if parameter.startswith("_")], name
