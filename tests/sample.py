"""The sample that ``make test`` runs: ``pytest -p tests.sample``. Without this plugin, pytest runs every test.

A test that is the same on several devices runs on one of them. The tests of a file share the device, so that what they
share is compiled for it alone. PoCL, which takes twice as long to compile, has half as many files as each other device.
A test that is the same with two drivers or in two languages runs with one of them, and another test with the other: the
name of the test decides. So the sample is the same each time. Of a test with the marker ``sample(N)`` N cases run, spread
over all of them; with ``sample(N, "intel")``, over those on that device, if there are any. A test that repeats something,
or draws programs, takes its `amount` from here.
"""

import os
import re
import zlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest

# Parts of a case's name that stand for a device, a driver or a language: the same test runs for each.
_TWINS = re.compile(
    r"Intel\(R\) OpenCL|Portable Computing Language"
    r"|(?<![^\W_])(intel|pocl|nvidia|amd|cuda|hip|cub|hipcub|Intel|Portable|portable)(?![^\W_])"
)

T = TypeVar("T")
_TESTS = Path(__file__).parent
_SAMPLED = "LAUNCHPATH_TEST_SAMPLED"  # in the environment: the test files of the workers are asked too


def amount(sampled: T, whole: T) -> T:
    """How much a test does: `sampled` in ``make test``, `whole` in all other runs."""
    return sampled if os.environ.get(_SAMPLED) else whole


def pytest_configure() -> None:
    os.environ[_SAMPLED] = "1"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no file for a marker (``-m times``) that the file does not name: importing all takes longer than such tests."""
    marker = config.option.markexpr
    if collection_path.suffix != ".py" or not marker.isidentifier():
        return None
    return None if re.search(rf"\b{marker}\b", collection_path.read_text(encoding="utf-8")) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marked: dict[str, list[pytest.Item]] = defaultdict(list)
    twins: dict[str, list[pytest.Item]] = defaultdict(list)
    devices = _devices(items)
    for item in items:
        if (chosen := devices.get(item.path)) and _device(item) not in (None, chosen) and not _wants_device(item):
            continue
        function, _, case = item.nodeid.partition("[")
        if item.get_closest_marker("sample"):
            marked[function].append(item)
        else:
            twins[function + _TWINS.sub("*", case)].append(item)
    kept = {item.nodeid for cases in marked.values() for item in _spread(cases)}
    kept |= {cases[zlib.crc32(name.encode()) % len(cases)].nodeid for name, cases in twins.items()}
    left_out = [item for item in items if item.nodeid not in kept]
    items[:] = [item for item in items if item.nodeid in kept]
    config.hook.pytest_deselected(items=left_out)


def _device(item: pytest.Item) -> str | None:
    """The registered device that a test runs on, or None."""
    call = getattr(item, "callspec", None)
    return call.params.get("device_id") if call is not None else None


def _wants_device(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("sample")
    return marker is not None and len(marker.args) > 1


def _devices(items: Sequence[pytest.Item]) -> dict[Path, str]:
    """Choose a device for each file that has tests on devices."""
    names: dict[Path, dict[str, None]] = defaultdict(dict)
    for item in items:
        if name := _device(item):
            names[item.path][name] = None
    chosen = {}
    for path, those in names.items():
        places = [name for name in sorted(those) for _ in range(1 if name == "pocl" else 2)]
        file = path.relative_to(_TESTS).as_posix()
        chosen[path] = places[zlib.crc32(file.encode()) % len(places)]
    return chosen


def _spread(cases: Sequence[pytest.Item]) -> list[pytest.Item]:
    """As many cases as the marker says: neither the first parameter nor the last has the same value in all of them."""
    marker = cases[0].get_closest_marker("sample")
    assert marker
    count, *words = marker.args
    cases = [case for case in cases if all(word in case.nodeid for word in words)] or cases
    step = round(len(cases) * 0.618) or 1  # the golden ratio: no multiple of it comes near a place that is taken
    order = dict.fromkeys([place * step % len(cases) for place in range(len(cases))] + list(range(len(cases))))
    return [cases[place] for place in list(order)[:count]]
