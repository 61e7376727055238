"""A trace that is paused and goes on: whether CUPTI is attached again, and the sources of its times."""

import pytest

import launchpath as lp
from tests.standin.cupti_client import MULTIPLE_SUBSCRIBERS
from tests.tracing.raw import read

from .expect import ANOTHER, SOURCE, by_events, detached, source


@pytest.mark.leaves("events")
def test_a_resume_may_be_refused(gpu, cupti, launcher, path):
    with lp.trace(path, device=gpu.device, cupti=True) as trace:
        launcher()
        trace.pause()
        assert detached(cupti)
        cupti.fail("cuptiSubscribe", MULTIPLE_SUBSCRIBERS, 1)
        trace.resume()
        assert by_events(gpu, launcher)
    assert source(path) == f"{SOURCE}, then {ANOTHER}"
    assert len(read(path).times()) == 11


@pytest.mark.leaves("events")
def test_a_resume_may_bring_it_back(gpu, cupti, launcher, path):
    cupti.fail("cuptiSubscribe", MULTIPLE_SUBSCRIBERS, 1)
    with lp.trace(path, device=gpu.device, cupti=True) as trace:
        assert by_events(gpu, launcher)
        for _ in range(2):  # the fact names each source once
            trace.pause()
            assert detached(cupti)
            trace.resume()
            assert not by_events(gpu, launcher)
    assert source(path) == f"{ANOTHER}, then {SOURCE}"
    assert f"(Stand-in GPU 0) by {ANOTHER}, then {SOURCE}" in str(lp.read_trace(path).summary())


@pytest.mark.leaves("events")
def test_a_stream_that_waits_for_the_host_at_a_resume_keeps_it_away(gpu, stream, cupti, launcher, path):
    with lp.trace(path, device=gpu.device, cupti=True) as trace:
        launcher()
        trace.pause()
        assert detached(cupti)
        with stream.hold():
            trace.resume()
            launcher()
            assert not cupti.attached
    assert source(path) == f"{SOURCE}, then events: a stream waits for the host, or the device is busy for long"
    assert len(read(path).times()) == 2
