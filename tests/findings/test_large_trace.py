"""The large trace with evidence that figures are taken with: that it is what it says."""

import numpy
import pytest

import launchpath as lp
from benchmarks.findings.trace_file import COMMANDS, LAUNCHES, STEPS, THREADS, write


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    file = tmp_path_factory.mktemp("large") / "t.lptrace"
    return file, write(file, 1)


def test_it_has_the_records_that_it_counts(large):
    file, records = large
    steps = THREADS * STEPS
    assert records == steps * (COMMANDS + 1)
    summary = lp.read_trace(file).summary()
    assert sum(kernel.calls for kernel in summary.kernels) == steps * LAUNCHES
    assert {call.name: call.calls for call in summary.driver_calls}["queue_finish"] == steps
    assert "lost" not in str(summary)


def test_its_commands_are_timed_and_in_order(large):
    (table,) = lp.read_trace(large[0]).dispatches()
    assert table["timed"].all() and not table["failed"].any()
    assert len(numpy.unique(table["correlation"])) == len(table["correlation"]) == THREADS * STEPS * COMMANDS
    for stream in numpy.unique(table["stream"]):
        of_stream = table["stream"] == stream
        order = numpy.argsort(table["correlation"][of_stream])
        assert (numpy.diff(table["begin"][of_stream][order]) > 0).all()
        assert (table["started"][of_stream][order][1:] >= table["ended"][of_stream][order][:-1]).all()
    assert set(table["direction"]) == {"", "host to device", "device to host"}
