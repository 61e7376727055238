"""Hooks of the libraries: those that are installed have all of them where launchpath expects them."""

import importlib

import pytest

from launchpath._fast.hooks import Hook, minor, moved

LIBRARIES = {
    "triton": ("triton", "launchpath._fast.triton.hooks"),
    "numba": ("numba_cuda", "launchpath._fast.numba.hooks"),
    "cupy": ("cupy", "launchpath._fast.cupy"),
}
NEEDED = {"numba": "numba.cuda.dispatcher", "triton": "triton.runtime.jit"}


@pytest.mark.parametrize("name", LIBRARIES)
def test_installed_version_has_all_hooks(name: str) -> None:
    module, place = LIBRARIES[name]
    try:
        library = importlib.import_module(module)
        importlib.import_module(place)
        importlib.import_module(NEEDED.get(name, module))
    except Exception as error:
        pytest.skip(f"{name} cannot be imported (extra `fast`): {error}")
    table = importlib.import_module(place)
    assert moved(table.HOOKS) == []
    version = getattr(library, "__version__", None)
    assert version is None or minor(str(version)) in table.VERSIONS


@pytest.mark.parametrize(
    ("hook", "text"),
    [
        (Hook("json", "dumps", ("obj",)), None),
        (Hook("json", "JSONEncoder.default", ("self", "o")), None),
        (Hook("json", "JSONEncoder.item_separator"), None),
        (Hook("json", "no_such"), "json has no no_such"),
        (Hook("json", "JSONEncoder.no_such"), "json has no JSONEncoder.no_such"),
        (Hook("no.such.module", "x"), "no.such.module: No module named 'no'"),
        (Hook("json", "dumps", ("data",)), "json.dumps: expected the parameters ('data',), got ('obj', 'skipkeys'"),
        (Hook("json", "dumps.no_such"), "json has no dumps.no_such"),
    ],
)
def test_what_has_moved_is_named(hook: Hook, text: str | None) -> None:
    found = hook.moved()
    assert found is None if text is None else str(found).startswith(text)


@pytest.mark.parametrize(
    ("version", "expected"),
    [("3.9.0", (3, 9)), ("3.6.0+git12", (3, 6)), ("0.30.4", (0, 30)), ("dev", None), ("x.y", None)],
)
def test_minor_version(version: str, expected: tuple[int, int] | None) -> None:
    assert minor(version) == expected
