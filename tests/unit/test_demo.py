"""The demonstration, shortened, on each device that is present."""

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._bench import demo

SHORT = demo.Size(streams=3, arrays=5, rounds=4, elements=10)
LAUNCHES = SHORT.arrays * SHORT.rounds

pytestmark = pytest.mark.skipif(not lp.devices(), reason="no device")


@pytest.fixture(params=lp.devices(), ids=lambda device: device.info["platform"], scope="module")
def device(request):
    return request.param


@pytest.fixture(scope="module")
def outcomes(device):
    return {outcome.ordering: outcome for outcome in demo.run(device, SHORT)}


def test_runs_under_three_orderings(outcomes):
    assert list(outcomes) == ["always", "nonempty", "clocks"]


def test_every_array_is_verified(outcomes):
    for outcome in outcomes.values():
        assert outcome.verified == list(range(SHORT.arrays))
        assert outcome.wrong == []


def test_calls_have_hips_names(outcomes):
    counts = {entry.name: entry.calls for entry in outcomes["clocks"].calls}
    assert counts == {
        "hipMalloc": SHORT.arrays,
        "hipStreamCreate": SHORT.streams,
        "hipMemcpy": SHORT.rounds + 2,
        "hipLaunchKernel": LAUNCHES,
        "hipDeviceSynchronize": SHORT.rounds,
        "hipStreamDestroy": SHORT.streams,
        "hipFree": SHORT.arrays,
    }


def test_a_marker_in_every_queue_is_set_or_left_out(outcomes):
    assert outcomes["always"].markers_made >= LAUNCHES * SHORT.streams
    assert outcomes["always"].markers_left_out == 0
    for mode in ("nonempty", "clocks"):
        assert outcomes[mode].markers_left_out >= LAUNCHES * SHORT.streams
        assert outcomes[mode].markers_made < LAUNCHES


def test_a_wrong_array_is_detected(device, monkeypatch):
    good = lp.Array.to_numpy

    def bad(self, stream=None):
        values = good(self, stream)
        if bad.calls == 2:
            values[-1] += 1
        bad.calls += 1
        return values

    bad.calls = 0
    monkeypatch.setattr(lp.Array, "to_numpy", bad)
    assert [outcome.wrong for outcome in demo.run(device, SHORT)] == [[2], [], []]


def test_a_kernel_that_leaves_an_element_is_detected(device, monkeypatch):
    monkeypatch.setattr(demo, "SOURCE", demo.SOURCE.replace("i < N;", "i < N - 1;"))
    for outcome in demo.run(device, SHORT):
        assert sorted(outcome.wrong) == list(range(SHORT.arrays))
        assert outcome.verified == []


def test_the_ordering_is_put_back(device, monkeypatch):
    _core.set_ordering("nonempty")
    try:
        demo.run(device, demo.Size(1, 1, 1, 1))
        assert _core.ordering_mode() == "nonempty"
    finally:
        _core.set_ordering("clocks")


def test_steps_count_up(device):
    steps = []
    demo.run(device, demo.Size(1, 1, 2, 1), lambda done, total: steps.append((done, total)))
    assert steps == [(done, 6) for done in range(1, 7)]


def test_json(outcomes):
    data = outcomes["clocks"].as_json()
    assert set(data) == {"ordering", "calls", "launch_us", "markers_made", "markers_left_out", "verified", "wrong"}
    assert np.isclose(data["launch_us"], next(c["us_average"] for c in data["calls"] if c["name"] == "hipLaunchKernel"))
