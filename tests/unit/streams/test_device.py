"""Devices: which one is current, and what closing gives back."""

import sys

import pytest

import launchpath as lp
from launchpath import _core
from launchpath._drivers import gpu
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.threads import apart

two = pytest.mark.machine(devices=2)


@two
def test_with_makes_a_device_current(machine: Machine) -> None:
    device, other = machine.devices
    with device as current:
        assert current is device is lp.current_device()
        with other:
            assert lp.current_device() is other
            assert lp.current_stream() is other.legacy_stream
            assert lp.empty(4).device is other
            assert lp.Stream().device is other
        assert lp.current_device() is device


@two
def test_a_stream_of_another_device_is_put_aside_within_a_device(machine: Machine) -> None:
    device, other = machine.devices
    (stream,) = machine.streams(("nonblocking",), device)
    with stream:
        with other:
            assert lp.current_stream() is other.legacy_stream
        assert (lp.current_device(), lp.current_stream()) == (device, stream)


def test_the_current_device_is_the_threads_own(machine: Machine) -> None:
    def look() -> lp.Device:
        with machine.device:
            return lp.current_device()

    assert apart(look) is machine.device


def test_it_says_what_it_is(machine: Machine) -> None:
    device = machine.device
    assert repr(device) == "<Device 'Simulated' (simulated, simulated)>"
    assert device.name == device.info["name"] == "Simulated"
    assert {"vendor", "compute_units", "max_threads_per_block", "max_block", "max_grid", "total_memory"} <= set(
        device.info
    )


def test_the_legacy_stream_is_always_the_same(machine: Machine) -> None:
    assert machine.device.legacy_stream is machine.device.legacy_stream
    assert machine.device.legacy_stream.blocking


def test_each_thread_has_a_default_stream_of_its_own(machine: Machine) -> None:
    first, other = machine.device.per_thread_stream, apart(lambda: machine.device.per_thread_stream)
    assert first is not other
    assert first.blocking and other.blocking
    del machine.device._per_thread.stream


@two
def test_each_device_has_a_default_stream_for_a_thread(machine: Machine) -> None:
    first, other = (device.per_thread_stream for device in machine.devices)
    assert first.device is machine.devices[0]
    assert other.device is machine.devices[1]
    for device in machine.devices:
        del device._per_thread.stream


@two
def test_synchronize_is_of_the_current_device(machine: Machine) -> None:
    memory = [arrays(machine, 1, device=device)[0] for device in machine.devices]
    for array in memory:
        array.fill(1, array.device.legacy_stream)
    with machine.devices[1]:
        lp.synchronize()
    assert [device.legacy_stream.query() for device in machine.devices] == [False, True]


def test_closing_waits_and_gives_everything_back() -> None:
    machine = _core.Simulated(1)
    device = lp.Device(machine.devices[0])
    array = lp.empty(16, "uint32", device)
    stream = lp.Stream(device=device)
    array.fill(1, stream)
    array.fill(2, stream)
    del array, stream
    device.close()
    assert all(queue.released for queue in machine.queues)
    assert machine.devices[0].allocations == 0
    assert machine.close() == []


def test_ordering_counts_go_on(machine: Machine) -> None:
    legacy, stream = machine.streams(("legacy", "blocking"))
    a, b = arrays(machine, 2)
    assert machine.device.ordering_counts() == (0, 0)
    a.fill(1, stream)
    assert machine.device.ordering_counts() == (0, 1), "a marker in the legacy stream was left out"
    b.fill(1, legacy)
    assert machine.device.ordering_counts() == (1, 1)
    b.fill(2, legacy)
    assert machine.device.ordering_counts() == (1, 2)


@two
def test_a_device_is_named_by_words_or_by_its_index(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    first, other = machine.devices
    monkeypatch.setattr(sys.modules["launchpath._streams.device"], "_devices", [first, other])
    assert lp.zeros(3, device=1).device is other
    assert lp.zeros(3, device="simulated").device is first
    assert lp.empty(3, device="1").device is other
    assert lp.asarray([1, 2], device=1).device is other
    assert lp.asarray(lp.zeros(3, device=1), device=0).device is first
    assert lp.Stream(device=1).device is other
    for make in (lambda: lp.zeros(3, device="intel"), lambda: lp.compile("", "intel"), lambda: lp.load(b"x", "intel")):
        with pytest.raises(lp.NoDeviceError, match="no device 'intel'"):
            make()
    for wrong in (1.5, True, object()):
        with pytest.raises(lp.ArgumentValueError, match="expected a device of"):
            lp.zeros(3, device=wrong)  # type: ignore[arg-type]


def test_a_missing_driver_is_refused_with_the_reason(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["launchpath._streams.device"]
    monkeypatch.setattr(module, "_devices", [machine.device])
    monkeypatch.setattr(module, "_skipped", [("HIP", "left out by a test")])
    with pytest.raises(
        lp.NoDeviceError, match=r"CUDA: this machine has no CUDA library .*start the container with its GPUs"
    ):
        lp.device("cuda")
    for words in ("hip", "intel"):
        with pytest.raises(lp.NoDeviceError) as caught:
            lp.device(words)
        assert "this machine has no" not in str(caught.value)


@pytest.mark.parametrize(("value", "ordered"), [("0", False), ("1", True), ("", True), (None, True)])
def test_memory_is_stream_ordered_unless_the_environment_says_no(
    monkeypatch: pytest.MonkeyPatch, value: str | None, ordered: bool
) -> None:
    asked = []
    monkeypatch.setattr(_core, "gpu_load", lambda driver, path: None)
    monkeypatch.setattr(_core, "gpu_devices", lambda driver, ordered, *_: asked.append(ordered) or ([], []))
    gpu.devices("cuda", {} if value is None else {gpu.ORDERED_VARIABLE: value})
    assert asked == [ordered]
