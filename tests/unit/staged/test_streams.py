"""In, Out and InOut on several streams, devices and threads: each launch sees its own values."""

import random
import threading
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import calls
from tests.simulated import Machine
from tests.threads import apart, at_once
from tests.unit.support.staged import add, ints


@pytest.mark.parametrize("wrap", [lp.Out, lp.InOut])
def test_launches_on_several_streams_run_in_turn(machine: Machine, wrap: Any) -> None:
    streams = machine.streams(("nonblocking", "blocking", "legacy", "nonblocking"))
    y, kernel = wrap(np.zeros(8, "i4")), add(machine)
    kernel[1, 1, streams[0]](lp.In(ints()), y, 0, 8)
    for turn in range(12):
        kernel[1, 1, streams[turn % 4]](None, y, 1, 8)
    assert y.get().tolist() == list(range(12, 20))
    for turn in range(5):
        kernel[1, 1, streams[turn % 4]](lp.In(ints()), y, turn, 8)
        assert y.get().tolist() == list(range(turn, 8 + turn))


def test_the_same_in_on_several_streams(machine: Machine) -> None:
    streams = machine.streams(("nonblocking", "nonblocking", "blocking"))
    x, kernel = lp.In(host := ints()), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(9)]
    for turn, y in enumerate(outs):
        host[:] = turn
        kernel[1, 1, streams[turn % 3]](x, y, 0, 8)
    assert [y.get()[0] for y in reversed(outs)] == list(range(8, -1, -1))


def test_get_waits_for_its_own_launch_only(machine: Machine) -> None:
    first, other = machine.streams(("nonblocking", "nonblocking"))
    y, kernel = lp.Out(np.zeros(8, "i4")), add(machine)
    with other.hold():
        kernel[1, 1, other](None, lp.Out(np.zeros(8, "i4")), 1, 8)
        kernel[1, 1, first](lp.In(ints()), y, 1, 8)
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
    held = [output.array.copy() for output in outs]  # what the next `get` is to give
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
    assert [output.get().tolist() for output in outs] == [array.tolist() for array in held]
    kernels.clear(), streams.clear()
    del stream, kernel


def test_a_dropped_stream_does_not_matter(machine: Machine) -> None:
    x, y, kernel = lp.In(ints()), lp.InOut(np.zeros(8, "i4")), add(machine)
    for _ in range(5):
        stream = lp.Stream(blocking=False, device=machine.device)
        kernel[1, 1, stream](x, y, 1, 8)
        kernel[1, 1, stream](None, y, 1, 8)
        del stream
    assert y.get().tolist() == list(range(2, 10))


def test_threads_share_an_in(machine: Machine) -> None:
    machine.machine.background()
    x, kernel = lp.In(ints()), add(machine)
    shared = lp.Stream(blocking=False, device=machine.device)
    results: list[Any] = []

    def work(number: int) -> None:
        stream = lp.Stream(blocking=False, device=machine.device) if number % 2 else shared
        y = lp.Out(np.zeros(8, "i4"))
        for turn in range(60):
            kernel[1, 1, stream](x, y, turn, 8)
            if turn % 7 == 0:
                results.append(y.get().tolist() == list(range(turn, turn + 8)))
        results.append(y.get().tolist() == list(range(59, 67)))

    at_once(work, range(4))
    assert results == [True] * 4 * 10


def test_threads_read_the_same_out(machine: Machine, stream: lp.Stream) -> None:
    """It is downloaded once, though all ask before it is there."""
    y = lp.Out(np.zeros(8, "i4"))
    with stream.hold():
        add(machine)[1, 1, stream](lp.In(ints()), y, 1, 8)
        calls(machine)
        results: list[Any] = []
        threads = [threading.Thread(target=lambda: results.append(y.get().tolist())) for _ in range(4)]
        for thread in threads:
            thread.start()
        threads[0].join(0.05)  # all are waiting by then
    for thread in threads:
        thread.join()
    assert results == [list(range(1, 9))] * 4
    assert calls(machine)["copy"] == 1


class Meanwhile(int):
    """An int that lets another thread do something while it is packed."""

    do: Any = None

    def __int__(self) -> int:
        apart(self.do)
        return 0


def test_a_launch_of_another_thread_between_upload_and_launch(machine: Machine) -> None:
    """It uploads elsewhere: the launch reads what was taken for it."""
    first, other = machine.streams(("nonblocking", "nonblocking"))
    x, kernel, outs = lp.In(host := ints()), add(machine), [lp.Out(np.zeros(8, "i4")) for _ in range(2)]

    def launch() -> None:
        host[:] = 50
        kernel[1, 1, other](x, outs[1], 0, 8)

    meanwhile = Meanwhile(0)
    meanwhile.do = launch
    kernel[1, 1, first](x, outs[0], meanwhile, 8)
    assert outs[1].get().tolist() == [50] * 8
    assert outs[0].get().tolist() == list(range(8))
