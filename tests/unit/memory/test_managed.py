"""Managed arrays on the simulated driver: what is allocated, what waits, devices without.

The machine reports an access by the host (`host_access`) to memory of which it is not known that all work is complete.
"""

import threading
from collections.abc import Iterator

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine


@pytest.mark.machine(host_accessible=False)
def test_the_host_reaches_managed_memory_alone(machine: Machine) -> None:
    array = lp.managed_empty(8, "int32", machine.device)
    array.fill(3)
    view = array.host_view()
    machine.machine.host_access(array.pointer, array.nbytes, True)
    assert view.tolist() == [3] * 8
    view[:] = 5
    assert array.to_numpy().tolist() == [5] * 8
    assert np.from_dlpack(array).tolist() == [5] * 8
    with pytest.raises(lp.LaunchpathError, match=r"'Simulated': allocate it with launchpath\.managed_empty, or copy"):
        lp.zeros(8, "int32", machine.device).host_view()


@pytest.mark.machine(managed="none", host_accessible=False)
def test_devices_without(machine: Machine) -> None:
    device = machine.device
    assert (device.managed_memory, device.concurrent_managed_access) == (False, False)
    with pytest.raises(lp.LaunchpathError) as caught:
        lp.managed_empty(8, device=device)
    assert str(caught.value).startswith("'Simulated' has no managed memory: it simulates none. Use launchpath.pinned")
    with pytest.raises(lp.LaunchpathError, match=r"'Simulated': copy it with to_numpy\(\)"):
        lp.zeros(8, "int32", device).host_view()
    assert device.memory_info()["arrays"] == 0


@pytest.mark.parametrize(("managed", "concurrent"), [("concurrent", True), ("idle", False)])
def test_what_the_device_says_of_it(managed: str, concurrent: bool) -> None:
    with Machine(managed=managed) as machine:
        assert machine.device.managed_memory
        assert machine.device.concurrent_managed_access == concurrent


def test_it_has_memory_of_its_own(machine: Machine) -> None:
    device = machine.device
    array = lp.empty(100, "int32", device)
    address = array.pointer
    array.free()
    device.synchronize()
    array = lp.managed_empty(100, "int32", device)
    assert array.pointer != address
    assert array.allocation.managed
    assert not lp.empty(100, "int32", device).allocation.managed
    assert [kind for *_, kind, _ in _core.memory_extents(device)].count(_core.MANAGED) == 1
    address = array.pointer
    array.free()
    assert not array.allocation.managed
    assert lp.managed_empty(100, "int32", device).pointer == address
    assert lp.empty(100, "int32", device).pointer != address


def test_memory_in_the_order_of_a_stream(machine: Machine, stream: lp.Stream) -> None:
    """It may be memory that the stream's earlier work still uses: the view waits for that."""
    array = lp.managed_empty(100, "int32", machine.device, stream)
    address = array.bare_address
    array.fill(1, stream)
    del array
    again = lp.managed_empty(100, "int32", machine.device, stream)
    assert again.bare_address == address  # reading `pointer` would wait, and leave nothing for the view to wait for
    view = again.host_view()
    machine.machine.host_access(again.pointer, again.nbytes, True)
    view[:] = 2
    assert again.to_numpy(stream).tolist() == [2] * 100


def test_memory_of_a_view_stays_after_the_array(machine: Machine) -> None:
    array = lp.managed_empty(100, "int32", machine.device)
    array.fill(1)
    view = array.host_view()
    address = array.pointer
    del array
    assert lp.managed_empty(100, "int32", machine.device).pointer != address
    assert view.tolist() == [1] * 100
    del view
    assert lp.managed_empty(100, "int32", machine.device).pointer == address


def test_a_view_waits_for_devices_whose_kernels_use_it(machine_of_peers: Machine) -> None:
    first, second = machine_of_peers.devices
    array = lp.managed_empty(16, "uint32", first)
    array.fill(0)
    second.enable_peer(first)
    first.synchronize()
    stream = lp.Stream(device=second)
    source = lp.zeros(16, "uint32", second, stream)
    machine_of_peers.kernel(device=second)[1, 16, stream](array, source, 16, 7)
    array.host_view()
    machine_of_peers.machine.host_access(array.pointer, array.nbytes, True)
    assert stream.query()


@pytest.fixture
def machine_of_peers() -> Iterator[Machine]:
    with Machine(devices=2, peers="access", host_accessible=False) as machine:
        yield machine


def test_out_of_memory(machine: Machine) -> None:
    device = machine.device
    kept = lp.managed_empty(device.total_memory // 2, "uint8", device)
    with pytest.raises(lp.OutOfMemoryError, match="requested"):
        lp.managed_empty(device.total_memory // 2 + 1, "uint8", device)
    del kept
    assert lp.managed_empty(device.total_memory // 2 + 1, "uint8", device).nbytes


@pytest.mark.machine(total_memory=64 << 20)
def test_what_is_free_of_other_memory_goes_back_for_it(machine: Machine) -> None:
    device = machine.device
    lp.empty(device.total_memory * 3 // 4, "uint8", device).fill(1)
    assert lp.managed_empty(device.total_memory // 2, "uint8", device).nbytes
    device.synchronize()
    assert lp.empty(device.total_memory * 3 // 4, "uint8", device).nbytes


def test_an_allocation_that_fails_leaves_nothing(machine: Machine) -> None:
    machine.machine.fail("allocate")
    with pytest.raises(lp.DriverError, match="SIM_INJECTED"):
        lp.managed_empty(100, device=machine.device)
    assert lp.managed_empty(100, device=machine.device).nbytes == 400


def test_a_command_that_failed_is_reported(machine: Machine) -> None:
    array = lp.managed_empty(16, "uint32", machine.device)
    machine.machine.fail_command(device=0, queue=0, number=1)
    array.fill(1)
    with pytest.raises(lp.AsynchronousError):
        array.host_view()
    array.free()  # no view is left that has the memory


def test_views_and_frees_by_several_threads(machine: Machine) -> None:
    """An array is freed, or has a view: never both."""
    for _ in range(50):
        array = lp.managed_empty(16, "uint32", machine.device)
        views: list[object] = []

        def look(array: lp.Array = array, views: list[object] = views) -> None:
            try:
                views.append(array.host_view())
            except lp.FreedError:
                views.append(None)

        thread = threading.Thread(target=look)
        thread.start()
        try:
            array.free()
            freed = True
        except BufferError:
            freed = False
        thread.join()
        assert freed == (views[0] is None)
