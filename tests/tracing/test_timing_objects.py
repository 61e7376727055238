"""Timing objects: as many as the bound says, created once, and never a hang for want of them."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.tracing.conftest import Launch
from tests.tracing.raw import read


def test_no_more_are_created_after_the_first_batches(
    machine: Machine, stream: lp.Stream, launch: Launch, path: Path
) -> None:
    with lp.trace(path) as trace:
        for i in range(1000):
            for _ in range(10):
                launch(5)
            stream.synchronize()
            _wait_for_times()
            if i == 0:
                first = trace.counts["timing_created"]
                events = machine.machine.calls["event_release"]
        assert trace.counts["timing_created"] <= max(first, 256)
    assert trace.counts["batches"] >= 1000
    assert len(read(path).times()) == 10000
    assert events >= 0


def _wait_for_times() -> None:
    until = time.monotonic() + 20
    while _core.trace_outstanding()[0]:
        assert time.monotonic() < until
        _core.trace_wait(20)


def test_more_commands_than_timing_objects_wait_for_them(stream: lp.Stream, launch: Launch, path: Path) -> None:
    with lp.trace(path, timing_objects=32) as trace:
        for _ in range(5000):
            launch(5)
        stream.synchronize()
    counts = trace.counts
    assert counts["timing_most"] <= 32
    assert counts["timing_waits"] > 0
    assert len(read(path).times()) == 5000
    assert counts["untimed"] == counts["unfinished"] == 0


def test_behind_a_hold_launches_go_without_times_and_are_counted(stream: lp.Stream, launch: Launch, path: Path) -> None:
    began = time.monotonic()
    with lp.trace(path, timing_objects=64) as trace:
        with stream.hold():
            for _ in range(2000):
                launch(5)
        stream.synchronize()
        _wait_for_times()
        for _ in range(10):
            launch(5)
        stream.synchronize()
    assert time.monotonic() - began < 10
    raw = read(path)
    assert len(raw.dispatches()) == 2010
    assert len(raw.times()) == 2010 - trace.counts["untimed"]
    timed = [bool(command["flags"] & format.TIMED) for command, _ in raw.dispatches()]
    assert sum(timed) == len(raw.times())
    assert all(timed[-10:])  # there is room again


def test_work_that_does_not_end_is_counted_when_the_trace_ends(machine: Machine, stream: lp.Stream, path: Path) -> None:
    a, b = arrays(machine, 2)
    kernel = machine.kernel()[1, 1, stream]
    trace = lp.trace(path).start()
    for _ in range(5):
        kernel(a, b, 16, 5)
    trace.stop(patience=0.01)
    assert trace.counts["unfinished"] == 5
    assert not read(path).times()
    # Its timing objects are given back once the work is complete, and the next trace does not have its records.
    with lp.trace(path) as trace:
        machine.machine.run()
        stream.synchronize()
        _wait_for_times()
    assert trace.counts["unfinished"] == 0
    assert not read(path).times()


def test_the_next_trace_has_its_own_batches(machine: Machine, stream: lp.Stream, path: Path) -> None:
    """Commands that the last trace left in flight take no times of this trace's commands along, and are not waited for."""
    a, b = arrays(machine, 2)
    kernel = machine.kernel()[1, 1, stream]
    trace = lp.trace(path).start()
    kernel(a, b, 16, 5)
    trace.stop(patience=0.01)
    assert trace.counts["unfinished"] == 1
    began = time.monotonic()
    with lp.trace(path) as idle:
        pass
    assert time.monotonic() - began < 5
    assert idle.counts["unfinished"] == 0
    with lp.trace(path) as trace:
        for _ in range(3):
            kernel(a, b, 16, 5)
        machine.machine.run()
        stream.synchronize()
    assert len(read(path).times()) == 3
    assert trace.counts["unfinished"] == 0


def test_a_closed_device_gives_its_timing_objects_back(path: Path) -> None:
    with Machine() as machine:
        (stream,) = machine.streams(("nonblocking",))
        a, b = arrays(machine, 2)
        kernel = machine.kernel()[1, 1, stream]
        trace = lp.trace(path).start()
        kernel(a, b, 16, 5)
        machine.machine.automatic = True
        del a, b, kernel, stream
    trace.stop(patience=0.01)
    assert _core.trace_outstanding()[0] == 0
    assert len(read(path).times()) + trace.counts["unfinished"] == 1


def test_a_failed_command_has_no_times(machine: Machine, path: Path) -> None:
    machine.check = False
    (stream,) = machine.streams(("nonblocking",))
    a, b = arrays(machine, 2)
    kernel = machine.kernel()[1, 1, stream]
    with lp.trace(path) as trace:
        kernel(a, b, 16, 5)
        machine.machine.fail_command(0, 1, 2)
        kernel(a, b, 16, 6)
        machine.machine.run()
        with pytest.raises(lp.AsynchronousError):
            stream.synchronize()
    raw = read(path)
    flags = sorted(int(slot["flags"]) & format.FAILED for slot in raw.times().values())
    assert flags == [0, 1] or trace.counts["failed_times"] == 1


def test_each_of_many_streams_has_batches_of_its_own(machine: Machine, path: Path) -> None:
    """A stream that does not go on holds up no other stream's times."""
    machine.machine.background()
    streams = machine.streams(("nonblocking",) * 8)
    there, b = arrays(machine, 8), arrays(machine, 1)[0]
    kernel = machine.kernel()
    hold = streams[0].hold()
    with lp.trace(path) as trace:
        for _ in range(100):
            for stream, array in zip(streams, there, strict=True):
                kernel[1, 1, stream](array, b, 16, 5)
        for stream in streams[1:]:
            stream.synchronize()
        until = time.monotonic() + 20
        while _core.trace_outstanding()[0] > 100:
            assert time.monotonic() < until
            _core.trace_wait(100)
        hold.release()
    assert len(read(path).times()) == 800
    assert trace.counts["unfinished"] == 0


def test_clocks_are_measured_again_after_idle_time(
    machine: Machine, stream: lp.Stream, array: lp.Array, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.machine.background()
    with lp.trace(path):
        for _ in range(3):
            array.fill(1, stream)
            stream.synchronize()
            _wait_for_times()
            time.sleep(1.05)
    raw = read(path)
    device = np.sort(raw.slots(format.DEVICE_CLOCK), order="monotonic")
    assert len(device) >= 3
    host = np.sort(raw.slots(format.HOST_CLOCK), order="ticks")
    assert len(host) >= 5
    assert (np.diff(host["monotonic"].astype("i8")) >= 0).all()
    assert (host["error"] < 1_000_000).all()


def test_a_call_that_ends_after_its_trace_does_not_wait_for_room(
    machine: Machine, stream: lp.Stream, array: lp.Array, path: Path
) -> None:
    machine.machine.background()
    hold = stream.hold()
    ready = threading.Event()

    def work() -> None:
        for _ in range(100):  # more than the ring has room for
            array.fill(1, stream)
        ready.set()
        stream.synchronize()

    trace = lp.trace(path, mode="host", ring=64).start()
    thread = threading.Thread(target=work)
    thread.start()
    assert ready.wait(20)
    time.sleep(0.05)
    trace.stop()
    hold.release()
    thread.join(20)
    assert not thread.is_alive()


@pytest.mark.machine(record=False)
def test_threads_that_launch_while_traces_come_and_go(machine: Machine, path: Path) -> None:
    """The records are whole, whenever a trace begins or ends, and everything is launched."""
    machine.machine.background()
    streams = machine.streams(("nonblocking", "blocking", "nonblocking"))
    there, b = arrays(machine, 3), arrays(machine, 1)[0]
    kernels = [machine.kernel()[1, 1, stream] for stream in streams]
    end = threading.Event()
    launches = [0] * 3
    failed: list[BaseException] = []

    def work(at: int) -> None:
        try:
            while not end.is_set():
                kernels[at](there[at], b, 16, 5)
                launches[at] += 1
                if launches[at] % 100 == 0:
                    streams[at].synchronize()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(3)]
    for thread in threads:
        thread.start()
    for i in range(30):
        with lp.trace(path, mode=("device", "host", "serialized")[i % 3], ring=256):
            before = sum(launches)
            until = time.monotonic() + 10
            while sum(launches) < before + 20 and time.monotonic() < until:
                time.sleep(0.001)
        raw = read(path)
        correlations = {int(command["correlation"]) for command, _ in raw.commands()}
        timed = {int(command["correlation"]) for command, _ in raw.commands() if command["flags"] & format.TIMED}
        assert len(correlations) == len(raw.commands()) >= 15
        assert set(raw.times()) <= timed
        assert raw.counters["state"] == 1
    end.set()
    for thread in threads:
        thread.join()
    assert not failed
    for stream in streams:
        stream.synchronize()
    assert machine.machine.calls["launch"] == sum(launches)
