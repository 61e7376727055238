"""Captures of several streams: they fork and join by events, and some calls invalidate them."""

import ctypes

import pytest

from tests.threads import apart

from .calls import fails, ok
from .graphs import ACTIVE, GLOBAL, INVALIDATED, NONE, N, kinds, run, start


@pytest.fixture
def streams(hip):
    """Return three streams."""
    handles = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(3)]
    yield handles
    for handle in handles:
        hip.hipStreamDestroy(handle)


@pytest.fixture
def stream(streams):
    """Return a stream that no capture is left on."""
    from launchpath.hip._streams.capturing import captured

    yield streams[0]
    assert not captured


@pytest.fixture
def event(hip, made):
    """Return an event."""
    return made(hip.hipEventCreate())


def test_streams_that_fork_and_join(hip, program, stream, streams, event, made):
    _, left, right = streams
    x, y, joined = program.memory(), program.memory(), made(hip.hipEventCreate())
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(program.double(x, stream))
    ok(hip.hipEventRecord(event, stream))
    ok(hip.hipStreamWaitEvent(left, event, 0))
    ok(hip.hipStreamWaitEvent(right, event, 0))
    assert [ok(hip.hipStreamIsCapturing(each)) for each in streams] == [ACTIVE] * 3
    assert len({ok(hip.hipStreamGetCaptureInfo(each))[1] for each in streams}) == 1
    ok(program.double(x, left, 3))
    ok(program.double(y, right, 5))
    for each in (left, right):
        ok(hip.hipEventRecord(joined, each))
        ok(hip.hipStreamWaitEvent(stream, joined, 0))
    ok(program.launch(program.add, stream, x, y, ctypes.c_int(N)))
    graph = made(hip.hipStreamEndCapture(stream))
    assert [ok(hip.hipStreamIsCapturing(each)) for each in streams] == [NONE] * 3
    a, b, c, d = ok(hip.hipGraphGetNodes(graph))[0]
    firsts, lasts, count = ok(hip.hipGraphGetEdges(graph))
    assert set(zip(firsts, lasts, strict=True)) == {(a, b), (a, c), (a, d), (b, d), (c, d)}
    assert count == 5
    run(hip, graph, left, times=2)
    x_expected, y_expected = start(), start()
    for _ in range(2):
        y_expected = 5 * y_expected
        x_expected = 6 * x_expected + y_expected
    assert (program.read(x) == x_expected).all()
    ok(program.double(y, right, 2))  # the stream is as before the capture
    assert (program.read(y) == 2 * y_expected).all()


def test_a_stream_that_was_not_joined(hip, program, stream, streams, event):
    x = program.memory()
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(hip.hipEventRecord(event, stream))
    ok(hip.hipStreamWaitEvent(streams[1], event, 0))
    ok(program.double(x, streams[1]))
    fails(hip.hipStreamEndCapture(streams[1]), "hipErrorStreamCaptureUnmatched")
    fails(hip.hipStreamEndCapture(stream), "hipErrorStreamCaptureUnjoined")
    fails(hip.hipStreamEndCapture(stream), "hipErrorIllegalState")
    assert [ok(hip.hipStreamIsCapturing(each)) for each in streams] == [NONE] * 3


def test_what_invalidates_a_capture(hip, program, stream, streams, event, made):
    x = program.memory()
    outside = made(hip.hipEventCreate())
    ok(hip.hipEventRecord(outside, streams[1]))

    def record():
        ok(hip.hipEventRecord(event, stream))

    unsupported = "hipErrorStreamCaptureUnsupported"
    for call, name in (
        (lambda: hip.hipStreamSynchronize(stream), unsupported),
        (lambda: hip.hipStreamQuery(stream), unsupported),
        (lambda: hip.hipMemcpyWithStream(x, x, 4, 3, stream), unsupported),
        (lambda: hip.hipStreamAddCallback(stream, print, None, 0), unsupported),
        (lambda: hip.hipStreamWaitEvent(stream, outside, 0), "hipErrorStreamCaptureIsolation"),
        (lambda: record() or hip.hipEventQuery(event), "hipErrorCapturedEvent"),
        (lambda: record() or hip.hipEventSynchronize(event), "hipErrorCapturedEvent"),
        (lambda: record() or hip.hipEventElapsedTime(outside, event), "hipErrorCapturedEvent"),
        (lambda: record() or hip.hipStreamWaitEvent(None, event, 0), "hipErrorStreamCaptureImplicit"),
    ):
        ok(hip.hipStreamBeginCapture(stream, GLOBAL))
        fails(call(), name)
        assert ok(hip.hipStreamIsCapturing(stream)) == INVALIDATED
        assert ok(hip.hipStreamGetCaptureInfo(stream))[0] == INVALIDATED
        fails(program.double(x, stream), "hipErrorStreamCaptureInvalidated")
        fails(hip.hipStreamEndCapture(stream), "hipErrorStreamCaptureInvalidated")
        ok(hip.hipStreamSynchronize(stream))
    assert (program.read(x) == start()).all()


def test_an_event_of_a_capture_that_ended(hip, stream, streams, event):
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(hip.hipEventRecord(event, stream))
    ok(hip.hipGraphDestroy(ok(hip.hipStreamEndCapture(stream))))
    fails(hip.hipStreamWaitEvent(streams[1], event, 0), "hipErrorCapturedEvent")
    fails(hip.hipEventQuery(event), "hipErrorCapturedEvent")
    ok(hip.hipStreamBeginCapture(streams[1], GLOBAL))
    fails(hip.hipStreamWaitEvent(streams[1], event, 0), "hipErrorCapturedEvent")
    fails(hip.hipStreamEndCapture(streams[1]), "hipErrorStreamCaptureInvalidated")
    ok(hip.hipEventRecord(event, stream))
    ok(hip.hipEventSynchronize(event))


def test_two_captures_do_not_merge(hip, stream, streams, event):
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(hip.hipStreamBeginCapture(streams[1], GLOBAL))
    assert ok(hip.hipStreamGetCaptureInfo(stream))[1] != ok(hip.hipStreamGetCaptureInfo(streams[1]))[1]
    ok(hip.hipEventRecord(event, stream))
    fails(hip.hipStreamWaitEvent(streams[1], event, 0), "hipErrorStreamCaptureMerge")
    for each in streams[:2]:
        fails(hip.hipStreamEndCapture(each), "hipErrorStreamCaptureInvalidated")


def test_a_stream_that_is_destroyed_while_it_is_captured(hip, program, streams, event):
    from launchpath.hip._streams.capturing import captured

    stream, other, _ = streams
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(hip.hipEventRecord(event, stream))
    ok(hip.hipStreamWaitEvent(other, event, 0))
    ok(hip.hipStreamDestroy(other))
    fails(hip.hipStreamEndCapture(stream), "hipErrorStreamCaptureInvalidated")
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(hip.hipStreamDestroy(stream))
    assert not captured


def test_events_for_the_outside(hip, program, stream, streams, event, made):
    x, later = program.memory(), made(hip.hipEventCreate())
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(hip.hipStreamWaitEvent(stream, event, 1))
    ok(program.double(x, stream))
    ok(hip.hipEventRecordWithFlags(later, stream, 1))
    graph = made(hip.hipStreamEndCapture(stream))
    assert kinds(hip, graph) == ["WaitEvent", "Kernel", "EventRecord"]
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    from launchpath.hip._streams.streams import stream_of

    with stream_of(streams[1]).hold():
        ok(hip.hipEventRecord(event, streams[1]))
        ok(hip.hipGraphLaunch(executable, stream))
        ok(hip.hipStreamWaitEvent(streams[2], later, 0))
        fails(hip.hipEventQuery(later), "hipErrorNotReady")
    ok(program.double(x, streams[2], 3))
    assert (program.read(x) == 6 * start()).all()


def test_a_capture_of_a_threads_default_stream_ends_with_the_thread(hip, program, streams, event):
    """No other thread has that stream: the capture would have no end, and the legacy stream would be refused for ever."""
    from launchpath.hip._streams.capturing import captured

    own, side, x = 2, streams[1], program.memory()

    def elsewhere():
        ok(hip.hipStreamBeginCapture(own, GLOBAL))
        ok(hip.hipEventRecord(event, own))
        ok(hip.hipStreamWaitEvent(side, event, 0))
        assert ok(hip.hipStreamIsCapturing(side)) == ACTIVE

    apart(elsewhere)
    assert not captured
    assert ok(hip.hipStreamIsCapturing(side)) == NONE
    ok(hip.hipMemsetD32(x, 0x40000000, N))
    assert (program.read(x) == 2).all()
