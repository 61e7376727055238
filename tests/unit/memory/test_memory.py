"""Memory: freeing is always safe, the pool gives it out again once it is, and running out says what is held."""

import contextlib
import gc
import logging

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core, _logged
from tests.fixtures import arrays
from tests.simulated import Machine


def drop(held: list[lp.Array]) -> int:
    """Let an array go, and say where it was."""
    return held.pop().pointer


def is_free(machine: Machine, address: int) -> bool:
    """Is that memory free to be given out?"""
    return address in [array.pointer for array in arrays(machine, machine.machine.calls["allocate"])]


def test_memory_that_is_not_in_use_is_used_again_at_once(machine: Machine) -> None:
    address = drop(arrays(machine, 1))
    (again,) = arrays(machine, 1)
    assert again.pointer == address
    assert machine.machine.calls["allocate"] == 1


def test_memory_of_a_launch_in_flight_is_not_reused(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    held = arrays(machine, 1)
    held[0].fill(1, stream)
    address = drop(held)
    (fresh,) = arrays(machine, 1)
    assert fresh.pointer != address
    fresh.fill(2, other)
    machine.machine.run()
    np.testing.assert_array_equal(fresh.to_numpy(other), np.full(16, 2, np.uint32))


def test_it_comes_back_once_a_query_reports_complete_and_the_driver_was_waited_for(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    held = arrays(machine, 1)
    held[0].fill(1, stream)
    address = drop(held)
    assert not is_free(machine, address)  # the pool leaves a marker to ask
    machine.machine.run()
    reused = arrays(machine, 40)
    assert address in [array.pointer for array in reused]
    for array in reused:
        array.fill(2, other)


def test_freeing_counts_every_queue_not_only_those_that_launchpath_saw_use_it(machine: Machine) -> None:
    """A kernel may hold an address inside a struct, or in other memory."""
    first, second = machine.streams(("nonblocking",) * 2)
    held = arrays(machine, 2)
    held[0].fill(1, first)
    held[1].fill(1, second)
    address = drop(held)
    first.synchronize()
    assert not is_free(machine, address), "the second stream is still at work"
    second.synchronize()
    assert is_free(machine, address)


def test_slices_keep_the_memory(machine: Machine) -> None:
    held = arrays(machine, 1)
    part = held[0][4:8]
    address = drop(held)
    gc.collect()
    assert not is_free(machine, address)
    assert part.pointer == address + 16


def test_an_array_in_a_reference_cycle_gives_its_memory_back(machine: Machine) -> None:
    held = arrays(machine, 1)
    held.append(held)  # type: ignore[arg-type]
    del held
    gc.collect()
    assert machine.device.memory_info()["arrays"] == 0
    assert machine.device.memory_info()["in_use"] == 0


def test_in_the_order_of_a_stream_its_own_memory_comes_back_at_once(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    held = arrays(machine, 1)
    held[0].fill(1, stream)
    address = drop(held)
    elsewhere = lp.empty(16, "uint32", machine.device, other)
    assert elsewhere.pointer != address
    again = lp.empty(16, "uint32", machine.device, stream)
    assert again.pointer == address
    again.fill(2, stream)
    np.testing.assert_array_equal(again.to_numpy(stream), np.full(16, 2, np.uint32))


def test_in_the_order_of_a_stream_only_if_no_other_uses_it(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    held = arrays(machine, 2)
    held[0].fill(1, other)
    held[1].fill(1, stream)
    address = drop(held)
    again = lp.empty(16, "uint32", machine.device, stream)
    assert again.pointer != address, "the other stream had work when the array was dropped"


def test_freed_arrays_cannot_be_used(machine: Machine) -> None:
    a, b = arrays(machine, 2)
    part = a[2:]
    a.free()
    a.free()
    for use in (
        lambda: a.pointer,
        lambda: part.pointer,
        lambda: a.fill(1),
        lambda: a[0],
        a.to_numpy,
        lambda: part.copy_to(b),
        lambda: b.copy_from(a),
        lambda: machine.kernel()[1, 1](a, b, 1, 1),
        lambda: machine.kernel()[1, 1](b, part, 1, 1),
    ):
        with pytest.raises(lp.FreedError, match="was freed: omit free()"):
            use()
    assert machine.device.memory_info()["arrays"] == 1


def test_freeing_while_work_is_in_flight_never_touches_the_memory(machine: Machine) -> None:
    streams = machine.streams(("legacy", "blocking", "nonblocking"))
    mix = machine.kernel()
    for value in range(30):
        a, b = arrays(machine, 2, 8)
        for stream in streams:
            source, to = arrays(machine, 2, 8)
            source.fill(value, stream)
            to.fill(value, stream)
            mix[1, 1, stream](to, source, 8, value)
        a.fill(1, streams[value % 3])
        b.free()
        machine.machine.run(value % 5)
    assert not machine.machine.reports


def test_a_limit_is_kept(machine: Machine) -> None:
    machine.device.set_memory_limit(4 * 256)
    held = arrays(machine, 4)
    with pytest.raises(lp.OutOfMemoryError, match="limit"):
        lp.empty(16, "uint32", machine.device)
    assert machine.machine.calls["allocate"] == 4, "the driver was not asked"
    held.pop()
    assert lp.empty(16, "uint32", machine.device).nbytes == 64
    machine.device.set_memory_limit(None)
    assert len(arrays(machine, 8)) == 8
    with pytest.raises(lp.ArgumentValueError):
        machine.device.set_memory_limit(-1)


def test_at_the_limit_cycles_are_collected_first(machine: Machine) -> None:
    machine.device.set_memory_limit(256)
    cycle = [arrays(machine, 1)]
    cycle.append(cycle)  # type: ignore[arg-type]
    del cycle
    assert lp.empty(16, "uint32", machine.device).nbytes == 64


def test_at_the_limit_deferred_frees_are_drained_first(machine: Machine, stream: lp.Stream) -> None:
    machine.device.set_memory_limit(256)
    held = arrays(machine, 1)
    held[0].fill(1, stream)
    held.pop()
    lp.empty(16, "uint32", machine.device).fill(1, stream)
    assert machine.machine.calls["queue_finish"] == 1


@pytest.mark.machine(total_memory=4096)
def test_running_out_drains_deferred_frees_and_then_says_what_is_held(machine: Machine, stream: lp.Stream) -> None:
    held = [lp.empty(1024, "uint8", machine.device) for _ in range(4)]
    for array in held:
        array.fill(1, stream)
    del array
    held[2:] = []
    big = lp.empty(2048, "uint8", machine.device)
    assert machine.machine.calls["queue_finish"] == 1
    with pytest.raises(lp.OutOfMemoryError) as caught:
        lp.empty(1 << 20, "uint8", machine.device)
    assert isinstance(caught.value, MemoryError)
    assert caught.value.name == "SIM_OUT_OF_MEMORY"
    assert "requested 1,048,576 bytes while 3 arrays hold 4,096" in str(caught.value)
    assert "Simulated" in str(caught.value)
    big.fill(1, stream)


@pytest.mark.machine(total_memory=4096)
def test_a_long_wait_for_memory_is_logged(machine: Machine, monkeypatch, caplog) -> None:
    def wait(size: int) -> list[str]:
        caplog.clear()
        (stream,) = machine.streams(("nonblocking",))
        array = lp.empty(4096, "uint8", machine.device)
        array.fill(1, stream)
        del array
        with caplog.at_level(logging.INFO, "launchpath"), contextlib.suppress(lp.OutOfMemoryError):
            lp.empty(size, "uint8", machine.device)
        return [record.getMessage() for record in caplog.records if record.name == "launchpath"]

    assert wait(2048) == []
    monkeypatch.setattr(_logged, "SHORTAGE", 0.0)
    name = machine.device.name
    assert wait(2048) == [f"waited 0.0 s for 2,048 bytes of {name}: all memory was in use"]
    assert wait(1 << 20) == [f"waited 0.0 s for 1,048,576 bytes of {name}: all memory was in use"]


def test_a_failed_allocation_loses_nothing(machine: Machine) -> None:
    before = machine.device.memory_info()
    machine.machine.fail("allocate", code=-9001)
    with pytest.raises(lp.DriverError, match="allocate failed: SIM_INJECTED"):
        arrays(machine, 1)
    assert machine.device.memory_info() == before
    assert len(arrays(machine, 1)) == 1


def test_an_allocation_that_fails_once_for_want_of_memory_is_tried_again(machine: Machine) -> None:
    machine.machine.fail("allocate", code=-9002)
    assert len(arrays(machine, 1)) == 1
    assert machine.machine.calls["allocate"] == 2


def test_memory_information(machine: Machine, stream: lp.Stream) -> None:
    total = machine.device.memory_info()["total"]
    held = arrays(machine, 3)
    held[0].fill(1, stream)
    held.pop()
    info = machine.device.memory_info()
    assert (info["arrays"], info["in_use"], info["waiting"], info["pooled"]) == (2, 512, 256, 0)
    assert info["free"] == total - 768
    stream.synchronize()
    info = machine.device.memory_info()
    assert (info["waiting"], info["pooled"]) == (0, 256)
    machine.device.trim_memory()
    info = machine.device.memory_info()
    assert (info["pooled"], info["free"]) == (0, total - 512)


def test_trim_leaves_what_is_in_use(machine: Machine, stream: lp.Stream) -> None:
    held = arrays(machine, 2)
    held[0].fill(1, stream)
    held.pop()
    machine.device.trim_memory()
    assert machine.machine.calls["free"] == 0
    machine.machine.run()
    machine.device.trim_memory()
    assert machine.machine.calls["free"] == 1
    assert not machine.machine.reports


def test_uploads_are_staged_through_pinned_memory_that_comes_back(
    machine: Machine, stream: lp.Stream, array: lp.Array
) -> None:
    host = np.arange(16, dtype=np.uint32)
    array.copy_from(host, stream)
    host[:] = 0  # the upload has not run: it must not see this
    assert machine.machine.devices[0].used_host == 64 << 10
    np.testing.assert_array_equal(array.to_numpy(stream), np.arange(16))
    for _ in range(10):
        array.copy_from(host, stream)
        stream.synchronize()
    assert machine.machine.devices[0].used_host == 64 << 10, "one piece serves them all"


@pytest.mark.parametrize("size", [1, 255, 256, 257, 4096, 4097, 5000, 70000, 1 << 20, (1 << 20) + 1, 5_000_000])
def test_sizes_fall_into_few_classes_with_little_waste(machine: Machine, size: int) -> None:
    allocation = machine.device.pool.allocate(size)
    assert allocation.size == size
    assert size <= allocation.held <= max(size + 255, size * 1.25)
    assert allocation.pointer % 256 == 0
    again = machine.device.pool.allocate(allocation.held)
    assert again.held == allocation.held, "a class holds its own size"


def test_pools_of_kinds_do_not_mix(machine: Machine) -> None:
    pinned = machine.device.pool.allocate(64, None, _core.PINNED)
    address = pinned.pointer
    del pinned
    assert machine.device.pool.allocate(64).pointer != address
    assert machine.device.pool.allocate(64, None, _core.PINNED).pointer == address


@pytest.mark.machine(devices=2, share_context=True)
def test_freeing_counts_the_queues_of_other_devices_of_the_context(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",), machine.devices[1])
    held = arrays(machine, 1)
    _core.fill_bytes(stream, held[0].pointer, b"\1", 64)
    address = drop(held)
    assert not is_free(machine, address)
    stream.synchronize()
    assert is_free(machine, address)


def test_a_program_of_many_short_lived_arrays_holds_few(machine: Machine, stream: lp.Stream) -> None:
    for value in range(500):
        lp.empty(1000, "uint8", machine.device, stream).fill(value % 256, stream)
    assert machine.machine.calls["allocate"] == 1
