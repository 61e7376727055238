"""Traces beside somebody else's capture: they neither end it nor ask for times of what does not run."""

import time

import pytest

import launchpath as lp
from launchpath import _core
from tests.tracing.conftest import path
from tests.tracing.raw import read

from .capture import ACTIVE, TWO

__all__ = ["path"]


@pytest.mark.leaves("events")
@pytest.mark.parametrize("mode", TWO)
def test_a_trace_beside_a_capture(gpu, stream, capture, mode, path):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    seen.to_numpy(other)
    with lp.trace(path) as trace:
        with capture(stream.handle, mode) as graph:
            array.fill(1, stream)
            for _ in range(100):
                seen.fill(3, other)
            other.synchronize()
            until = time.monotonic() + 20
            while _core.trace_outstanding()[0]:
                assert time.monotonic() < until
                _core.trace_wait(100)
            assert graph.status == ACTIVE
        assert trace.counts["captured"] == 1
    assert graph.replay(stream, array) == [1]
    assert len(read(path).times()) == 100


@pytest.mark.leaves("events")
@pytest.mark.parametrize("mode", TWO)
def test_a_trace_begins_and_ends_within_a_capture(gpu, stream, capture, mode, path):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    seen.to_numpy(other)
    with capture(stream.handle, mode) as graph:
        with lp.trace(path):
            array.fill(1, stream)
            seen.fill(3, other)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]
    assert len(read(path).commands()) == 2
    assert len(read(path).times()) == 1
