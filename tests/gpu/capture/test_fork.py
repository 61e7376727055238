"""Events and waits between streams of a capture make branches of its graph, and order nothing outside it."""

import ctypes

import pytest

import launchpath as lp

from .capture import ACTIVE, fork, values


def test_a_fork_and_its_join(gpu, stream, capture):
    """`record` and `wait` between streams of the capture make a graph with branches."""
    other, source, target = gpu.stream(), gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")
    with capture(stream.handle) as graph:
        source.fill(1, stream)
        other.wait(stream.record())
        source.copy_to(target, other)
        increment[1, 16, other](target, 16)
        stream.wait(other.record())
        increment[1, 16, stream](source, 16)
        increment[1, 16, stream](target, 16)
        assert graph.status == ACTIVE
    assert graph.nodes == 5
    for _ in range(5):
        assert graph.replay(stream, source, target) == [2, 3]


def test_branches_are_not_ordered(gpu, stream, capture):
    """One waits for what the other one does: in one line they would never end."""
    other, word, array = gpu.stream(), gpu.zeros(1, "uint32"), gpu.zeros()
    with capture(stream.handle) as graph:
        word.fill(0, stream)
        other.wait(stream.record())
        gpu.kernel("spin")[1, 1, stream](word, 1)
        word.fill(1, other)
        stream.wait(other.record())
        array.fill(2, stream)
    for _ in range(3):
        assert graph.replay(stream, array) == [2]


def test_an_event_can_be_recorded_again(gpu, stream, capture):
    other, event, array = gpu.stream(), lp.Event(), gpu.zeros()
    stream.record(event)
    with capture(stream.handle) as graph:
        for _ in range(3):
            gpu.kernel("increment")[1, 16, stream](array, 16)
            other.wait(stream.record(event))
            gpu.kernel("increment")[1, 16, other](array, 16)
            stream.wait(other.record(event))
    assert graph.replay(stream, array) == [6]
    stream.record(event)
    event.synchronize()
    assert event.query()


def test_a_fork_to_another_device(gpu, stream, capture):
    other, array, seen = gpu.stream(ordinal=1), gpu.zeros(), gpu.zeros(ordinal=1)
    with capture(stream.handle) as graph:
        array.fill(5, stream)
        other.wait(stream.record())
        gpu.kernel("increment", 1)[1, 16, other](seen, 16)
        stream.wait(other.record())
        gpu.kernel("increment")[1, 16, stream](array, 16)
    for launches in 1, 2:
        assert graph.replay(stream, array) == [6]
        assert values(seen) == [launches] * 16


def test_what_need_not_be_waited_for_is_not(gpu, stream, capture):
    """An event that is known to be complete, or of the same stream: CUDA would refuse a wait that leaves the capture."""
    other, array = gpu.stream(), gpu.zeros()
    array.fill(1, other)
    done, own = other.record(), stream.record()
    done.synchronize()
    with capture(stream.handle) as graph:
        stream.wait(done)
        stream.wait(own)
        stream.wait(lp.Event())
        gpu.kernel("increment")[1, 16, stream](array, 16)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


def test_waiting_for_what_runs_is_refused(gpu, stream, capture):
    """As by CUDA; the next command that runs makes up for it."""
    other, array = gpu.stream(), gpu.zeros()
    with capture(stream.handle) as graph:
        hold = other.hold()
        array.fill(5, other)
        with pytest.raises(lp.DriverError) as caught:
            stream.wait(other.record())
        assert caught.value.code == 905
    assert graph.code == 901
    gpu.kernel("increment")[1, 16, stream](array, 16)
    hold.release()
    assert array.to_numpy(stream).tolist() == [6] * 16


def test_a_fork_orders_nothing_outside(gpu, stream, capture):
    """It is part of the graph: the stream that it went to does not come after what the other one did before."""
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    graph = capture(stream.handle)
    with stream.hold():
        seen.fill(7, stream)
        before = stream.record()
        with graph:
            fork(gpu, stream, other, array)
        gpu.forget_calls()
        other.wait(before)
        assert [call.stream for call in gpu.calls("cuStreamWaitEvent")] == [other.handle]
        gpu.kernel("increment")[1, 16, other](seen, 16)
    assert seen.to_numpy(other).tolist() == [8] * 16
    assert graph.replay(stream, array) == [3]


def test_captures_in_turn(gpu, stream, capture):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    graphs = []
    for _ in range(3):
        with capture(stream.handle) as graph:
            fork(gpu, stream, other, array)
            gpu.kernel("increment")[1, 16, stream](seen, 16)
        graphs.append(graph)
        gpu.kernel("increment")[1, 16, stream](seen, 16)
        stream.synchronize()
    for graph in graphs:
        assert graph.replay(stream, array) == [3]
    assert values(seen) == [6] * 16


def test_an_event_of_a_capture_cannot_be_waited_for_afterwards(gpu, stream, capture):
    """Who tries is told, and can go on; also when all that was submitted before is known to be complete."""
    other, array = gpu.stream(), gpu.zeros()
    with capture(stream.handle) as graph:
        array.fill(1, stream)
        event = stream.record()
    for _ in range(2):
        for what, code in (lambda: other.wait(event), 1), (event.query, 907), (event.synchronize, 907):
            with pytest.raises(lp.DriverError) as caught:
                what()
            assert caught.value.code == code
        stream.synchronize()
    gpu.kernel("increment")[1, 16, other](array, 16)
    assert array.to_numpy(other).tolist() == [1] * 16
    stream.record(event)
    other.wait(event)
    event.synchronize()
    assert event.query()
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("harm", ["invalid", "unjoined"])
def test_a_capture_that_fails_leaves_no_harm(gpu, stream, capture, harm):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    with capture(stream.handle) as graph:
        fork(gpu, stream, other, array)
        if harm == "unjoined":
            gpu.kernel("increment")[1, 16, other](array, 16)
        else:
            with gpu.current(0):
                assert gpu.control.c.cuStreamSynchronize(ctypes.c_uint64(stream.handle)) == 900
            with pytest.raises(lp.DriverError) as caught:
                gpu.kernel("increment")[1, 16, stream](array, 16)
            assert caught.value.code == 901
    assert graph.code == (904 if harm == "unjoined" else 901)
    for queue in (other, stream) * 2:
        queue.synchronize()
        gpu.kernel("increment")[1, 16, queue](seen, 16)
    gpu.device.synchronize()
    assert values(seen) == [4] * 16
