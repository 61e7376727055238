"""Captures beside other work: branches, what came before, and other threads."""

import contextlib
import gc

import pytest

import launchpath as lp
from tests.threads import apart

N = 64


def test_branches_that_begin_with_the_capture(device, program, nonblocking, side, array):
    """The first thing that is captured is a record: what many programs fork their branches by."""
    other = lp.zeros(N, "int32", device, side)
    device.synchronize()
    nonblocking.begin_capture()
    side.wait(nonblocking.record())
    program.add[1, N, side](other, 1, N)
    program.add[1, N, nonblocking](array, 2, N)
    nonblocking.wait(side.record())
    array.copy_from(other, nonblocking)
    executable = nonblocking.end_capture().instantiate()
    for _ in range(3):
        executable.launch(nonblocking)
    assert array.to_numpy(nonblocking).tolist() == [3] * N


def test_a_branch_without_commands_passes_the_order_on(device, program, nonblocking, side, array):
    third, copied = lp.Stream(blocking=False, device=device), lp.zeros(N, "int32", device, nonblocking)
    nonblocking.synchronize()
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    side.wait(nonblocking.record())
    third.wait(side.record())  # side has nothing but the wait
    copied.copy_from(array, third)
    nonblocking.wait(third.record())
    executable = nonblocking.end_capture().instantiate()
    with nonblocking.hold():
        executable.launch(nonblocking)
    assert copied.to_numpy(nonblocking).tolist() == [1] * N


def test_a_record_behind_a_wait_stands_for_both(device, program, nonblocking, side, array):
    """A branch's last command comes before its wait: an event behind the wait is behind what it waits for."""
    third, copied = lp.Stream(blocking=False, device=device), lp.zeros(N, "int32", device, nonblocking)
    scratch = lp.zeros(N, "int32", device, nonblocking)
    nonblocking.synchronize()
    step = lp.Step()
    with step:
        program.add[1, N, side](scratch, 1, N)
        for _ in range(4):
            program.add[1, N, nonblocking](array, 1, N)
        side.wait(nonblocking.record())
        third.wait(side.record())
        copied.copy_from(array, third)
    third.synchronize()
    frozen = step.freeze()
    with nonblocking.hold():
        frozen.launch()
        assert not third.query()
    assert copied.to_numpy(third).tolist() == [8] * N


def test_a_wait_from_before_is_kept(device, program, nonblocking, side, array):
    with side.hold():
        nonblocking.wait(side.record())
        nonblocking.begin_capture()
        program.add[1, N, nonblocking](array, 1, N)
        executable = nonblocking.end_capture().instantiate()
        executable.launch(nonblocking)
        assert not nonblocking.query()
    assert array.to_numpy(nonblocking)[0] == 1


def test_an_event_from_outside_is_refused_at_the_wait(program, nonblocking, side, array):
    event = side.record()
    event.synchronize()
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    with pytest.raises(lp.LaunchpathError, match="expected an event that was recorded in the capture"):
        nonblocking.wait(event)
    executable = nonblocking.end_capture().instantiate()  # the capture went on
    executable.launch(nonblocking)
    assert array.to_numpy(nonblocking)[0] == 1


def test_what_was_before_stays_in_the_legacy_streams_order(device, program, blocking, array):
    legacy, copied = device.legacy_stream, lp.zeros(N, "int32", device, blocking)
    with blocking.hold():
        program.add[1, N, blocking](array, 1, N)
        blocking.begin_capture()
        program.add[1, N, blocking](array, 10, N)
        apart(lambda: copied.copy_from(array, legacy))  # after the launch that runs, and not after the other
        executable = blocking.end_capture().instantiate()
        assert not legacy.query()
    assert copied.to_numpy(legacy)[0] == 1
    executable.launch(blocking)
    assert array.to_numpy(blocking)[0] == 11


@pytest.mark.parametrize("look", ["device", "legacy", "query", "memory", "trim"])
def test_other_threads_wait_for_what_runs(device, program, blocking, array, look):
    """What another thread captures is not waited for, and goes on."""
    freed = lp.empty(N, "int32", device, blocking)
    program.add[1, N, blocking](freed, 1, N)
    freed.free()
    blocking.begin_capture()
    program.add[1, N, blocking](array, 1, N)
    looks = {
        "device": device.synchronize,
        "legacy": device.legacy_stream.synchronize,
        "query": device.legacy_stream.query,
        "memory": lambda: [lp.zeros(N, "int32", device).to_numpy() for _ in range(4)],
        "trim": device.trim_memory,
    }
    apart(looks[look])
    program.add[1, N, blocking](array, 1, N)
    executable = blocking.end_capture().instantiate()
    executable.launch(blocking)
    assert array.to_numpy(blocking)[0] == 2


def test_a_stream_that_is_dropped_in_a_capture(device, program, nonblocking, array):
    side = lp.Stream(blocking=False, device=device)
    nonblocking.begin_capture()
    side.wait(nonblocking.record())
    program.add[1, N, side](array, 1, N)
    nonblocking.wait(side.record())
    del side
    apart(lambda: [lp.Stream(device=device) for _ in range(3)] and device.synchronize())  # ends idle streams
    with pytest.raises(
        lp.LaunchpathError, match="stream of the recorded commands was dropped since: keep it until the capture"
    ):
        nonblocking.end_capture()
    program.add[1, N, nonblocking](array, 1, N)
    assert array.to_numpy(nonblocking)[0] == 1


def test_an_executable_in_a_capture(program, nonblocking, side, array):
    """Its commands become a part of the graph; launches of its own stay apart from that."""
    inner = {}
    side.begin_capture()
    program.add[1, N, side](array, 1, N)
    inner = side.end_capture().instantiate()
    inner.launch(side)
    side.synchronize()
    nonblocking.begin_capture()
    inner.launch(nonblocking)
    inner.launch(nonblocking)
    outer = nonblocking.end_capture().instantiate()
    for _ in range(3):
        outer.launch(nonblocking)
    assert array.to_numpy(nonblocking)[0] == 1 + 6
    inner.launch(nonblocking)
    assert array.to_numpy(nonblocking)[0] == 1 + 7


def test_later_launches_take_over_rows_of_commands(program, nonblocking, side, array):
    """They compare nothing, whichever stream they are on, until the graph is updated."""

    def captured(value):
        nonblocking.begin_capture()
        for _ in range(6):
            program.add[1, N, nonblocking](array, value, N)
        return nonblocking.end_capture()

    executable = captured(1).instantiate()
    total = 0
    for value in (1, 10):
        for _ in range(3):
            for stream in (nonblocking, side):
                executable.launch(stream)
                total += 6 * value
        if value == 1:
            before = executable.report().compared
            executable.launch(side)
            total += 6
            compared = executable.report().compared - before
            assert compared < 6 * 16  # of the first command alone
            executable.update(captured(10))
    assert array.to_numpy(side)[0] == total


def test_a_capture_ends_with_its_stream(device, program, nonblocking, array):
    def in_the_middle():
        stream = lp.Stream(blocking=False, device=device)
        stream.begin_capture()
        program.add[1, N, stream](array, 1, N)
        raise ValueError

    with contextlib.suppress(ValueError):  # `pytest.raises` would keep the frame, and the stream with it
        in_the_middle()
    gc.collect()
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    nonblocking.end_capture().instantiate().launch(nonblocking)
    assert array.to_numpy(nonblocking)[0] == 1


def test_an_executable_with_branches_in_a_capture_and_in_a_step(device, program, nonblocking, side, array):
    """The outer graph keeps the order of its branches, and what it keeps."""
    other = lp.zeros(N, "int32", device, nonblocking)
    nonblocking.synchronize()
    nonblocking.begin_capture()
    side.wait(nonblocking.record())
    program.add[1, N, side](other, 1, N)
    nonblocking.wait(side.record())
    array.copy_from(other, nonblocking)
    inner = nonblocking.end_capture().instantiate()
    nonblocking.begin_capture()
    inner.launch(nonblocking)
    inner.launch(nonblocking)
    outer = nonblocking.end_capture().instantiate()
    step = lp.Step()
    with step:
        inner.launch(nonblocking)
    frozen = step.freeze()
    del inner
    with nonblocking.hold():
        outer.launch(nonblocking)
        frozen.launch()
    assert array.to_numpy(nonblocking).tolist() == [1 + 2 + 1] * N
