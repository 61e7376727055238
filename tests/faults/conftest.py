"""Fault tests run on the simulated driver, with the fixtures of the unit tests, or in processes of their own."""

import pytest

import launchpath as lp
from tests.unit.conftest import array, machine, ordering, pytest_configure, stream

__all__ = ["array", "machine", "ordering", "pytest_configure", "stream"]


@pytest.fixture
def index(device):
    """The device by its index, as a process of its own is told of it."""
    return lp.devices().index(device)
