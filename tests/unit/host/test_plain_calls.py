"""What compiled programs call without Python, on the simulated driver: its order, what it leaves to Python, and threads."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from launchpath.errors import AsynchronousError
from tests.native.host_table import ASK, NOT_READY, SUCCESS, HostTable
from tests.simulated import Machine
from tests.threads import at_once
from tests.tracing.raw import read

allocations = pytest.importorskip("launchpath.hip._memory.allocations", reason="no package of HIP's types")
SIZE = 512
DEVICE_TO_HOST, DEVICE_TO_DEVICE = 2, 3


@pytest.fixture(params=["plain", "traced"])
def table(machine: Machine, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HostTable]:
    _core.host_null_stream_is(machine.device.legacy_stream, 0)
    lp.empty(SIZE, "uint8", machine.device)  # the pool has memory from now on
    with lp.trace(tmp_path / "calls.lptrace", mode="host") if request.param == "traced" else nullcontext():
        yield HostTable()


def filled(table: HostTable, stream: lp.Stream, value: int) -> int:
    """Allocate memory that a stream fills, and give its address."""
    address = table.allocated(SIZE)
    assert address is not None
    assert table.fill(address, value, SIZE, stream.c_handle) == SUCCESS
    return address


def allocated(machine: Machine, table: HostTable) -> int:
    """Allocate as a program does: by Python where the pool must grow."""
    return table.allocated(SIZE) or allocations.allocate(machine.device, SIZE, allocations.DEVICE)


@contextmanager
def advancing(machine: Machine) -> Iterator[None]:
    machine.machine.background()
    try:
        yield
    finally:
        machine.machine.background(False)


def content(machine: Machine, address: int) -> set[int]:
    return set(np.asarray(machine.machine.view(address, SIZE)).tolist())


def test_memory_is_freed_when_the_device_is_idle(machine: Machine, stream: lp.Stream, table: HostTable) -> None:
    before = _core.address_count()
    with stream.hold():
        address, codes = filled(table, stream, 7), []
        assert table.stream_query(stream.c_handle) == NOT_READY
        thread = threading.Thread(target=lambda: codes.append(free_there(machine, table, address)))
        thread.start()
        time.sleep(0.05)
        assert not codes
        assert _core.address_count() == before + 1, "it is taken only then"
    thread.join()
    assert codes == [SUCCESS]
    assert _core.address_count() == before
    assert table.allocated(SIZE) == address
    assert table.free(address) == SUCCESS


def free_there(machine: Machine, table: HostTable, address: int) -> int:
    _core.host_null_stream_is(machine.device.legacy_stream, 0)
    return table.free(address)


def test_what_cannot_be_freed_is_left_to_python(machine: Machine, table: HostTable) -> None:
    address = table.allocated(SIZE)
    assert table.free(address + 8) == table.free(12345) == table.free(0) == ASK
    assert table.free(address) == SUCCESS
    assert table.free(address) == ASK, "a second time"
    assert table.allocate(0, SIZE) == ASK, "no place for the address"


def test_memory_that_python_has_looked_at_is_pythons(machine: Machine, table: HostTable) -> None:
    before, address = _core.address_count(), table.allocated(SIZE)
    known = allocations.find(address + 100)
    assert (known.address, known.size, known.kind, known.device) == (address, SIZE, allocations.DEVICE, machine.device)
    assert allocations.find(address) is known
    assert allocations.find(address + SIZE) is None
    assert table.free(address) == ASK
    assert table.copy(address + SIZE // 2, address, SIZE // 2, DEVICE_TO_DEVICE, 0) == SUCCESS, "it can still be used"
    machine.machine.run()
    allocations.free(address, allocations.DEVICE)
    assert _core.address_count() == before
    assert table.allocated(SIZE) == address
    assert table.free(address) == SUCCESS


def test_copies_are_checked_and_come_in_order(machine: Machine, stream: lp.Stream, table: HostTable) -> None:
    first, second = filled(table, stream, 3), allocated(machine, table)
    assert table.copy(second, first, SIZE, DEVICE_TO_DEVICE, stream.c_handle) == SUCCESS
    assert table.fill(first, 9, SIZE, stream.c_handle) == SUCCESS
    for wrong in (
        (second, first, SIZE + 1, DEVICE_TO_DEVICE, stream.c_handle),
        (second + 1, first, SIZE, DEVICE_TO_DEVICE, stream.c_handle),
        (second, 12345, SIZE, DEVICE_TO_DEVICE, stream.c_handle),
        (second, first, SIZE, 5, stream.c_handle),
        (second, first, SIZE, DEVICE_TO_DEVICE, stream.c_handle + (1 << 40)),
        (second, first, 0, DEVICE_TO_DEVICE, stream.c_handle),
        (first, first, SIZE, DEVICE_TO_DEVICE, stream.c_handle),
    ):
        assert table.copy(*wrong) == ASK
    machine.machine.run()
    assert content(machine, first) == {9}
    assert content(machine, second) == {3}
    for address in (first, second):
        allocations.free(address, allocations.DEVICE)


def test_events_of_python_are_recorded_and_waited_for(machine: Machine, table: HostTable) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    event = lp.Event()
    handle = _core.c_event_handle(event)
    assert table.event_query(handle) == table.event_synchronize(handle) == SUCCESS, "it was never recorded"
    address = filled(table, first, 1)
    assert table.event_record(handle, first.c_handle) == SUCCESS
    assert event.recorded
    assert event.stream is first
    assert table.event_query(handle) == NOT_READY
    assert _core.hip_code() == NOT_READY
    assert table.stream_wait_event(second.c_handle, handle, 0) == SUCCESS
    assert table.stream_wait_event(second.c_handle, handle, 2) == ASK
    assert table.fill(address, 2, SIZE, second.c_handle) == SUCCESS
    machine.machine.run()  # the machine reports two writes without an order
    assert content(machine, address) == {2}
    assert table.event_query(handle) == table.event_synchronize(handle) == SUCCESS
    assert _core.hip_code() == SUCCESS
    assert table.free(address) == SUCCESS
    event.by_python = True
    assert table.event_query(handle) == table.event_record(handle, first.c_handle) == ASK
    del event
    assert table.event_query(handle) == ASK, "the handle ends with the event"


def test_a_failure_is_left_for_python_to_report(machine: Machine, stream: lp.Stream, table: HostTable) -> None:
    event = lp.Event()
    handle = _core.c_event_handle(event)
    machine.machine.fail_command(device=0, queue=1, number=1)
    address = filled(table, stream, 1)
    assert table.event_record(handle, stream.c_handle) == SUCCESS
    machine.machine.run()
    assert table.event_synchronize(handle) == ASK
    with pytest.raises(AsynchronousError):
        event.synchronize()
    assert table.stream_synchronize(stream.c_handle) == table.device_synchronize() == table.free(address) == ASK
    with pytest.raises(AsynchronousError):
        stream.synchronize()
    assert table.stream_synchronize(stream.c_handle) == SUCCESS, "it is reported once"
    assert table.free(address) == SUCCESS


def test_a_host_functions_exception_is_left_for_python_to_raise(machine: Machine, stream: lp.Stream, table) -> None:
    machine.machine.automatic = True
    stream.host_function(lambda: 1 / 0)
    while table.stream_synchronize(stream.c_handle) != ASK:
        time.sleep(0.001)
    with pytest.raises(lp.HostFunctionError):
        stream.synchronize()


def test_waits_end_when_the_work_does(machine: Machine, stream: lp.Stream, table: HostTable) -> None:
    address = filled(table, stream, 1)
    with advancing(machine):
        assert table.stream_synchronize(stream.c_handle) == SUCCESS
        assert content(machine, address) == {1}
        assert table.fill_default(address, 2, SIZE) == SUCCESS
        assert table.stream_synchronize(0) == SUCCESS
        assert content(machine, address) == {2}
        assert table.fill(address, 3, SIZE, stream.c_handle) == SUCCESS
        assert table.device_synchronize() == SUCCESS
        assert content(machine, address) == {3}
        assert table.copy_and_wait(address + SIZE // 2, address, SIZE // 2, DEVICE_TO_DEVICE) == SUCCESS
        assert table.free(address) == SUCCESS


@pytest.mark.parametrize("seed", range(4))
def test_threads_share_streams_events_and_the_pool(machine: Machine, table: HostTable, seed: int) -> None:
    """Each thread has memory of its own; the machine reports any use that is not ordered, or of memory that was freed."""
    before = _core.address_count()
    shared = machine.streams(("nonblocking", "blocking"))
    events = [lp.Event() for _ in range(2)]
    handles = [_core.c_event_handle(event) for event in events]

    def work(number: int) -> None:
        _core.host_null_stream_is(machine.device.legacy_stream, 0)
        draw = np.random.default_rng([seed, number])
        own = lp.Stream(blocking=False, device=machine.device)
        for turn in range(40):
            stream = (own, *shared)[draw.integers(3)].c_handle
            first, second = allocated(machine, table), allocated(machine, table)
            value = (number * 40 + turn) % 256
            assert table.fill(first, value, SIZE, stream) == SUCCESS
            assert table.copy(second, first, SIZE, DEVICE_TO_DEVICE, stream) == SUCCESS
            which = draw.integers(2)
            assert table.event_record(handles[which], stream) == SUCCESS
            assert table.stream_wait_event(own.c_handle, handles[1 - which], 0) == SUCCESS
            if draw.integers(2):
                assert table.stream_synchronize(stream) == SUCCESS
                assert content(machine, second) == {value}
            assert table.event_query(handles[which]) in (SUCCESS, NOT_READY)
            for address in (first, second):
                if table.free(address) == ASK:
                    allocations.free(address, allocations.DEVICE)

    with advancing(machine):
        at_once(work, range(4))
    assert _core.address_count() == before


@pytest.mark.parametrize("findings", [False, True])
def test_a_trace_has_records_of_calls(machine: Machine, stream: lp.Stream, tmp_path: Path, findings: bool) -> None:
    _core.host_null_stream_is(machine.device.legacy_stream, 0)
    lp.empty(SIZE, "uint8", machine.device)
    table, event, host = HostTable(), lp.Event(), allocations.allocate(machine.device, SIZE, allocations.HOST)
    handle, path = _core.c_event_handle(event), tmp_path / "calls.lptrace"
    with advancing(machine), lp.trace(path, mode="host", findings=findings):
        address = filled(table, stream, 7)
        assert table.copy(host, address, SIZE, DEVICE_TO_HOST, stream.c_handle) == SUCCESS
        assert table.event_record(handle, stream.c_handle) == SUCCESS
        assert table.event_synchronize(handle) == SUCCESS
        assert table.stream_synchronize(stream.c_handle) == SUCCESS
        assert table.copy_and_wait(host, address, SIZE, DEVICE_TO_HOST) == SUCCESS
        assert table.device_synchronize() == SUCCESS
        assert table.free(address) == SUCCESS
    raw = read(path)
    calls = raw.calls(format.API)
    others = [name for name in calls if name != "Stream.synchronize"]
    assert others == ["allocate", "Event.synchronize", "Device.synchronize", "free"]
    assert calls[:4] == ["allocate", "Event.synchronize", "Stream.synchronize", "Stream.synchronize"]
    assert [int(detail["command"]) for _, detail in raw.commands()] == [format.FILL, format.COPY, format.COPY]
    arrived = [slot for slot in raw.slots(format.EVIDENCE) if slot["flags"] & format.CONTENT and not slot["host"]]
    assert len(arrived) == 2 * findings, "the fill's pattern, and what the copy that waits has brought"
    allocations.free(host, allocations.HOST)
