"""The sample that ``make test`` runs: ``pytest -p tests.sample``. Without this plugin, pytest runs every test.

A test that is the same on two devices (or drivers, or in two languages) runs on one of them, and another test on the
other: the name of the test decides, so that the sample is the same each time. Of a test with the marker ``sample(N)`` N
cases run, spread over all of them; with ``sample(N, "intel")``, over those on that device, if there are any. A test
that repeats something, or draws programs, takes its `amount` from here.
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
    r"(?<![^\W_])(intel|pocl|nvidia|amd|cuda|hip|cub|hipcub)(?![^\W_])|Intel\(R\) OpenCL|Portable Computing Language"
)

T = TypeVar("T")
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
    for item in items:
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


def _spread(cases: Sequence[pytest.Item]) -> list[pytest.Item]:
    """As many cases as the marker says: neither the first parameter nor the last has the same value in all of them."""
    marker = cases[0].get_closest_marker("sample")
    assert marker
    count, *words = marker.args
    cases = [case for case in cases if all(word in case.nodeid for word in words)] or cases
    step = round(len(cases) * 0.618) or 1  # the golden ratio: no multiple of it comes near a place that is taken
    order = dict.fromkeys([place * step % len(cases) for place in range(len(cases))] + list(range(len(cases))))
    return [cases[place] for place in list(order)[:count]]
