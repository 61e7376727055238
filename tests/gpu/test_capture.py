"""Somebody else captures a stream: what launchpath submits there becomes part of the graph, and nothing else disturbs it."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import struct
import sys
import threading
import time
import traceback

import numpy as np
import pytest

import launchpath as lp
from tests.standin.client import NON_BLOCKING, on_thread, soon

from .capture import ACTIVE, MODES, Capture, values
from .process import run
from .standin import OUT, image


@pytest.fixture
def capture(gpu, request):
    """Return a function that gives a `Capture` of a stream's handle."""
    made = []

    def begin(handle, mode="global"):
        for device in gpu.devices:  # what earlier tests have left would count as busy
            device.synchronize()
        made.append(Capture(gpu, handle, mode))
        return made[-1]

    yield begin
    _let_go(request)
    for one in made:
        one.close()


@pytest.fixture
def theirs(gpu, request):
    """Return a function that makes a stream of foreign code's, and gives its handle."""
    made = []

    def make(flags=NON_BLOCKING):
        made.append(gpu.cuda("cuStreamCreateWithPriority", OUT, flags, 0))
        return made[-1]

    yield make
    _let_go(request)
    if any(handle in gpu.device.foreign_streams for handle in made):
        gc.collect()
    gpu.device.synchronize()
    for handle in made:
        gpu.cuda("cuStreamDestroy_v2", handle)


def _let_go(request):
    """Let go of the test's streams and arrays, those of one that has failed too."""
    request.node.funcargs.clear()
    error = getattr(sys, "last_value", None)  # pytest keeps it, and with it what the test's frames hold
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        for frame, _ in traceback.walk_tb(error.__traceback__):
            assert frame.f_locals is not None  # looking there makes what was shown of the frame go, too
        error = error.__context__
    gc.collect(1)


@pytest.fixture(params=["foreign", "own"])
def stream(gpu, theirs, request):
    """A stream of ours that foreign code captures by its handle: over one of theirs, or one whose handle we gave away."""
    return lp.Stream.external(theirs(), gpu.device) if request.param == "foreign" else gpu.stream()


@pytest.fixture(params=["foreign", "own"])
def blocking(gpu, theirs, request):
    """The same, ordered with the legacy stream."""
    return lp.Stream.external(theirs(0), gpu.device) if request.param == "foreign" else gpu.stream("blocking")


TWO = ("global", "relaxed")  # a thread's own capture in thread-local mode forbids it what a global one does


# -- what is captured


@pytest.mark.parametrize("mode", MODES)
def test_commands_become_nodes(gpu, stream, capture, mode):
    one, other = gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, stream]
    with capture(stream.handle, mode) as graph:
        one.fill(3, stream)
        increment(one, 16)
        one.copy_to(other, stream)
        increment(other, 16)
        assert graph.status == ACTIVE
    assert graph.nodes == 4
    assert (values(one), values(other)) == ([0] * 16, [0] * 16)  # nothing has run
    for _ in range(3):
        assert graph.replay(stream, one, other) == [4, 5]


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


def test_arguments_are_those_of_the_call(gpu, stream, capture):
    out = gpu.zeros(1)
    with capture(stream.handle) as graph:
        for last in 1, 2:
            gpu.kernel("add16")[1, 1, stream](out, *range(14), last)
    for _ in range(2):
        assert graph.replay(stream, out) == [sum(range(14)) + 2]


def test_cooperative_launches_are_captured(gpu, stream, capture):
    out, kernel = gpu.zeros(9, "uint32"), gpu.adapt(gpu.load(), "shape", "pointer:uint32")
    with capture(stream.handle) as graph:
        kernel.cooperative[2, 32, stream](out)
    graph.launch()
    assert soon(stream.query)
    assert values(out)[:8] == [2, 1, 1, 32, 1, 1, 0, 1]


def _learn(*streams):
    """Find out that nothing is in flight in streams that were captured, without waiting."""
    for stream in streams:
        assert soon(stream.query)


def test_a_fork_and_its_join(gpu, stream, capture):
    """`record` and `wait` between streams of the capture make a graph with branches."""
    other, one, two = gpu.stream(), gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")
    with capture(stream.handle) as graph:
        one.fill(1, stream)
        other.wait(stream.record())
        one.copy_to(two, other)
        increment[1, 16, other](two, 16)
        stream.wait(other.record())
        increment[1, 16, stream](one, 16)
        increment[1, 16, stream](two, 16)
        assert graph.status == ACTIVE
    assert graph.nodes == 5
    _learn(stream, other)
    for _ in range(5):
        assert graph.replay(stream, one, two) == [2, 3]


def test_branches_are_not_ordered(gpu, stream, capture):
    """One waits for what the other one does: in one line they would never end."""
    other, word, array = gpu.stream(), gpu.zeros(1, "uint32"), gpu.zeros()
    with capture(stream.handle) as graph:
        word.fill(0, stream)
        other.wait(stream.record())
        gpu.kernel("spin")[1, 1, stream](word, 1)
        word.fill(1, other)
        stream.wait(other.record())
        array.fill(2, stream)
    _learn(stream, other)
    for _ in range(3):
        assert graph.replay(stream, array) == [2]


def test_an_event_can_be_recorded_again(gpu, stream, capture):
    other, event, array = gpu.stream(), lp.Event(), gpu.zeros()
    stream.record(event)
    with capture(stream.handle) as graph:
        for _ in range(3):
            gpu.kernel("increment")[1, 16, stream](array, 16)
            other.wait(stream.record(event))
            gpu.kernel("increment")[1, 16, other](array, 16)
            stream.wait(other.record(event))
    _learn(stream, other)
    assert graph.replay(stream, array) == [6]
    stream.record(event)
    event.synchronize()
    assert event.query()


def test_a_fork_to_another_device(gpu, stream, capture):
    other, array, seen = gpu.stream(ordinal=1), gpu.zeros(), gpu.zeros(ordinal=1)
    with capture(stream.handle) as graph:
        array.fill(5, stream)
        other.wait(stream.record())
        gpu.kernel("increment", 1)[1, 16, other](seen, 16)
        stream.wait(other.record())
        gpu.kernel("increment")[1, 16, stream](array, 16)
    _learn(stream, other)
    for launches in 1, 2:
        assert graph.replay(stream, array) == [6]
        assert values(seen) == [launches] * 16


def test_checkpoints_are_left_out(gpu, stream, capture):
    """They are markers, every 256 commands: a graph has no use for them."""
    array = gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, stream]
    with capture(stream.handle) as graph:
        gpu.forget_calls()
        for _ in range(600):
            increment(array, 16)
        assert gpu.calls("cuEventRecord", "cuEventQuery", "cuStreamQuery") == []
    assert graph.nodes == 600
    assert graph.replay(stream, array) == [600]


def test_what_need_not_be_waited_for_is_not(gpu, stream, capture):
    """An event that is known to be complete, or of the same stream: CUDA would refuse a wait that leaves the capture."""
    other, array = gpu.stream(), gpu.zeros()
    array.fill(1, other)
    done, own = other.record(), stream.record()
    done.synchronize()
    with capture(stream.handle) as graph:
        stream.wait(done)
        stream.wait(own)
        stream.wait(lp.Event())
        gpu.kernel("increment")[1, 16, stream](array, 16)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


def test_waiting_for_what_runs_is_refused(gpu, stream, capture):
    """As by CUDA; the next command that runs makes up for it."""
    other, array = gpu.stream(), gpu.zeros()
    with capture(stream.handle) as graph:
        hold = other.hold()
        array.fill(5, other)
        with pytest.raises(lp.DriverError) as caught:
            stream.wait(other.record())
        assert caught.value.code == 905
    assert graph.code == 901
    gpu.kernel("increment")[1, 16, stream](array, 16)
    hold.release()
    assert array.to_numpy(stream).tolist() == [6] * 16


# -- what else goes on meanwhile


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
def test_memory_is_given_back_meanwhile(gpu, stream, capture, mode):
    array, freed = gpu.zeros(), gpu.zeros(1 << 16)
    with capture(stream.handle, mode) as graph:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        del freed
        gc.collect()
        gpu.device.trim_memory()
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("mode", TWO)
def test_many_launches_are_captured(gpu, stream, capture, mode):
    """More than the library takes before it blocks, and than launchpath lets be in flight: they are not in flight."""
    array = gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, stream]
    with capture(stream.handle, mode) as graph:
        began = time.monotonic()
        for _ in range(5500):
            increment(array, 16)
        assert time.monotonic() - began < 2  # slowed as one that runs ahead it takes longer
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [5500]


@pytest.mark.parametrize("mode", TWO)
def test_many_launches_elsewhere(gpu, stream, capture, mode):
    """As many as a stream takes before the library blocks: all streams are asked then how far they are."""
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, other]
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        with other.hold():
            for _ in range(980):
                increment(seen, 16)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]
    assert seen.to_numpy(other).tolist() == [980] * 16


@pytest.mark.parametrize("mode", TWO)
def test_checkpoints_elsewhere(gpu, stream, capture, mode):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    increment = gpu.kernel("increment")[1, 16, other]
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        for _ in range(600):
            increment(seen, 16)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


@pytest.mark.parametrize("mode", TWO)
@pytest.mark.parametrize("what", ["query", "event query", "event synchronize", "synchronize", "to_numpy"])
def test_other_streams_are_asked_and_waited_for_meanwhile(gpu, stream, capture, mode, what):
    other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
    seen.to_numpy(other)
    with capture(stream.handle, mode) as graph:
        array.fill(1, stream)
        seen.fill(3, other)
        event = other.record()
        if what == "query":
            assert soon(other.query)
        elif what == "event query":
            assert soon(event.query)
        elif what == "event synchronize":
            event.synchronize()
        elif what == "synchronize":
            other.synchronize()
        else:
            assert seen.to_numpy(other).tolist() == [3] * 16
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [1]


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


BEGIN = """
from tests.gpu.capture import ACTIVE, Capture, values
theirs = gpu.cuda("cuStreamCreateWithPriority", OUT, 1, 0)
stream = {"foreign": lambda: lp.Stream.external(theirs, device), "own": gpu.stream}[KIND]()
other, array, seen = gpu.stream(), gpu.zeros(), gpu.zeros()
def joined():
    array.fill(1, stream)
    other.wait(stream.record())
    gpu.kernel("increment")[1, 16, other](array, 16)
    stream.wait(other.record())
    gpu.kernel("increment")[1, 16, stream](array, 16)
"""
END = """
device.synchronize()
device.trim_memory()
assert control.reports() == []
"""


def alone(driver, kind, code, mode="global"):
    """Run code in a process of its own: what goes wrong there would not end with the test."""
    run(driver, f"KIND, MODE = {kind!r}, {mode!r}\n{BEGIN}{code}{END}")


both = pytest.mark.parametrize("kind", ["foreign", "own"])


def test_a_wrapped_stream_is_dropped_during_its_capture(driver):
    alone(
        driver,
        "foreign",
        """
with Capture(gpu, theirs, "relaxed") as graph:
    gpu.kernel("increment")[1, 16, stream](array, 16)
    del stream
    gc.collect()
    assert gpu.stream().query()
    assert graph.status == ACTIVE
for _ in range(2):
    graph.launch()
gpu.cuda("cuStreamSynchronize", theirs)
assert values(array) == [2] * 16
""",
    )


@pytest.mark.parametrize("mode", ["global"])
def test_programs_come_and_go_meanwhile(driver, mode):
    alone(
        driver,
        "own",
        """
before = gpu.live()["modules"]
with Capture(gpu, stream.handle, MODE) as graph:
    array.fill(1, stream)
    for _ in range(3):
        gpu.adapt(gpu.load(), "nothing")[1, 1, other]()
        gc.collect()
    assert graph.status == ACTIVE
assert graph.replay(stream, array) == [1]
gpu.settle()
assert gpu.live()["modules"] == before
""",
        mode,
    )


@pytest.mark.parametrize("how", ["__cuda_array_interface__", "__dlpack__(stream=stream.handle)"])
def test_arrays_are_shown_to_other_libraries_meanwhile(driver, how):
    alone(
        driver,
        "foreign",
        f"""
with Capture(gpu, stream.handle, "relaxed") as graph:
    gpu.kernel("increment")[1, 16, stream](array, 16)
    seen.fill(1, other)
    seen.{how}
    assert graph.status == ACTIVE
assert graph.replay(stream, array) == [1]
""",
    )


def test_memory_runs_out_meanwhile(driver):
    alone(
        driver,
        "own",
        """
control.option("memory", 64 << 20)
with Capture(gpu, stream.handle, "relaxed") as graph:
    array.fill(1, stream)
    lp.empty(40 << 20, "uint8", device).fill(1, other)
    with pytest.raises(lp.OutOfMemoryError):  # what is freed meanwhile may be part of the graph: it stays until the end
        lp.empty(30 << 20, "uint8", device)
    assert graph.status == ACTIVE
lp.empty(30 << 20, "uint8", device)
assert graph.replay(stream, array) == [1]
""",
    )


# -- what cannot be part of a graph


def test_host_data_is_refused(gpu, stream, capture):
    """The pinned memory that it goes through would have to last as long as the graph."""
    array = gpu.zeros()
    with capture(stream.handle, "relaxed") as graph:
        with pytest.raises(lp.LaunchpathError, match="host data cannot be copied in a stream that is being captured"):
            array.copy_from(np.full(16, 3, "int32"), stream)
        assert graph.status == ACTIVE
    assert graph.replay(stream, array) == [0]


@pytest.mark.parametrize("wrap", [lp.In, lp.InOut])
def test_host_arrays_as_arguments_are_refused(gpu, stream, capture, wrap):
    array = gpu.zeros(16, "float32")
    given, saxpy = wrap(np.full(16, 2, "f4")), gpu.kernel("saxpy")[1, 16, stream]
    arguments = (array, given) if wrap is lp.InOut else (given, array)
    with capture(stream.handle, "relaxed") as graph:
        with pytest.raises(lp.LaunchpathError, match="host data cannot be copied"):
            saxpy(1.0, *arguments, 16)
        assert graph.status == ACTIVE
    saxpy(1.0, *arguments, 16)
    assert (given.get() if wrap is lp.InOut else array.to_numpy(stream)).tolist() == [2] * 16


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


def test_kernels_that_return_values_are_refused(gpu, stream, capture):
    launch = gpu.kernel("fill").returning("a")[1, 32, stream]
    assert [float(launch(value, 1)) for value in (1, 2)] == [1, 2]
    with capture(stream.handle, "relaxed") as graph:
        with pytest.raises(lp.LaunchpathError, match="what fill returns cannot be copied"):
            launch(3, 1)
        assert graph.status == ACTIVE
    _learn(stream)
    assert [float(launch(value, 1)) for value in (4, 5)] == [4, 5]


def test_memory_in_the_order_of_a_captured_stream(driver):
    alone(
        driver,
        "own",
        """
with Capture(gpu, stream.handle, "relaxed") as graph:
    made = lp.empty(16, "int32", stream=stream)
    made.fill(3, stream)
    assert graph.status == ACTIVE
assert graph.replay(stream, made) == [3]
made.fill(4, other)
assert made.to_numpy(other).tolist() == [4] * 16
graph.launch()
assert made.to_numpy(stream).tolist() == [3] * 16
graph.close()
assert made.to_numpy(stream).tolist() == [3] * 16
del made
""",
    )


def test_host_functions_are_refused(driver):
    """One runs once, and its own thread says that it is over: a graph could not be launched again."""
    alone(
        driver,
        "own",
        """
ran = []
with Capture(gpu, stream.handle, "relaxed") as graph:
    array.fill(1, stream)
    with pytest.raises(lp.LaunchpathError):
        stream.host_function(ran.append, 1)
    assert graph.status == ACTIVE
assert graph.replay(stream, array) == [1]
assert ran == []
stream.host_function(ran.append, 2)
stream.synchronize()
assert ran == [2]
""",
    )


@pytest.mark.parametrize("what", ["synchronize", "query", "event query", "event synchronize", "to_numpy"])
def test_nothing_can_be_learned_of_a_captured_stream(gpu, stream, capture, what):
    """It is an error, as in CUDA, and there is no harm left when the capture is over."""
    array = gpu.zeros()
    with capture(stream.handle, "relaxed"):
        array.fill(1, stream)
        event = stream.record()
        calls = {
            "synchronize": stream.synchronize,
            "query": stream.query,
            "event query": event.query,
            "event synchronize": event.synchronize,
            "to_numpy": lambda: array.to_numpy(stream),
        }
        with pytest.raises(lp.DriverError) as caught:
            calls[what]()
        assert caught.value.code in (900, 907)
    _learn(stream)
    stream.synchronize()
    gpu.kernel("increment")[1, 16, stream](array, 16)
    assert array.to_numpy(stream).tolist() == [1] * 16


# -- what is left of it afterwards


def test_a_graphs_launch_counts_as_work(gpu, stream, capture):
    """Whoever has the handle may submit: the graph's launch is work that the stream waits for."""
    array, word = gpu.zeros(), gpu.cuda("cuMemHostAlloc", OUT, 4, 1)
    held = ctypes.c_uint32.from_address(word)
    with capture(stream.handle) as graph:
        gpu.cuda("cuStreamWaitValue32_v2", stream.handle, word, 1, 0)
        array.fill(1, stream)
    stream.synchronize()
    held.value = 0
    graph.launch()
    asked = stream.query()
    event = stream.record()
    asked_too = event.query()
    address = array.pointer
    del array
    other = lp.empty(16, "int32", gpu.device)  # what a graph in flight uses is not used again
    held.value = 1
    event.synchronize()
    stream.synchronize()
    assert (asked, asked_too) == (False, False)
    assert other.pointer != address
    assert stream.query()
    gpu.cuda("cuMemFreeHost", word)


@pytest.mark.parametrize("first", ["synchronize", "query", "record"])
def test_bookkeeping_goes_on(gpu, stream, capture, first):
    array, mine = gpu.zeros(), gpu.zeros()
    with capture(stream.handle) as graph:
        array.fill(1, stream)
        inside = stream.record()
        gpu.kernel("increment")[1, 16, stream](array, 16)
    gpu.forget_calls()
    if first == "synchronize":
        stream.synchronize()
    elif first == "query":
        assert soon(stream.query)
    else:
        event = stream.record()
        event.synchronize()
        assert event.query()
    gpu.kernel("increment")[1, 16, stream](mine, 16)
    stream.synchronize()
    assert stream.query()
    submitted, done = stream.submitted
    assert done >= submitted
    assert values(mine) == [1] * 16
    assert gpu.calls("cuStreamWaitEvent") == []
    assert graph.replay(stream, array) == [2]
    del inside


@both
@pytest.mark.parametrize("first", ["stream", "other", "device"])
def test_bookkeeping_goes_on_after_a_fork(driver, kind, first):
    """Nothing of a capture is waited for outside, and what was waited for in it, and never ran, is no failure."""
    alone(
        driver,
        kind,
        f"""
third = gpu.stream()
with Capture(gpu, stream.handle) as graph:
    joined()
{first}.synchronize()
gpu.forget_calls()
for one in {"(other, stream, third)" if first == "other" else "(stream, other, third)"} * 2:
    gpu.kernel("increment")[1, 16, one](seen, 16)
    one.synchronize()
    assert one.query()
assert values(seen) == [6] * 16
assert gpu.calls("cuStreamWaitEvent", "cuEventRecord") == []
assert graph.replay(stream, array) == [3]
""",
    )


@pytest.mark.parametrize("what", ["learned", "ordered"])
def test_work_before_a_capture_is_not_forgotten(driver, what):
    """A fork is part of the graph; the stream that it went to is not ordered with the one that it came from."""
    alone(
        driver,
        "own",
        f"""
hold = stream.hold()
seen.fill(7, stream)
before = stream.record()
with Capture(gpu, stream.handle) as graph:
    joined()
problems = []
if {what == "learned"}:
    assert soon(other.query)  # it has never had anything to do
    if before.query(): problems.append("an event of what has not run is complete")
    address = seen.pointer
    del seen
    if lp.empty(16, "int32", device).pointer == address: problems.append("memory is used again while it is in use")
else:
    gpu.forget_calls()
    other.wait(before)
    if not gpu.calls("cuStreamWaitEvent"): problems.append("a wait is left out")
    gpu.kernel("increment")[1, 16, other](seen, 16)
hold.release()
for one in other, stream:
    assert soon(one.query)
assert problems == []
""",
    )


def test_captures_one_after_the_other(driver):
    alone(
        driver,
        "own",
        """
graphs = []
for _ in range(3):
    with Capture(gpu, stream.handle) as graph:
        joined()
        gpu.kernel("increment")[1, 16, stream](seen, 16)
    graphs.append(graph)
    gpu.kernel("increment")[1, 16, stream](seen, 16)
    stream.synchronize()
for graph in graphs:
    assert graph.replay(stream, array) == [3]
assert values(seen) == [6] * 16
""",
    )


def test_an_event_of_a_capture_cannot_be_waited_for_afterwards(driver):
    """Who tries is told, and can go on."""
    alone(
        driver,
        "own",
        """
with Capture(gpu, stream.handle):
    array.fill(1, stream)
    event = stream.record()
for what in (lambda: other.wait(event)), event.query, event.synchronize:
    with pytest.raises(lp.DriverError) as caught:
        what()
    assert caught.value.code in (1, 907)
gpu.kernel("increment")[1, 16, other](array, 16)
assert array.to_numpy(other).tolist() == [1] * 16
stream.record(event)
other.wait(event)
event.synchronize()
assert event.query()
""",
    )


@pytest.mark.parametrize("harm", ["invalid", "unjoined"])
def test_a_capture_that_fails_leaves_no_harm(driver, harm):
    alone(
        driver,
        "own",
        f"""
import ctypes
with Capture(gpu, stream.handle) as graph:
    joined()
    if {harm == "unjoined"}:
        gpu.kernel("increment")[1, 16, other](array, 16)
    else:
        with gpu.current(0):
            assert control.c.cuStreamSynchronize(ctypes.c_uint64(stream.handle)) == 900
        with pytest.raises(lp.DriverError) as caught:
            gpu.kernel("increment")[1, 16, stream](array, 16)
        assert caught.value.code == 901
assert graph.code == {904 if harm == "unjoined" else 901}
for one in (other, stream) * 2:
    one.synchronize()
    gpu.kernel("increment")[1, 16, one](seen, 16)
device.synchronize()
assert values(seen) == [4] * 16
""",
    )
