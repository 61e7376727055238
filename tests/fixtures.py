"""The `machine` fixture: a simulated machine for one test, closed and judged after the test's own variables are gone.

``@pytest.mark.machine(devices=2, check=False, ...)`` gives it other options than the defaults.
"""

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine


@pytest.fixture
def machine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    marker = request.node.get_closest_marker("machine")
    machine = Machine(**(marker.kwargs if marker else {}))
    yield machine
    if getattr(request.node, "has_failed", False):
        return  # its reports would hide the failure, and its traceback keeps everything alive
    request.node.funcargs.clear()  # what other fixtures made of it
    gc.collect()  # what `pytest.raises` caught holds the test's frame
    machine.__exit__(None)


@pytest.fixture
def stream(machine: Machine) -> lp.Stream:
    """A nonblocking stream of the machine's first device."""
    return machine.streams(("nonblocking",))[0]


@pytest.fixture
def array(machine: Machine) -> lp.Array:
    """16 numbers, whatever they are."""
    return arrays(machine, 1)[0]


@pytest.fixture
def ordering() -> Iterator[Callable[[str], None]]:
    """Choose the ordering of the process; it is put back."""
    yield _core.set_ordering
    _core.set_ordering("clocks")


def arrays(machine: Machine, count: int, n: int = 16, device: lp.Device | None = None) -> list[lp.Array]:
    return [lp.empty(n, "uint32", device or machine.device) for _ in range(count)]


def waits(machine: Machine) -> list[Any]:
    """The wait list of the last command."""
    return sorted(machine.machine.log[-1][4])


def kinds(machine: Machine) -> set[str]:
    """What kinds of report there are."""
    return {report.kind for report in machine.machine.reports}


def calls(machine: Machine) -> dict[str, int]:
    """Count the driver's calls since the last time, flushes and releases of what was waited for left out."""
    counts = {name: n for name, n in machine.machine.calls.items() if n}
    machine.machine.reset_calls()
    for name in ("queue_flush", "event_release", "uploaded", "downloaded"):  # the last two are bytes
        counts.pop(name, None)
    return counts
