"""Unit tests run on the simulated driver."""

import pytest

from tests.fixtures import array, machine, ordering, stream

__all__ = ["array", "machine", "ordering", "stream"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "machine(**options): how to make the simulated machine of this test")
