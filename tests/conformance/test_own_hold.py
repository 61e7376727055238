"""A thread that waits for what it holds back itself gets an error, whatever the call: it would wait for ever."""

import threading
import time

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core

from .calls import Call, returns_at_once

N = 64
SOURCE = """
__device__ int counter[4];
__global__ void add(int* out, int value, int n) { for (int i = 0; i < n; i++) out[i] += value; }
__global__ void total(const int* in, int n, int* out) { *out = 0; for (int i = 0; i < n; i++) *out += in[i]; }
"""
REFUSED = r"waited 0\.1 s for work behind a stream that this thread holds back .*: expected another thread to release"


@pytest.fixture(autouse=True)
def impatient():
    _core.set_own_hold_patience(0.1)
    yield
    _core.set_own_hold_patience(10)


class World:
    """A stream, and an array that it writes to once it is held back."""

    def __init__(self, device, kernels, blocking):
        self.device, self.kernels = device, kernels
        self.stream = lp.Stream(blocking=blocking, device=device)
        self.array = lp.asarray(np.ones(N, "int32"), device=device)
        device.synchronize()
        self.before = self.stream.record()

    def write(self):
        self.kernels.add[1, 1, self.stream](self.array, 1, N)


def _event(world):
    world.write()
    return world.stream.record().synchronize


def _of_another_stream(world):
    world.write()
    other = lp.Stream(blocking=False, device=world.device)
    other.wait(world.stream.record())
    world.kernels.add[1, 1, other](world.array, 1, N)
    return other.synchronize


def _elapsed(world):
    first, last = world.stream.record(timing=True), None
    world.write()
    last = world.stream.record(timing=True)
    return lambda: last.elapsed_time(first)


def _result(world):
    returning = world.kernels.total.returning("out")
    result = returning[1, 1, world.stream](world.array, N)
    return lambda: result.out


def _staged(world):
    out = lp.Out(np.zeros(N, "int32"))
    world.kernels.add[1, 1, world.stream](out, 1, N)
    return out.get


def _pointer(world):
    first = lp.empty(1 << 20, "int32", world.device, world.stream)
    first.fill(1, world.stream)
    del first  # the next array of the stream may have its memory, which awaits the fill
    array = lp.empty(1 << 20, "int32", world.device, world.stream)
    return lambda: array.pointer


def _symbol(world):
    symbol = world.kernels.symbol("counter")
    symbol.fill(3, world.stream)
    return lambda: symbol.to_numpy(world.stream)


def _behind(world):
    world.kernels.add[1, 1, world.device.legacy_stream](world.array, 1, N)
    return world.device.legacy_stream.record().synchronize


CALLS = {
    "Stream.synchronize": lambda world: (world.write(), world.stream.synchronize)[1],
    "Device.synchronize": lambda world: (world.write(), world.device.synchronize)[1],
    "Event.synchronize": _event,
    "Event.elapsed_time": _elapsed,
    "another stream": _of_another_stream,
    "to_numpy": lambda world: (world.write(), lambda: world.array.to_numpy(world.stream))[1],
    "copy_to": lambda world: (world.write(), lambda: world.array.copy_to(np.zeros(N, "int32"), world.stream))[1],
    "Result": _result,
    "Out.get": _staged,
    "pointer": _pointer,
    "symbol": _symbol,
}
# On a blocking stream, which the legacy stream waits for.
BLOCKING = {
    "the legacy stream": lambda world: world.device.legacy_stream.synchronize,
    "to_numpy": lambda world: world.array.to_numpy,
    "an element": lambda world: lambda: int(world.array[3].to_numpy()),
    "numpy.asarray": lambda world: lambda: np.asarray(world.array.to_numpy()),
    "a launch behind it": _behind,
}


def refused(world, prepare):
    """The call raises while the stream is held back, and works when it is not."""
    hold = world.stream.hold()
    try:
        call = prepare(world)
        with pytest.raises(lp.LaunchpathError, match=REFUSED):
            call()
    finally:
        hold.release()
    call()
    world.device.synchronize()


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_waits_for_its_own_hold(device, kernels, name):
    world = World(device, kernels, blocking=False)
    Call(refused, world, CALLS[name]).result()


@pytest.mark.parametrize("name", BLOCKING)
def test_a_call_that_waits_for_a_blocking_stream(device, kernels, name):
    world = World(device, kernels, blocking=True)
    Call(refused, world, lambda world: (world.write(), BLOCKING[name](world))[1]).result()


def test_a_view_of_managed_memory(device, kernels):
    if not device.managed_memory:
        pytest.skip("the device has no managed memory")
    world = World(device, kernels, blocking=False)
    world.array = lp.managed_empty(N, "int32", device)
    world.array.fill(1)
    device.synchronize()
    Call(refused, world, lambda world: (world.write(), world.array.host_view)[1]).result()


def test_the_text_of_an_array_says_why_it_has_no_values(device, kernels):
    world = World(device, kernels, blocking=True)

    def scene():
        with world.stream.hold():
            world.write()
            return repr(world.array)

    assert "not read: waited 0.1 s for work behind a stream that this thread holds back" in Call(scene).result()
    assert "not read" not in repr(world.array)


def test_on_the_main_thread(device, kernels):
    world = World(device, kernels, blocking=False)
    refused(world, CALLS["Stream.synchronize"])


def test_what_comes_before_the_hold_is_waited_for(device, kernels):
    world = World(device, kernels, blocking=False)
    gate = threading.Event()
    world.stream.host_function(gate.wait)
    event = world.stream.record()

    def scene():
        with world.stream.hold():
            threading.Timer(0.3, gate.set).start()  # longer than the patience
            event.synchronize()
            assert gate.is_set()

    Call(scene).result()
    device.synchronize()


def test_another_stream_is_waited_for(device, kernels):
    """However long that takes: it does not wait for the hold."""
    world = World(device, kernels, blocking=False)
    other = lp.Stream(blocking=False, device=device)

    def scene():
        with world.stream.hold():
            world.write()
            other.host_function(time.sleep, 0.3)
            other.synchronize()
            assert other.query()

    Call(scene).result()
    device.synchronize()


def test_a_hold_that_another_thread_releases(device, kernels):
    world = World(device, kernels, blocking=False)
    _core.set_own_hold_patience(60)

    def scene():
        hold = world.stream.hold()
        world.write()
        threading.Timer(0.1, hold.release).start()
        world.stream.synchronize()
        assert (world.array.to_numpy(world.stream) == 2).all()

    Call(scene).result()


def test_a_hold_that_a_thread_has_left(device, kernels):
    """Nobody may ever release it: every thread that waits gets an error."""
    world, holds = World(device, kernels, blocking=False), []
    returns_at_once(lambda: holds.append(world.stream.hold()))
    world.write()

    def scene():
        with pytest.raises(lp.LaunchpathError, match="a stream that a thread that has ended holds back"):
            world.stream.synchronize()

    try:
        Call(scene).result()
    finally:
        holds.pop().release()
    world.stream.synchronize()


def test_the_hold_of_a_thread_that_goes_on_is_waited_for(device, kernels):
    """It may release it, however late."""
    world, holds, gate = World(device, kernels, blocking=False), [], threading.Event()
    held = threading.Event()

    def holder():
        holds.append(world.stream.hold())
        held.set()
        gate.wait()

    holding = Call(holder)
    held.wait()
    world.write()
    waiting = Call(world.stream.synchronize)
    time.sleep(0.3)
    try:
        assert waiting.blocks()
    finally:
        holds.pop().release()
    waiting.result()
    gate.set()
    holding.result()
