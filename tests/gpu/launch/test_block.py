"""Argument blocks on CUDA and HIP: what the library is asked, and whose bytes a kernel reads."""

import ctypes
import gc
import struct
from typing import Any

import pytest

import launchpath as lp
from tests.gpu.capture.capture import ACTIVE, MODES
from tests.gpu.standin import OUT, Standin, image
from tests.standin.client import soon
from tests.threads import at_once

KINDS = ["legacy", "per-thread", "blocking", "nonblocking", "foreign"]
# Asking which device is current, how far streams are, and whether one is being captured.
ASIDE = (
    "cuCtx", "cuDeviceGet", "cuStreamIsCapturing", "cuThreadExchange", "cuStreamQuery", "cuEventQuery", "cuEventDestroy",
)  # fmt: skip


class Kept:
    """A kernel that takes a pointer and an int by a block; `seen` is which ints its launches read."""

    def __init__(self, gpu: Standin, ordinal: int = 0) -> None:
        self.seen: list[int] = []
        seen = self.seen

        def run(_: Any, at: int) -> None:  # which the library keeps: it holds nothing of launchpath's
            address = ctypes.c_uint64.from_address(at).value
            seen.append(struct.unpack("Qi", ctypes.string_at(address, 12))[1])

        gpu.control.register(f"kept{ordinal}", run, [(0, 8)])
        program = gpu.load(image(f"kept kept{ordinal} 8 0:8"), ordinal)
        self.kernel = gpu.adapt(program, "kept", "pointer:int32", "int32", ordinal=ordinal, block=True)


@pytest.fixture
def kept(gpu):
    return Kept(gpu)


@pytest.fixture(params=KINDS)
def stream(gpu, theirs, request):
    return lp.Stream.external(theirs(), gpu.device) if request.param == "foreign" else gpu.stream(request.param)


def asked(gpu: Standin) -> list[str]:
    """Give the names of the library's calls since the last time."""
    return [call.name.split("_")[0] for call in gpu.calls() if not call.name.startswith(ASIDE)]


def without_checkpoint(names: list[str], most: int = 1) -> list[str]:
    """Leave out markers, and looks at them: one may be due, for the legacy stream is as old as the process."""
    for name in "cuEventRecord", "cuEventSynchronize", "cuEventCreate":
        assert names.count(name) <= most
    return [name for name in names if name not in ("cuEventRecord", "cuEventSynchronize", "cuEventCreate")]


def test_the_same_arguments_ask_for_the_launch_alone(gpu, kept, stream):
    launch = kept.kernel[1, 1, stream]
    launch(None, 7)
    gpu.forget_calls()
    for _ in range(10):
        launch(None, 7)
    assert without_checkpoint(asked(gpu)) == ["cuLaunchKernel"] * 10
    stream.synchronize()
    assert kept.seen == [7] * 11


def test_other_arguments_are_an_upload_each(gpu, kept, stream):
    launch = kept.kernel[1, 1, stream]
    for value in range(20):  # as many uploads as are under way at a time
        launch(None, value)
    stream.synchronize()
    gpu.forget_calls()
    for value in range(20, 28):
        launch(None, value)
    names = asked(gpu)
    marked = names.count("cuEventRecord")  # a marker now and then tells how far the uploads are
    assert marked <= 2
    assert without_checkpoint(names, marked) == ["cuMemcpyAsync", "cuLaunchKernel"] * 8
    stream.synchronize()
    assert kept.seen == [*range(28)]


def test_many_others_wait_for_nothing_and_take_no_more_memory(gpu, kept, stream):
    launch = kept.kernel[1, 1, stream]

    def many() -> None:
        for value in range(200):
            launch(None, value)
            if value % 20 == 0:
                stream.synchronize()

    many()
    gpu.forget_calls()
    many()
    names = asked(gpu)
    assert not [name for name in names if "Alloc" in name or "Free" in name]
    assert names.count("cuEventSynchronize") <= names.count("cuEventRecord"), "only for what is known to be complete"
    assert names.count("cuMemcpyAsync") == 200
    assert names.count("cuStreamSynchronize") <= 20  # the test's own
    assert kept.kernel.argument_counts()["waits"] == 0
    stream.synchronize()
    assert kept.seen == [*range(200)] * 2


def test_two_streams_share_a_kernel_and_no_block(gpu, kept):
    """What one stream's launch is about to read, though it was uploaded long ago, the other's uploads leave alone."""
    first, other = gpu.stream(), gpu.stream()
    kept.kernel[1, 1, first](None, 1)
    first.synchronize()
    with first.hold():
        kept.kernel[1, 1, first](None, 1)
        for value in range(2, 10):
            kept.kernel[1, 1, other](None, value)
        other.synchronize()
    first.synchronize()
    assert kept.seen == [1, *range(2, 10), 1]


def test_what_is_staged_stays_until_it_is_uploaded(gpu, kept, stream):
    with stream.hold():
        for value in range(40):
            kept.kernel[1, 1, stream](None, value)
    stream.synchronize()
    assert kept.seen == list(range(40))


def test_each_device_has_its_own(gpu):
    kepts = [Kept(gpu, ordinal) for ordinal in (0, 1)]
    streams = [gpu.stream(ordinal=ordinal) for ordinal in (0, 1)]
    with streams[0].hold():
        for value in 1, 2, 1:
            for kept, stream in zip(kepts, streams, strict=True):
                kept.kernel[1, 1, stream](None, value)
        streams[1].synchronize()
        assert [kept.seen for kept in kepts] == [[], [1, 2, 1]]
    streams[0].synchronize()
    assert kepts[0].seen == [1, 2, 1]
    assert [kept.kernel.argument_counts()["uploads"] for kept in kepts] == [2, 2]


def test_a_refused_copy_is_repeated(gpu, kept, stream):
    launch = kept.kernel[1, 1, stream]
    launch(None, 1)
    gpu.control.fail("cuMemcpyAsync", 1)
    with pytest.raises(lp.DriverError):
        launch(None, 2)
    launch(None, 2)
    launch(None, 1)
    stream.synchronize()
    assert kept.seen == [1, 2, 1]


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_dropped_with_launches_in_flight(gpu, kind):
    """Kernel, program and stream: what they used is neither unloaded, nor freed, nor anybody else's, until it has run."""
    kept, stream = Kept(gpu), gpu.stream(kind)
    seen, hold = kept.seen, stream.hold()
    for value in 1, 2, 1:
        kept.kernel[1, 1, stream](None, value)
    del kept, stream
    gc.collect(0)
    others = [lp.empty(256, "uint8", gpu.device) for _ in range(40)]
    side = gpu.stream()
    for other in others:
        other.fill(255, side)
    gpu.device.trim_memory()
    hold.release()
    assert soon(lambda: gpu.control.pending == 0)
    assert seen == [1, 2, 1]


def test_threads_share_a_kernel_and_a_stream(gpu, kept, stream):
    launch = kept.kernel[1, 1, stream]

    def work(first: int) -> None:
        for turn in range(40):
            launch(None, first + turn % 3)

    at_once(work, range(0, 400, 100))
    stream.synchronize()
    for first in range(0, 400, 100):
        own = [value for value in kept.seen if first <= value < first + 100]
        assert own == [first + turn % 3 for turn in range(40)]


# -- somebody else captures


@pytest.mark.parametrize("mode", ["global", "relaxed"])
def test_each_captured_launch_has_a_node_that_uploads(gpu, kept, capture, mode):
    stream = gpu.stream()
    launch = kept.kernel[1, 1, stream]
    launch(None, 1)
    before = kept.kernel.argument_counts()
    with capture(stream.handle, mode) as graph:
        for value in 1, 1, 3, 2:
            launch(None, value)
        assert graph.status == ACTIVE
    assert graph.nodes == 8
    after = kept.kernel.argument_counts()
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {"captured": 4}
    for value in 1, 4, 1, 4:
        launch(None, value)
        graph.launch()
    stream.synchronize()
    assert kept.seen == [1, *(1, 1, 1, 3, 2), *(4, 1, 1, 3, 2), *(1, 1, 1, 3, 2), *(4, 1, 1, 3, 2)]
    assert kept.kernel.argument_counts()["uploads"] == 2  # what was there before the capture is there


def test_a_stream_that_joined_the_capture_has_its_own_as_well(gpu, kept, capture):
    first, other = gpu.stream(), gpu.stream()
    for stream in first, other:
        kept.kernel[1, 1, stream](None, 1)
    event = gpu.cuda("cuEventCreate", OUT, 2)
    with capture(first.handle) as graph:
        kept.kernel[1, 1, first](None, 1)
        for source, to in (first, other), (other, first):
            gpu.cuda("cuEventRecord", event, source.handle)
            gpu.cuda("cuStreamWaitEvent", to.handle, event, 0)
            kept.kernel[1, 1, to](None, 1 if to is other else 2)
    assert graph.nodes == 6
    kept.kernel[1, 1, other](None, 5)
    graph.launch()
    for stream in first, other:
        stream.synchronize()
    seen = list(kept.seen)
    seen.remove(5)  # nothing orders it with the graph's launches
    assert seen == [1, 1, 1, 1, 2]
    gpu.cuda("cuEventDestroy_v2", event)


@pytest.mark.parametrize("mode", MODES)
def test_blocks_of_other_streams_grow_meanwhile(gpu, kept, capture, mode):
    stream, other = gpu.stream(), gpu.stream()
    gpu.device.trim_memory()  # so that the library is asked for memory
    with capture(stream.handle, mode) as graph:
        kept.kernel[1, 1, stream](None, 1)
        for value in 2, 3, 2, 4, 5, 6:
            kept.kernel[1, 1, other](None, value)
        assert graph.status == ACTIVE
    assert graph.nodes == 2
    other.synchronize()
    assert kept.seen == [2, 3, 2, 4, 5, 6]
    graph.launch()
    stream.synchronize()
    assert kept.seen[6:] == [1]


def test_a_graph_outlives_the_stream_object_that_was_captured(gpu, kept, theirs, capture):
    """As `kernel[grid, block, torch.cuda.current_stream()]` in a capture: ours over their stream is gone after the launch."""
    stream = lp.Stream.external(theirs(), gpu.device)
    with capture(stream.handle) as graph:
        kept.kernel[1, 1, stream](None, 5)
    del stream
    gc.collect(1)
    others = [lp.empty(256, "uint8", gpu.device) for _ in range(20)]
    side = gpu.stream()
    for other in others:
        other.fill(9, side)
    for value in range(20, 26):
        kept.kernel[1, 1, side](None, value)
    side.synchronize()
    graph.launch()
    assert soon(lambda: gpu.control.pending == 0)
    assert kept.seen == [*range(20, 26), 5]


def test_a_graph_outlives_the_kernel_object(gpu, kept, capture):
    """The module stays loaded (another kernel object holds the program), so the graph may be launched."""
    stream, side, base = gpu.stream(), gpu.stream(), kept.kernel
    again = lp.Kernel(base._driver, base.device, base.signature, base.uses)
    with capture(stream.handle) as graph:
        again[1, 1, stream](None, 5)
    del again
    gc.collect(1)
    for value in range(20, 26):
        base[1, 1, side](None, value)
    side.synchronize()
    graph.launch()
    stream.synchronize()
    assert kept.seen == [*range(20, 26), 5]


def _in_use(gpu):
    """Bytes that arrays, blocks and graphs hold, once what has come to its end is given back."""
    gpu.device.trim_memory()
    return gpu.device.memory_info()["in_use"]


@pytest.mark.parametrize("at_once", [0, 1])
def test_what_a_graph_uses_goes_with_it(gpu, kept, capture, at_once):
    """Not before the graph's last launch is complete; CUDA tells on a thread of its own, HIP in the call that gives it up."""
    gpu.control.option("destroy_at_once", at_once)
    stream = gpu.stream()
    launch = kept.kernel[1, 1, stream]
    launch(None, 1)
    before = _in_use(gpu)
    with capture(stream.handle) as graph:
        for value in range(5):
            launch(None, value)
    release = gpu.held(stream.handle)
    graph.launch()
    graph.close()
    assert _in_use(gpu) > before
    release()
    assert soon(lambda: _in_use(gpu) == before)
    assert kept.seen == [1, *range(5)]
    gpu.control.option("destroy_at_once", 0)


@pytest.mark.parametrize("field", ["capture_info", "user_object_create", "graph_retain"])
def test_a_graph_that_cannot_keep_its_arguments_gets_none(gpu, kept, capture, field):
    stream, name = gpu.stream(), gpu.cuda_name(field)
    launch = kept.kernel[1, 1, stream]
    launch(None, 1)
    before = _in_use(gpu)
    with capture(stream.handle) as graph:
        launch(None, 2)
        gpu.control.fail(name, 999)
        with pytest.raises(lp.DriverError) as caught:
            launch(None, 3)
        assert caught.value.call == gpu.call[field]
        launch(None, 4)
        assert graph.status == ACTIVE
    assert graph.nodes == 4
    graph.launch()
    stream.synchronize()
    assert kept.seen == [1, 2, 4]
    graph.close()
    assert soon(lambda: _in_use(gpu) == before)


def test_a_capture_that_fails_gives_its_memory_back(gpu, kept, capture):
    stream = gpu.stream()
    launch = kept.kernel[1, 1, stream]
    launch(None, 1)
    before = _in_use(gpu)
    with capture(stream.handle) as graph:
        launch(None, 2)
        gpu.control.c.cuStreamSynchronize(ctypes.c_uint64(stream.handle))
        with pytest.raises(lp.DriverError):
            launch(None, 3)
    assert graph.code
    assert soon(lambda: _in_use(gpu) == before)
    launch(None, 4)
    stream.synchronize()
    assert kept.seen == [1, 4]
