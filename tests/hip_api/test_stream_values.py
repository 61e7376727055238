"""Streams that write and wait for values, and what streams are."""

import ctypes
import time

import numpy as np
import pytest

from .calls import fails, ok


@pytest.fixture
def streams(hip, made):
    """Return two streams."""
    return [made(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2)]


@pytest.fixture
def signal(hip):
    """Return memory for signals, of 0."""
    memory = ok(hip.hipExtMallocWithFlags(8, hip.hipMallocSignalMemory))
    ctypes.memset(int(memory), 0, 8)
    yield memory
    ok(hip.hipFree(memory))


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(
    ("condition", "value", "mask", "before", "after"),
    [("Gte", 5, -1, 4, 5), ("Eq", 3, 0xF, 0x14, 0x13), ("And", 6, -1, 1, 4), ("Nor", 0, -1, -1, -2)],
)
def test_a_stream_waits_for_a_value_that_another_stream_writes(
    hip, streams, signal, bits, condition, value, mask, before, after, made
):
    first, second = streams
    wait, write = (getattr(hip, f"hipStream{name}Value{bits}") for name in ("Wait", "Write"))
    full = (1 << bits) - 1
    ok(write(second, signal, before & full, 0))
    ok(hip.hipStreamSynchronize(second))
    kind = ctypes.c_uint32 if bits == 32 else ctypes.c_uint64
    assert kind.from_address(int(signal)).value == before & full
    memory = made(hip.hipMalloc(4))
    ok(hip.hipMemset(memory, 0, 4))
    ok(hip.hipDeviceSynchronize())
    ok(wait(first, signal, value & full, getattr(hip, f"hipStreamWaitValue{condition}"), mask & full))
    ok(hip.hipMemsetD32Async(memory, 7, 1, first))
    time.sleep(0.02)
    fails(hip.hipStreamQuery(first), "hipErrorNotReady")
    ok(write(second, signal, after & full, 0))
    ok(hip.hipStreamSynchronize(first))
    result = np.zeros(1, "i4")
    ok(hip.hipMemcpyDtoH(result, memory, 4))
    assert result[0] == 7


def test_the_value_counts_when_the_stream_comes_to_it(hip, streams, signal):
    from launchpath.hip._streams.streams import stream_of

    first, second = streams
    ok(hip.hipStreamWriteValue32(second, signal, 1, 0))
    ok(hip.hipStreamSynchronize(second))
    with stream_of(first).hold():
        ok(hip.hipStreamWaitValue32(first, signal, 1, hip.hipStreamWaitValueEq, 0xFFFFFFFF))
        ok(hip.hipStreamWriteValue32(second, signal, 2, 0))
        ok(hip.hipStreamSynchronize(second))
    time.sleep(0.02)
    fails(hip.hipStreamQuery(first), "hipErrorNotReady")
    ok(hip.hipStreamWriteValue32(second, signal, 1, 0))
    ok(hip.hipStreamSynchronize(first))


def test_values_that_are_refused(hip, device, streams, signal, made):
    stream, memory = streams[0], made(hip.hipMalloc(16))
    for bits in (32, 64):
        wait, write = (getattr(hip, f"hipStream{name}Value{bits}") for name in ("Wait", "Write"))
        fails(wait(stream, signal, 1, 9, 1), "hipErrorInvalidValue")
        fails(wait(stream, int(signal) + 1, 1, 0, 1), "hipErrorInvalidValue")
        fails(wait(stream, int(signal) + 8, 1, 0, 1), "hipErrorInvalidValue")
        fails(wait(1234, signal, 1, 0, 1), "hipErrorContextIsDestroyed")
        fails(write(stream, signal, 1, 7), "hipErrorInvalidValue")
        fails(write(stream, int(memory) + 2, 1, 0), "hipErrorInvalidValue")
        fails(write(stream, int(memory) + 16, 1, 0), "hipErrorInvalidValue")
        fails(write(1234, signal, 1, 0), "hipErrorContextIsDestroyed")
        if not device.info.get("host_accessible"):
            fails(wait(stream, memory, 1, 0, 1), "hipErrorNotSupported")


def test_numbers_of_streams(hip, streams):
    numbers = [ok(hip.hipStreamGetId(stream)) for stream in (*streams, None, 2)]
    assert len(set(numbers)) == 4
    assert numbers == [ok(hip.hipStreamGetId(stream)) for stream in (*streams, 0, 2)]
    fails(hip.hipStreamGetId(1234), "hipErrorContextIsDestroyed")


def test_attributes_of_streams(hip, streams, device):
    kinds, policies = hip.hipLaunchAttributeID, hip.hipSynchronizationPolicy
    first, second = streams
    value = hip.hipLaunchAttributeValue()
    ok(hip.hipStreamGetAttribute(first, kinds.hipLaunchAttributePriority, value))
    assert value.priority == ok(hip.hipStreamGetPriority(first))
    ok(hip.hipStreamSetAttribute(first, kinds.hipLaunchAttributePriority, value))
    value.priority += 100
    fails(hip.hipStreamSetAttribute(first, kinds.hipLaunchAttributePriority, value), "hipErrorNotSupported")
    waiting = kinds.hipLaunchAttributeSynchronizationPolicy
    ok(hip.hipStreamGetAttribute(first, waiting, value))
    assert value.syncPolicy == policies.hipSyncPolicyAuto
    value.syncPolicy = policies.hipSyncPolicyYield
    ok(hip.hipStreamSetAttribute(first, waiting, value))
    ok(hip.hipStreamCopyAttributes(second, first))
    value.syncPolicy = policies.hipSyncPolicySpin
    ok(hip.hipStreamGetAttribute(second, waiting, value))
    assert value.syncPolicy == policies.hipSyncPolicyYield
    fails(hip.hipStreamSetAttribute(first, waiting, hip.hipLaunchAttributeValue()), "hipErrorInvalidValue")
    fails(hip.hipStreamGetAttribute(first, kinds.hipLaunchAttributeCooperative, value), "hipErrorInvalidValue")
    for call in (hip.hipStreamGetAttribute, hip.hipStreamSetAttribute):
        fails(call(first, 999, value), "hipErrorInvalidValue")
        fails(call(1234, waiting, value), "hipErrorInvalidHandle")
    fails(hip.hipStreamCopyAttributes(first, 1234), "hipErrorInvalidValue")


def test_streams_of_all_compute_units(hip, device):
    units = device.info["compute_units"]
    size = -(-units // 32)
    stream = ok(hip.hipExtStreamCreateWithCUMask(size, [0xFFFFFFFF] * size))
    mask = np.zeros(size + 1, "u4")
    ok(hip.hipExtStreamGetCUMask(stream, size + 1, mask))
    assert sum(int(word).bit_count() for word in mask) == units
    ok(hip.hipStreamDestroy(stream))
    ok(hip.hipStreamDestroy(ok(hip.hipExtStreamCreateWithCUMask(size, mask))))
    fails(hip.hipExtStreamGetCUMask(stream, size, mask), "hipErrorInvalidHandle")
    fails(hip.hipExtStreamGetCUMask(None, 0, mask), "hipErrorInvalidValue")
    fails(hip.hipExtStreamGetCUMask(None, size, None), "hipErrorInvalidValue")
    mask[0] ^= 1
    fails(hip.hipExtStreamCreateWithCUMask(size, mask), "hipErrorNotSupported")
    fails(hip.hipExtStreamCreateWithCUMask(0, mask), "hipErrorInvalidValue")
    fails(hip.hipExtStreamCreateWithCUMask(size, None), "hipErrorInvalidValue")
