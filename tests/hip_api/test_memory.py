"""Memory, and what is known of its addresses."""

import numpy as np
import pytest

from launchpath import errors
from launchpath._streams.event import Event
from launchpath._streams.stream import Stream
from launchpath.hip._memory import waiting
from tests.threads import apart

from .calls import fails, ok

pytestmark = pytest.mark.usefixtures("balance")


def test_zero_bytes_are_the_null_pointer(hip):
    assert int(ok(hip.hipMalloc(0))) == 0
    ok(hip.hipFree(0))
    ok(hip.hipFree(None))
    ok(hip.hipHostFree(None))


def test_memory_is_freed_once_and_by_its_begin(hip):
    memory = ok(hip.hipMalloc(1000))
    fails(hip.hipFree(int(memory) + 4), "hipErrorInvalidDevicePointer")
    fails(hip.hipHostFree(memory), "hipErrorInvalidValue")
    ok(hip.hipFree(memory))
    fails(hip.hipFree(memory), "hipErrorInvalidDevicePointer")


def test_an_address_is_assigned_to_its_memory(hip):
    pieces = [(ok(hip.hipMalloc(size)), size) for size in (1, 100, 5000)]
    for memory, size in pieces:
        begin, length = ok(hip.hipMemGetAddressRange(int(memory) + size - 1))
        assert (int(begin), length) == (int(memory), size)
        assert ok(hip.hipMemPtrGetInfo(memory)) == size
        fails(hip.hipMemGetAddressRange(int(memory) + size), "hipErrorNotFound")
    for memory, _ in pieces:
        ok(hip.hipFree(memory))
        fails(hip.hipMemGetAddressRange(memory), "hipErrorNotFound")
        fails(hip.hipMemPtrGetInfo(memory), "hipErrorInvalidValue")


def test_addresses_have_the_type_and_the_flags_of_their_memory(hip, made):
    kinds, number = hip.hipMemoryType, ok(hip.hipGetDevice())
    memory, host = made(hip.hipMalloc(64)), made(hip.hipHostMalloc(64, hip.hipHostMallocMapped))
    attributes = ok(hip.hipPointerGetAttributes(int(memory) + 8))
    assert attributes.type == kinds.hipMemoryTypeDevice
    assert attributes.device == number
    assert not attributes.isManaged
    attributes = ok(hip.hipPointerGetAttributes(host))
    assert attributes.type == kinds.hipMemoryTypeHost
    assert attributes.allocationFlags == hip.hipHostMallocMapped == ok(hip.hipHostGetFlags(host))
    assert int(ok(hip.hipHostGetDevicePointer(host, 0))) == int(host)
    fails(hip.hipHostGetFlags(memory), "hipErrorInvalidValue")
    fails(hip.hipPointerGetAttributes(np.zeros(4)), "hipErrorInvalidValue")


def test_managed_memory(hip, device):
    if not device.info.get("managed_memory"):
        fails(hip.hipMallocManaged(64, hip.hipMemAttachGlobal), "hipErrorNotSupported")
        return
    memory = ok(hip.hipMallocManaged(64, hip.hipMemAttachGlobal))
    assert ok(hip.hipPointerGetAttributes(memory)).isManaged
    ok(hip.hipFree(memory))
    fails(hip.hipMallocManaged(64, 77), "hipErrorInvalidValue")


def test_rows_have_a_pitch(hip):
    memory, pitch = ok(hip.hipMallocPitch(100, 7))
    assert pitch >= 100
    assert ok(hip.hipMemPtrGetInfo(memory)) == 7 * pitch
    ok(hip.hipFree(memory))
    memory, pitch = ok(hip.hipMemAllocPitch(1000, 3, 16))
    assert pitch % 16 == 0
    ok(hip.hipFree(memory))
    fails(hip.hipMemAllocPitch(1000, 3, 5), "hipErrorInvalidValue")


def test_memory_in_the_order_of_a_stream(hip, stream):
    result = np.zeros(100, "u1")
    for value in range(1, 20):
        memory = ok(hip.hipMallocAsync(100, stream))
        ok(hip.hipMemsetAsync(memory, value, 100, stream))
        ok(hip.hipMemcpyAsync(result, memory, 100, hip.hipMemcpyKind.hipMemcpyDeviceToHost, stream))
        ok(hip.hipFreeAsync(memory, stream))
        assert (result == value).all()
        fails(hip.hipFreeAsync(memory, stream), "hipErrorInvalidValue")
    fails(hip.hipFreeAsync(None, stream), "hipErrorInvalidValue")
    ok(hip.hipStreamSynchronize(stream))


def test_free_waits_for_what_uses_the_memory(hip, device, made):
    from launchpath.hip._streams.streams import stream_of

    stream, result = made(hip.hipStreamCreate()), made(hip.hipHostMalloc(64, 0))
    memory = ok(hip.hipMalloc(64))
    hold = stream_of(stream).hold()
    ok(hip.hipMemsetAsync(memory, 5, 64, stream))
    ok(hip.hipMemcpyAsync(result, memory, 64, hip.hipMemcpyKind.hipMemcpyDeviceToHost, stream))
    hold.release()
    ok(hip.hipFree(memory))
    ok(hip.hipStreamQuery(stream))


def test_memory_stays_if_the_event_to_free_it_behind_fails(hip, monkeypatch, made):
    stream, memory = made(hip.hipStreamCreate()), ok(hip.hipMalloc(64))

    def record(self):
        raise errors.OutOfMemoryError("record", "no events", 0)

    with monkeypatch.context() as patch:
        patch.setattr(Stream, "record", record)
        fails(hip.hipFreeAsync(memory, stream), "hipErrorOutOfMemory")
        fails(hip.hipFreeAsync(int(memory) + 1, stream), "hipErrorInvalidValue")
    assert ok(hip.hipMemPtrGetInfo(memory)) == 64
    ok(hip.hipFreeAsync(memory, stream))
    ok(hip.hipStreamSynchronize(stream))


def test_of_two_threads_that_free_an_address_the_first_succeeds(hip, monkeypatch, made):
    stream, memory = made(hip.hipStreamCreate()), ok(hip.hipMalloc(64))
    record, results = Stream.record, []

    def free():
        results.append(hip.hipFreeAsync(memory, stream))

    def meanwhile(self):
        monkeypatch.setattr(Stream, "record", record)
        apart(free)
        return record(self)

    monkeypatch.setattr(Stream, "record", meanwhile)
    free()
    first, second = results
    ok(first)
    fails(second, "hipErrorInvalidValue")
    ok(hip.hipStreamSynchronize(stream))


@pytest.mark.parametrize(
    ("error", "code", "left"),
    [(errors.AsynchronousError, "hipErrorLaunchFailure", 2), (errors.DriverError, "hipErrorUnknown", 3)],
)
def test_memory_that_waits_for_its_stream_stays_if_an_event_fails(hip, stream, monkeypatch, error, code, left):
    from launchpath.hip._streams.streams import stream_of

    pieces = [ok(hip.hipMalloc(64)) for _ in range(3)]
    before, events, record = waiting.count(), [], Stream.record
    monkeypatch.setattr(Stream, "record", lambda self: events.append(record(self)) or events[-1])
    with stream_of(stream).hold():
        for memory in pieces:
            ok(hip.hipFreeAsync(memory, stream))
        failing = events[0]
        query = Event.query

        def failed(self):
            if self is failing:
                raise error("query", "failed", 0)
            return query(self)

        with monkeypatch.context() as patch:
            patch.setattr(Event, "query", failed)
            fails(hip.hipMalloc(64), code)
        assert waiting.count() == before + left
    ok(hip.hipStreamSynchronize(stream))
    ok(hip.hipFree(ok(hip.hipMalloc(64))))
    assert waiting.count() == before


def test_memory_behind_other_memory_of_its_stream_asks_for_nothing(hip, stream, monkeypatch):
    from launchpath.hip._streams.streams import stream_of

    pieces, asked, query = [ok(hip.hipMalloc(64)) for _ in range(20)], [], Event.query
    monkeypatch.setattr(Event, "query", lambda self: asked.append(self) or query(self))
    with stream_of(stream).hold():
        for memory in pieces:
            ok(hip.hipFreeAsync(memory, stream))
        assert len(asked) == len(pieces)  # the first of the stream, at each call
        assert len(set(asked)) == 1
    ok(hip.hipStreamSynchronize(stream))
    waiting.free_passed()
    assert len(set(asked)) == len(pieces)


def test_what_is_free(hip):
    free, total = ok(hip.hipMemGetInfo())
    assert 0 <= free <= total


def test_too_much(hip):
    fails(hip.hipMalloc(1 << 60), "hipErrorOutOfMemory")
    fails(hip.hipMalloc(-1), "hipErrorInvalidValue")
