"""Many streams: what one costs does not depend on how many there are, or were."""

import time

import pytest

import launchpath as lp
from tests.fixtures import arrays
from tests.simulated import Machine


def _cost(machine: Machine, event: lp.Event, count: int) -> float:
    """Seconds of processor time that it takes to make a stream, give it work and drop it in flight."""
    since = time.thread_time()
    for _ in range(count):
        stream = lp.Stream(blocking=False, device=machine.device)
        stream.wait(event)
        del stream
    return (time.thread_time() - since) / count


@pytest.mark.machine(record=False, check=False)
def test_streams_dropped_in_flight_do_not_slow_new_ones(machine: Machine, stream: lp.Stream) -> None:
    with stream.hold():
        event = stream.record()
        few = min(_cost(machine, event, 50) for _ in range(3))
        _cost(machine, event, 1500)
        many = min(_cost(machine, event, 50) for _ in range(3))
        assert many < 3 * few, "each new stream asked every one that was dropped"
    machine.device.synchronize()


@pytest.mark.machine(record=False)
def test_dropped_streams_end_as_new_streams_start(machine: Machine) -> None:
    for _ in range(100):
        stream = lp.Stream(blocking=False, device=machine.device)
        (a,) = arrays(machine, 1)
        a.fill(1, stream)
        del stream
    machine.machine.run()
    for _ in range(100):
        lp.Stream(device=machine.device)
    assert machine.machine.calls["queue_release"] >= 190
