"""Commands of a captured stream become nodes of the graph; what cannot be one is refused, and the capture goes on."""

import ctypes
import struct
import time

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.standin import image
from tests.standin.client import soon

from .capture import ACTIVE, MODES, TWO, values


@pytest.mark.parametrize("mode", MODES)
def test_commands_become_nodes(gpu, stream, capture, mode):
    array, other = gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, stream]
    with capture(stream.handle, mode) as graph:
        array.fill(3, stream)
        increment(array, 16)
        array.copy_to(other, stream)
        increment(other, 16)
        assert graph.status == ACTIVE
    assert graph.nodes == 4
    assert (values(array), values(other)) == ([0] * 16, [0] * 16)  # nothing has run
    for _ in range(3):
        assert graph.replay(stream, array, other) == [4, 5]


def test_commands_of_a_blocking_stream_become_nodes(gpu, blocking, capture):
    array, legacy = gpu.zeros(), gpu.device.legacy_stream
    increment = gpu.kernel("increment")[1, 16, blocking]
    with capture(blocking.handle) as graph:
        array.fill(3, blocking)
        increment(array, 16)
        assert graph.status == ACTIVE
    for _ in range(3):
        assert graph.replay(blocking, array) == [4]
    increment(array, 16)
    gpu.kernel("increment")[1, 16, legacy](array, 16)
    assert array.to_numpy(legacy).tolist() == [6] * 16


@pytest.mark.parametrize(("dtype", "value"), [("int16", 7), ("float64", 1.5), ("complex128", 1 - 2j)])
def test_fills_of_all_widths_are_captured(gpu, stream, capture, dtype, value):
    array = lp.zeros(100, dtype, stream=stream)
    with capture(stream.handle) as graph:
        array.fill(value, stream)
    for _ in range(2):
        assert graph.replay(stream, array) == [value]


def test_assignments_become_nodes(gpu, stream, capture):
    array, other = gpu.zeros(), gpu.zeros()
    with capture(stream.handle) as graph:
        with stream:
            array[::8] = 3
            other[:4] = array[5:9]
        assert graph.status == ACTIVE
    assert graph.nodes == 3
    for _ in range(2):
        graph.replay(stream)
        assert [each.tolist() for each in (array, other)] == [([3] + [0] * 7) * 2, [0, 0, 0, 3] + [0] * 12]
        array.fill(0, stream)


def test_arguments_are_those_of_the_call(gpu, stream, capture):
    out = gpu.zeros(1)
    with capture(stream.handle) as graph:
        for last in 1, 2:
            gpu.kernel("add16")[1, 1, stream](out, *range(14), last)
    for _ in range(2):
        assert graph.replay(stream, out) == [sum(range(14)) + 2]


@pytest.mark.parametrize("mode", TWO)
def test_arguments_in_device_memory_are_the_graphs(gpu, stream, capture, mode):
    """What is uploaded for it is used by nothing else, and is nothing that a launch outside could rely on."""
    seen = []
    gpu.control.register("kept", lambda _, at: seen.append(struct.unpack("Qi", _pointed_to(at, 12))[1]), [(0, 8)])
    kernel = gpu.adapt(gpu.load(image("kept kept 8 0:8")), "kept", "pointer:int32", "int32", block=True)
    array, launch = gpu.zeros(), kernel[1, 1, stream]
    for value in 5, 7:
        launch(array, value)
    with capture(stream.handle, mode) as graph:
        for value in 5, 6, 5:
            launch(array, value)
        assert graph.status == ACTIVE
    for value in (6, *range(100, 110), 6):  # more than are kept
        launch(array, value)
    for value in 200, 6:
        graph.launch()
        launch(array, value)
    stream.synchronize()
    assert seen == [5, 7, 6, *range(100, 110), 6, 5, 6, 5, 200, 5, 6, 5, 6]


def _pointed_to(address, size):
    return ctypes.string_at(ctypes.c_uint64.from_address(address).value, size)


def test_cooperative_launches_are_captured(gpu, stream, capture):
    out, kernel = gpu.zeros(9, "uint32"), gpu.adapt(gpu.load(), "shape", "pointer:uint32")
    with capture(stream.handle) as graph:
        kernel.cooperative[2, 32, stream](out)
    graph.launch()
    assert soon(stream.query)
    assert values(out)[:8] == [2, 1, 1, 32, 1, 1, 0, 1]


@pytest.mark.parametrize("mode", TWO)
def test_many_launches_are_captured(gpu, array, stream, capture, mode):
    """More than the library takes before it blocks, and than launchpath lets be in flight: they are not in flight."""
    increment = gpu.kernel("increment")[1, 16, stream]
    with capture(stream.handle, mode) as graph:
        began = time.monotonic()
        for _ in range(5500):
            increment(array, 16)
        assert time.monotonic() - began < 2  # slowed as one that runs ahead it takes longer
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [5500]


def test_checkpoints_are_left_out(gpu, array, stream, capture):
    """They are markers, every 256 commands: a graph has no use for them."""
    increment = gpu.kernel("increment")[1, 16, stream]
    with capture(stream.handle) as graph:
        gpu.forget_calls()
        for _ in range(600):
            increment(array, 16)
        assert gpu.calls("cuEventRecord", "cuEventQuery", "cuStreamQuery") == []
    assert graph.nodes == 600
    assert graph.replay(stream, array) == [600]


# -- what is refused


def test_host_data_is_refused(array, stream, capture):
    """The pinned memory that it goes through would have to last as long as the graph."""
    with capture(stream.handle, "relaxed") as graph:
        with pytest.raises(lp.LaunchpathError, match="host data cannot be copied on a stream that is being captured"):
            array.copy_from(np.full(16, 3, "int32"), stream)
        with stream, pytest.raises(lp.LaunchpathError, match="host data cannot be copied on a stream that is being"):
            array[::2] = [1] * 8
        assert graph.status == ACTIVE
    assert graph.nodes == 0
    assert graph.replay(stream, array) == [0]


def test_reading_is_refused(array, stream, capture):
    with capture(stream.handle, "relaxed") as graph:
        with pytest.raises(lp.LaunchpathError, match="data of the device cannot be copied"):
            array.to_numpy(stream)
        with stream:
            assert "not read: data of the device cannot be copied" in repr(array)
        assert graph.status == ACTIVE
    assert graph.nodes == 0


@pytest.mark.parametrize("wrap", [lp.In, lp.Out, lp.InOut])
@pytest.mark.parametrize("used", [False, True])
def test_host_arrays_as_arguments_are_refused(gpu, stream, capture, wrap, used):
    """Whatever the device has of them; and what it has cannot be read meanwhile."""
    array = gpu.zeros(16, "float32")
    wrapper, saxpy = wrap(np.full(16, 2, "f4")), gpu.kernel("saxpy")[1, 16, stream]
    arguments = (wrapper, array) if wrap is lp.In else (array, wrapper)
    if used:
        saxpy(1.0, *arguments, 16)
        stream.synchronize()
    with capture(stream.handle, "relaxed") as graph:
        with pytest.raises(lp.LaunchpathError, match="stream that is being captured"):
            saxpy(1.0, *arguments, 16)
        if used and wrap is not lp.In:
            with pytest.raises(lp.LaunchpathError, match="data of the device cannot be copied"):
                wrapper.get()
        assert graph.status == ACTIVE
    assert graph.nodes == 0
    saxpy(1.0, *arguments, 16)
    if wrap is lp.In:
        assert array.to_numpy(stream).tolist() == [2 + 2 * used] * 16
    elif wrap is lp.InOut:
        assert wrapper.get().tolist() == [2] * 16


def test_kernels_that_return_values_are_refused(gpu, stream, capture):
    launch = gpu.kernel("fill").returning("a")[1, 32, stream]
    assert [float(launch(value, 1)) for value in (1, 2)] == [1, 2]
    with capture(stream.handle, "relaxed") as graph:
        with pytest.raises(lp.LaunchpathError, match="the results of fill cannot be copied"):
            launch(3, 1)
        assert graph.status == ACTIVE
    assert graph.nodes == 0
    assert [float(launch(value, 1)) for value in (4, 5)] == [4, 5]


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("what", ["host function", "hold"])
def test_what_runs_once_is_refused(gpu, stream, capture, mode, what):
    """The thread that ends it does so once: a graph could not be launched again."""
    array, ran = gpu.zeros(), []
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        with pytest.raises(lp.LaunchpathError, match="which cannot contain a launchpath host function or hold"):
            stream.host_function(ran.append, 1) if what == "host function" else stream.hold()
        assert graph.status == ACTIVE
    assert graph.nodes == 1
    assert graph.replay(stream, array) == [1]
    with stream.hold():
        stream.host_function(ran.append, 2)
        assert ran == []
    stream.synchronize()
    assert ran == [2]
