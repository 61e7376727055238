"""The simulated driver itself: what it is there to find, it finds. A test that relies on it must be able to fail.

Here the driver is led into error through launchpath's own API, used against its rules.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._compiler import Signature
from tests.fixtures import arrays, kinds
from tests.simulated import Machine

unchecked = pytest.mark.machine(check=False, patience=0.1)


@unchecked
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_race_is_detected_whatever_the_schedule(machine: Machine, array: lp.Array, order: tuple[int, int]) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    array.fill(1, first)
    array.fill(2, second)
    for queue in order:
        machine.machine.advance(queue)
    (report,) = machine.machine.reports
    assert (report.kind, report.command, report.other) == ("race", (0, 2, 1), (0, 1, 1))
    assert report.range == (array.pointer, array.pointer + 64)


@unchecked
def test_two_readers_are_no_race_and_a_writer_among_them_is(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    mix = machine.kernel()
    mix[1, 1, first](b, a, 16, 1)
    mix[1, 1, second](c, a, 16, 1)
    assert not machine.machine.reports
    a.fill(1, third)
    assert kinds(machine) == {"race"}
    assert len(machine.machine.reports) == 2


@unchecked
def test_neighbouring_bytes_are_no_race(machine: Machine, array: lp.Array) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    array[:8].fill(1, first)
    array[8:].fill(2, second)
    assert not machine.machine.reports
    array[7:9].fill(3, first)
    assert len(machine.machine.reports) == 1


@unchecked
def test_running_in_order_by_luck_is_still_a_race(machine: Machine, array: lp.Array) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    array.fill(1, first)
    machine.machine.run()
    array.fill(2, second)
    assert kinds(machine) == {"race"}


@unchecked
def test_an_event_orders_what_was_before_it_only(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, first)
    event = first.record()
    b.fill(1, first)
    second.wait(event)
    a.fill(2, second)
    assert not machine.machine.reports
    b.fill(2, second)
    assert kinds(machine) == {"race"}


@unchecked
def test_the_host_orders_by_waiting_and_not_by_asking(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, first)
    b.fill(1, first)
    machine.machine.run()
    machine.machine.host_access(a.pointer, 4, False)
    assert kinds(machine) == {"host access in use"}
    machine.machine.clear()
    first.synchronize()
    machine.machine.host_access(a.pointer, 4, True)
    a.fill(2, second)
    assert not machine.machine.reports


@unchecked
def test_use_of_freed_memory(machine: Machine, stream: lp.Stream) -> None:
    (a,) = arrays(machine, 1)
    address = a.pointer
    del a
    machine.device.trim_memory()
    _core.fill_bytes(stream, address, b"\1", 64)
    assert kinds(machine) == {"use of freed memory"}
    machine.machine.view(address, 1)
    assert "view of freed memory" in kinds(machine)


@unchecked
def test_freed_and_fresh_memory_are_poisoned(machine: Machine) -> None:
    (a,) = arrays(machine, 1)
    address = a.pointer
    assert set(machine.machine.view(address, 64).tolist()) == {0xCD}
    del a
    machine.device.trim_memory()
    assert set(machine.machine.view(address, 64).tolist()) == {0xDD}


@unchecked
def test_access_past_the_end(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2, 64)
    machine.kernel()[1, 1, stream](a, b, 65, 1)
    assert kinds(machine) == {"access past an allocation's end"}
    stream.synchronize()


@unchecked
def test_an_address_in_no_allocation(machine: Machine) -> None:
    machine.machine.implement("look", lambda call: None, [("pointer", 0, 8, True)])
    machine.kernel("look", Signature("look", (), 8))[1, 1].packed((0x1000).to_bytes(8, "little"))
    assert kinds(machine) == {"kernel given an address in no allocation"}


@pytest.mark.machine(devices=2, check=False)
def test_another_contexts_memory(machine: Machine, array: lp.Array) -> None:
    (stream,) = machine.streams(("nonblocking",), machine.devices[1])
    (b,) = arrays(machine, 1, device=machine.devices[1])
    machine.kernel(device=machine.devices[1])[1, 1, stream](b, lp.DevicePointer(array.pointer), 16, 1)
    assert kinds(machine) == {"use of another context's memory"}


@unchecked
def test_a_source_that_changes_before_it_is_copied(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    host = np.arange(16, dtype=np.uint32)
    _core.copy_bytes(stream, array.pointer, host.ctypes.data, 64)
    host[3] = 99
    stream.synchronize()
    assert kinds(machine) == {"source changed before it was copied"}


@pytest.mark.parametrize(
    ("what", "leak"),
    [
        (lambda machine: lp.empty(4, "uint32", machine.device), "allocation leaked"),
        (lambda machine: lp.Stream(device=machine.device), "queue leaked"),
        (lambda machine: machine.device.legacy_stream.record(timing=True), "event leaked"),
    ],
)
def test_leaks(what: Callable[[Machine], Any], leak: str) -> None:
    with pytest.raises(AssertionError, match=leak), Machine() as machine:
        kept = what(machine)
    assert kept is not None


@unchecked
def test_a_deadlock_ends(stream: lp.Stream) -> None:
    with stream.hold(), pytest.raises(lp.DriverError, match="SIM_DEADLOCK"):
        stream.synchronize()
    stream.synchronize()


def test_redundant_waits_are_counted(machine: Machine, ordering: Callable[[str], None]) -> None:
    ordering("always")
    legacy, stream = machine.streams(("legacy", "blocking"))
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    for value in range(3):
        b.fill(value, legacy)
    assert machine.machine.redundant_waits == 3, "all but that of the first fill on the legacy stream"
    assert kinds(machine) == {"redundant wait"}
    machine.machine.clear()


@pytest.mark.parametrize("call", ["launch", "fill", "marker", "queue_finish", "event_wait", "allocate", "queue_create"])
def test_calls_fail_when_asked_to(machine: Machine, call: str) -> None:
    machine.machine.fail(call, 2)
    with pytest.raises(lp.DriverError, match=f"^{call} failed: SIM_INJECTED"):
        for value in range(3):
            (stream,) = machine.streams(("nonblocking",))
            a, b = arrays(machine, 2)
            a.fill(value, stream)
            machine.kernel()[1, 1, stream](b, a, 16, 1)
            stream.record(timing=True).synchronize()
            a.fill(value, stream)
            stream.synchronize()
    assert machine.machine.clear_faults() == 0


def test_the_seed_gives_the_schedule() -> None:
    def schedule(seed: int) -> list[Any]:
        with Machine(seed=seed) as machine:
            streams = machine.streams(("nonblocking",) * 6)
            memory = arrays(machine, 6)
            for _ in range(4):
                for stream, array in zip(streams, memory, strict=True):
                    array.fill(1, stream)
            ran = [machine.machine.advance() for _ in range(24)]
            del streams, memory, stream, array
        return ran

    assert schedule(3) == schedule(3) != schedule(4)


def test_commands_run_when_the_test_says_so(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, first)
    second.wait(first.record())
    b.fill(2, second)
    assert machine.machine.ready() == [(0, 1)]
    assert machine.machine.advance(2) is None
    assert machine.machine.advance(1) == (0, 1, 1, "fill")
    assert machine.machine.advance(1) == (0, 1, 1, "marker")
    assert machine.machine.ready() == [(0, 2)]
    assert machine.machine.advance() == (0, 2, 1, "fill")
    assert machine.machine.advance() is None


def test_what_is_not_flushed_does_not_run() -> None:
    with Machine(flush_each=True) as machine:
        (stream,) = machine.streams(("nonblocking",))
        stream.record(timing=True)
        assert machine.machine.ready() == [(0, 1)]
        del stream


def test_kernels_see_their_arguments(machine: Machine) -> None:
    calls: list[Any] = []
    rows = [("int", 0, 4, True), ("uint", 4, 4, True), ("float", 8, 8, True), ("struct", 16, 5, True)]
    machine.machine.implement("see", calls.append, rows)
    launcher = machine.kernel("see", Signature("see", (), 24))[2, (3, 4)]
    launcher.packed(b"\xfe\xff\xff\xff\xfe\xff\xff\xff\0\0\0\0\0\0\xf8\x3fabcde\0\0\0")
    machine.device.synchronize()
    (call,) = calls
    assert call.args == (-2, 2**32 - 2, 1.5, b"abcde")
    assert (call.grid, call.block, call.shared, call.name) == ((2, 1, 1), (3, 4, 1), 0, "see")


def test_a_user_event_orders_as_its_callback_says(machine: Machine, array: lp.Array) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    array.fill(1, first)
    second.wait(first.record())
    with second.hold():
        array.fill(2, second)
    second.synchronize()
    assert not machine.machine.reports
