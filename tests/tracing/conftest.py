"""Traces of the simulated driver, and of the real devices."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from launchpath._tracing.session import current_trace
from tests.fixtures import array, machine, ordering, stream
from tests.unit.conftest import pytest_configure, pytest_runtest_makereport

__all__ = ["array", "machine", "ordering", "pytest_configure", "pytest_runtest_makereport", "stream"]


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """The file of a trace; after a test that failed in it, the trace ends."""
    yield tmp_path / "run.lptrace"
    trace = current_trace()
    if trace is not None:
        trace.stop(patience=0)
