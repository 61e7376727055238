"""Host functions: in stream order, on several streams, and what they raise."""

import threading

import pytest

import launchpath as lp

from .calls import PATIENCE, becomes_true, returns_at_once, waits_until_released


def test_a_host_function_gets_its_arguments(nonblocking):
    seen = []
    nonblocking.host_function(lambda *args: seen.append(args), 1, "two", None)
    nonblocking.synchronize()
    assert seen == [(1, "two", None)]


def test_host_functions_of_a_stream_run_in_order(nonblocking):
    seen = []
    for i in range(200):
        nonblocking.host_function(seen.append, i)
    nonblocking.synchronize()
    assert seen == list(range(200))


def test_a_host_function_runs_after_what_came_before(program, counter, nonblocking, device):
    if not device.info["host_accessible"]:
        pytest.skip("the host cannot look at this device's memory")
    import numpy as np

    value, seen = np.from_dlpack(counter), []
    for i in range(20):
        program.follow[1, 1, nonblocking](counter, i)
        nonblocking.host_function(lambda: seen.append(int(value[0])))
    nonblocking.synchronize()
    assert seen == list(range(1, 21))


def test_a_host_function_does_not_run_before_the_stream_gets_there(nonblocking):
    called = threading.Event()
    with nonblocking.hold() as hold:
        nonblocking.host_function(called.set)
        assert not called.wait(0.05)
        hold.release()
        assert called.wait(PATIENCE)


def test_what_comes_after_waits_for_a_host_function(program, counter, nonblocking, side):
    gate = threading.Event()
    nonblocking.host_function(gate.wait, PATIENCE)
    program.follow[1, 1, nonblocking](counter, 0)
    event = nonblocking.record()
    side.wait(event)
    assert not event.query()
    assert not nonblocking.query()
    assert not side.query()
    gate.set()
    side.synchronize()
    assert counter.to_numpy(side)[0] == 1


def test_a_host_function_does_not_block_the_caller_or_other_streams(program, counter, nonblocking, side):
    gate = threading.Event()
    try:
        returns_at_once(nonblocking.host_function, gate.wait, PATIENCE)
        program.follow[1, 1, side](counter, 0)
        returns_at_once(side.synchronize)
    finally:
        gate.set()


def test_a_host_function_counts_for_the_legacy_rule(legacy, blocking):
    gate = threading.Event()
    blocking.host_function(gate.wait, PATIENCE)
    try:
        assert not legacy.query()
    finally:
        gate.set()
    legacy.synchronize()


def test_host_functions_on_several_streams_and_launches_between_them(device, program):
    streams = [lp.Stream(blocking=i % 2 == 0, device=device) for i in range(8)]
    counters = [lp.asarray([0], "int32", device) for _ in streams]
    device.synchronize()
    seen = [[] for _ in streams]
    for i in range(25):
        for mine, at, stream in zip(seen, counters, streams, strict=True):
            program.follow[1, 1, stream](at, i)
            stream.host_function(mine.append, i)
    device.synchronize()
    assert seen == [list(range(25))] * len(streams)
    assert all(at.to_numpy()[0] == 25 for at in counters)


def test_a_host_function_may_wait_for_that_of_another_stream(device):
    streams = [lp.Stream(blocking=False, device=device) for _ in range(6)]
    gates = [threading.Event() for _ in range(len(streams) + 1)]
    came_in_time = []

    def step(i):
        came_in_time.append(gates[i + 1].wait(PATIENCE))
        gates[i].set()

    for i, stream in enumerate(streams):  # the first waits for the second, and so on; the last for this thread
        stream.host_function(step, i)
    gates[-1].set()
    device.synchronize()
    assert came_in_time == [True] * len(streams)


def test_a_second_host_function_of_a_stream_may_be_waited_for(nonblocking, side):
    gate = threading.Event()
    came_in_time = []
    nonblocking.host_function(lambda: came_in_time.append(gate.wait(PATIENCE)))
    side.host_function(lambda: None)
    side.host_function(gate.set)
    nonblocking.synchronize()
    assert came_in_time == [True]


def test_what_it_raises_comes_out_of_the_next_synchronize_once(nonblocking):
    def broken():
        raise ValueError("a bad day")

    nonblocking.host_function(broken)
    with pytest.raises(lp.HostFunctionError, match="ValueError: a bad day") as raised:
        nonblocking.synchronize()
    assert isinstance(raised.value.__cause__, ValueError)
    nonblocking.synchronize()


def test_what_several_raise_is_counted(nonblocking):
    for _ in range(3):
        nonblocking.host_function(lambda: 1 / 0)
    with pytest.raises(lp.HostFunctionError, match="2 more"):
        nonblocking.synchronize()


def test_work_goes_on_after_a_host_function_raised(program, counter, nonblocking):
    nonblocking.host_function(lambda: 1 / 0)
    program.follow[1, 1, nonblocking](counter, 0)
    with pytest.raises(lp.HostFunctionError):
        nonblocking.synchronize()
    assert counter.to_numpy(nonblocking)[0] == 1


def test_what_it_raises_does_not_come_out_of_another_stream(nonblocking, side):
    nonblocking.host_function(lambda: 1 / 0)
    assert becomes_true(nonblocking.query)
    side.synchronize()
    with pytest.raises(lp.HostFunctionError):
        nonblocking.synchronize()


def test_what_it_raises_comes_out_of_device_synchronize(device, nonblocking):
    nonblocking.host_function(lambda: 1 / 0)
    with pytest.raises(lp.HostFunctionError):
        device.synchronize()
    nonblocking.synchronize()


def test_what_it_raises_comes_out_of_a_synchronize_of_legacy(legacy, blocking):
    blocking.host_function(lambda: 1 / 0)
    with pytest.raises(lp.HostFunctionError):
        legacy.synchronize()
    blocking.synchronize()


def test_a_host_function_may_launch_on_another_stream(program, counter, nonblocking, side):
    nonblocking.host_function(lambda: program.follow[1, 1, side](counter, 0))
    nonblocking.synchronize()
    side.synchronize()
    assert counter.to_numpy(side)[0] == 1


def test_a_host_function_outlives_its_stream(device):
    called = threading.Event()
    stream = lp.Stream(blocking=False, device=device)
    hold = stream.hold()
    stream.host_function(called.set)
    del stream
    hold.release()
    del hold
    assert called.wait(PATIENCE)


def test_a_host_function_is_let_go_of_when_it_has_run(nonblocking):
    import weakref

    class Thing:
        def __call__(self):
            pass

    thing = Thing()
    gone = weakref.ref(thing)
    nonblocking.host_function(thing)
    del thing
    nonblocking.synchronize()
    assert becomes_true(lambda: gone() is None)


def test_legacy_busy_with_a_host_function_synchronize_waits(legacy):
    class Gate(threading.Event):
        release = threading.Event.set

    gate = Gate()
    legacy.host_function(gate.wait, PATIENCE)
    waits_until_released(gate, legacy.synchronize)


def test_a_host_function_must_be_callable(nonblocking):
    with pytest.raises(TypeError, match="expected a callable host function, got int"):
        nonblocking.host_function(3)
