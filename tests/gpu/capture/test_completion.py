"""What is known to be complete: nothing that is captured, all the rest, and the graph's launches afterwards."""

import pytest

import launchpath as lp
from tests.standin.client import soon

from .capture import ACTIVE, TWO, fork, values


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("what", ["query", "event query", "event synchronize", "synchronize", "to_numpy"])
def test_other_streams_are_asked_and_waited_for_meanwhile(gpu, stream, capture, mode, what):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    seen.to_numpy(other)
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        seen.fill(3, other)
        event = other.record()
        if what == "query":
            assert soon(other.query)
        elif what == "event query":
            assert soon(event.query)
        elif what == "event synchronize":
            event.synchronize()
        elif what == "synchronize":
            other.synchronize()
        else:
            assert seen.to_numpy(other).tolist() == [3] * 16
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


LEARN = {
    "synchronize": (lambda stream, event, array: stream.synchronize(), 900),
    "synchronize device": (lambda stream, event, array: stream.device.synchronize(), 900),
    "query": (lambda stream, event, array: stream.query(), 900),
    "event query": (lambda stream, event, array: event.query(), 907),
    "event synchronize": (lambda stream, event, array: event.synchronize(), 907),
}


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("what", LEARN)
def test_nothing_can_be_learned_of_a_captured_stream(gpu, stream, capture, mode, what):
    """It is CUDA's error, but the capture goes on, and there is no harm left when it is over."""
    (learn, code), array, mine = LEARN[what], gpu.zeros(), gpu.zeros()
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        event = stream.record()
        for _ in range(2):
            with pytest.raises(lp.DriverError) as caught:
                learn(stream, event, array)
            assert caught.value.code == code
        assert graph.status == ACTIVE
        gpu.kernel("increment")[1, 16, stream](array, 16)
    stream.synchronize()
    gpu.kernel("increment")[1, 16, stream](mine, 16)
    assert mine.to_numpy(stream).tolist() == [1] * 16
    assert graph.replay(stream, array) == [2]


@pytest.mark.parametrize("first", ["synchronize", "query", "record"])
def test_bookkeeping_goes_on(gpu, stream, capture, first):
    array, mine = gpu.zeros(), gpu.zeros()
    with capture(stream.handle) as graph:
        array.fill(1, stream)
        stream.record()
        gpu.kernel("increment")[1, 16, stream](array, 16)
    gpu.forget_calls()
    if first == "synchronize":
        stream.synchronize()
    elif first == "query":
        assert soon(stream.query)
    else:
        event = stream.record()
        event.synchronize()
        assert event.query()
    gpu.kernel("increment")[1, 16, stream](mine, 16)
    stream.synchronize()
    assert stream.query()
    submitted, done = stream.submitted
    assert done == submitted
    assert values(mine) == [1] * 16
    assert gpu.calls("cuStreamWaitEvent") == []
    assert graph.replay(stream, array) == [2]


@pytest.mark.parametrize("first", ["stream", "other", "device"])
def test_bookkeeping_goes_on_after_a_fork(gpu, stream, capture, first):
    """Nothing of a capture is waited for outside, and what was waited for in it, and never ran, is no failure."""
    other, third, array, seen = gpu.stream(), gpu.stream(), gpu.zeros(), gpu.zeros()
    with capture(stream.handle) as graph:
        fork(gpu, stream, other, array)
    {"stream": stream, "other": other, "device": gpu.device}[first].synchronize()
    gpu.forget_calls()
    for queue in ([other, stream, third] if first == "other" else [stream, other, third]) * 2:
        gpu.kernel("increment")[1, 16, queue](seen, 16)
        queue.synchronize()
        assert queue.query()
    assert values(seen) == [6] * 16
    assert gpu.calls("cuStreamWaitEvent", "cuEventRecord") == []
    assert graph.replay(stream, array) == [3]


def test_work_before_a_capture_is_not_forgotten(gpu, stream, capture):
    """What is learned of the stream that a fork went to says nothing of the one that it came from."""
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    graph = capture(stream.handle)
    with stream.hold():
        seen.fill(7, stream)
        before = stream.record()
        with graph:
            fork(gpu, stream, other, array)
        assert soon(other.query)  # it has never had anything to do
        assert not before.query()
        address = seen.pointer
        del seen
        assert lp.empty(16, "int32", gpu.device).pointer != address
    for queue in other, stream:
        assert soon(queue.query)
    assert before.query()
    assert graph.replay(stream, array) == [3]


def test_a_graphs_launch_counts_as_work(gpu, stream, capture):
    """Whoever has the handle may submit: the graph's launch is work that the stream waits for."""
    array = gpu.zeros()
    with capture(stream.handle, "relaxed") as graph:  # in which `held` may allocate
        release = gpu.held(stream.handle)
        array.fill(1, stream)
    stream.synchronize()
    graph.launch()
    assert not stream.query()
    event = stream.record()
    assert not event.query()
    address = array.pointer
    del array
    assert lp.empty(16, "int32", gpu.device).pointer != address
    release()
    event.synchronize()
    stream.synchronize()
    assert stream.query()
