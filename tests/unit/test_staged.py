"""In, Out and InOut on the simulated driver: what they ask of it, and that each launch sees its own values."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import struct
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import staging
from launchpath.compiler import Parameter, Signature
from tests.fixtures import kinds
from tests.simulated import Machine

from .kernels import signature

ADD = Signature(
    name="add",
    parameters=(
        Parameter("x", "const int *", "pointer", 8, 8, 0, "int32", True),
        Parameter("y", "int *", "pointer", 8, 8, 8, "int32", False),
        Parameter("value", "int", "int32", 4, 4, 16, None, False),
        Parameter("n", "int", "int32", 4, 4, 20, None, False),
    ),
    size=24,
    shared=0,
    max_threads=None,
    dynamic_shared=False,
)
ROWS = [("pointer", 0, 8, True, (3, 4)), ("pointer", 8, 8, False, (3, 4)), ("int", 16, 4, True), ("int", 20, 4, True)]
BUSY = {"allocate", "free", "queue_finish", "event_wait"}


def _add(call: Any) -> None:
    """y = x + value; without x, y += value."""
    x, y, value, n = call.args
    if n:
        to = call.view(y, n, "i4")
        to[:] = (call.view(x, n, "i4") if x else to) + value


def add(machine: Machine, device: lp.Device | None = None) -> lp.Kernel:
    device = device or machine.device
    device.driver.implement("add", _add, ROWS)
    return machine.kernel("add", ADD, device)


def calls(machine: Machine) -> dict[str, int]:
    """Count the driver's calls since the last time."""
    made = {name: n for name, n in machine.machine.calls.items() if n and name not in ("uploaded", "downloaded")}
    machine.machine.reset_calls()
    for free in "queue_flush", "event_release":
        made.pop(free, None)
    return made


def ints(n: int = 8, start: int = 0) -> Any:
    return np.arange(start, start + n, dtype="i4")


@pytest.fixture(params=["legacy", "blocking", "nonblocking"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# -- values


def test_values_go_in_and_come_out(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y = lp.Out(host := np.zeros(8, "i4"))
    add(machine)[1, 1, stream](lp.In(ints()), y, 10, 8)
    assert not host.any()
    assert y.get() is host is y.array
    assert host.tolist() == list(range(10, 18))


def test_nothing_is_waited_for_until_it_is_read(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    machine.machine.automatic = False
    x, y, kernel = lp.In(ints()), lp.Out(np.zeros(8, "i4")), add(machine)
    for _ in range(60):
        kernel[1, 1, stream](x, y, 10, 8)
    assert not stream.query()
    machine.machine.automatic = True
    assert np.asarray(y).tolist() == list(range(10, 18))


def test_in_takes_the_values_at_the_call(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    x, kernel = lp.In(host := ints()), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(40)]
    for turn, y in enumerate(outs):
        host[:] = turn
        kernel[1, 1, stream](x, y, 0, 8)
    host[:] = -1
    assert [y.get()[3] for y in outs] == list(range(40))


def test_the_current_stream_and_names(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    y = lp.Out(np.zeros(8, "i4"))
    with stream:
        add(machine)[1, 1](n=8, y=y, x=lp.In(ints()), value=1)
    assert machine.machine.queues[stream_number(machine)].number == 2
    assert y.get().tolist() == list(range(1, 9))


def stream_number(machine: Machine) -> int:
    return len(machine.machine.queues) - 1


def test_out_before_any_launch_is_the_host_array(machine: Machine) -> None:
    y = lp.Out(host := ints())
    calls(machine)
    assert y.get() is host
    assert np.asarray(y) is host
    assert calls(machine) == {}


@pytest.mark.parametrize("wrap", [lp.In, lp.InOut, lp.Out])
def test_no_elements(machine: Machine, wrap: Any) -> None:
    (stream,) = machine.streams(("nonblocking",))
    for shape in (0,), (3, 0), (0, 5):
        y = wrap(host := np.zeros(shape, "i4"))
        x = y if wrap is lp.In else lp.In(host)
        add(machine)[1, 1, stream](x, y, 1, 0)
        if wrap is not lp.In:
            assert y.get() is host
    stream.synchronize()


def test_the_same_array_twice(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    x = lp.In(host := ints())
    y = lp.InOut(host)
    add(machine)[1, 1, stream](x, y, 1, 8)
    assert y.get().tolist() == list(range(1, 9))
    add(machine)[1, 1, stream](None, y, 1, 8)
    assert y.get().tolist() == list(range(2, 10))


# -- what the driver is asked


def test_a_launch_again_is_one_copy_and_the_launch(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    x, y, kernel = lp.In(ints()), lp.Out(np.zeros(8, "i4")), add(machine)
    for _ in range(3):
        kernel[1, 1, stream](x, y, 1, 8)
        y.get()
    calls(machine)
    kernel[1, 1, stream](x, y, 1, 8)
    assert calls(machine) == {"copy": 1, "launch": 1}
    y.get()
    made = calls(machine)
    assert made.pop("copy") == 1
    assert not set(made) - {"marker", "event_wait", "event_query"}, "the download, and waiting for it"
    y.get()
    np.asarray(y)
    assert calls(machine) == {}


def test_out_costs_the_launch_alone(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y, kernel = lp.Out(np.zeros(8, "i4")), add(machine)
    kernel[1, 1, stream](None, y, 1, 8)
    calls(machine)
    for _ in range(10):
        kernel[1, 1, stream](None, y, 1, 8)
    assert calls(machine) == {"launch": 10}
    stream.synchronize()


def test_inout_uploads_what_the_host_was_handed(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y, kernel = lp.InOut(host := ints()), add(machine)
    for turn in range(4):
        kernel[1, 1, stream](None, y, 1, 8)
        if turn > 2:
            made = calls(machine)
            assert made == {"copy": 1, "launch": 1}
        kernel[1, 1, stream](None, y, 1, 8)
        host[:] = -5  # lost: the device's values are newer
        calls(machine)
        kernel[1, 1, stream](None, y, 1, 8)
        assert calls(machine) == {"launch": 1}
        assert y.get().tolist() == [3 + turn + i for i in range(8)]
        host[:] = np.arange(8) + turn + 1  # seen by the next launch
        y.get()
        calls(machine)
    stream.synchronize()


def test_uploads_that_nobody_waits_for_take_no_more_memory(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "_PATIENCE", 60)
    machine.machine.background()
    (stream,) = machine.streams(("nonblocking",))
    x, y, kernel = lp.In(host := ints()), lp.Out(np.zeros(8, "i4")), add(machine)
    for turn in range(300):
        host[:] = turn
        kernel[1, 1, stream](x, y, 1, 8)
    assert x._own.places[machine.device].staging.most == 64
    assert y.get().tolist() == [300] * 8
    calls(machine)
    for _ in range(16):
        kernel[1, 1, stream](x, y, 1, 8)
    made = calls(machine)
    assert (made.pop("copy"), made.pop("launch")) == (16, 16)
    assert not set(made) & BUSY
    stream.synchronize()


def test_then_the_oldest_is_waited_for(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "_PATIENCE", 60)
    machine.machine.background()
    (stream,) = machine.streams(("nonblocking",))
    n = 1 << 20
    x, kernel = lp.In(host := ints(n)), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(7)]
    for turn, y in enumerate(outs):
        host[:8] = turn
        kernel[1, 1, stream](x, y, 0, 8)
        assert len(x._own.places[machine.device].staging.pieces) <= 2
    assert [y.get()[0] for y in outs] == list(range(7))


def test_a_stream_that_is_held_back_slows_its_host_only_at_the_bound(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    x, kernel = lp.In(host := ints()), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(140)]
    with stream.hold():
        for turn, y in enumerate(outs):
            host[:] = turn
            kernel[1, 1, stream](x, y, 0, 8)
            assert x._own.places[machine.device].staging.most == (64 if turn < 64 else 128 if turn < 128 else 192)
    assert [y.get()[0] for y in outs] == list(range(140))


# -- streams, devices


@pytest.mark.parametrize("wrap", [lp.Out, lp.InOut])
def test_launches_on_several_streams_come_one_after_the_other(machine: Machine, wrap: Any) -> None:
    streams = machine.streams(("nonblocking", "blocking", "legacy", "nonblocking"))
    y, kernel = wrap(np.zeros(8, "i4")), add(machine)
    kernel[1, 1, streams[0]](lp.In(ints()), y, 0, 8)
    for turn in range(12):
        kernel[1, 1, streams[turn % 4]](None, y, 1, 8)
    assert y.get().tolist() == list(range(12, 20))
    for turn in range(5):
        kernel[1, 1, streams[turn % 4]](lp.In(ints()), y, turn, 8)
        assert y.get().tolist() == list(range(turn, 8 + turn))


def test_one_in_on_several_streams(machine: Machine) -> None:
    streams = machine.streams(("nonblocking", "nonblocking", "blocking"))
    x, kernel = lp.In(host := ints()), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(9)]
    for turn, y in enumerate(outs):
        host[:] = turn
        kernel[1, 1, streams[turn % 3]](x, y, 0, 8)
    assert [y.get()[0] for y in reversed(outs)] == list(range(8, -1, -1))


def test_get_waits_for_its_own_launch_only(machine: Machine) -> None:
    one, other = machine.streams(("nonblocking", "nonblocking"))
    y, kernel = lp.Out(np.zeros(8, "i4")), add(machine)
    with other.hold():
        kernel[1, 1, other](None, lp.Out(np.zeros(8, "i4")), 1, 8)
        kernel[1, 1, one](lp.In(ints()), y, 1, 8)
        assert y.get().tolist() == list(range(1, 9))
        assert not other.query()
    other.synchronize()


@pytest.mark.machine(devices=2)
def test_two_devices_in_turn(machine: Machine) -> None:
    kernels = [add(machine, device) for device in machine.devices]
    streams = [lp.Stream(blocking=False, device=device) for device in machine.devices]
    x, y, z = lp.In(host := ints()), lp.Out(np.zeros(8, "i4")), lp.InOut(np.zeros(8, "i4"))
    for turn in range(6):
        host[:] = turn
        kernels[turn % 2][1, 1, streams[turn % 2]](x, y, 1, 8)
        kernels[turn % 2][1, 1, streams[turn % 2]](None, z, 1, 8)
    assert y.get().tolist() == [6] * 8
    assert z.get().tolist() == [6] * 8
    calls(machine)
    kernels[0][1, 1, streams[0]](x, y, 1, 8)
    assert calls(machine) == {"copy": 1, "launch": 1}
    y.get()
    kernels.clear(), streams.clear()


@pytest.mark.machine(devices=2)
@pytest.mark.parametrize("seed", range(25))
def test_random_launches(machine: Machine, seed: int) -> None:
    """Any wrappers on any streams and devices, against the same done in order on the host."""
    choose = random.Random(seed)
    if seed % 2:
        machine.machine.background()
    kernels = [add(machine, device) for device in machine.devices]
    streams = [
        stream
        for device in machine.devices
        for stream in machine.streams(("legacy", "blocking", "nonblocking"), device)
    ]
    ins = [lp.In(ints(8, start)) for start in (0, 100)]
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(2)] + [lp.InOut(ints()) for _ in range(2)]
    held = [one.array.copy() for one in outs]  # what the next `get` is to give
    for _ in range(120):
        stream, x, at = choose.choice(streams), choose.choice(ins), choose.randrange(4)
        kernel, value = kernels[stream.device is machine.devices[1]], choose.randrange(100)
        action = choose.random()
        if action < 0.5:
            kernel[1, 1, stream](x, outs[at], value, 8)
            held[at] = x.array + value
        elif action < 0.7 and at > 1:
            kernel[1, 1, stream](None, outs[at], value, 8)
            held[at] += value
        elif action < 0.8:
            x.array[:] = choose.randrange(1000)
        elif action < 0.85 and at > 1:
            outs[at].get()[:] = value
            held[at][:] = value
        else:
            assert np.asarray(outs[at]).tolist() == held[at].tolist()
    assert [one.get().tolist() for one in outs] == [one.tolist() for one in held]
    kernels.clear(), streams.clear()
    del stream, kernel


# -- dropping


def test_wrappers_made_for_one_call(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    kernel, host = add(machine), np.zeros(8, "i4")
    with stream.hold():
        for _ in range(10):
            kernel[1, 1, stream](lp.In(ints()), lp.InOut(host), 2, 8)
    gc.collect()
    stream.synchronize()
    assert machine.device.memory_info()["in_use"] == 0
    for _ in range(3):  # memory is used again
        kernel[1, 1, stream](lp.In(ints()), lp.InOut(host), 2, 8)
        stream.synchronize()
    calls(machine)
    kernel[1, 1, stream](lp.In(ints()), lp.InOut(host), 2, 8)
    assert calls(machine) == {"copy": 2, "launch": 1}
    assert not host.any()


def test_a_dropped_stream_does_not_matter(machine: Machine) -> None:
    x, y, kernel = lp.In(ints()), lp.InOut(np.zeros(8, "i4")), add(machine)
    for _ in range(5):
        stream = lp.Stream(blocking=False, device=machine.device)
        kernel[1, 1, stream](x, y, 1, 8)
        kernel[1, 1, stream](None, y, 1, 8)
        del stream
    assert y.get().tolist() == list(range(2, 10))


# -- threads


def test_threads_share_an_in(machine: Machine) -> None:
    machine.machine.background()
    x, kernel = lp.In(ints()), add(machine)
    shared = lp.Stream(blocking=False, device=machine.device)
    found: list[Any] = []

    def work(number: int) -> None:
        stream = lp.Stream(blocking=False, device=machine.device) if number % 2 else shared
        y = lp.Out(np.zeros(8, "i4"))
        for turn in range(60):
            kernel[1, 1, stream](x, y, turn, 8)
            if turn % 7 == 0:
                found.append(y.get().tolist() == list(range(turn, turn + 8)))
        found.append(y.get().tolist() == list(range(59, 67)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4 * 10


def test_threads_read_one_out(machine: Machine) -> None:
    """It is downloaded once, though all ask before it is there."""
    (stream,) = machine.streams(("nonblocking",))
    y = lp.Out(np.zeros(8, "i4"))
    hold = stream.hold()
    add(machine)[1, 1, stream](lp.In(ints()), y, 1, 8)
    calls(machine)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(y.get().tolist())) for _ in range(4)]
    for thread in threads:
        thread.start()
    threads[0].join(0.05)  # all are waiting by then
    hold.release()
    for thread in threads:
        thread.join()
    assert found == [list(range(1, 9))] * 4
    assert calls(machine)["copy"] == 1


class Meanwhile(int):
    """An int that lets another thread do something while it is packed."""

    do: Any = None

    def __int__(self) -> int:
        thread = threading.Thread(target=self.do)
        thread.start()
        thread.join()
        return 0


def test_a_launch_of_another_thread_between_upload_and_launch(machine: Machine) -> None:
    """It uploads elsewhere: the launch reads what was taken for it."""
    one, other = machine.streams(("nonblocking", "nonblocking"))
    x, kernel, outs = lp.In(host := ints()), add(machine), [lp.Out(np.zeros(8, "i4")) for _ in range(2)]

    def launch() -> None:
        host[:] = 50
        kernel[1, 1, other](x, outs[1], 0, 8)

    meanwhile = Meanwhile(0)
    meanwhile.do = launch
    kernel[1, 1, one](x, outs[0], meanwhile, 8)
    assert outs[1].get().tolist() == [50] * 8
    assert outs[0].get().tolist() == list(range(8))


# -- failures


def test_a_launch_that_is_refused_leaves_the_host_array(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y, kernel = lp.Out(host := ints()), add(machine)
    with pytest.raises(lp.SignatureError):
        kernel[1, 1, stream](None, y, "1", 8)
    assert y.get().tolist() == list(range(8))
    machine.machine.fail("launch")
    with pytest.raises(lp.DriverError):
        kernel[1, 1, stream](None, y, 1, 8)
    assert y.get().tolist() == list(range(8))
    kernel[1, 1, stream](lp.In(host), y, 1, 8)
    with pytest.raises(lp.SignatureError):
        kernel[1, 1, stream](None, y, "1", 8)
    assert y.get().tolist() == list(range(1, 9))


def onto(machine: Machine) -> lp.Kernel:
    """Make the same kernel with y before x."""
    x, y, *rest = ADD.parameters
    made = replace(ADD, parameters=(replace(y, offset=0), replace(x, offset=8), *rest))
    rows = [("pointer", 0, 8, False, (3, 4)), ("pointer", 8, 8, True, (3, 4)), *ROWS[2:]]

    def run(call: Any) -> None:
        y, x, value, n = call.args
        call.view(y, n, "i4")[:] = call.view(x, n, "i4") + value

    machine.device.driver.implement("onto", run, rows)
    return machine.kernel("onto", made)


@pytest.mark.parametrize("wrap", [lp.Out, lp.InOut])
@pytest.mark.parametrize("then", ["nothing", "another launch", "a synchronize"])
def test_what_its_stream_was_given_besides_makes_a_refused_launch_none(machine: Machine, wrap: Any, then: str) -> None:
    """Uploads for arguments behind it, other launches, and what others may have submitted, who have the handle."""
    (stream,) = machine.streams(("nonblocking",))
    assert stream.handle
    kernel, y, x, other = onto(machine), wrap(host := ints()), lp.In(ints(8, 100)), lp.InOut(ints())
    for turn in range(2):
        with pytest.raises(lp.SignatureError):
            kernel[1, 1, stream](y, x, "1", 8)
        if then == "another launch":
            add(machine)[1, 1, stream](None, other, 1, 8)
        elif then == "a synchronize":
            stream.synchronize()
        host[:] = 7 + turn
        if turn == 0:
            assert y.get().tolist() == [7] * 8
    if wrap is lp.InOut:
        add(machine)[1, 1, stream](None, y, 1, 8)
        assert y.get().tolist() == [9] * 8
    kernel[1, 1, stream](y, x, 1, 8)
    assert y.get().tolist() == list(range(101, 109))


def test_inout_is_uploaded_again_after_a_refused_launch(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    y, kernel = lp.InOut(host := ints()), add(machine)
    for call in "launch", "copy":
        machine.machine.fail(call)
        with pytest.raises(lp.DriverError):
            kernel[1, 1, stream](None, y, 1, 8)
        host[:] = 7
        kernel[1, 1, stream](None, y, 1, 8)
        assert y.get().tolist() == [8] * 8
    kernel[1, 1, stream](None, y, 1, 8)
    with pytest.raises(lp.SignatureError):
        kernel[1, 1, stream](None, y, "1", 8)
    kernel[1, 1, stream](None, y, 1, 8)
    assert y.get().tolist() == [10] * 8


@pytest.mark.parametrize("nth", range(1, 9))
def test_any_driver_call_fails(machine: Machine, nth: int) -> None:
    (stream,) = machine.streams(("nonblocking",))
    x, y, kernel = lp.In(ints()), lp.InOut(np.zeros(8, "i4")), add(machine)
    machine.machine.fail_after(nth)
    for _ in range(2):
        try:
            kernel[1, 1, stream](x, y, 1, 8)
            y.get()
        except lp.DriverError:
            pass
    machine.machine.clear_faults()
    kernel[1, 1, stream](x, y, 1, 8)
    assert y.get().tolist() == list(range(1, 9))


@pytest.mark.machine(check=False)
def test_a_launch_that_failed_is_told_by_get(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    y, kernel = lp.InOut(host := ints()), add(machine)
    machine.machine.fail_command(0, stream_number(machine), 2)
    kernel[1, 1, stream](None, y, 1, 8)
    with pytest.raises(lp.AsynchronousError):
        y.get()
    assert host.tolist() == list(range(8))
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    host[:] = 5
    kernel[1, 1, stream](None, y, 1, 8)  # from the host's values again
    assert y.get().tolist() == [6] * 8
    assert "race" not in kinds(machine)


@pytest.mark.machine(check=False)
@pytest.mark.parametrize("n", [8, 1 << 20])
def test_a_failure_that_staging_comes_upon_is_told_by_the_next_synchronize(machine: Machine, n: int) -> None:
    """When it asks how far the uploads are, and when it waits for one."""
    (stream,) = machine.streams(("nonblocking",))
    x, kernel = lp.In(ints(n)), add(machine)
    y = lp.empty(8, "int32", machine.device)
    machine.machine.fail_command(0, stream_number(machine), 2)
    for _ in range(80 if n == 8 else 5):
        kernel[1, 1, stream](x, y, 1, 8)
        machine.machine.run()
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    kernel[1, 1, stream](x, y, 1, 8)
    assert y.to_numpy(stream).tolist() == list(range(1, 9))
    assert "race" not in kinds(machine)


@pytest.mark.parametrize("size", [64, 20_000])
def test_beside_arguments_that_go_by_a_block(machine: Machine, size: int) -> None:
    made = signature(f"struct{size}", "pointer:int32", "pointer:int32", block=True)

    def run(call: Any) -> None:
        x, y = struct.unpack_from("QQ", call.bytes(call.args[0], made.size), made.parameters[1].offset)
        call.view(y, 8, "i4")[:] = call.view(x, 8, "i4") + call.bytes(call.args[0], 1)[0]

    machine.device.driver.implement("keep", run, [("pointer", 0, 8, True)])
    kernel = lp.Kernel(machine.device.driver.build("").kernel("keep"), machine.device, made)
    (stream,) = machine.streams(("nonblocking",))
    x, y = lp.In(host := ints()), lp.Out(np.zeros(8, "i4"))
    for value in 1, 1, 2, 1:
        host[:] = 10 * value
        kernel[1, 1, stream](bytes([value]) * size, x, y)
        assert y.get().tolist() == [11 * value] * 8
    counts = kernel.argument_counts()
    assert (counts["uploads"], counts["skipped"]) == (2, 2)


# -- what is refused


def test_what_does_not_fit_the_parameter(machine: Machine) -> None:
    launch = add(machine)[1, 1]
    ok = lp.In(ints())
    with pytest.raises(
        lp.SignatureError, match=r"add: parameter 1 \(int \*y\) wants an array of int32, given launchpath"
    ):
        launch(ok, lp.Out(np.zeros(8, "f4")), 1, 8)
    with pytest.raises(
        lp.SignatureError, match=r"parameter 0 .* wants .*, given launchpath.In of int64: wrap an array of"
    ):
        launch(lp.In(np.zeros(8, "i8")), None, 1, 8)
    for wrap in lp.Out, lp.InOut:
        with pytest.raises(lp.SignatureError, match=r"parameter 0 .*const int \*x.* is const.*use launchpath.In"):
            launch(wrap(np.zeros(8, "i4")), None, 1, 8)
    with pytest.raises(lp.SignatureError, match=r"parameter 2 \(int value\) wants an int, given the In"):
        launch(ok, None, ok, 8)


def test_in_of_a_parameter_that_is_not_const_is_lost(machine: Machine) -> None:
    y = lp.In(host := ints())
    add(machine)[1, 1](None, y, 1, 8)
    machine.device.synchronize()
    assert host.tolist() == list(range(8))


@pytest.mark.parametrize("wrap", [lp.In, lp.Out, lp.InOut])
@pytest.mark.parametrize(
    ("array", "says"),
    [
        ([1, 2], "wants a NumPy array, given a list.*numpy.asarray"),
        (np.float32(1), "wants a NumPy array"),
        (np.zeros((4, 4), "i4")[:, 1], r"strides \(16,\).*ascontiguousarray"),
        (np.zeros((4, 4), "i4", order="F"), "ascontiguousarray"),
        (np.zeros(4, ">i4"), "byte order"),
        (np.zeros(4, [("a", ">i4")]), "byte order"),
        (np.zeros(4, object), "Python objects"),
        (np.ma.masked_array(np.zeros(4, "i4"), [True] * 4), "masked"),
    ],
)
def test_what_is_no_array_for_a_device(wrap: Any, array: Any, says: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=rf"launchpath.{wrap.__name__}\b.*{says}"):
        wrap(array)


def test_read_only_is_for_in(machine: Machine) -> None:
    array = ints()
    array.flags.writeable = False
    for wrap in lp.Out, lp.InOut:
        with pytest.raises(lp.ArgumentValueError, match="read-only.*use launchpath.In"):
            wrap(array)
    y = lp.Out(np.zeros(8, "i4"))
    add(machine)[1, 1](lp.In(array), y, 1, 8)
    assert y.get().tolist() == list(range(1, 9))


def test_an_array_of_the_device_is_an_argument_as_it_is(machine: Machine) -> None:
    with pytest.raises(lp.ArgumentValueError, match="argument as it is"):
        lp.In(lp.zeros(4, device=machine.device))  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["bool", "f2", "c8", "V7", "M8[s]", [("a", "i4"), ("b", "f8")]])
def test_any_bytes_for_an_untyped_pointer(machine: Machine, dtype: Any) -> None:
    seen: list[bytes] = []
    parameter = Parameter("x", "const void *", "pointer", 8, 8, 0, None, True)
    made = Signature("look", (parameter,), 8, 0, None, False)
    host = np.frombuffer(bytes(range(96)) * np.dtype(dtype).itemsize, dtype)[:5]
    nbytes = host.nbytes
    machine.device.driver.implement(
        "look", lambda call: seen.append(bytes(call.bytes(call.args[0], nbytes))), [("pointer", 0, 8, True)]
    )
    machine.kernel("look", made)[1, 1](lp.In(host))
    machine.device.synchronize()
    assert seen == [host.tobytes()]


def test_an_array_without_axes(machine: Machine) -> None:
    y = lp.InOut(np.array(41, "i4"))
    add(machine)[1, 1](None, y, 1, 1)
    assert int(y.get()) == 42
    assert struct.pack("i", 42) == y.array.tobytes()


def test_as_an_array_of_numpy(machine: Machine) -> None:
    y = lp.Out(host := np.zeros(8, "i4"))
    add(machine)[1, 1](lp.In(ints()), y, 1, 8)
    assert np.asarray(y, "f8").tolist() == list(range(1, 9))
    assert np.asarray(y) is host
    copied = np.array(y)
    copied[:] = 0
    assert host[0] == 1
    assert (y.__array__(copy=True) is not host) and y.__array__(copy=False) is host
    with pytest.raises(ValueError, match="copying"):
        y.__array__("f8", copy=False)
    assert repr(y) == "<Out (8,) int32>"


@pytest.mark.machine(check=False)
@pytest.mark.parametrize("wrap", [lp.Out, lp.InOut])
def test_a_failure_that_a_synchronize_told_of_is_told_by_get_as_well(machine: Machine, wrap: Any) -> None:
    (stream,) = machine.streams(("nonblocking",))
    y, kernel = wrap(host := ints()), add(machine)
    machine.machine.fail_command(0, stream_number(machine), 2 if wrap is lp.InOut else 1)
    kernel[1, 1, stream](None, y, 1, 8)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    with pytest.raises(lp.AsynchronousError):
        y.get()
    assert host.tolist() == list(range(8))


@pytest.mark.parametrize("wrap", [lp.In, lp.Out, lp.InOut])
def test_wrong_calls_name_the_class(wrap: Any) -> None:
    for args in (), ((10,), "f4"):
        with pytest.raises(TypeError, match=rf"^{wrap.__name__}.__init__\(\)"):
            wrap(*args)
    assert {name for name in dir(wrap) if not name.startswith("_")} <= {"array", "get"}


@pytest.mark.parametrize("wrap", [lp.In, lp.Out, lp.InOut])
def test_it_is_of_this_process(wrap: Any) -> None:
    made = wrap(ints())
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=rf"launchpath.{wrap.__name__} has memory on a device: .* its host array"):
            attempt(made)


def test_structured_arrays_are_told_by_their_fields(machine: Machine) -> None:
    with pytest.raises(lp.SignatureError, match=r"given launchpath.In of \[\('a', '<f4'\), \('b', '<i4'\)\]: "):
        add(machine)[1, 1](lp.In(np.zeros(3, [("a", "f4"), ("b", "i4")])), None, 0, 0)
