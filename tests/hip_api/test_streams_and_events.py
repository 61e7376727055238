"""Streams and events."""

import ctypes
import time

from .calls import fails, ok


def held(handle):
    from launchpath.hip._streams.streams import stream_of

    return stream_of(handle).hold()


def test_flags_and_priorities(hip, device):
    number = ok(hip.hipGetDevice())
    for flags in (hip.hipStreamDefault, hip.hipStreamNonBlocking):
        stream = ok(hip.hipStreamCreateWithFlags(flags))
        assert ok(hip.hipStreamGetFlags(stream)) == flags
        assert ok(hip.hipStreamGetDevice(stream)) == number
        ok(hip.hipStreamDestroy(stream))
    least, greatest = device.priorities
    stream = ok(hip.hipStreamCreateWithPriority(hip.hipStreamDefault, greatest - 10))
    assert ok(hip.hipStreamGetPriority(stream)) == greatest <= least
    ok(hip.hipStreamDestroy(stream))
    fails(hip.hipStreamCreateWithFlags(99), "hipErrorInvalidValue")


def test_the_default_streams(hip):
    for handle in (None, 0, 1, 2):
        ok(hip.hipStreamSynchronize(handle))
        assert ok(hip.hipStreamGetFlags(handle)) == hip.hipStreamDefault
    for handle in (None, 1, 2):
        fails(hip.hipStreamDestroy(handle), "hipErrorInvalidHandle")


def test_a_stream_that_is_gone(hip):
    stream = ok(hip.hipStreamCreate())
    ok(hip.hipStreamDestroy(stream))
    for call in (hip.hipStreamDestroy, hip.hipStreamSynchronize, hip.hipStreamQuery, hip.hipStreamGetFlags):
        fails(call(stream), "hipErrorContextIsDestroyed")


def test_host_functions(hip, stream):
    calls = []
    ok(hip.hipLaunchHostFunc(stream, calls.append, "one"))
    ok(hip.hipStreamAddCallback(stream, lambda *args: calls.append(args), "two", 0))
    ok(hip.hipStreamSynchronize(stream))
    assert calls == ["one", (stream, hip.hipError_t.hipSuccess, "two")]
    fails(hip.hipStreamAddCallback(stream, calls.append, None, 1), "hipErrorInvalidValue")
    fails(hip.hipLaunchHostFunc(stream, None, None), "hipErrorInvalidValue")


def test_c_functions_of_the_host(hip, stream):
    calls = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(calls.append)
    address = ctypes.cast(function, ctypes.c_void_p).value
    ok(hip.hipLaunchHostFunc(stream, address, 0x1234))
    ok(hip.hipStreamSynchronize(stream))
    assert calls == [0x1234]


def test_an_event_is_reached_behind_what_was_submitted(hip, stream):
    event = ok(hip.hipEventCreate())
    ok(hip.hipEventQuery(event))
    ok(hip.hipEventSynchronize(event))
    with held(stream):
        ok(hip.hipEventRecord(event, stream))
        fails(hip.hipEventQuery(event), "hipErrorNotReady")
    ok(hip.hipEventSynchronize(event))
    ok(hip.hipEventQuery(event))
    ok(hip.hipEventDestroy(event))
    fails(hip.hipEventDestroy(event), "hipErrorContextIsDestroyed")
    for call in (hip.hipEventQuery, hip.hipEventSynchronize):
        fails(call(event), "hipErrorInvalidHandle")
    fails(hip.hipEventRecord(event, stream), "hipErrorInvalidHandle")


def test_a_stream_waits_for_an_event(hip, stream, made):
    other, event = made(hip.hipStreamCreate()), made(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
    memory = made(hip.hipMalloc(4))
    ok(hip.hipStreamWaitEvent(other, event, 0))  # it was never recorded
    with held(stream):
        ok(hip.hipEventRecord(event, stream))
        ok(hip.hipStreamWaitEvent(other, event, 0))
        ok(hip.hipMemsetAsync(memory, 1, 4, other))
        time.sleep(0.01)
        fails(hip.hipStreamQuery(other), "hipErrorNotReady")
    ok(hip.hipStreamSynchronize(other))
    fails(hip.hipStreamWaitEvent(other, event, 5), "hipErrorInvalidValue")


def test_elapsed_time(hip, stream, made):
    first, last = made(hip.hipEventCreate()), made(hip.hipEventCreate())
    without = made(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
    fails(hip.hipEventElapsedTime(first, last), "hipErrorInvalidHandle")
    for event in (first, last, without):
        ok(hip.hipEventRecord(event, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert 0 <= ok(hip.hipEventElapsedTime(first, last)) < 10_000
    fails(hip.hipEventElapsedTime(first, without), "hipErrorInvalidHandle")
    with held(stream):
        ok(hip.hipEventRecordWithFlags(last, stream, 0))
        fails(hip.hipEventElapsedTime(first, last), "hipErrorNotReady")
    fails(hip.hipEventCreateWithFlags(1 << 20), "hipErrorInvalidValue")
