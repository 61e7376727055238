"""Unit tests run on the simulated driver."""

from collections.abc import Generator
from typing import Any

import pytest

from tests.fixtures import array, machine, ordering, stream

__all__ = ["array", "machine", "ordering", "stream"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "machine(**options): how to make the simulated machine of this test")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if call.when == "call":
        item.has_failed = report.failed  # type: ignore[attr-defined]
    return report
