"""Layers between the core and a driver: they see every call from the moment they are put on, and none once they are off."""

import re
import threading

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.simulated import Machine

LINE = re.compile(r"launchpath: simulated\.(\w+)\(.*\) (\w+) (-?\d+), \d+\.\d\d us")


def _calls(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """Return the names of the calls that were printed since the last time, flushes left out."""
    text = capfd.readouterr().err
    lines = LINE.findall(text)
    assert len(lines) == text.count("\n"), text
    return [name for name, _, _ in lines if name != "queue_flush"]


def test_without_a_layer_launches_call_the_drivers_own_function(machine: Machine) -> None:
    streams = [machine.device.legacy_stream, *machine.streams(("nonblocking", "blocking"))]
    direct = not _had_steps(streams[0])
    assert [_core.calls_driver_directly(stream) for stream in streams] == [direct] * 3
    _core.log_driver_calls(machine.device)
    assert not any(map(_core.calls_driver_directly, [*streams, *machine.streams(("nonblocking",))]))
    _core.log_driver_calls(machine.device, False)
    streams += machine.streams(("nonblocking",))
    assert [_core.calls_driver_directly(stream) for stream in streams] == [direct] * 4


def _had_steps(stream: lp.Stream) -> bool:
    """Whether an earlier test of this process had a step: its layer stays."""
    return not _core.calls_driver_directly(stream)


def test_streams_and_events_that_were_there_before_are_logged(
    machine: Machine, stream: lp.Stream, array: lp.Array, capfd: pytest.CaptureFixture[str]
) -> None:
    array.fill(1, stream)
    event = stream.record()
    event.query()
    _core.log_driver_calls(machine.device)
    array.fill(2, stream)
    assert _calls(capfd) == ["fill"]
    event.synchronize()
    assert "event_wait" in _calls(capfd)
    _core.log_driver_calls(machine.device, False)
    array.fill(3, stream)
    stream.synchronize()
    assert _calls(capfd) == []


def test_a_launch_is_logged_with_its_kernels_name(
    machine: Machine, stream: lp.Stream, capfd: pytest.CaptureFixture[str]
) -> None:
    a, b = arrays(machine, 2)
    kernel = machine.kernel()
    _core.log_driver_calls(machine.device)
    kernel[3, 1, stream](a, b, 16, 5)
    assert re.search(rf"simulated\.launch\(0x\w+, {kernel.name}, blocks 3, \d waits\) ok 0", capfd.readouterr().err)


def test_a_call_that_fails_is_logged_with_its_error(
    machine: Machine, stream: lp.Stream, array: lp.Array, capfd: pytest.CaptureFixture[str]
) -> None:
    _core.log_driver_calls(machine.device)
    machine.machine.fail("fill", 1, -6)
    with pytest.raises(lp.LaunchpathError):
        array.fill(1, stream)
    assert " -6, " in capfd.readouterr().err


@pytest.mark.machine(devices=2)
def test_each_device_by_itself(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    first, second = machine.devices
    streams = [machine.streams(("nonblocking",), device)[0] for device in machine.devices]
    direct = not _had_steps(streams[0])
    there = [arrays(machine, 1, device=device)[0] for device in machine.devices]
    _core.log_driver_calls(second)
    for array, stream in zip(there, streams, strict=True):
        array.fill(1, stream)
    assert _calls(capfd) == ["fill"]
    assert [_core.calls_driver_directly(stream) for stream in streams] == [direct, False]
    _core.log_driver_calls(first)
    _core.log_driver_calls(second, False)
    assert [_core.calls_driver_directly(stream) for stream in streams] == [False, direct]
    _core.log_driver_calls(first, False)


def test_twice_on_is_once_on(machine: Machine, stream: lp.Stream, capfd: pytest.CaptureFixture[str]) -> None:
    direct = not _had_steps(stream)
    (a,) = arrays(machine, 1)
    for _ in range(3):
        _core.log_driver_calls(machine.device)
    a.fill(1, stream)
    assert _calls(capfd) == ["fill"]
    _core.log_driver_calls(machine.device, False)
    assert _core.calls_driver_directly(stream) == direct
    _core.log_driver_calls(machine.device, False)


@pytest.mark.machine(record=False)
def test_on_and_off_while_threads_submit(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is lost and nothing is submitted twice, whichever table a call went through."""
    machine.machine.background()
    streams = machine.streams(("nonblocking", "nonblocking", "blocking"))
    there = arrays(machine, 3)
    kernels = [machine.kernel() for _ in streams]
    rounds, done = 400, threading.Event()
    failed: list[BaseException] = []

    def submit(at: int) -> None:
        try:
            for value in range(rounds):
                there[at].fill(value, streams[at])
                streams[at].record().query()
                if value % 50 == 49:
                    assert (there[at].to_numpy(streams[at]) == value).all()
        except BaseException as error:
            failed.append(error)

    def switch() -> None:
        on = False
        while not done.is_set():
            on = not on
            _core.log_driver_calls(machine.device, on)

    threads = [threading.Thread(target=submit, args=(at,)) for at in range(len(streams))]
    switching = threading.Thread(target=switch)
    for thread in (*threads, switching):
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    switching.join()
    _core.log_driver_calls(machine.device, False)
    capfd.readouterr()
    assert not failed
    assert kernels
    for array, stream in zip(there, streams, strict=True):
        np.testing.assert_array_equal(array.to_numpy(stream), rounds - 1)
