"""The pool in the core: memory is used again in a stream's order, split and joined, and other streams wait for what it awaits."""

import gc
import os
import random

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.threads import at_once

SLAB = 1 << 16
slab = pytest.mark.machine(memory_slab=SLAB)


def bare(array: lp.Array) -> int:
    """Where an array is; unlike its pointer, this waits for nothing."""
    return array.bare_address


def test_a_loop_on_the_current_stream_lives_on_a_single_block(machine: Machine) -> None:
    for kind in ("legacy", "blocking", "nonblocking"):
        (stream,) = machine.streams((kind,))
        before = machine.machine.calls["allocate"]
        with stream:
            for value in range(100):
                lp.empty(5000, "uint8", machine.device).fill(value, stream)
        assert machine.machine.calls["allocate"] - before <= 1
        stream.synchronize()


def test_a_launch_on_another_stream_comes_after_the_work_that_the_memory_awaits(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    old = lp.empty(16, "uint32", machine.device, first)
    old.fill(1, first)
    address = bare(old)
    del old
    new = lp.empty(16, "uint32", machine.device, first)
    assert bare(new) == address
    source = lp.zeros(16, "uint32", machine.device, second)
    machine.kernel()[1, 1, second](new, source, 16, 7)
    assert machine.device.memory_info()["ordered"] == 1
    machine.machine.run()
    assert not machine.machine.reports


@pytest.mark.parametrize("use", ["fill", "copy", "copy_from", "to_numpy", "assign", "slice"])
def test_every_command_on_another_stream_comes_after_it(machine: Machine, use: str) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    spare = lp.zeros(16, "uint32", machine.device, second)
    old = lp.empty(16, "uint32", machine.device, first)
    old.fill(1, first)
    del old
    new = lp.empty(16, "uint32", machine.device, first)
    if use == "fill":
        new.fill(2, second)
    elif use == "copy":
        new.copy_to(spare, second)
    elif use == "copy_from":
        new.copy_from(np.arange(16, dtype=np.uint32), second)
    elif use == "to_numpy":
        new.to_numpy(second)
    elif use == "assign":
        with second:
            new[::2] = 5
    else:
        new[4:8].fill(3, second)
    machine.machine.run()
    assert not machine.machine.reports
    assert machine.device.memory_info()["ordered"] == 1


def test_the_stream_that_it_was_allocated_for_makes_no_wait(machine: Machine, stream: lp.Stream) -> None:
    for value in range(20):
        array = lp.empty(16, "uint32", machine.device, stream)
        array.fill(value, stream)
        machine.kernel()[1, 1, stream](array, array, 16, value)
    assert machine.machine.calls["marker"] == 0
    assert machine.device.memory_info()["ordered"] == 0
    assert machine.device.memory_info()["reused_in_order"] >= 18


def test_reading_the_address_waits_for_it(machine: Machine, stream: lp.Stream) -> None:
    lp.empty(16, "uint32", machine.device, stream).fill(1, stream)
    array = lp.empty(16, "uint32", machine.device, stream)
    assert array.pointer_on(stream) == bare(array)
    assert machine.machine.calls["event_wait"] == 0
    assert array.pointer == bare(array)
    assert machine.machine.calls["event_wait"] == 1
    assert machine.device.memory_info()["waits"] == 1


def test_what_it_awaits_is_asked_once(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    lp.empty(16, "uint32", machine.device, first).fill(1, first)
    array = lp.empty(16, "uint32", machine.device, first)
    for value in range(5):
        array.fill(value, second)
        array[2:4].fill(value, second)
    assert machine.device.memory_info()["ordered"] == 1


def test_the_rule_of_the_legacy_stream_counts_as_order(machine: Machine) -> None:
    legacy, blocking = machine.streams(("legacy", "blocking"))
    array = lp.empty(16, "uint32", machine.device, blocking)
    array.fill(1, blocking)
    array.fill(2, legacy)
    address = bare(array)
    del array
    for stream in (blocking, legacy):
        again = lp.empty(16, "uint32", machine.device, stream)
        if bare(again) == address:
            break
    assert bare(again) == address, "either of them comes after the other's work"
    again.fill(3, stream)
    machine.machine.run()
    assert again.to_numpy(stream)[0] == 3


def test_work_of_before_an_allocation_is_not_waited_for(machine: Machine) -> None:
    busy, other = machine.streams(("nonblocking",) * 2)
    used = lp.empty(64, "uint8", machine.device, busy)
    with busy.hold():
        used.fill(1, busy)
        for _ in range(50):
            lp.empty(5000, "uint8", machine.device, other)
        assert machine.machine.calls["allocate"] == 2, "a stream that does nothing meanwhile cannot use the memory"


def test_an_address_that_was_handed_out_waits_for_all_work(machine: Machine) -> None:
    busy, other = machine.streams(("nonblocking",) * 2)
    used = lp.empty(64, "uint8", machine.device, busy)
    with busy.hold():
        used.fill(1, busy)
        array = lp.empty(5000, "uint8", machine.device, other)
        address = array.pointer
        del array
        assert bare(lp.empty(5000, "uint8", machine.device, other)) != address


@slab
def test_small_requests_share_memory(machine: Machine) -> None:
    held = [lp.empty(1000, "uint8", machine.device) for _ in range(SLAB // 1024)]
    assert machine.machine.calls["allocate"] == 1
    assert len({bare(array) for array in held}) == len(held)
    info = machine.device.memory_info()
    assert info["in_use"] + info["pooled"] == SLAB
    held.clear()
    assert machine.device.memory_info()["pooled"] == SLAB
    assert bare(lp.empty(SLAB // 2, "uint8", machine.device)) % 256 == 0
    assert machine.machine.calls["allocate"] == 1, "what was split has been joined"


@slab
def test_what_waits_is_split_and_joined_in_its_streams_order(machine: Machine, stream: lp.Stream) -> None:
    with stream.hold():
        held = [lp.empty(4096, "uint8", machine.device, stream) for _ in range(16)]
        for array in held:
            array.fill(1, stream)
        held.clear()
        del array
        assert machine.machine.calls["allocate"] == 1
        large = lp.empty(SLAB, "uint8", machine.device, stream)
        large.fill(2, stream)
        assert machine.machine.calls["allocate"] == 1, "all of it waits for this stream alone"
        del large
        small = [lp.empty(1024, "uint8", machine.device, stream) for _ in range(64)]
        for array in small:
            array.fill(3, stream)
        assert machine.machine.calls["allocate"] == 1
    stream.synchronize()
    assert all((array.to_numpy(stream) == 3).all() for array in small)


@slab
def test_trim_gives_back_what_is_wholly_free(machine: Machine) -> None:
    keep = lp.empty(1000, "uint8", machine.device)
    large = lp.empty(3 << 20, "uint8", machine.device)
    del large
    machine.device.trim_memory()
    assert machine.machine.calls["free"] == 1
    del keep
    machine.device.trim_memory()
    assert machine.machine.calls["free"] == 2
    assert machine.device.memory_info()["pooled"] == 0


@slab
@pytest.mark.machine(memory_slab=SLAB, total_memory=SLAB // 2)
def test_without_room_for_a_shared_block_a_request_gets_its_own(machine: Machine) -> None:
    assert lp.empty(1000, "uint8", machine.device).nbytes == 1000
    with pytest.raises(lp.OutOfMemoryError):
        lp.empty(SLAB, "uint8", machine.device)


@pytest.mark.machine(memory_slab=2 << 20, total_memory=1 << 34)
def test_many_allocations_hold_no_more_than_twice_what_is_live(machine: Machine) -> None:
    """Of mixed sizes: than twice the most that has been live. LAUNCHPATH_TEST_ALLOCATIONS=1000000 for a million."""
    chance = random.Random(5)
    pool, live, most, held = machine.device.pool, 0, 0, []
    for _ in range(int(os.environ.get("LAUNCHPATH_TEST_ALLOCATIONS", "60000"))):
        if len(held) < 500 or (chance.random() < 0.5 and len(held) < 700):
            held.append(pool.allocate(int(2 ** chance.uniform(4, 21))))
            live += held[-1].size
        else:
            at = chance.randrange(len(held))
            held[at], held[-1] = held[-1], held[at]
            live -= held.pop().size
        most = max(most, live)
        assert pool.held <= 2 * most + (2 << 20)


@pytest.mark.parametrize("kind", ["legacy", "nonblocking"])
def test_two_threads_never_get_the_same_memory(machine: Machine, kind: str) -> None:
    machine.machine.background()
    problems: list[str] = []

    def work(number: int) -> None:
        (stream,) = machine.streams((kind,))
        chance = random.Random(number)
        mine: list[tuple[lp.Array, int]] = []
        for turn in range(150):
            size = chance.choice((16, 64, 3000))
            value = number * 1000 + turn
            mine.append((lp.full(size, value, "int32", stream=stream), value))
            if len(mine) > 5:
                array, expected = mine.pop(chance.randrange(len(mine)))
                if not (array.to_numpy(stream) == expected).all():
                    problems.append(f"{array.to_numpy(stream)} for {expected}")

    at_once(work, range(3))
    assert not problems


def test_memory_of_a_stream_that_has_ended_is_used_again(machine: Machine) -> None:
    stream = lp.Stream(blocking=False, device=machine.device)
    array = lp.empty(5000, "uint8", machine.device, stream)
    array.fill(1, stream)
    address = bare(array)
    del array
    stream.synchronize()
    del stream
    gc.collect()
    later = lp.Stream(blocking=False, device=machine.device)
    assert bare(lp.empty(5000, "uint8", machine.device, later)) == address


def test_an_array_outlives_the_stream_that_its_memory_awaits(machine: Machine) -> None:
    first = lp.Stream(blocking=False, device=machine.device)
    (second,) = machine.streams(("nonblocking",))
    lp.empty(16, "uint32", machine.device, first).fill(1, first)
    array = lp.empty(16, "uint32", machine.device, first)
    del first
    gc.collect()
    array.fill(2, second)
    machine.machine.run()
    np.testing.assert_array_equal(array.to_numpy(second), np.full(16, 2, np.uint32))


def test_counts(machine: Machine) -> None:
    before = machine.device.memory_info()
    lp.empty(16, "uint32", machine.device)
    after = machine.device.memory_info()
    assert after["allocations"] == before["allocations"] + 1
    assert after["driver_allocations"] == before["driver_allocations"] + 1
    machine.device.trim_memory()
    assert machine.device.memory_info()["driver_frees"] == before["driver_frees"] + 1


def test_a_host_function_gets_memory_in_no_streams_way(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    addresses: list[int] = []
    stream.host_function(lambda: addresses.append(lp.empty(64, "uint8", machine.device).pointer))
    stream.synchronize()
    assert addresses


def test_pinned_arrays_go_back_when_no_copy_uses_them(machine: Machine, stream: lp.Stream) -> None:
    array = lp.empty(1000, "int32", machine.device, stream)
    host = lp.pinned_empty(1000, "int32", machine.device)
    host[:] = np.arange(1000)
    with stream.hold():
        array.copy_from(host, stream)
        address = host.ctypes.data
        del host
        assert lp.pinned_empty(1000, "int32", machine.device).ctypes.data != address
    np.testing.assert_array_equal(array.copy_to_host_async(stream=stream).result(), np.arange(1000))


def test_a_copy_to_memory_that_is_not_pinned_cannot_be_asynchronous(machine: Machine) -> None:
    array = lp.zeros(10, "int32", machine.device)
    with pytest.raises(
        lp.ArgumentValueError, match=r"pinned_empty .* got a NumPy array in other memory: .*to_numpy\(out"
    ):
        array.copy_to_host_async(np.empty(10, np.int32))
    with pytest.raises(lp.ArgumentValueError, match="shape"):
        array.copy_to_host_async(lp.pinned_empty(11, "int32", machine.device))


@pytest.mark.parametrize("nbytes", [0, 1, 65536, 65537, (4 << 20) + 3, 20 << 20])
def test_copies_of_all_sizes(machine: Machine, nbytes: int) -> None:
    data = np.random.default_rng(0).integers(0, 255, nbytes, np.uint8)
    array = lp.asarray(data, device=machine.device)
    data_before = data.copy()
    data[:] = 0
    out = np.zeros_like(data)
    assert array.to_numpy(out=out) is out
    np.testing.assert_array_equal(out, data_before)
    assert machine.device.memory_info()["arrays"] == 1


def test_staging_is_kept_and_bounded(machine: Machine, stream: lp.Stream) -> None:
    array = lp.empty(4096, "uint8", machine.device, stream)
    data = np.zeros(4096, np.uint8)
    for _ in range(100):
        array.copy_from(data, stream)
        stream.synchronize()
    assert machine.device.memory_info()["staging"] == 64 << 10
    machine.device.trim_memory()
    assert machine.device.memory_info()["staging"] == 0


def test_copies_help_each_other_by_several_threads(machine: Machine) -> None:
    before = _core.set_copiers(3)
    try:
        for size in (1 << 20, (1 << 20) + 1, (4 << 20) - 63, 9_000_001):
            data = np.random.default_rng(0).integers(0, 255, size, np.uint8)
            assert (lp.asarray(data, device=machine.device).to_numpy() == data).all()
    finally:
        _core.set_copiers(before)
