"""Streams: the library keeps the order between them, the legacy stream's rules included."""

import ctypes
import gc

import pytest

import launchpath as lp
from tests.gpu.standin import OUT
from tests.standin.client import on_thread, soon
from tests.threads import apart

KINDS = ("legacy", "blocking", "nonblocking", "per-thread")


def _ends(function, seconds=20):
    """Whether a function returns, on a thread of its own, before what is held is let go."""
    thread = on_thread(function)
    thread.join(seconds)
    return not thread.is_alive()


def test_kinds_are_the_librarys_own(gpu):
    for kind in "blocking", "nonblocking":
        stream = gpu.stream(kind)
        assert gpu.cuda("cuStreamGetFlags", stream.handle, OUT) == (kind == "nonblocking")
    assert gpu.stream("legacy").handle == (0 if gpu.driver == "hip" else 1)


def test_commands_of_a_stream_run_in_order(gpu):
    for kind in KINDS:
        stream, array = gpu.stream(kind), gpu.zeros()
        array.fill(3, stream)
        gpu.kernel("increment")[1, 16, stream](array, 16)
        gpu.kernel("increment")[1, 8, stream](array, 8)
        assert array.to_numpy(stream).tolist() == [5] * 8 + [4] * 8


# Earlier work on one stream, then a call on another, idle one: does the call wait for it? Measured on an H200 with CUDA 13.0.
MEASURED = [
    ("legacy", "synchronize", "blocking", False),
    ("legacy", "query", "blocking", False),
    ("legacy", "record", "blocking", True),
    ("legacy", "synchronize", "per-thread", False),
    ("legacy", "record", "per-thread", True),
    ("blocking", "synchronize", "legacy", True),
    ("blocking", "query", "legacy", True),
    ("blocking", "record", "legacy", True),
    ("per-thread", "synchronize", "legacy", True),
    ("per-thread", "query", "legacy", True),
    ("nonblocking", "synchronize", "legacy", False),
    ("nonblocking", "query", "legacy", False),
    ("nonblocking", "record", "legacy", False),
    ("legacy", "record", "nonblocking", False),
    ("legacy", "synchronize", "nonblocking", False),
    ("blocking", "record", "blocking", False),
    ("blocking", "synchronize", "blocking", False),
]


@pytest.mark.parametrize(("earlier", "call", "kind", "waits"), MEASURED)
def test_calls_wait_as_measured(gpu, earlier, call, kind, waits):
    source, stream, array = gpu.stream(earlier), gpu.stream(kind), gpu.zeros()
    with source.hold() as hold:
        array.fill(7, source)
        if call == "query":
            assert stream.query() == (not waits)
        elif call == "record":
            event = stream.record()
            assert soon(event.query) if not waits else not event.query()
        elif not waits:
            assert _ends(stream.synchronize)
        else:
            over = []
            thread = on_thread(lambda: over.append(stream.synchronize()))
            assert not over
        hold.release()
        if call == "record":
            event.synchronize()
        elif call == "query":
            assert soon(stream.query)
        elif waits:
            thread.join()
    if waits:
        # By then the earlier work is done: nothing else has waited for it.
        assert ctypes.c_int.from_address(array.pointer).value == 7
    source.synchronize()


@pytest.mark.parametrize(("earlier", "later", "waits"), [
    ("legacy", "blocking", True),
    ("legacy", "per-thread", True),
    ("legacy", "nonblocking", False),
    ("blocking", "legacy", True),
    ("per-thread", "legacy", True),
    ("nonblocking", "legacy", False),
    ("blocking", "blocking", False),
    ("blocking", "nonblocking", False),
])  # fmt: skip
def test_commands_wait_by_the_legacy_rule(gpu, earlier, later, waits):
    source, stream = gpu.stream(earlier), gpu.stream(later)
    array, mark = gpu.zeros(), gpu.zeros()
    with source.hold():
        array.fill(7, source)
        mark.fill(1, stream)
        event = stream.record()
        assert soon(event.query) if not waits else not event.query()
        assert ctypes.c_int.from_address(mark.pointer).value == (not waits)
    event.synchronize()
    assert ctypes.c_int.from_address(mark.pointer).value == 1
    source.synchronize()


def test_the_rule_is_left_to_the_library(gpu):
    """A launch on the legacy stream behind many blocking ones is one call, with no event."""
    streams = [gpu.stream("blocking") for _ in range(8)]
    array = gpu.zeros()
    for stream in streams:
        gpu.kernel("increment")[1, 16, stream](array, 16)
    launch = gpu.kernel("increment")[1, 16]
    rounds = []
    for _ in range(2):  # in one of them a checkpoint may be due: the legacy stream is as old as the process
        gpu.forget_calls()
        for _ in range(4):
            launch(array, 16)
        rounds.append({call.name for call in gpu.calls()})
    allowed = {"cuCtxGetCurrent", "cuCtxSetCurrent", "cuDeviceGetCount", "cuStreamQuery"}
    assert {"cuLaunchKernel"} in [names - allowed for names in rounds]
    assert gpu.device.ordering_counts()[1] == 0
    gpu.device.synchronize()


def test_legacy_streams_of_two_devices_are_not_ordered(gpu):
    legacy, other = gpu.stream("legacy"), gpu.stream("blocking", 1)
    with legacy.hold():
        assert _ends(other.synchronize)
        assert soon(other.record().query)
        assert gpu.stream("legacy", 1).query()


def test_each_thread_has_a_default_stream(gpu):
    mine = gpu.stream("per-thread")
    assert gpu.stream("per-thread") is mine
    others = apart(gpu.stream, "per-thread")
    assert others is not mine
    assert mine.blocking
    with mine.hold():
        assert others.query()
        assert soon(others.record().query)


def test_priorities_reach_the_library(gpu):
    least, most = gpu.device.info["priorities"]
    for wanted, in_force in ((most, most), (0, 0), (-100, most), (100, least)):
        stream = gpu.stream(priority=wanted)
        reported = ctypes.c_int(gpu.cuda("cuStreamGetPriority", stream.handle, OUT)).value
        assert stream.priority == in_force
        assert reported == min(in_force, 0)  # what lies outside of the library's own range is moved to its ends


def test_a_query_follows_the_stream(stream, array):
    assert stream.query()
    with stream.hold():
        array.fill(1, stream)
        assert not stream.query()
        assert not stream.query()
    stream.synchronize()
    assert stream.query()


def test_a_stream_known_to_be_complete_is_not_asked(gpu, stream, array):
    array.fill(1, stream)
    stream.synchronize()
    gpu.forget_calls()
    assert stream.query()
    stream.synchronize()
    assert gpu.calls("cuStreamQuery", "cuStreamSynchronize") == []


def test_foreign_work_in_our_stream_counts(gpu):
    """Who has the handle may submit at any time."""
    stream, array = gpu.stream(), gpu.zeros()
    stream.synchronize()
    handle = stream.handle
    go = gpu.held(handle)
    gpu.cuda("cuMemsetD32Async", array.pointer, 5, 16, handle)
    assert not stream.query()
    event = stream.record()
    assert not event.query()
    pointer = array.pointer
    del array
    fresh = gpu.zeros()  # not the memory that foreign work still uses
    assert fresh.pointer != pointer
    go()
    stream.synchronize()
    assert event.query()
    assert stream.query()


def test_foreign_work_in_the_legacy_stream_counts(gpu):
    legacy, array = gpu.stream("legacy"), gpu.zeros()
    legacy.synchronize()
    go = gpu.held(0)
    assert not legacy.query()
    pointer = array.pointer
    del array
    assert gpu.zeros().pointer != pointer
    go()
    legacy.synchronize()


def test_a_dropped_stream_goes_when_its_work_is_done(gpu):
    array = gpu.zeros()
    before = gpu.live()["streams"]
    stream, other = gpu.stream(), gpu.stream()
    hold = stream.hold()
    array.fill(9, stream)
    event = stream.record()
    del stream
    gc.collect()
    assert gpu.live()["streams"] == before + 2
    other.wait(event)
    hold.release()
    assert array.to_numpy(other).tolist() == [9] * 16
    gpu.device.synchronize()
    del event, hold
    gpu.device.synchronize()
    assert gpu.live()["streams"] == before + 1


def test_a_dropped_idle_stream_goes_at_once(gpu):
    before = gpu.live()["streams"]
    for _ in range(5):
        gpu.stream()
    assert gpu.live()["streams"] == before


def test_work_of_dropped_streams_holds_back_the_legacy_stream(gpu):
    array, legacy = gpu.zeros(), gpu.stream("legacy")
    stream = gpu.stream("blocking")
    with stream.hold():
        array.fill(1, stream)
        del stream
        gpu.kernel("increment")[1, 16, legacy](array, 16)
        assert not legacy.query()
    legacy.synchronize()
    assert array.to_numpy(legacy).tolist() == [2] * 16


# -- streams that foreign code made


def _foreign(gpu, flags=1):
    return gpu.cuda("cuStreamCreateWithPriority", OUT, flags, 0)


@pytest.mark.parametrize("flags", [0, 1])
def test_foreign_streams_are_used_as_they_are(gpu, flags):
    handle = _foreign(gpu, flags)
    stream = lp.Stream.external(handle, gpu.device)
    assert stream.handle == handle
    assert stream.blocking == (flags == 0)
    array = gpu.zeros()
    gpu.forget_calls()
    gpu.kernel("increment")[1, 16, stream](array, 16)
    [call] = [call for call in gpu.calls("cuLaunchKernel") if call.result == 0]
    assert call.stream == handle
    gpu.cuda("cuMemsetD32Async", array.pointer, 6, 8, handle)  # between ours
    gpu.kernel("increment")[1, 16, stream](array, 16)
    assert array.to_numpy(stream).tolist() == [7] * 8 + [2] * 8
    del stream
    gc.collect()
    gpu.cuda("cuStreamDestroy_v2", handle)


@pytest.mark.parametrize("flags", [0, 1])
def test_a_foreign_stream_ends_with_our_work_in_flight(gpu, flags):
    """Its owner destroys it after our object was dropped; the memory that the work uses stays until it is done."""
    handle = _foreign(gpu, flags)
    array, kept = gpu.zeros(), gpu.zeros()
    pointer = array.pointer
    go = gpu.held(handle)
    stream, other = lp.Stream.external(handle, gpu.device), gpu.stream()
    array.fill(3, stream)
    gpu.kernel("increment")[1, 16, stream](array, 16)
    other.wait(stream.record())
    del stream
    gc.collect()
    gpu.cuda("cuStreamDestroy_v2", handle)
    del array
    gc.collect()
    fresh = [gpu.zeros() for _ in range(3)]
    assert pointer not in [fresh_array.pointer for fresh_array in fresh]
    lp._core.copy_bytes(other, kept.pointer, pointer, 64)
    assert not other.query()
    go()
    assert kept.to_numpy(other).tolist() == [4] * 16
    gpu.device.synchronize()


def test_a_foreign_stream_may_go_once_it_is_idle(gpu):
    handle = _foreign(gpu)
    stream = lp.Stream.external(handle, gpu.device)
    array = gpu.zeros()
    array.fill(3, stream)
    stream.synchronize()
    del stream
    gc.collect()
    gpu.cuda("cuStreamDestroy_v2", handle)
    gpu.forget_calls()
    gpu.device.synchronize()
    assert [call for call in gpu.calls() if call.stream == handle] == []


def test_handles_are_used_again(gpu):
    """A new foreign stream at an old one's address is another stream."""
    array = gpu.zeros()
    for value in range(5):
        handle = _foreign(gpu)
        stream = lp.Stream.external(handle, gpu.device)
        array.fill(value, stream)
        assert array.to_numpy(stream).tolist() == [value] * 16
        del stream
        gc.collect()
        gpu.cuda("cuStreamDestroy_v2", handle)


def test_many_streams(gpu):
    streams = [gpu.stream(("blocking", "nonblocking")[i % 2]) for i in range(100)]
    arrays = [gpu.zeros() for _ in streams]
    for stream, array in zip(streams, arrays, strict=True):
        gpu.kernel("increment")[1, 16, stream](array, 16)
    gpu.device.synchronize()
    assert all(stream.query() for stream in streams)
    assert all(ctypes.c_int.from_address(array.pointer).value == 1 for array in arrays)
