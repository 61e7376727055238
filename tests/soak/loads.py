"""What a long run is mixed from. Each load does some work on a device, and leaves nothing behind."""

import random
from collections.abc import Callable

import numpy as np

import launchpath as lp
from tests.random.kernels import Kernels
from tests.random.program import Program
from tests.threads import at_once

Load = Callable[[lp.Device, random.Random], None]
_kept: dict[lp.Device, Kernels] = {}


def _kernels(device: lp.Device) -> Kernels:
    if device not in _kept:
        _kept[device] = Kernels(device, 0)
    return _kept[device]


def programs(device: lp.Device, chance: random.Random) -> None:
    """A random program."""
    outcome = Program(chance.randrange(1 << 30), [device]).run()
    if outcome.kind != "right":
        raise RuntimeError(outcome.text)


def compiled(device: lp.Device, chance: random.Random) -> None:
    """A program from the cache, dropped with its launches in flight."""
    kernels = Kernels(device, chance.randrange(3))
    array = lp.zeros(256, "uint32", device)
    kernels.affine[1, 256](array, 3, 1, 256, 100)


def streams(device: lp.Device, chance: random.Random) -> None:
    """Streams, dropped with work in flight."""
    array = lp.zeros(256, "uint32", device)
    for _ in range(chance.randrange(1, 20)):
        stream = lp.Stream(blocking=chance.random() < 0.5, device=device)
        _kernels(device).affine[1, 256, stream](array, 3, 1, 256, 100)
        stream.wait(device.legacy_stream.record())


def events(device: lp.Device, chance: random.Random) -> None:
    """Events with and without time, recorded and waited for."""
    array, streams = lp.zeros(256, "uint32", device), [lp.Stream(blocking=False, device=device) for _ in range(3)]
    for _ in range(100):
        first, other = chance.sample(streams, 2)
        _kernels(device).affine[1, 64, first](array, 3, 1, 64, 0)
        event = first.record(timing=chance.random() < 0.3)
        other.wait(event)
        if chance.random() < 0.2:
            event.synchronize()


def arrays(device: lp.Device, chance: random.Random) -> None:
    """Arrays of all sizes, freed in flight."""
    for _ in range(50):
        array = lp.empty(chance.randrange(1, 1 << chance.randrange(4, 22)), "uint8", device)
        array.fill(1)


def copies(device: lp.Device, chance: random.Random) -> None:
    """Copies in and out, and host arrays as arguments."""
    data = np.arange(chance.randrange(1, 20000), dtype=np.uint32)
    for _ in range(10):
        array = lp.asarray(data, device=device)
        assert (array.to_numpy() == data).all()
    out, both = lp.Out(np.zeros_like(data)), lp.InOut(data.copy())
    _kernels(device).staged[-(-data.size // 64), 64](lp.In(data), out, both, 1, data.size)
    assert out.get()[0] == 1


def blocks(device: lp.Device, chance: random.Random) -> None:
    """Arguments in device memory, on streams that come and go, and results."""
    x, y = lp.zeros(64, "uint32", device), lp.zeros(64, "uint32", device)
    stream = lp.Stream(device=device)
    for number in range(20):
        _kernels(device).fields[1, 64, stream](x, y, 1, number % 3, 64, 0, bytes(160))
        _kernels(device).table[1, 64, stream](np.full(4096, number, np.uint32), x, 64, 0)
        result = _kernels(device).hash[1, 1, stream](y, 64)
    assert int(result.out) == 0


def host_functions(device: lp.Device, chance: random.Random) -> None:
    """Host functions."""
    stream, called = lp.Stream(device=device), []
    for number in range(20):
        stream.host_function(called.append, number)
    stream.synchronize()
    assert called == list(range(20))


def steps(device: lp.Device, chance: random.Random) -> None:
    """Steps that come again, others that never do, with arrays and streams that come and go."""
    step, kept = lp.Step(), _kernels(device)
    array, streams = lp.zeros(256, "uint32", device), [lp.Stream(device=device) for _ in range(2)]
    for turn in range(30):
        with step:
            for _ in range(chance.choice((5, 5, chance.randrange(40)))):
                kept.affine[1, 256, streams[turn % 2]](array, 3, chance.randrange(2), 256, 0)
            kept.fields[1, 64, streams[0]](array, array, 1, turn % 3, 64, 0, bytes(160))
            streams[1].wait(streams[0].record())
            lp.zeros(64, "uint32", device, stream=streams[1])
        if chance.random() < 0.1:
            step = lp.Step()


def threads(device: lp.Device, chance: random.Random) -> None:
    """Threads that end, with streams of their own."""

    def work() -> None:
        array = lp.zeros(64, "uint32", device)
        with device.per_thread_stream:
            _kernels(device).affine[1, 64](array, 3, 1, 64, 0)

    at_once(lambda _: work(), range(4))


LOADS: dict[str, Load] = {
    load.__name__: load
    for load in (programs, compiled, streams, events, arrays, copies, blocks, host_functions, steps, threads)
}
