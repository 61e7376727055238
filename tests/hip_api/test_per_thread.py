"""The variants whose names end in ``_spt``: stream 0 is the thread's own."""

import inspect

import numpy as np
import pytest

from launchpath.hip import _spt
from launchpath.hip._streams import streams as _streams
from launchpath.hip._types.functions import functions_of

from .calls import fails, ok


def test_0_is_the_threads_stream_within_a_variant_only(hip, device):
    per_thread, legacy = device.per_thread_stream, device.legacy_stream
    assert _streams.stream_of(0) is legacy
    with _streams.per_thread_default():
        assert _streams.stream_of(0) is _streams.stream_of(None) is per_thread
        assert _streams.stream_of(1) is legacy
    assert _streams.stream_of(0) is legacy


@pytest.fixture
def seen(monkeypatch, device):
    """Note the streams that the variants take."""
    from launchpath.hip._copies import copies
    from launchpath.hip._streams import events

    streams, stream_of = [], _streams.stream_of

    def note(handle, *device):
        streams.append(stream_of(handle, *device))
        return streams[-1]

    for part in (copies, events, _streams):
        monkeypatch.setattr(part, "stream_of", note)
    return streams


def test_streams_and_events(hip, device, seen, made):
    event, calls = made(hip.hipEventCreate()), []
    ok(hip.hipEventRecord_spt(event, None))
    ok(hip.hipStreamWaitEvent_spt(0, event, 0))
    ok(hip.hipLaunchHostFunc_spt(0, calls.append, "one"))
    ok(hip.hipStreamAddCallback_spt(0, lambda *args: calls.append(args[2]), "two", 0))
    ok(hip.hipStreamSynchronize_spt(0))
    assert calls == ["one", "two"]
    ok(hip.hipStreamQuery_spt(0))
    assert ok(hip.hipStreamGetFlags_spt(0)) == hip.hipStreamDefault
    assert ok(hip.hipStreamGetPriority_spt(stream=0)) == device.per_thread_stream.priority
    assert set(seen) == {device.per_thread_stream}
    fails(hip.hipStreamQuery_spt(123), "hipErrorContextIsDestroyed")
    fails(hip.hipEventRecord_spt(123, 0), "hipErrorInvalidHandle")


def test_copies_and_fills(hip, device, seen, made):
    kinds = hip.hipMemcpyKind
    memory, data, result = made(hip.hipMalloc(64)), np.arange(64, dtype="u1"), np.zeros(64, "u1")
    up, down = kinds.hipMemcpyHostToDevice, kinds.hipMemcpyDeviceToHost
    ok(hip.hipMemcpy_spt(memory, data, 64, up))
    ok(hip.hipMemcpyAsync_spt(result, memory, 64, down, None))
    np.testing.assert_array_equal(result, data)
    ok(hip.hipMemset_spt(memory, 5, 64))
    ok(hip.hipMemsetAsync_spt(memory, 6, 8, 0))
    ok(hip.hipMemset2D_spt(int(memory) + 16, 16, 7, 4, 3))
    ok(hip.hipMemset2DAsync_spt(int(memory) + 20, 16, 8, 4, 3, 0))
    pointer, extent = hip.hipPitchedPtr(), hip.hipExtent(width=2, height=1, depth=1)
    pointer.ptr, pointer.pitch, pointer.ysize = int(memory) + 60, 2, 1
    ok(hip.hipMemset3D_spt(pointer, 9, extent))
    pointer.ptr = int(memory) + 62
    ok(hip.hipMemset3DAsync_spt(pointer, 10, extent, 0))
    ok(hip.hipMemcpy2D_spt(result, 64, memory, 64, 64, 1, down))
    expected = np.full(64, 5)
    expected[:8] = 6
    for row in range(16, 64, 16):
        expected[row : row + 4], expected[row + 4 : row + 8] = 7, 8
    expected[60:62], expected[62:] = 9, 10
    np.testing.assert_array_equal(result, expected)
    ok(hip.hipMemcpy2DAsync_spt(dst=memory, dpitch=8, src=data, spitch=8, width=8, height=8, kind=up, stream=0))
    ok(hip.hipMemcpy_spt(result, memory, 64, down))
    np.testing.assert_array_equal(result, data)
    assert set(seen) == {device.per_thread_stream}
    fails(hip.hipMemcpy_spt(memory, data, 65, up), "hipErrorInvalidValue")
    fails(hip.hipMemset_spt(memory, 1, 65), "hipErrorInvalidValue")


def test_every_variant_has_its_own_name(hip):
    assert len(functions_of(_spt)) == 29
    for name in functions_of(_spt):
        function = getattr(hip, name)
        assert function.__name__ == name and name.removesuffix("_spt") in function.__doc__
        assert inspect.signature(function).parameters
