"""Captures and graphs of the stand-in. What CUDA forbids meanwhile was asked of one H200 with driver 580 (CUDA 13.0)."""

from __future__ import annotations

import ctypes
import struct
from types import SimpleNamespace

import pytest

from .client import GLOBAL, LEGACY, NON_BLOCKING, PER_THREAD, RELAXED, THREAD_LOCAL, on_thread, soon

ACTIVE, INVALID = 1, 2
MODES = (GLOBAL, THREAD_LOCAL, RELAXED)
UNSUPPORTED, INVALIDATED, MERGE, UNMATCHED, UNJOINED, ISOLATION, IMPLICIT, EVENT, THREAD = range(900, 909)
POOL = struct.pack("iiiiQ64x", 1, 0, 1, 0, 0)
HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
NOTHING = HOST_FUNCTION(lambda _: None)


def elsewhere(cuda, function):
    """What a function returns on a thread of its own, which has a context."""
    found = []

    def run():
        cuda.current(cuda.context)
        found.append(function())

    on_thread(run).join()
    return found[0]


def ended(cuda, stream):
    """End a capture: the code, and the graph."""
    graph = ctypes.c_uint64(1)
    code = cuda.code("cuStreamEndCapture", stream, ctypes.byref(graph))
    return code, graph.value


def out():
    return ctypes.byref(ctypes.c_uint64())


class Scene(SimpleNamespace):
    """A stream that is captured, others that are not, and whatever calls need."""


def scene(cuda, flags=NON_BLOCKING, mode=GLOBAL):
    made = Scene(
        stream=cuda.stream(flags),
        other=cuda.stream(NON_BLOCKING),
        blocking=cuda.stream(),
        outside=cuda.event(),
        new=cuda.event(),
        inside=cuda.event(),
        timed=cuda.event(0),
        memory=cuda.allocate(64),
        more=cuda.allocate(64),
        host=cuda.pinned(64),
        pool=cuda.out("cuMemPoolCreate", POOL),
        module=cuda.load(b"STANDIN1\nkernel nothing nothing 0\nglobal table 4\n"),
    )
    made.pooled = cuda.out("cuMemAllocFromPoolAsync", 64, made.pool, made.other)
    made.function = cuda.function("nothing")
    cuda("cuEventRecord", made.outside, made.other)
    cuda("cuEventRecord", made.timed, made.other)
    cuda("cuCtxSynchronize")
    cuda.capture(made.stream, mode)
    cuda.write(made.stream, made.memory, 1)
    cuda("cuEventRecord", made.inside, made.stream)
    return made


def relaxed(cuda, function, mode=RELAXED):
    """Call with another mode of this thread."""
    kept = ctypes.c_int(mode)
    cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(kept))
    try:
        return function()
    finally:
        cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(kept))


# What a capture by this thread forbids unless it is relaxed, and one by another thread if it is global.
UNSAFE = {
    "cuStreamQuery": lambda s: (s.other,),
    "cuStreamQuery legacy": lambda s: (LEGACY,),
    "cuStreamSynchronize": lambda s: (s.other,),
    "cuStreamSynchronize per-thread": lambda s: (PER_THREAD,),
    "cuEventQuery": lambda s: (s.outside,),
    "cuEventQuery never recorded": lambda s: (s.new,),
    "cuEventSynchronize": lambda s: (s.outside,),
    "cuMemAlloc_v2": lambda s: (out(), 64),
    "cuMemFree_v2": lambda s: (s.more,),
    "cuMemFree_v2 null": lambda s: (0,),
    "cuMemHostAlloc": lambda s: (out(), 64, 1),
    "cuMemFreeHost": lambda s: (s.host,),
    "cuMemAllocFromPoolAsync": lambda s: (out(), 64, s.pool, s.other),
    "cuMemAllocAsync legacy": lambda s: (out(), 64, LEGACY),
    "cuMemFreeAsync": lambda s: (s.pooled, s.other),
    "cuMemPoolTrimTo": lambda s: (s.pool, 0),
    "cuMemPoolCreate": lambda s: (out(), POOL),
    "cuMemPoolGetAttribute": lambda s: (s.pool, 4, out()),
    "cuMemPoolSetAttribute": lambda s: (s.pool, 4, out()),
    "cuModuleUnload": lambda s: (s.module,),
}
SAFE = {
    "cuMemGetInfo_v2": lambda s: (out(), out()),
    "cuMemHostGetDevicePointer_v2": lambda s: (out(), s.host, 0),
    "cuPointerGetAttribute": lambda s: (out(), 9, s.memory),
    "cuStreamCreateWithPriority": lambda s: (out(), NON_BLOCKING, 0),
    "cuStreamDestroy_v2": lambda s: (s.other,),
    "cuStreamGetFlags": lambda s: (s.other, out()),
    "cuStreamGetPriority": lambda s: (s.stream, out()),
    "cuStreamGetCtx": lambda s: (s.stream, out()),
    "cuStreamIsCapturing": lambda s: (s.other, out()),
    "cuEventCreate": lambda s: (out(), 2),
    "cuEventDestroy_v2": lambda s: (s.inside,),
    "cuEventElapsedTime": lambda s: (out(), s.timed, s.timed),
    "cuModuleLoadDataEx": lambda s: (out(), b"STANDIN1\nkernel nothing nothing 0\n", 0, None, None),
    "cuModuleGetFunction": lambda s: (out(), s.module, b"nothing"),
    "cuModuleGetGlobal_v2": lambda s: (out(), None, s.module, b"table"),
    "cuFuncGetAttribute": lambda s: (out(), 0, s.function),
    "cuFuncSetAttribute": lambda s: (s.function, 8, 1024),
    "cuOccupancyMaxActiveBlocksPerMultiprocessor": lambda s: (out(), s.function, 128, 0),
    "cuMemsetD32Async captured": lambda s: (s.more, 1, 4, s.stream),
    "cuMemsetD32Async other": lambda s: (s.more, 1, 4, s.other),
    "cuMemsetD32Async blocking": lambda s: (s.more, 1, 4, s.blocking),
    "cuMemcpyAsync captured": lambda s: (s.more, s.memory, 64, s.stream),
    "cuMemcpyAsync pageable": lambda s: (s.more, KEPT, 64, s.stream),
    "cuMemcpyAsync to pageable": lambda s: (KEPT, s.more, 64, s.stream),
    "cuMemcpyAsync pinned": lambda s: (s.more, s.host, 64, s.stream),
    "cuLaunchKernel captured": lambda s: (s.function, 1, 1, 1, 1, 1, 1, 0, s.stream, None, None),
    "cuLaunchKernel other": lambda s: (s.function, 1, 1, 1, 1, 1, 1, 0, s.other, None, None),
    "cuLaunchHostFunc": lambda s: (s.stream, NOTHING, None),
    "cuStreamWaitValue32_v2": lambda s: (s.stream, s.host, 0, 0),
    "cuEventRecord captured": lambda s: (s.new, s.stream),
    "cuEventRecord timed": lambda s: (s.timed, s.stream),
    "cuEventRecord other": lambda s: (s.new, s.other),
    "cuStreamWaitEvent itself": lambda s: (s.stream, s.inside, 0),
    "cuStreamWaitEvent never recorded": lambda s: (s.stream, s.new, 0),
    "cuStreamWaitEvent forks": lambda s: (s.other, s.inside, 0),
    "cuMemAllocAsync captured": lambda s: (out(), 64, s.stream),
}
# What is wrong whatever the mode: the code, and whether that makes the capture invalid.
WRONG = {
    "cuStreamQuery": (lambda s: (s.stream,), UNSUPPORTED, INVALID),
    "cuStreamSynchronize": (lambda s: (s.stream,), UNSUPPORTED, INVALID),
    "cuStreamGetFlags": (lambda s: (s.stream, out()), UNSUPPORTED, INVALID),
    "cuCtxSynchronize": (lambda s: (), UNSUPPORTED, INVALID),
    "cuEventQuery": (lambda s: (s.inside,), EVENT, INVALID),
    "cuEventSynchronize": (lambda s: (s.inside,), EVENT, INVALID),
    "cuStreamWaitEvent of what runs": (lambda s: (s.stream, s.outside, 0), ISOLATION, INVALID),
    "cuStreamWaitEvent legacy": (lambda s: (LEGACY, s.inside, 0), IMPLICIT, INVALID),
    "cuLaunchKernel too many threads": (
        lambda s: (s.function, 1, 1, 1, 4096, 1, 1, 0, s.stream, None, None),
        1,
        INVALID,
    ),
    "cuStreamBeginCapture_v2": (lambda s: (s.stream, 0), 401, ACTIVE),
    "cuStreamBeginCapture_v2 legacy": (lambda s: (LEGACY, 0), UNSUPPORTED, ACTIVE),
    "cuStreamBeginCapture_v2 mode": (lambda s: (s.other, 3), 1, ACTIVE),
    "cuStreamEndCapture": (lambda s: (s.other, out()), 401, ACTIVE),
    "cuMemFreeAsync": (lambda s: (s.pooled, s.stream), 1, ACTIVE),
    "cuMemsetD32Async misaligned": (lambda s: (s.memory + 1, 1, 1, s.stream), 1, ACTIVE),
    "cuThreadExchangeStreamCaptureMode": (lambda s: (ctypes.byref(ctypes.c_int(3)),), 1, ACTIVE),
}
# What is done to the legacy stream while a blocking one is captured.
LEGACY_CALLS = {
    "cuStreamQuery": lambda s: (LEGACY,),
    "cuStreamSynchronize": lambda s: (LEGACY,),
    "cuStreamGetFlags": lambda s: (LEGACY, out()),
    "cuStreamGetPriority": lambda s: (LEGACY, out()),
    "cuStreamGetCtx": lambda s: (LEGACY, out()),
    "cuMemcpyAsync": lambda s: (s.more, s.memory, 64, LEGACY),
    "cuMemsetD32Async": lambda s: (s.more, 1, 4, 1),
    "cuLaunchKernel": lambda s: (s.function, 1, 1, 1, 1, 1, 1, 0, LEGACY, None, None),
    "cuLaunchHostFunc": lambda s: (LEGACY, NOTHING, None),
    "cuStreamWaitValue32_v2": lambda s: (LEGACY, s.host, 0, 0),
    "cuEventRecord": lambda s: (s.new, LEGACY),
    "cuStreamWaitEvent": lambda s: (LEGACY, s.outside, 0),
    "cuStreamWaitEvent never recorded": lambda s: (LEGACY, s.new, 0),
    "cuMemAllocAsync": lambda s: (out(), 64, LEGACY),
    "cuStreamBeginCapture_v2": lambda s: (LEGACY, 0),
    "cuStreamEndCapture": lambda s: (LEGACY, out()),
}
_kept = ctypes.create_string_buffer(64)
KEPT = ctypes.addressof(_kept)


def called(cuda, what, arguments, where, kind=NON_BLOCKING, mode=GLOBAL):
    """Make a call while a stream is captured: its code, and what has become of the capture."""
    made = scene(cuda, kind, mode)
    given = arguments(made)

    def call():
        return cuda.code(what.split()[0], *given)

    code = call() if where == "same" else elsewhere(cuda, call)
    status = cuda.capturing(made.stream)
    assert ended(cuda, made.stream)[0] == (INVALIDATED if status == INVALID else 0) or "forks" in what
    return code, status


@pytest.mark.parametrize("what", UNSAFE)
def test_unsafe_calls(cuda, what):
    for kind in [NON_BLOCKING] if "legacy" in what else [0, NON_BLOCKING]:
        for mode in MODES:
            for where, forbidden in ("same", mode != RELAXED), ("other", mode == GLOBAL):
                found = called(cuda, what, UNSAFE[what], where, kind, mode)
                assert found == ((UNSUPPORTED, INVALID) if forbidden else (0, ACTIVE)), (kind, mode, where)


@pytest.mark.parametrize("what", SAFE)
def test_safe_calls(cuda, what):
    for kind in 0, NON_BLOCKING:
        for where in "same", "other":
            assert called(cuda, what, SAFE[what], where, kind) == (0, ACTIVE)


@pytest.mark.parametrize("what", WRONG)
def test_calls_that_no_mode_allows(cuda, what):
    arguments, code, status = WRONG[what]
    for mode in MODES:
        for where in "same", "other":
            assert called(cuda, what, arguments, where, mode=mode) == (code, status)


@pytest.mark.parametrize("what", LEGACY_CALLS)
def test_the_legacy_stream_cannot_be_used_while_a_blocking_one_is_captured(cuda, what):
    for mode in MODES:
        for where in "same", "other":
            assert called(cuda, what, LEGACY_CALLS[what], where, 0, mode) == (IMPLICIT, INVALID)


@pytest.mark.parametrize(
    ("name", "more"), [("cuStreamIsCapturing", 0), ("cuStreamGetCaptureInfo_v2", 4), ("cuStreamGetCaptureInfo_v3", 5)]
)
def test_the_legacy_stream_says_so_without_harm(cuda, name, more):
    blocking = cuda.stream()
    cuda.capture(blocking)
    assert cuda.code(name, LEGACY, out(), *[None] * more) == IMPLICIT
    assert cuda.capturing(blocking) == ACTIVE
    cuda.captured(blocking)
    assert cuda.code(name, LEGACY, out(), *[None] * more) == 0
    cuda.write(LEGACY, cuda.allocate(4), 1)
    cuda("cuStreamSynchronize", LEGACY)


@pytest.mark.parametrize("mode", [THREAD_LOCAL, RELAXED])
def test_a_threads_own_mode(cuda, mode):
    """Thread-local: other threads' captures are none of its business. Relaxed: nor are its own."""
    for begun, where in (GLOBAL, "same"), (GLOBAL, "other"), (THREAD_LOCAL, "same"):
        made = scene(cuda, mode=begun)

        def call(event=made.outside):
            return relaxed(cuda, lambda: cuda.code("cuEventQuery", event), mode)

        code = call() if where == "same" else elsewhere(cuda, call)
        allowed = mode == RELAXED or where == "other"
        assert (code, cuda.capturing(made.stream)) == ((0, ACTIVE) if allowed else (UNSUPPORTED, INVALID))
        ended(cuda, made.stream)


def test_the_mode_is_swapped(cuda):
    mode = ctypes.c_int(RELAXED)
    cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(mode))
    assert mode.value == GLOBAL
    mode.value = GLOBAL
    cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(mode))
    assert mode.value == RELAXED


def test_what_is_captured_does_not_run(cuda):
    stream, data, seen = cuda.stream(), cuda.allocate(4), []
    note = HOST_FUNCTION(seen.append)
    cuda.write(stream, data, 7)
    cuda.capture(stream)
    assert cuda.capturing(stream) == ACTIVE
    cuda.write(stream, data, 1)
    cuda.launch("increment", struct.pack("Qi", data, 1), stream)
    cuda("cuLaunchHostFunc", stream, note, 5)
    graph = cuda.captured(stream)
    assert cuda.capturing(stream) == 0
    assert cuda.read(data) == [7]
    exec_ = cuda.instantiate(graph)
    for _ in range(3):
        cuda.write(stream, data, 0)
        cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data) == [2]
    assert seen == [5, 5, 5]
    cuda("cuGraphDestroy", graph)
    cuda("cuGraphLaunch", exec_, LEGACY)  # it needs the graph no longer
    cuda("cuGraphExecDestroy", exec_)
    assert cuda.read(data) == [2]
    assert cuda.live("graphs") == 0


def test_arguments_are_those_of_the_capture(cuda):
    stream, data = cuda.stream(), cuda.allocate(8)
    packed = ctypes.create_string_buffer(struct.pack("Qi", data, 1), 12)
    size, function = ctypes.c_size_t(12), cuda.function("increment")
    extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(packed), 2, ctypes.addressof(size), 0)
    cuda("cuMemsetD32Async", data, 0, 2, stream)
    cuda.capture(stream)
    cuda("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, stream, None, extra)
    packed[:12] = struct.pack("Qi", data, 2)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data, 2) == [1, 0]


def test_a_kernel_is_told_where_its_graph_was_launched(cuda):
    seen, stream, other = [], cuda.stream(), cuda.stream()
    cuda.register("told", lambda launch, _: seen.append(launch.stream))
    function = cuda.function("told", cuda.load(b"STANDIN1\nkernel told told 0\n"))
    cuda.capture(stream)
    cuda.launch(function, stream=stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, other)
    cuda("cuCtxSynchronize")
    assert seen == [other]


def test_pageable_memory_is_read_at_each_launch(cuda):
    stream, data, host = cuda.stream(), cuda.allocate(4), (ctypes.c_uint32 * 1)(1)
    cuda.capture(stream)
    cuda("cuMemcpyAsync", data, ctypes.addressof(host), 4, stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    for value in 5, 6:
        host[0] = value
        cuda("cuGraphLaunch", exec_, stream)
        assert cuda.read(data) == [value]


def test_work_before_a_capture_is_no_part_of_it(cuda):
    stream, event, data = cuda.stream(NON_BLOCKING), cuda.event(), cuda.allocate(4)
    release = cuda.hold(stream)
    cuda("cuEventRecord", event, stream)
    cuda.capture(stream)
    cuda.write(stream, data, 1)
    exec_ = cuda.instantiate(cuda.captured(stream))
    assert not cuda.is_over(stream)
    cuda("cuGraphLaunch", exec_, stream)
    cuda.capture(stream)
    assert cuda.code("cuStreamWaitEvent", stream, event, 0) == ISOLATION  # its own, too
    assert ended(cuda, stream) == (INVALIDATED, 0)
    release()
    assert cuda.read(data) == [1]


def test_a_fork_and_its_join(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(), cuda.allocate(16)
    fork, join = cuda.event(), cuda.event()
    cuda("cuMemsetD32Async", data, 0, 4, stream)
    cuda.capture(stream)
    cuda.launch("increment", struct.pack("Qi", data, 2), stream, block=(4, 1, 1))
    cuda("cuEventRecord", fork, stream)
    cuda("cuStreamWaitEvent", other, fork, 0)
    assert cuda.capturing(other) == ACTIVE
    cuda.launch("increment", struct.pack("Qi", data + 8, 2), other, block=(4, 1, 1))
    cuda("cuEventRecord", join, other)
    cuda("cuStreamWaitEvent", stream, join, 0)
    cuda.launch("increment", struct.pack("Qi", data, 4), stream, block=(4, 1, 1))
    graph = cuda.captured(stream)
    assert (cuda.capturing(stream), cuda.capturing(other)) == (0, 0)
    count = ctypes.c_size_t()
    cuda("cuGraphGetNodes", graph, None, ctypes.byref(count))
    assert count.value == 3
    exec_ = cuda.instantiate(graph)
    for _ in range(5):
        cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data, 4) == [10, 10, 10, 10]


def test_branches_run_at_the_same_time_and_in_order(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.allocate(8)
    word, fork, join = cuda.word(), cuda.event(), cuda.event()
    cuda.capture(stream)
    cuda("cuEventRecord", fork, stream)
    cuda("cuStreamWaitEvent", other, fork, 0)
    cuda.launch("spin", struct.pack("QI", ctypes.addressof(word), 1), stream)
    cuda.write(stream, data, 1)
    cuda.write(other, data + 4, 2)
    cuda("cuEventRecord", join, other)
    cuda("cuStreamWaitEvent", stream, join, 0)
    cuda.launch("increment", struct.pack("Qi", data, 2), stream, block=(2, 1, 1))
    exec_ = cuda.instantiate(cuda.captured(stream))
    ctypes.memset(data, 0, 8)
    cuda("cuGraphLaunch", exec_, stream)
    assert soon(lambda: ctypes.c_uint32.from_address(data + 4).value == 2)
    assert not cuda.is_over(stream)
    word.value = 1
    assert cuda.read(data, 2) == [2, 3]


def test_launches_of_one_graph_come_one_after_the_other(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.allocate(4)
    word = cuda.word()
    cuda.capture(stream)
    cuda("cuStreamWaitValue32_v2", stream, ctypes.addressof(word), 1, 0)
    cuda.launch("increment", struct.pack("Qi", data, 1), stream)
    graph = cuda.captured(stream)
    exec_ = cuda.instantiate(graph)
    ctypes.memset(data, 0, 4)
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuGraphLaunch", exec_, other)
    assert (cuda.is_over(stream), cuda.is_over(other)) == (False, False)
    cuda("cuGraphExecDestroy", exec_)  # what has been launched goes on
    cuda("cuGraphDestroy", graph)
    word.value = 1
    assert cuda.read(data) == [2]
    assert cuda.live("graphs") == 0


@pytest.mark.parametrize(("kind", "waits"), [(0, True), (NON_BLOCKING, False)])
def test_a_graph_is_ordered_as_the_stream_that_it_is_launched_on(cuda, kind, waits):
    stream, data = cuda.stream(kind), cuda.allocate(4)
    cuda.capture(stream)
    cuda.write(stream, data, 3)
    exec_ = cuda.instantiate(cuda.captured(stream))
    release = cuda.hold(LEGACY)
    cuda("cuGraphLaunch", exec_, stream)
    assert soon(lambda: cuda.is_over(stream), 0.05 if waits else 10) is not waits
    release()
    assert cuda.read(data) == [3]


def test_many_launches_of_a_graph_block_the_caller(cuda):
    cuda.option("depth", 8)
    stream, done = cuda.stream(), []
    cuda.capture(stream)
    for _ in range(20):  # a capture is never full
        cuda.launch("nothing", stream=stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    release = cuda.hold(stream)

    def launch():
        cuda.current(cuda.context)
        for _ in range(8):
            cuda("cuGraphLaunch", exec_, stream)
        done.append(True)

    thread = on_thread(launch)
    thread.join(0.05)
    assert not done
    release()
    thread.join(10)
    assert done


def test_unjoined_work(cuda):
    stream, other, event, data = cuda.stream(), cuda.stream(), cuda.event(), cuda.allocate(4)
    for forked in False, True:
        cuda.capture(stream)
        cuda("cuEventRecord", event, stream)
        cuda("cuStreamWaitEvent", other, event, 0)
        if forked:  # one that has got nothing is no matter
            cuda.write(other, data, 1)
        code, graph = ended(cuda, stream)
        assert (code, bool(graph)) == ((UNJOINED, False) if forked else (0, True))
        assert (cuda.capturing(stream), cuda.capturing(other)) == (0, 0)
        assert cuda.is_over(other)


def test_only_the_first_stream_can_end_its_capture(cuda):
    made = scene(cuda)
    cuda("cuStreamWaitEvent", made.other, made.inside, 0)
    assert ended(cuda, made.other) == (UNMATCHED, 0)
    assert (cuda.capturing(made.stream), cuda.capturing(made.other)) == (INVALID, INVALID)
    assert ended(cuda, made.stream) == (INVALIDATED, 0)


@pytest.mark.parametrize("mode", MODES)
def test_only_the_thread_that_began_it_can_end_a_capture(cuda, mode):
    made = scene(cuda, mode=mode)
    assert elsewhere(cuda, lambda: cuda.launch_code(made.function, stream=made.stream)) == 0
    code, graph = elsewhere(cuda, lambda: ended(cuda, made.stream))
    assert (code, bool(graph)) == ((0, True) if mode == RELAXED else (THREAD, False))
    assert cuda.capturing(made.stream) == 0


def test_an_invalid_capture(cuda):
    made = scene(cuda)
    cuda("cuStreamWaitEvent", made.other, made.inside, 0)
    assert cuda.code("cuStreamSynchronize", made.stream) == UNSUPPORTED
    assert (cuda.capturing(made.stream), cuda.capturing(made.other)) == (INVALID, INVALID)
    assert cuda.code("cuMemsetD32Async", made.more, 1, 1, made.stream) == INVALIDATED
    assert cuda.launch_code(made.function, stream=made.other) == INVALIDATED
    assert cuda.code("cuEventRecord", made.new, made.stream) == INVALIDATED
    assert cuda.code("cuStreamWaitEvent", made.stream, made.timed, 0) == INVALIDATED
    assert cuda.code("cuStreamQuery", made.other) == UNSUPPORTED
    assert cuda.code("cuEventQuery", made.inside) == 1
    assert cuda.code("cuStreamWaitEvent", made.blocking, made.inside, 0) == 1
    assert cuda.code("cuMemAlloc_v2", out(), 64) == UNSUPPORTED  # until it is ended
    assert cuda.code("cuStreamBeginCapture_v2", made.stream, 0) == 401
    assert ended(cuda, made.other) == (UNMATCHED, 0)
    assert ended(cuda, made.stream) == (INVALIDATED, 0)
    assert cuda.is_over(made.stream)
    assert cuda.is_over(made.other)
    assert cuda.live("graphs") == 0


def test_events_of_a_capture_stand_for_nothing_afterwards(cuda):
    made = scene(cuda)
    assert cuda.code("cuEventElapsedTime", out(), made.timed, made.inside) == 907  # which does no harm
    exec_ = cuda.instantiate(cuda.captured(made.stream))
    for _ in range(2):
        assert cuda.code("cuEventQuery", made.inside) == 1
        assert cuda.code("cuEventSynchronize", made.inside) == 1
        assert cuda.code("cuEventElapsedTime", out(), made.timed, made.inside) == 1
        assert cuda.code("cuStreamWaitEvent", made.other, made.inside, 0) == 1
        assert cuda.capturing(made.other) == 0
        cuda("cuGraphLaunch", exec_, made.stream)
        cuda("cuStreamSynchronize", made.stream)
    cuda.capture(made.stream)
    assert cuda.code("cuStreamWaitEvent", made.stream, made.inside, 0) == 1
    assert cuda.capturing(made.stream) == INVALID
    ended(cuda, made.stream)
    cuda("cuEventRecord", made.inside, made.stream)  # recorded again it is like any other
    cuda("cuEventSynchronize", made.inside)
    cuda("cuStreamWaitEvent", made.other, made.inside, 0)


def test_two_captures(cuda):
    one, other, event = cuda.stream(), cuda.stream(), cuda.event()
    ids = []
    for stream in one, other:
        cuda.capture(stream)
        ids.append(info(cuda, stream)[1])
        cuda("cuEventRecord", event, stream)
    assert ids[0] != ids[1]
    assert cuda.code("cuStreamWaitEvent", one, event, 0) == MERGE
    assert (cuda.capturing(one), cuda.capturing(other)) == (INVALID, INVALID)
    assert [ended(cuda, stream)[0] for stream in (one, other)] == [INVALIDATED, INVALIDATED]


def test_what_an_unsafe_call_makes_invalid(cuda):
    streams = [cuda.stream() for _ in MODES]
    for stream, mode in zip(streams, MODES, strict=True):
        cuda.capture(stream, mode)
    assert elsewhere(cuda, lambda: cuda.code("cuMemAlloc_v2", out(), 4)) == UNSUPPORTED
    assert [cuda.capturing(stream) for stream in streams] == [INVALID, ACTIVE, ACTIVE]
    assert cuda.code("cuMemAlloc_v2", out(), 4) == UNSUPPORTED
    assert [cuda.capturing(stream) for stream in streams] == [INVALID, INVALID, ACTIVE]
    assert [ended(cuda, stream)[0] for stream in streams] == [INVALIDATED, INVALIDATED, 0]


def info(cuda, stream):
    """Status, id, graph, nodes that the next one comes after."""
    status, id_, graph = ctypes.c_int(9), ctypes.c_uint64(), ctypes.c_uint64()
    after, count = ctypes.POINTER(ctypes.c_uint64)(), ctypes.c_size_t()
    given = [stream, *map(ctypes.byref, (status, id_, graph, after, count))]
    cuda("cuStreamGetCaptureInfo_v2", *given)
    return status.value, id_.value, graph.value, [after[i] for i in range(count.value)]


def test_what_a_capture_is_at(cuda):
    made, kind = scene(cuda), ctypes.c_int(-1)
    status, id_, graph, after = info(cuda, made.stream)
    assert status == ACTIVE
    cuda("cuGraphNodeGetType", after[0], ctypes.byref(kind))
    assert (len(after), kind.value) == (1, 2)
    assert info(cuda, made.other) == (0, 0, 0, [])
    cuda("cuStreamWaitEvent", made.other, made.inside, 0)
    assert info(cuda, made.other) == (status, id_, graph, after)
    cuda.write(made.other, made.more, 1)
    cuda("cuEventRecord", made.inside, made.other)
    cuda("cuStreamWaitEvent", made.stream, made.inside, 0)
    assert info(cuda, made.stream)[3] == after + info(cuda, made.other)[3]
    edges = ctypes.c_void_p(1)
    after_, count = ctypes.c_void_p(), ctypes.c_size_t()
    pointers = map(ctypes.byref, (kind, after_, edges, count))
    given = [next(pointers), None, None, *pointers]
    cuda("cuStreamGetCaptureInfo_v3", made.stream, *given)
    assert (kind.value, edges.value, count.value) == (ACTIVE, None, 2)
    assert cuda.captured(made.stream) == graph


def test_ends_of_streams_and_events(cuda):
    made = scene(cuda)
    forked = cuda.stream()
    cuda("cuStreamWaitEvent", forked, made.inside, 0)
    cuda("cuEventDestroy_v2", made.inside)
    cuda.write(forked, made.more, 1)
    cuda("cuEventRecord", made.new, forked)
    cuda("cuStreamWaitEvent", made.stream, made.new, 0)
    cuda("cuStreamDestroy_v2", forked)  # joined: it is no matter
    assert ended(cuda, made.stream)[0] == 0
    cuda.capture(made.stream)
    cuda("cuEventRecord", made.new, made.stream)
    cuda("cuStreamWaitEvent", made.other, made.new, 0)
    cuda("cuStreamDestroy_v2", made.stream)  # which ends the capture
    assert cuda.capturing(made.other) == 0
    cuda.write(made.other, made.more, 1)
    cuda.allocate(4)
    assert cuda.live("graphs") == 1


def test_graphs_in_a_capture(cuda):
    made = scene(cuda, mode=RELAXED)
    graph = cuda.captured(made.stream)
    kept, spare = cuda.instantiate(graph), cuda.instantiate(graph)
    for mode in GLOBAL, RELAXED:
        for call, forbidden in (
            (("cuGraphLaunch", kept, made.other), 0),
            (("cuGraphLaunch", kept, LEGACY), 0),
            (("cuGraphLaunch", kept, made.stream), UNSUPPORTED),
            (("cuGraphInstantiateWithFlags", out(), graph, 0), UNSUPPORTED if mode == GLOBAL else 0),
            (("cuGraphExecDestroy", spare), UNSUPPORTED if mode == GLOBAL else 0),
        ):
            cuda.capture(made.stream, mode)
            assert cuda.code(*call) == forbidden
            assert cuda.capturing(made.stream) == (INVALID if forbidden else ACTIVE)
            ended(cuda, made.stream)


def test_the_capture_of_the_per_thread_stream(cuda):
    cuda.capture(PER_THREAD)
    assert elsewhere(cuda, lambda: cuda.capturing(PER_THREAD)) == 0
    assert cuda.code("cuStreamQuery", LEGACY) == IMPLICIT
    assert ended(cuda, PER_THREAD) == (INVALIDATED, 0)


def test_memory_of_a_graph(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.allocate(64)
    cuda.capture(stream, RELAXED)
    address = cuda.out("cuMemAllocAsync", 64, stream)
    cuda("cuMemsetD32Async", address, 5, 16, stream)
    cuda("cuMemcpyAsync", data, address, 64, stream)

    def use():
        return cuda.code("cuMemsetD32Async", address, 1, 1, other), cuda.code(
            "cuPointerGetAttribute", out(), 9, address
        )

    def free(name="cuMemFreeAsync", *stream):
        code = cuda.code(name, address, *stream)
        cuda("cuCtxSynchronize")
        return code

    assert use() == (1, 1)
    graph = cuda.captured(stream)
    exec_ = cuda.instantiate(graph)
    assert cuda.code("cuGraphInstantiateWithFlags", out(), graph, 0) == 801
    assert (use(), free("cuMemFreeAsync", other)) == ((1, 1), 1)
    for way in ("cuMemFreeAsync", other), ("cuMemFree_v2",):
        cuda("cuGraphLaunch", exec_, stream)
        assert cuda.code("cuGraphLaunch", exec_, stream) == 1  # what the first one left has not been freed
        assert cuda.read(data, 2) == [5, 5]
        assert use() == (0, 0)
        assert free(*way) == 0
        assert use() == (1, 1)
        assert free("cuMemFreeAsync", other) == 1
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuCtxSynchronize")
    cuda("cuGraphExecDestroy", exec_)
    cuda("cuGraphDestroy", graph)
    assert use() == (0, 0)  # it outlives the graph
    assert free("cuMemFreeAsync", other) == 0
    assert use() == (1, 1)


def test_memory_that_a_graph_frees_itself(cuda):
    stream, data = cuda.stream(NON_BLOCKING), cuda.allocate(64)
    cuda.capture(stream)
    address = cuda.out("cuMemAllocAsync", 64, stream)
    cuda("cuMemsetD32Async", address, 5, 16, stream)
    cuda("cuMemcpyAsync", data, address, 64, stream)
    cuda("cuMemFreeAsync", address, stream)
    assert cuda.code("cuMemFreeAsync", address, stream) == 1
    exec_ = cuda.instantiate(cuda.captured(stream))
    for _ in range(3):
        cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data, 2) == [5, 5]


def test_memory_that_launches_free(cuda):
    stream = cuda.stream(NON_BLOCKING)
    cuda.capture(stream)
    cuda.out("cuMemAllocAsync", 64, stream)
    exec_ = cuda.instantiate(cuda.captured(stream), 1)
    for _ in range(3):
        cuda("cuGraphLaunch", exec_, stream)
    cuda("cuCtxSynchronize")


def test_a_graph_needs_its_module(cuda):
    stream, module = cuda.stream(), cuda.load(b"STANDIN1\nkernel nothing nothing 0\n")
    cuda.capture(stream)
    cuda.launch(cuda.function("nothing", module), stream=stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuModuleUnload", module)
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.code("cuStreamSynchronize", stream) == 719
    assert cuda.reports() == ["nothing ran after its module was unloaded"]


def test_an_empty_graph(cuda):
    stream = cuda.stream()
    cuda.capture(stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuStreamSynchronize", stream)


def test_a_graph_over_two_devices(cuda):
    stream, data = cuda.stream(), cuda.allocate(4)
    second = cuda.retain(1)
    cuda.current(second)
    other, more, join = cuda.stream(), cuda.allocate(4), cuda.event()
    cuda.current(cuda.context)
    fork = cuda.event()
    cuda.capture(stream)
    cuda.write(stream, data, 1)
    cuda("cuEventRecord", fork, stream)
    cuda.current(second)
    cuda("cuStreamWaitEvent", other, fork, 0)
    cuda("cuMemcpyAsync", more, data, 4, other)
    cuda("cuEventRecord", join, other)
    cuda.current(cuda.context)
    cuda("cuStreamWaitEvent", stream, join, 0)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data) == [1]
    assert ctypes.c_uint32.from_address(more).value == 1


def test_a_capture_ends_with_everything(cuda):
    graph = scene(cuda)
    cuda.instantiate(cuda.captured(graph.stream))
    cuda.capture(graph.stream)
    cuda.reset()
    cuda.begin()
    assert cuda.live("graphs") == 0
    cuda.allocate(4)
