"""Arrays that are made and dropped inside of a capture, and events with a time that are recorded in one."""

import gc

import pytest

import launchpath as lp

N = 64


def doubled(program, stream, array):
    """Add an array to itself by way of a temporary, which is dropped at once."""
    temporary = lp.empty(N, "int32", array.device, stream)
    temporary.copy_from(array, stream)
    program.add[1, N, stream](temporary, 1, N)
    array.copy_from(temporary, stream)


def test_temporaries_of_a_capture_are_the_graphs(device, program, nonblocking, array):
    before = device.memory_info()["arrays"]
    nonblocking.begin_capture()
    for _ in range(3):
        doubled(program, nonblocking, array)
    executable = nonblocking.end_capture().instantiate()
    assert device.memory_info()["arrays"] == before + 3
    others = [lp.full(N, 7, "int32", device) for _ in range(8)]  # would take their place
    for _ in range(4):
        executable.launch(nonblocking)
    assert array.to_numpy(nonblocking).tolist() == [12] * N
    assert all(other.to_numpy().tolist() == [7] * N for other in others)
    del executable
    gc.collect()
    assert device.memory_info()["arrays"] == before + 8


def test_memory_from_before_that_is_freed_in_a_capture(device, program, nonblocking, array):
    source = lp.full(N, 5, "int32", device, stream=nonblocking)
    nonblocking.begin_capture()
    array.copy_from(source, nonblocking)
    source.free()
    other = lp.full(N, 9, "int32", device)
    executable = nonblocking.end_capture().instantiate()
    others = [lp.full(N, 7, "int32", device) for _ in range(8)]
    executable.launch(nonblocking)
    assert array.to_numpy(nonblocking).tolist() == [5] * N
    assert [each.to_numpy()[0] for each in (other, *others)] == [9] + [7] * 8


def test_memory_that_no_command_uses_goes_when_the_capture_ends(device, nonblocking):
    before = device.memory_info()["arrays"]
    nonblocking.begin_capture()
    for _ in range(3):
        lp.empty(N, "int32", device, nonblocking)
    lp.empty(N, "int32", device)
    graph = nonblocking.end_capture()
    assert len(graph) == 0
    assert device.memory_info()["arrays"] == before


def test_a_capture_that_is_dropped_gives_its_memory_back(device, program, array):
    before = device.memory_info()["arrays"]
    stream = lp.Stream(blocking=False, device=device)
    stream.begin_capture()
    doubled(program, stream, array)
    del stream
    gc.collect()
    assert device.memory_info()["arrays"] == before


def test_a_graph_waits_for_what_its_memory_was_used_for_before(device, program, nonblocking, side, array):
    """The array was made in the order of its stream, whose earlier work still uses the memory; the launch is on another."""
    first = lp.zeros(N, "int32", device, nonblocking)
    copied = lp.zeros(N, "int32", device, nonblocking)
    nonblocking.synchronize()
    with nonblocking.hold():
        program.add[1, N, nonblocking](first, 3, N)
        copied.copy_from(first, nonblocking)
        del first
        second = lp.empty(N, "int32", device, nonblocking)
        capturing = lp.Stream(blocking=False, device=device)
    capturing.begin_capture()
    second.fill(8, capturing)
    executable = capturing.end_capture().instantiate()
    executable.launch(side)
    assert copied.to_numpy(nonblocking).tolist() == [3] * N
    assert second.to_numpy(side).tolist() == [8] * N


def test_events_with_a_time_are_recorded_by_each_launch(device, program, nonblocking, array):
    start, end = lp.Event(timing=True), lp.Event(timing=True)
    nonblocking.begin_capture()
    nonblocking.record(start)
    program.add[1, N, nonblocking](array, 1, N)
    nonblocking.record(end)
    executable = nonblocking.end_capture().instantiate()
    with pytest.raises(lp.LaunchpathError, match="launch its graph"):
        start.elapsed_time(end)
    for _ in range(4):
        executable.launch(nonblocking)
        assert start.elapsed_time(end) >= 0
    end.synchronize()
    assert end.query()
    assert array.to_numpy(nonblocking)[0] == 4


def test_an_event_with_a_time_orders_branches_too(device, program, nonblocking, side, array):
    fork, join = lp.Event(timing=True), lp.Event(timing=True)
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    side.wait(nonblocking.record(fork))
    program.add[1, N, side](array, 2, N)
    nonblocking.wait(side.record(join))
    program.add[1, N, nonblocking](array, 4, N)
    executable = nonblocking.end_capture().instantiate()
    with nonblocking.hold():
        executable.launch(nonblocking)
    assert fork.elapsed_time(join) >= 0
    assert array.to_numpy(nonblocking)[0] == 7


def test_a_graph_in_a_graph_records_its_events(program, nonblocking, array):
    start, end = lp.Event(timing=True), lp.Event(timing=True)
    nonblocking.begin_capture()
    nonblocking.record(start)
    program.add[1, N, nonblocking](array, 1, N)
    nonblocking.record(end)
    inner = nonblocking.end_capture().instantiate()
    nonblocking.begin_capture()
    inner.launch(nonblocking)
    outer = nonblocking.end_capture().instantiate()
    outer.launch(nonblocking)
    assert start.elapsed_time(end) >= 0
    assert array.to_numpy(nonblocking)[0] == 1
