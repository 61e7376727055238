"""Small programs that use one thing each. They fail by `AssertionError` if something has a wrong value."""

import gc
from collections.abc import Callable

import numpy as np

import launchpath as lp
from tests.random.kernels import Kernels

N = 64
# OpenCL C as `launchpath` hands it over: one struct by value.
NATIVE = """
typedef struct { ulong x; uint a; } arguments;
__kernel void native(arguments all) { ((__global uint *)all.x)[get_global_id(0)] += all.a; }
"""
ONES = np.ones(N, np.uint32)


class Scene:
    """A device, and what scenarios share: it is made before anything fails."""

    def __init__(self, device: lp.Device) -> None:
        self.device, self.kernels = device, Kernels(device, 0)

    def add(self, array: lp.Array, by: int, stream: lp.Stream) -> None:
        """Add to each element, by a kernel."""
        self.kernels.affine[1, N, stream](array, 1, by, N, 0)

    def zeros(self) -> lp.Array:
        """Return an array of zeros."""
        return lp.zeros(N, "uint32", self.device)

    def stream(self, blocking: bool = False) -> lp.Stream:
        """Return a new stream."""
        return lp.Stream(blocking=blocking, device=self.device)


def expect(array: lp.Array, value: int, stream: lp.Stream) -> None:
    """Read an array on a stream and compare."""
    np.testing.assert_array_equal(array.to_numpy(stream), np.full(N, value, np.uint32))


def launch(scene: Scene) -> None:
    """Launches, with other arguments and the same ones."""
    stream, array = scene.device.legacy_stream, scene.zeros()
    for by in (1, 1, 2):
        scene.add(array, by, stream)
    expect(array, 4, stream)


def copy(scene: Scene) -> None:
    """Copies in, on the device, and out; and fills."""
    stream, first, second = scene.stream(), scene.zeros(), scene.zeros()
    scene.device.legacy_stream.synchronize()
    first.copy_from(ONES * 3, stream)
    first.copy_to(second, stream)
    first.fill(7, stream)
    expect(second, 3, stream)
    expect(first, 7, stream)


def event(scene: Scene) -> None:
    """Events, with time and without."""
    stream, array = scene.stream(), scene.zeros()
    stream.wait(scene.device.legacy_stream.record())
    start = stream.record(timing=True)
    scene.add(array, 1, stream)
    end, plain = stream.record(timing=True), stream.record()
    assert start.elapsed_time(end) >= 0
    plain.synchronize()
    assert plain.query() and stream.query()
    expect(array, 1, stream)


def across(scene: Scene) -> None:
    """Waits from stream to stream, by events and by the legacy rule."""
    first, other, blocking = scene.stream(), scene.stream(), scene.stream(blocking=True)
    array = scene.zeros()
    first.wait(scene.device.legacy_stream.record())
    scene.add(array, 1, first)
    other.wait(first.record())
    array.copy_from(ONES * 5, other)
    blocking.wait(other.record())
    scene.add(array, 1, blocking)
    scene.add(array, 1, scene.device.legacy_stream)
    scene.add(array, 1, blocking)
    timed = blocking.record(timing=True)
    first.wait(timed)
    scene.add(array, 1, first)
    expect(array, 9, first)


def allocate(scene: Scene) -> None:
    """Memory that is freed in flight, given back, and taken again."""
    stream = scene.stream()
    for value in range(3):
        array = lp.empty(N, "uint32", scene.device, stream)
        array.fill(value, stream)
        expect(array, value, stream)
        array.free()
        large = lp.empty(1 << 20, "uint8", scene.device)
        large.fill(value, stream)
        del large
    scene.device.memory_info()
    scene.device.trim_memory()
    stream.synchronize()


def load(scene: Scene) -> None:
    """A program from the cache: its binary, its kernels, a launch."""
    kernels, array = Kernels(scene.device, 0), scene.zeros()
    kernels.affine[1, N](array, 1, 3, N, 0)
    expect(array, 3, scene.device.legacy_stream)


def build(scene: Scene) -> None:
    """A program from source, its binary, and a program from that."""
    array, driver = scene.zeros(), scene.device.driver_device
    data = driver.build(NATIVE).binary()
    for program in (driver.build(NATIVE), driver.load(data)):
        info = program.kernel("native", 16).info
        assert 0 < info["max_threads_per_block"] <= scene.device.info["max_threads_per_block"]
        assert "native" in program.kernels
    expect(array, 0, scene.device.legacy_stream)


def host_function(scene: Scene) -> None:
    """Host functions between launches."""
    stream, array, called = scene.stream(), scene.zeros(), []
    stream.wait(scene.device.legacy_stream.record())
    stream.host_function(called.append, 1)
    scene.add(array, 2, stream)
    stream.host_function(called.append, 2)
    expect(array, 2, stream)
    stream.synchronize()
    assert called == [1, 2], called


def block(scene: Scene) -> None:
    """Arguments in device memory, and too many to travel with the launch."""
    stream, array, other = scene.stream(), scene.zeros(), scene.zeros()
    stream.wait(scene.device.legacy_stream.record())
    for b in (1, 1, 2):
        scene.kernels.fields[1, N, stream](array, other, 1, b, N, 0, bytes(160))
    scene.kernels.written[1, N, stream](array, 1, N, 0)
    for value in (1, 2):
        scene.kernels.table[1, N, stream](np.full(4096, value, np.uint32), array, N, 0)
    expect(array, (11 * 3 + 1) * 3 + 2, stream)


def result(scene: Scene) -> None:
    """Values that a kernel returns."""
    stream, array = scene.stream(), scene.zeros()
    stream.wait(scene.device.legacy_stream.record())
    array.fill(1, stream)
    first = scene.kernels.hash[1, 1, stream](array, 2)
    second = scene.kernels.hash[1, 1, stream](array, 1)
    assert (int(first.out), int(second.out)) == (32, 1)


def staged(scene: Scene) -> None:
    """Host arrays as arguments."""
    out, both = lp.Out(np.zeros(N, np.uint32)), lp.InOut(ONES.copy())
    first, other = scene.stream(), scene.stream()
    scene.kernels.staged[1, N, first](lp.In(ONES), out, both, 2, N)
    scene.kernels.staged[1, N, other](lp.In(ONES), out, both, 3, N)
    np.testing.assert_array_equal(out.get(), ONES * 4)
    np.testing.assert_array_equal(both.get(), ONES * 31)


def drop(scene: Scene) -> None:
    """Streams, events and arrays dropped in flight, while another stream waits for them."""
    last, array = scene.stream(), scene.zeros()
    last.wait(scene.device.legacy_stream.record())
    for _ in range(3):
        stream, memory = scene.stream(), scene.zeros()
        stream.wait(last.record())
        scene.add(array, 1, stream)
        scene.add(memory, 1, stream)
        last.wait(stream.record())
        del stream, memory
        gc.collect(0)
    expect(array, 3, last)


def hold(scene: Scene) -> None:
    """A stream that is held back, and synchronizing of all kinds."""
    stream, array = scene.stream(), scene.zeros()
    stream.wait(scene.device.legacy_stream.record())
    with stream.hold():
        scene.add(array, 1, stream)
        assert not stream.query()
    stream.synchronize()
    scene.device.synchronize()
    expect(array, 1, stream)


SCENARIOS: dict[str, Callable[[Scene], None]] = {
    scenario.__name__: scenario
    for scenario in (
        launch,
        copy,
        event,
        across,
        allocate,
        load,
        build,
        host_function,
        block,
        result,
        staged,
        drop,
        hold,
    )
}
