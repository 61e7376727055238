"""Beside a capture everything else goes on, in whatever mode and on any thread."""

import contextlib
import gc
import threading

import pytest

import launchpath as lp
from tests.gpu.process import CONTROL, HEAD, run
from tests.standin.client import NON_BLOCKING, on_thread, soon

from .capture import ACTIVE, MODES, TWO, values


@pytest.mark.parametrize("mode", MODES)
def test_work_elsewhere_runs(gpu, stream, capture, mode):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, other]
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        seen.fill(2, other)
        increment(seen, 16)
        on_thread(lambda: increment(seen, 16)).join()
        assert soon(lambda: values(seen) == [4] * 16)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("mode", MODES)
def test_another_thread_captures_meanwhile(gpu, stream, capture, mode):
    """A global capture forbids all threads what is not safe; others say that they see to themselves."""
    array, other, seen = gpu.zeros(), gpu.stream(), gpu.zeros()
    begun, done = threading.Event(), threading.Event()
    graph = capture(stream.handle, mode)

    def work():
        with graph, contextlib.suppress(lp.DriverError):
            begun.set()
            done.wait()
            gpu.kernel("increment")[1, 16, stream](array, 16)

    gpu.device.trim_memory()
    thread = on_thread(work)
    begun.wait()
    try:
        seen.fill(2, other)
        kept = lp.empty(1 << 18, "int32", gpu.device)
        assert soon(other.query)
        other.record().synchronize()
        kept.fill(1, other)
        assert graph.status == ACTIVE
    finally:
        done.set()
        thread.join()
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize(("count", "held"), [(600, False), (980, True)], ids=["checkpoints", "until it would block"])
@pytest.mark.parametrize("mode", TWO)
def test_many_launches_elsewhere(gpu, stream, capture, mode, count, held):
    """As many as a stream takes before the library blocks: all streams are asked then how far they are."""
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, other]
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        with other.hold() if held else contextlib.nullcontext():
            for _ in range(count):
                increment(seen, 16)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]
    assert seen.to_numpy(other).tolist() == [count] * 16


@pytest.mark.parametrize("mode", TWO)
def test_streams_come_and_go_meanwhile(gpu, stream, capture, mode):
    array, seen = gpu.zeros(), gpu.zeros()
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        for _ in range(3):
            other = gpu.stream()
            gpu.kernel("increment")[1, 16, other](seen, 16)
            del other
        gc.collect()
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("flags", [0, NON_BLOCKING])
def test_a_stream_is_wrapped_during_its_capture(gpu, theirs, capture, mode, flags):
    """As when torch captures, and its stream first comes to us then."""
    handle, array = theirs(flags), gpu.zeros()
    with capture(handle, mode) as graph:
        stream = lp.Stream.external(handle, gpu.device)
        gpu.kernel("increment")[1, 16, stream](array, 16)
        assert graph.status == ACTIVE
    assert stream.blocking == (flags == 0)
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("mode", TWO)
def test_a_wrapped_stream_is_dropped_during_its_capture(gpu, theirs, capture, mode):
    """What is left of its queue stays with the stream, and is not asked for its end."""
    handle, array = theirs(), gpu.zeros()
    stream = lp.Stream.external(handle, gpu.device)
    with capture(handle, mode) as graph:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        gpu.forget_calls()
        del stream
        assert handle not in gpu.device._foreign_streams
        assert gpu.calls("cuStreamCreateWithPriority", "cuStreamWaitEvent") == []
        assert gpu.stream().query()
        assert graph.status == ACTIVE
    for _ in range(2):
        graph.launch()
    gpu.cuda("cuStreamSynchronize", handle)
    assert values(array) == [2] * 16


@pytest.mark.parametrize("mode", TWO)
def test_programs_come_and_go_meanwhile(gpu, stream, capture, mode):
    """One that went before is unloaded in the capture; those that go meanwhile may be the graph's."""
    array, other, before = gpu.zeros(), gpu.stream(), gpu.live()["modules"]

    def come_and_go():
        gpu.adapt(gpu.load(), "nothing")[1, 1, other]()
        other.synchronize()
        gc.collect(0)

    come_and_go()
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        assert gpu.live()["modules"] == before + 1
        for _ in range(3):
            come_and_go()
        assert gpu.live()["modules"] == before + 3
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]
    gpu.device.trim_memory()
    assert gpu.live()["modules"] == before


WAYS = ("__cuda_array_interface__", "__dlpack__")  # of showing an array


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("way", WAYS)
def test_arrays_are_shown_to_other_libraries_meanwhile(gpu, stream, capture, mode, way):
    """What they do comes after all streams but the captured one; in that it comes after nothing that runs."""
    _show(gpu, stream, capture, mode, way)


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("way", WAYS)
def test_arrays_are_shown_while_a_blocking_stream_is_captured(gpu, blocking, capture, mode, way):
    """Nor is anything of the legacy stream, which cannot be used then."""
    _show(gpu, blocking, capture, mode, way)


def _show(gpu, stream, capture, mode, way):
    array, other, seen = gpu.zeros(), gpu.stream(), gpu.zeros()
    with capture(stream.handle, mode) as graph:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        seen.fill(1, other)
        seen.__dlpack__(stream=stream.handle) if way == "__dlpack__" else seen.__cuda_array_interface__
        assert graph.status == ACTIVE
    assert graph.nodes == 1
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("mode", ["GLOBAL", "RELAXED"])
def test_a_device_is_opened_meanwhile(driver, mode):
    """In a process of its own, where it has not been."""
    run(driver, f"""
from tests.standin.client import GLOBAL, NON_BLOCKING, RELAXED, Cuda
cuda = Cuda(control.path)
cuda.begin()
theirs = cuda.stream(NON_BLOCKING)
cuda.capture(theirs, {mode})
device = devices()[0]
stream, other = lp.Stream.external(theirs, device), lp.Stream(device=device)
with other.hold():
    array = lp.zeros(16, "int32", stream=other)
array.fill(1, stream)
assert array.to_numpy(other).tolist() == [0] * 16
assert cuda.capturing(theirs) == 1
graph = cuda.instantiate(cuda.captured(theirs))
cuda("cuGraphLaunch", graph, theirs)
assert array.to_numpy(stream).tolist() == [1] * 16
assert control.reports() == []
""", head=HEAD + CONTROL)  # fmt: skip
