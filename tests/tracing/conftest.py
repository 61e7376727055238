"""Traces of the simulated driver, and of the real devices."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import launchpath as lp
from launchpath._recorder.environment import library
from launchpath._tracing.session import current_trace
from tests.fixtures import array, arrays, machine, ordering, stream
from tests.simulated import Machine
from tests.tracing.tracers import Tracer
from tests.unit.conftest import pytest_configure

__all__ = ["array", "machine", "ordering", "pytest_configure", "stream"]

Launch = Callable[[int], None]


@pytest.fixture
def launch(machine: Machine, stream: lp.Stream) -> Launch:
    """Launch a kernel with a number, on a machine that runs by itself."""
    machine.machine.background()
    kernel, (a, b) = machine.kernel()[1, 1, stream], arrays(machine, 2)
    return lambda number: kernel(a, b, 16, number)


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """The file of a trace; after a test that failed in it, the trace ends."""
    yield tmp_path / "run.lptrace"
    trace = current_trace()
    if trace is not None:
        trace.stop(patience=0)


@pytest.fixture
def index(device: lp.Device) -> int:
    return lp.devices().index(device)


@pytest.fixture(params=["core", "recorder"])
def tracer(request: pytest.FixtureRequest, path: Path, index: int) -> Tracer:
    """Whose trace a process has: a test that asks for it runs with both."""
    if request.param == "recorder" and library() is None:
        pytest.skip("this installation has no recorder")
    return Tracer(request.param, path, index)
