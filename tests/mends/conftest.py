"""The simulated machine, and launches that are seen by the layer of writes."""

from collections.abc import Iterator

import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import array, arrays, machine, stream
from tests.simulated import Machine
from tests.unit.conftest import pytest_configure

__all__ = ["array", "machine", "pytest_configure", "stream"]


@pytest.fixture
def kernel(machine: Machine) -> Iterator[lp.Kernel]:
    """The kernel ``mix(dst, const src, n, tag)``, with writes watched: it writes to `dst` alone."""
    machine.machine.automatic = True
    _core.watch_writes()
    yield machine.kernel()
    _core.watch_writes(False)


@pytest.fixture
def pair(machine: Machine) -> list[lp.Array]:
    """Two arrays of 16 numbers."""
    return arrays(machine, 2)
