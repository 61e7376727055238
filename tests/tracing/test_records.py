"""The records of each command and call in a trace, on the simulated driver."""

import errno
import os
import threading
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import DEFAULT, Mock

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from launchpath._tracing.beginning import trace_by_environment
from launchpath._tracing.session import current_trace
from tests.fixtures import arrays
from tests.simulated import MIX, Machine
from tests.threads import at_once
from tests.tracing.conftest import Launch
from tests.tracing.raw import read


@pytest.mark.parametrize("mode", ["host", "device", "serialized"])
def test_launches_have_their_kernel_grid_stream_and_number(machine: Machine, path: Path, mode: str) -> None:
    machine.machine.background()
    streams = machine.streams(("nonblocking", "blocking"))
    written, b = arrays(machine, 2), arrays(machine, 1)[0]
    kernel = machine.kernel()
    numbers = []
    with lp.trace(path, mode=mode):
        for i in range(10):
            kernel[i + 1, 1, streams[i % 2]](written[i % 2], b, 16, 5)
            numbers.append(streams[i % 2].submitted[0])
    raw = read(path)
    dispatches = raw.dispatches()
    assert [raw.name(command) for command, _ in dispatches] == ["mix"] * 10
    assert [list(detail["grid"]) for _, detail in dispatches] == [[i + 1, 1, 1] for i in range(10)]
    assert [list(detail["block"]) for _, detail in dispatches] == [[1, 1, 1]] * 10
    assert [int(detail["number"]) for _, detail in dispatches] == numbers
    assert len({int(command["stream"]) for command, _ in dispatches}) == 2
    for command, _ in dispatches:
        assert command["begin"] <= command["driver_begin"] <= command["driver_end"] <= command["end"]
        assert command["result"] == 0
    correlations = [int(command["correlation"]) for command, _ in raw.commands()]
    assert len(set(correlations)) == len(correlations)
    times = raw.times()
    if mode == "host":
        assert not times
    else:
        for command, detail in dispatches:
            known = times[int(command["correlation"])]
            assert (known["name"], known["stream"], known["device"]) == (
                command["name"], command["stream"], detail["device"])  # fmt: skip
            assert 0 < known["started"] <= known["ended"]
            assert known["enqueued"] == command["driver_begin"]
    assert raw.counters["state"] == 1
    assert raw.meta["mode"] == mode


def test_copies_and_fills_have_their_bytes_and_addresses(machine: Machine, stream: lp.Stream, path: Path) -> None:
    a, b = arrays(machine, 2)
    with lp.trace(path) as trace:
        a.fill(1, stream)
        b.copy_from(a, stream)
        machine.machine.run()
        stream.synchronize()
    raw = read(path)
    (_, fill), (_, copy) = raw.commands()
    assert (fill["command"], fill["bytes"], fill["to"]) == (format.FILL, 64, a.pointer)
    assert (copy["command"], copy["bytes"], copy["to"], copy["source"]) == (format.COPY, 64, b.pointer, a.pointer)
    assert trace.counts["slots"] == sum(len(part) for parts in raw.threads.values() for part in parts)


def test_calls_of_the_driver_are_part_of_calls_of_launchpath(machine: Machine, path: Path) -> None:
    first, second = machine.streams(("nonblocking", "nonblocking"))
    a, b = arrays(machine, 2)
    kernel = machine.kernel()
    with lp.trace(path, mode="host"):
        a.fill(1, first)
        second.wait(first.record())
        kernel[1, 1, second](b, a, 16, 5)
        machine.machine.run()
        second.synchronize()
        extra = lp.empty(1 << 22, "uint8", machine.device)
        del extra
    raw = read(path)
    api = raw.slots(format.API)
    names = raw.calls(format.API)
    assert Counter(names) == {"Stream.synchronize": 1, "allocate": 1, "free": 1}
    (allocation,) = (slot for slot in api if raw.meta["api"][slot["entry"]] == "allocate")
    calls = raw.slots(format.CALL)
    inside = [raw.meta["entries"][slot["entry"]] for slot in calls if slot["parent"] == allocation["correlation"]]
    assert inside[0] == "allocate"
    assert allocation["quantity"] == 1 << 22
    assert "marker" in raw.calls()
    for slot in np.concatenate([api, calls]):
        assert slot["begin"] <= slot["end"]


def test_a_refused_launch_says_so(machine: Machine, stream: lp.Stream, path: Path) -> None:
    a, b = arrays(machine, 2)
    kernel = machine.kernel()
    with lp.trace(path) as trace:
        machine.machine.fail("launch", 1, -6)
        with pytest.raises(lp.LaunchpathError):
            kernel[1, 1, stream](a, b, 16, 5)
        with pytest.raises(lp.SignatureError):
            kernel[1, 1, stream](a, b)
        kernel[1, 1, stream](a, b, 16, 5)
        machine.machine.run()
    raw = read(path)
    refused, accepted = (command for command, _ in raw.commands())
    assert refused["flags"] & format.FAILED
    assert refused["result"] == -6
    assert not refused["flags"] & format.TIMED
    assert not accepted["flags"] & format.FAILED
    assert len(raw.times()) == 1
    (slot,) = raw.slots(format.API)
    assert raw.meta["api"][slot["entry"]] == "launch"
    assert slot["flags"] & format.FAILED
    assert trace.counts["untimed"] == 0


@pytest.mark.machine(devices=2)
def test_the_second_of_two_devices(machine: Machine, path: Path) -> None:
    streams = [machine.streams(("nonblocking",), device)[0] for device in machine.devices]
    there = [arrays(machine, 1, device=device)[0] for device in machine.devices]
    direct = [_core.calls_driver_directly(stream) for stream in streams]
    with lp.trace(path, device=machine.devices[1]):
        assert [_core.calls_driver_directly(stream) for stream in streams] == [direct[0], False]
        for array, stream in zip(there, streams, strict=True):
            array.fill(1, stream)
        machine.machine.run()
    assert [_core.calls_driver_directly(stream) for stream in streams] == direct
    raw = read(path)
    assert len(raw.meta["devices"]) == 1
    ((command, _),) = raw.commands()
    assert command["stream"] in raw.slots(format.STREAM)["stream"]


@pytest.mark.machine(devices=2)
def test_calls_about_another_device_have_no_records(machine: Machine, path: Path) -> None:
    first, second = machine.devices
    (stream,) = machine.streams(("nonblocking",), first)
    with lp.trace(path, device=second, mode="host"):
        (a,) = arrays(machine, 1, device=first)
        a.fill(1, stream)
        machine.machine.run()
        stream.synchronize()
        with pytest.raises(lp.SignatureError):
            machine.kernel(device=first)[1, 1, stream](a)
        del a
        extra = arrays(machine, 1, device=second)
        del extra
    raw = read(path)
    assert raw.calls(format.API) == ["allocate", "free"]
    assert not raw.commands()


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_in_the_begin_leaves_nothing_even_if_the_end_is_interrupted(
    stream: lp.Stream, path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    direct = _core.calls_driver_directly(stream)
    for name in ("trace_names_to", "trace_record", "argument_counts"):
        with monkeypatch.context() as patch:
            effects = [KeyboardInterrupt] * times + [DEFAULT] * 9
            patch.setattr(_core, name, Mock(wraps=getattr(_core, name), side_effect=effects))
            with pytest.raises(KeyboardInterrupt):
                lp.trace(path).start()
        assert _core.trace_counters() is None
        assert _core.calls_driver_directly(stream) == direct
    with lp.trace(path):
        lp.mark("again")
    assert len(read(path).slots(format.MARK)) == 1


def test_a_file_that_cannot_be_closed_fails_its_own_trace_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    close = os.close

    def refused(file: int) -> None:
        close(file)
        raise OSError(errno.EDQUOT, "")

    trace_by_environment(f"{path}.environment", {}, 0)
    monkeypatch.setattr(os, "close", refused)
    trace = lp.trace(path).start()
    assert f"the trace was not written to its end: '{path}.environment'" in capsys.readouterr().err
    with pytest.raises(OSError, match="the trace was not written to its end: '.*run.lptrace'") as caught:
        trace.stop()
    assert (caught.value.errno, current_trace()) == (errno.EDQUOT, None)


def test_begins_and_ends_while_streams_exist_beside_the_log_in_any_order(
    machine: Machine, path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    streams = [machine.device.legacy_stream, *machine.streams(("nonblocking", "blocking"))]
    there = arrays(machine, 8)
    direct = [_core.calls_driver_directly(stream) for stream in streams]
    log = partial(_core.log_driver_calls, machine.device)
    for log_first in (True, False):
        trace = lp.trace(path, mode="host")
        for begin in (log, trace.start) if log_first else (trace.start, log):
            begin()
        fresh = machine.streams(("nonblocking",))
        for stream, array in zip([*streams, *fresh], [*there[:3], there[3 if log_first else 4]], strict=True):
            array.fill(1, stream)
            machine.machine.run()
        assert capfd.readouterr().err.count("simulated.fill(") == 4
        ends = [partial(log, False), partial(there[1].fill, 2, streams[1]), trace.stop]
        for end in ends if log_first else reversed(ends):
            end()
        assert [_core.calls_driver_directly(stream) for stream in streams] == direct
        assert len(read(path).commands()) == (5 if log_first else 4)
        used = {int(command["stream"]) for command, _ in read(path).commands()}
        assert len(used) == 4
        assert used <= set(map(int, read(path).slots(format.STREAM)["stream"]))
        machine.machine.run()


def test_pause_resume_and_a_second_trace(machine: Machine, stream: lp.Stream, array: lp.Array, path: Path) -> None:
    direct = _core.calls_driver_directly(stream)
    trace = lp.trace(path)
    with pytest.raises(lp.LaunchpathError, match="is not going on"):
        trace.pause()
    with trace:
        with pytest.raises(lp.LaunchpathError, match="end it first"):
            lp.trace(path).start()
        for i in range(4):
            trace.pause()
            assert _core.calls_driver_directly(stream) == direct
            for _ in range(5):
                array.fill(1, stream)
            trace.resume()
            for _ in range(i):
                array.fill(2, stream)
        machine.machine.run()
    assert len(read(path).commands()) == 6
    assert len(read(path).times()) == 6
    with pytest.raises(lp.LaunchpathError, match="has ended"):
        trace.start()
    with lp.trace(path):
        array.fill(1, stream)
        machine.machine.run()
    assert len(read(path).commands()) == 1


def test_names_to_include_and_exclude(machine: Machine, stream: lp.Stream, path: Path) -> None:
    a, b = arrays(machine, 2)
    kernels = [machine.kernel(), *[machine.kernel(signature=_named(name)) for name in ("ns::add<float>", "add", "mul")]]
    for include, exclude, expected in (
        ((), (), ["mix", "ns::add<float>", "add", "mul"]),
        ("add", (), ["ns::add<float>", "add"]),
        ("add", "float", ["add"]),
        ((), ["add", "^m.x$"], ["mul"]),
    ):
        with lp.trace(path, include=include, exclude=exclude) as trace:
            for kernel in kernels:
                kernel[1, 1, stream](a, b, 16, 5)
            machine.machine.run()
        raw = read(path)
        assert [raw.name(command) for command, _ in raw.dispatches()] == expected
        assert trace.counts["excluded"] == 4 - len(expected)
    with pytest.raises(lp.ArgumentValueError, match="regular expression"):
        lp.trace(path, include="(")


def _named(name: str) -> object:
    return replace(MIX, name=name)


def test_kernels_that_come_later_have_names_and_are_excluded(machine: Machine, stream: lp.Stream, path: Path) -> None:
    a, b = arrays(machine, 2)
    with lp.trace(path, exclude="unwanted") as trace:
        for name in ("fresh one", "unwanted"):
            machine.kernel(signature=_named(name))[1, 1, stream](a, b, 16, 5)
        machine.machine.run()
    raw = read(path)
    assert [raw.name(command) for command, _ in raw.dispatches()] == ["fresh one"]
    assert trace.counts["excluded"] == 1


@pytest.mark.machine(record=False)
def test_threads_that_come_and_go(stream: lp.Stream, launch: Launch, path: Path) -> None:
    """A ring of a thread that has ended is used again, with the number of the new thread: nothing is lost."""
    expected: Counter[int] = Counter()

    def work() -> None:
        for _ in range(5):
            launch(5)
        expected[threading.get_native_id()] += 5

    with lp.trace(path, ring=64):
        for _ in range(50):
            at_once(lambda _: work(), range(4))
        stream.synchronize()
    raw = read(path)
    seen = {
        thread: sum(int((part[:, 0] == format.COMMAND).sum()) for part in parts)
        for thread, parts in raw.threads.items()
    }
    assert {thread: n for thread, n in seen.items() if n} == dict(expected)
    assert len(raw.dispatches()) == len(raw.times()) == 1000
    assert path.stat().st_size < 4 << 20


@pytest.mark.parametrize("when_full", ["wait", "drop"])
def test_full_rings_wait_or_count(stream: lp.Stream, launch: Launch, path: Path, when_full: str) -> None:
    launches, until = 0, time.monotonic() + 30
    with lp.trace(path, mode="host", ring=64, when_full=when_full) as trace:
        while trace.counts["waits"] + trace.counts["dropped"] == 0:
            assert time.monotonic() < until
            for _ in range(1000):
                launch(5)
            launches += 1000
            stream.synchronize()
    raw, counts = read(path), trace.counts
    assert counts["slots"] == sum(len(part) for parts in raw.threads.values() for part in parts)
    if when_full == "wait":
        assert (len(raw.dispatches()), counts["dropped"]) == (launches, 0)
    else:
        assert 2 * len(raw.dispatches()) + counts["dropped"] >= 2 * launches
        assert len(raw.dispatches()) < launches or counts["dropped"] < 1000
