"""Graphs of one's own: captured, instantiated, updated, launched."""

import gc

import pytest

import launchpath as lp
from tests.threads import apart

N = 64


def captured(program, stream, array, values):
    stream.begin_capture()
    for value in values:
        program.add[1, N, stream](array, value, N)
    return stream.end_capture()


def test_what_is_captured_does_not_run_until_it_is_launched(program, nonblocking, side, array):
    graph = captured(program, nonblocking, array, [1, 2, 3, 4])
    assert len(graph) == 4
    assert array.to_numpy(nonblocking)[0] == 0
    executable = graph.instantiate()
    for _ in range(3):
        executable.launch(nonblocking)
    assert array.to_numpy(nonblocking).tolist() == [30] * N
    executable.launch(side)
    assert array.to_numpy(side).tolist() == [40] * N
    executable.launch()
    assert array.to_numpy().tolist() == [50] * N


def test_a_blocking_stream_is_captured_too(device, program, blocking, array):
    executable = captured(program, blocking, array, [1, 2]).instantiate()
    program.add[1, N](array, 10, N)
    executable.launch(blocking)
    program.add[1, N](array, 10, N)
    assert array.to_numpy().tolist() == [23] * N


def test_an_executable_is_updated(program, nonblocking, array):
    executable = captured(program, nonblocking, array, [1] * 5).instantiate()
    executable.launch(nonblocking)
    executable.update(captured(program, nonblocking, array, [1, 1, 100, 1, 1]))
    executable.launch(nonblocking)
    executable.update(captured(program, nonblocking, array, [1000]))
    executable.launch(nonblocking)
    assert array.to_numpy(nonblocking).tolist() == [5 + 104 + 1000] * N


def test_an_update_takes_graphs_alone(program, nonblocking, array):
    executable = captured(program, nonblocking, array, [1]).instantiate()
    for other in (executable, None):
        with pytest.raises(TypeError, match="expected a launchpath Graph, from stream.end_capture"):
            executable.update(other)
    executable.launch(nonblocking)
    assert array.to_numpy(nonblocking)[0] == 1


def test_a_stream_that_waits_for_the_capture_becomes_part_of_it(device, program, nonblocking, side, array):
    copied = lp.zeros(N, "int32", device, side)
    device.synchronize()
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    side.wait(nonblocking.record())
    copied.copy_from(array, side)
    program.add[1, N, side](copied, 5, N)
    nonblocking.wait(side.record())
    array.copy_from(copied, nonblocking)
    graph = nonblocking.end_capture()
    assert len(graph) == 4
    assert (array.to_numpy(nonblocking)[0], copied.to_numpy(side)[0]) == (0, 0)
    executable = graph.instantiate()
    with nonblocking.hold():
        for _ in range(3):
            executable.launch(nonblocking)
        side.synchronize()  # its branch has a stream of its own
    assert array.to_numpy(nonblocking).tolist() == [18] * N


def test_other_streams_go_on(program, nonblocking, side, array):
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    program.add[1, N, side](array, 7, N)
    assert array.to_numpy(side)[0] == 7
    assert nonblocking.capturing
    assert len(nonblocking.end_capture()) == 1
    assert not nonblocking.capturing


def test_launches_of_an_executable_run_in_turn(device, program, nonblocking, side, array):
    executable = captured(program, nonblocking, array, [1]).instantiate()
    with nonblocking.hold():
        executable.launch(nonblocking)
        executable.launch(side)
        assert not side.query()
    assert array.to_numpy(side)[0] == 2


def test_a_graph_keeps_what_it_uses(device):
    program = lp.compile("__global__ void count(int* at) { *at += 1; }", device=device)
    stream, at, copied = lp.Stream(device=device), lp.zeros(1, "int32", device), lp.zeros(1, "int32", device)
    device.synchronize()
    stream.begin_capture()
    program.count[1, 1, stream](at)
    copied.copy_from(at, stream)
    executable = stream.end_capture().instantiate()
    del stream, at, program
    gc.collect()
    for _ in range(3):
        executable.launch()
    assert copied.to_numpy()[0] == 3


def test_arguments_in_a_block(device, nonblocking):
    program = lp.compile(
        "struct S { int* at; int by; }; __global__ void count(const S* s) { *s->at += s->by; }", device=device
    )
    count, at = program.count.by_fields, lp.zeros(1, "int32", device, nonblocking)
    nonblocking.synchronize()
    nonblocking.begin_capture()
    count[1, 1, nonblocking](at=at, by=1)
    count[1, 1, nonblocking](at=at, by=10)
    executable = nonblocking.end_capture().instantiate()
    count[1, 1, nonblocking](at=at, by=100)
    for _ in range(3):
        executable.launch(nonblocking)
        count[1, 1, nonblocking](at=at, by=100)
    assert at.to_numpy(nonblocking)[0] == 433


def test_an_empty_graph(nonblocking):
    nonblocking.begin_capture()
    graph = nonblocking.end_capture()
    assert len(graph) == 0
    graph.instantiate().launch(nonblocking)
    nonblocking.synchronize()


def test_the_stream_is_as_before_when_the_capture_has_ended(program, nonblocking, side, array):
    captured(program, nonblocking, array, [1, 2, 3])
    event = nonblocking.record()
    side.wait(event)
    event.synchronize()
    program.add[1, N, nonblocking](array, 1, N)
    assert array.to_numpy(nonblocking)[0] == 1
    assert nonblocking.query()


# -- what is refused


def test_only_the_thread_that_began_it_ends_a_capture(nonblocking, side):
    for stream in (nonblocking, side):
        with pytest.raises(lp.LaunchpathError, match="begin_capture"):
            stream.end_capture()
    nonblocking.begin_capture()

    def elsewhere():
        with pytest.raises(lp.LaunchpathError, match="begin_capture"):
            nonblocking.end_capture()

    apart(elsewhere)
    with pytest.raises(
        lp.LaunchpathError, match=r"captures nothing, got one that captures .*: call end_capture\(\) of that stream"
    ):
        side.begin_capture()
    nonblocking.end_capture()


def test_the_legacy_stream_and_a_step_are_not_captured(device, nonblocking):
    with pytest.raises(lp.LaunchpathError, match="capture another stream"):
        device.legacy_stream.begin_capture()
    with lp.Step(), pytest.raises(lp.LaunchpathError, match="leave the step"):
        nonblocking.begin_capture()


@pytest.mark.parametrize("look", ["synchronize", "read", "device"])
def test_waiting_for_it_ends_a_capture(device, program, nonblocking, array, look):
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    if look == "synchronize":
        nonblocking.synchronize()
    elif look == "read":
        with pytest.raises(lp.LaunchpathError, match="part of a capture"):
            array.to_numpy(nonblocking)
    else:
        device.synchronize()
    with pytest.raises(lp.LaunchpathError, match="ended before"):
        nonblocking.end_capture()
    program.add[1, N, nonblocking](array, 1, N)
    assert array.to_numpy(nonblocking)[0] == 1


def test_a_launch_after_that_is_refused(program, nonblocking, array):
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    nonblocking.synchronize()
    with pytest.raises(lp.LaunchpathError, match="do not run"):
        program.add[1, N, nonblocking](array, 1, N)
    with pytest.raises(lp.LaunchpathError, match="ended before"):
        nonblocking.end_capture()


def test_a_stream_that_is_not_joined_is_refused(program, nonblocking, side, array):
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    side.wait(nonblocking.record())
    program.add[1, N, side](array, 1, N)
    with pytest.raises(lp.LaunchpathError, match="does not wait for"):
        nonblocking.end_capture()
    program.add[1, N, side](array, 1, N)
    assert array.to_numpy(side)[0] == 1


def test_memory_that_another_thread_frees_in_a_capture_is_refused(device, program, nonblocking):
    nonblocking.begin_capture()
    array = lp.empty(N, "int32", device, nonblocking)
    program.add[1, N, nonblocking](array, 1, N)
    apart(array.free)
    with pytest.raises(lp.LaunchpathError, match="freed since: keep the array until the capture ends"):
        nonblocking.end_capture()


def test_an_event_of_a_capture_is_never_complete(program, nonblocking, side, array):
    nonblocking.begin_capture()
    program.add[1, N, nonblocking](array, 1, N)
    event = nonblocking.record()
    nonblocking.end_capture()
    with pytest.raises(lp.LaunchpathError, match="outside of captures"):
        event.synchronize()
    with pytest.raises(lp.LaunchpathError, match="outside of captures"):
        side.wait(event)


def test_a_stream_of_another_device_is_refused(device, program, nonblocking, array):
    executable = captured(program, nonblocking, array, [1]).instantiate()
    for other in lp.devices():
        if other is not device:
            with pytest.raises(lp.ArgumentValueError, match="where the graph was captured"):
                executable.launch(lp.Stream(device=other))
