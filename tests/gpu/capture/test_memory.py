"""Memory comes and goes while a stream is captured: none of it becomes the graph's."""

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.process import run

from .capture import ACTIVE, TWO


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("kind", ["device", "pinned"])
def test_memory_is_allocated_meanwhile(gpu, stream, capture, mode, kind):
    array, other, seen = gpu.zeros(), gpu.stream(), gpu.zeros(1 << 18)
    gpu.device.trim_memory()
    with capture(stream.handle, mode) as graph:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        if kind == "device":
            lp.empty(1 << 18, "int32", gpu.device).fill(1, other)
        else:
            seen.copy_from(np.ones(1 << 18, "int32"), other)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


def test_memory_in_the_order_of_a_captured_stream(driver):
    """In a process of its own: were it the graph's, the library would never take it back, and no later test could end."""
    run(driver, """
from tests.gpu.capture.capture import ACTIVE, TWO, Capture
stream, other = gpu.stream(), gpu.stream()
for mode in TWO:
    with Capture(gpu, stream.handle, mode) as graph:
        made = lp.empty(16, "int32", stream=stream)
        made.fill(3, stream)
        assert graph.status == ACTIVE
    assert graph.nodes == 1
    assert graph.replay(stream, made) == [3]
    made.fill(4, other)
    assert made.to_numpy(other).tolist() == [4] * 16
    graph.launch()
    assert made.to_numpy(stream).tolist() == [3] * 16
    graph.close()
    assert made.to_numpy(stream).tolist() == [3] * 16
    del made
device.synchronize()
device.trim_memory()
assert control.reports() == []
""")  # fmt: skip


@pytest.mark.parametrize("mode", TWO)
def test_freed_memory_is_looked_for_meanwhile(gpu, stream, capture, mode):
    """The pool asks queues how far they are: not the one that is captured."""
    _look_for_memory(gpu, stream, capture, mode)


@pytest.mark.parametrize("mode", TWO)
def test_freed_memory_is_looked_for_while_a_blocking_stream_is_captured(gpu, blocking, capture, mode):
    """Nor the legacy one, which waits for it."""
    _look_for_memory(gpu, blocking, capture, mode)


def _look_for_memory(gpu, stream, capture, mode):
    array, freed = gpu.zeros(), [gpu.zeros() for _ in range(4)]
    with capture(stream.handle, mode) as graph:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        while freed:
            freed.pop()
            gpu.device.memory_info()
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("mode", TWO)
def test_memory_is_released_meanwhile(gpu, stream, capture, mode):
    """What was freed before; what is freed meanwhile may be the graph's."""
    array, before, meanwhile = gpu.zeros(), gpu.zeros(1 << 16), gpu.zeros(1 << 16)
    gpu.device.trim_memory()
    del before
    with capture(stream.handle, mode) as graph:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        del meanwhile
        held = gpu.live()["bytes"]
        gpu.device.trim_memory()
        assert held - gpu.live()["bytes"] == 4 << 16
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


@pytest.fixture
def little(gpu):
    """64 MiB, for all that is there."""
    gpu.device.trim_memory()
    gpu.control.option("memory", 64 << 20)
    yield
    gpu.control.option("memory", 1 << 30)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("mode", TWO)
def test_memory_runs_out_meanwhile(gpu, stream, capture, mode):
    """What is freed may be the graph's: it stays until the end of the capture, and nobody waits for that."""
    array, other = gpu.zeros(), gpu.stream()
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        lp.empty(40 << 20, "uint8", gpu.device).fill(1, other)
        with pytest.raises(lp.OutOfMemoryError):
            lp.empty(30 << 20, "uint8", gpu.device)
        assert graph.status == ACTIVE
    lp.empty(30 << 20, "uint8", gpu.device)
    assert graph.replay(stream, array) == [1]
