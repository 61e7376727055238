"""Copies between two devices, kernels that use a peer's memory, and copies of rows.

These tests run without stream-ordered allocation as well, see test_without_pool.py.
"""

import gc
import random

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._memory.copies.peer import copy_between
from tests.gpu.capture.capture import Capture
from tests.gpu.process import run
from tests.threads import at_once

KINDS = ("legacy", "blocking", "nonblocking", "per-thread")
N = 1000
COPIES = ("cuMemcpyAsync", "cuMemcpyPeerAsync")  # with and without access to the other device's memory
ENABLE = "cuCtxEnablePeerAccess"


@pytest.fixture(autouse=True)
def known(gpu):
    """Access is enabled, which waits for the device, so that a test can pause the library."""
    for device, other in (gpu.devices, gpu.devices[::-1]):
        device.enable_peer(other)
    gpu.forget_calls()


def _step(gpu, *handles_and_ordinals):
    """Run all that is ready on one stream after another."""
    for stream in handles_and_ordinals:
        with gpu.current(stream.device.info["ordinal"]):
            gpu.control.step(100, stream.handle)


@pytest.mark.parametrize("named", [0, 1], ids=["source's", "target's"])
@pytest.mark.parametrize("kinds", [(source, to) for source in KINDS for to in KINDS], ids="-".join)
def test_a_copy_is_ordered_on_both_sides(gpu, kinds, named):
    """The stand-in runs the stream first whose commands must not be the first, and then the other one."""
    streams = [gpu.stream(kind, ordinal) for ordinal, kind in enumerate(kinds)]
    source, to = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    with gpu.control.paused():
        source.fill(3, streams[0])
        to.fill(4, streams[1])
        gpu.forget_calls()
        with streams[1 - named]:
            assert copy_between(source, to, streams[named])
        assert [call.stream for call in gpu.calls(*COPIES)] == [streams[named].handle]
        source.fill(9, streams[0])
        seen = lp.empty(N, "int32", gpu.devices[1])
        to.copy_to(seen, streams[1])
        for _ in range(3):
            _step(gpu, streams[1], streams[0])
    assert seen.to_numpy(streams[1]).tolist() == [3] * N
    assert source.to_numpy(streams[0]).tolist() == [9] * N


def test_a_copy_without_order_goes_wrong(gpu):
    """What the test above relies on."""
    streams = [gpu.stream(), gpu.stream(ordinal=1)]
    source, to = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    with gpu.control.paused():
        source.fill(3, streams[0])
        _core.copy_bytes(streams[1], to.pointer, source.pointer, source.nbytes)
        _step(gpu, streams[1], streams[0])
    assert to.to_numpy(streams[1]).tolist() == [0] * N


def test_the_library_copies_and_nothing_else_does(gpu):
    source, to = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    for device in gpu.devices:
        device.synchronize()  # else the copy would wait for earlier work that memory lent to it awaits
    gpu.forget_calls()
    with gpu.control.paused():  # what waited for a command would wait for ever
        assert copy_between(source, to, None)
        names = [call.name for call in gpu.calls()]
    assert names.count("cuMemcpyAsync" if gpu.driver == "cuda" else "cuMemcpyPeerAsync") == 1
    assert sum(names.count(name) for name in COPIES) == 1
    assert not {"cuStreamSynchronize", "cuMemHostAlloc"} & set(names)


@pytest.mark.leaves("events")
def test_random_copies_of_several_threads(gpu):
    """Each thread has arrays of its own on both devices, and takes a stream of any kind for each command."""

    def work(seed):
        rng = random.Random(seed)
        streams = [[gpu.stream(kind, ordinal) for kind in KINDS] for ordinal in (0, 1)]
        arrays = [lp.zeros(N, "int32", device) for device in gpu.devices]
        before = [device.legacy_stream.record() for device in gpu.devices]  # what the thread did last
        for value in range(1, 30):
            ordinal = rng.randrange(2)
            here, there = rng.choice(streams[ordinal]), rng.choice(streams[1 - ordinal])
            here.wait(before[ordinal])
            there.wait(before[1 - ordinal])
            arrays[ordinal].fill(value, here)
            with there if rng.random() < 0.5 else here:
                current = _core.current_stream()
                copy_between(arrays[ordinal], arrays[1 - ordinal], here if current is there else there)
            arrays[ordinal].fill(-value, here)
            before[ordinal], before[1 - ordinal] = here.record(), there.record()
            if rng.random() < 0.3:
                assert arrays[1 - ordinal].to_numpy(there).tolist() == [value] * N
                assert arrays[ordinal].to_numpy(here).tolist() == [-value] * N

    at_once(work, range(4))


def test_memory_that_a_copy_uses_stays(gpu):
    stream = gpu.stream(ordinal=1)
    source, to = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    with stream.hold():
        copy_between(source, to, stream)
        pointers = [source.pointer, to.pointer]
        del source, to
        gc.collect()
        for device, pointer in zip(gpu.devices, pointers, strict=True):
            device.trim_memory()
            assert lp.empty(N, "int32", device).pointer != pointer
    stream.synchronize()


def test_access_is_enabled_by_the_first_copy(gpu):
    source, to = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    for device in gpu.devices:
        _core.forget_peers(device)
    for _ in range(3):
        assert copy_between(source, to, None)
    assert len(gpu.calls(ENABLE)) == 2


def test_a_copy_does_not_wait_for_the_host_to_enable_access(gpu):
    """While a stream is held back it goes without, and the next one enables it."""
    source, to, stream = gpu.zeros(N), gpu.zeros(N, ordinal=1), gpu.stream()
    for device in gpu.devices:
        _core.forget_peers(device)
    with stream.hold():
        source.fill(3)
        assert copy_between(source, to, None)
        assert to.to_numpy().tolist() == [3] * N  # it does not wait for the other device's streams
        assert gpu.calls(ENABLE) == []
    assert copy_between(source, to, None)
    assert len(gpu.calls(ENABLE)) == 2


@pytest.mark.sample(2)
@pytest.mark.parametrize("field", ["can_access_peer", "enable_peer", "pool_access"])
def test_libraries_that_lack_access(driver, field):
    from tests.gpu.standin import NAMES

    name = NAMES[driver][field] or NAMES[driver][f"hip_{field}"]
    run(driver, """
    from launchpath._memory.copies.peer import copy_between
    other = gpu.devices[1]
    assert not device.can_access_peer(other)
    with pytest.raises(lp.LaunchpathError, match="cannot access the memory"):
        device.enable_peer(other)
    source, to = gpu.zeros(100), gpu.zeros(100, ordinal=1)
    source.fill(3)
    assert copy_between(source, to, None)
    assert to.to_numpy().tolist() == [3] * 100
    """, without=(name,))  # fmt: skip


def test_libraries_that_lack_the_copies(driver):
    names = ("cuMemcpyPeerAsync", "hipMemcpyPeerAsync", "cuMemcpy2DAsync_v2", "hipMemcpy2DAsync")
    run(driver, """
    from launchpath import _core
    from launchpath._memory.copies.peer import copy_between
    source, to = gpu.zeros(100), gpu.zeros(100, ordinal=1)
    assert not copy_between(source, to, None)
    source.fill(3)
    same = gpu.zeros(100)
    _core.copy_rows(device.legacy_stream, same.pointer, 40, source.pointer, 80, 20, 3)
    assert same.to_numpy().tolist() == ([3] * 5 + [0] * 5) * 2 + [3] * 5 + [0] * 75
    """, without=names)  # fmt: skip


def test_devices_that_cannot_reach_each_other(gpu):
    source, to = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    for device in gpu.devices:
        _core.forget_peers(device)
    gpu.control.option("peers", 0)
    try:
        assert not gpu.device.can_access_peer(gpu.devices[1])
        with pytest.raises(lp.LaunchpathError, match="cannot access the memory of"):
            gpu.device.enable_peer(gpu.devices[1])
        source.fill(3)
        assert copy_between(source, to, None)
        assert gpu.calls(ENABLE) == []
        assert to.to_numpy().tolist() == [3] * N
    finally:
        gpu.control.option("peers", 1)
        for device in gpu.devices:
            _core.forget_peers(device)


def test_a_kernel_uses_a_peers_memory(gpu):
    near, far = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    stream = gpu.stream(ordinal=1)
    gpu.kernel("increment", 1)[1, N, stream](near, N)
    gpu.kernel("increment", 1)[1, N, stream](far, N)
    assert near.to_numpy().tolist() == [1] * N  # it waits for the other device's stream
    assert far.to_numpy().tolist() == [1] * N


def test_a_kernel_takes_no_array_of_a_peer_before_that_was_asked_for(gpu):
    far = gpu.zeros(N, ordinal=1)
    _core.forget_peers(gpu.device)
    with pytest.raises(lp.ArgumentValueError, match=r"device\.enable_peer\(array\.device\) once"):
        gpu.kernel("increment")[1, N](far, N)
    gpu.device.enable_peer(gpu.devices[1])  # the library says that it is enabled already, which is right
    assert [call.result for call in gpu.calls(ENABLE)] == [704]
    gpu.kernel("increment")[1, N](far, N)
    assert far.to_numpy().tolist() == [1] * N


def test_the_library_notices_memory_that_is_not_accessible(driver):
    """What the tests above rely on: an address alone is no access."""
    run(driver, """
    far = gpu.zeros(100, ordinal=1)
    gpu.kernel("increment")[1, 100](lp.DevicePointer(far.pointer), 100)
    with pytest.raises(lp.AsynchronousError):
        device.synchronize()
    assert "has no access to" in control.reports()[0]
    os._exit(0)  # the device has failed
    """)  # fmt: skip


def test_enabling_waits_for_holds(driver):
    run(driver, """
    stream = gpu.stream()
    hold = stream.hold()
    threading.Timer(0.1, hold.release).start()
    device.enable_peer(gpu.devices[1])
    assert stream.query()
    told = []
    def called():
        try:
            gpu.devices[1].enable_peer(device)
        except lp.LaunchpathError as error:
            told.append(str(error))
    stream.host_function(called)
    stream.synchronize()
    assert "a stream waits for the host" in told[0], told
    assert "PeerAccess" in told[0], told
    """)  # fmt: skip


@pytest.mark.parametrize("which", [0, 1])
def test_a_copy_with_a_captured_stream_is_refused(gpu, which):
    source, to = gpu.zeros(16), gpu.zeros(16, ordinal=1)
    streams = [gpu.stream(), gpu.stream(ordinal=1)]
    capture = Capture(gpu, streams[0].handle)
    with capture, streams[which], pytest.raises(lp.LaunchpathError, match="a graph is being captured"):
        copy_between(source, to, streams[1 - which])
    assert capture.code == 0
    capture.close()


def test_a_copy_as_part_of_a_graph(gpu):
    source, to = gpu.zeros(16), gpu.zeros(16, ordinal=1)
    streams = [gpu.stream(), gpu.stream(ordinal=1)]
    streams[1].handle  # noqa: B018 (else nobody can capture it)
    capture = Capture(gpu, streams[0].handle)
    with capture:
        source.fill(3, streams[0])
        streams[1].wait(streams[0].record())
        with streams[0]:
            assert copy_between(source, to, streams[1])
        source.fill(5, streams[0])
    assert capture.code == 0
    assert to.to_numpy().tolist() == [0] * 16
    capture.launch()
    streams[0].synchronize()
    assert (to.to_numpy().tolist(), source.to_numpy().tolist()) == ([3] * 16, [5] * 16)
    capture.close()


def test_the_times_of_copies(gpu):
    source, to = gpu.zeros(N), gpu.zeros(N, ordinal=1)
    _core.time_commands(gpu.device)
    stream = gpu.stream()
    copy_between(source, to, stream)
    _core.copy_rows(stream, source.pointer, 40, source.pointer + 2000, 40, 20, 5)
    stream.synchronize()
    assert [call for call, *_ in _core.command_times(gpu.device)] == ["copy_peer", "copy_rows"]
    _core.time_commands(gpu.device, False)


@pytest.mark.parametrize("pitches", [(16, 40), (40, 16), (40, 40)])
def test_rows(gpu, pitches):
    source, stream = lp.asarray(np.arange(64, dtype="int32"), device=gpu.device), gpu.stream()
    to = lp.zeros(64, "int32", stream=stream)
    gpu.device.synchronize()
    gpu.forget_calls()
    _core.copy_rows(stream, to.pointer, pitches[0], source.pointer, pitches[1], 16, 4)
    assert [call.name for call in gpu.calls() if "Memcpy" in call.name] == ["cuMemcpy2DAsync_v2"]
    expected = np.zeros(64, "int32")
    for row in range(4):
        at, start = row * pitches[0] // 4, row * pitches[1] // 4
        expected[at : at + 4] = np.arange(start, start + 4)
    assert to.to_numpy(stream).tolist() == expected.tolist()
