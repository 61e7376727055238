"""What CUDA forbids while a stream is captured, as was asked of one H200 with driver 580 (CUDA 13.0)."""

import ctypes

import pytest

from tests.standin.client import GLOBAL, LEGACY, NON_BLOCKING, PER_THREAD, RELAXED, THREAD_LOCAL
from tests.standin.graphs.scene import (
    ACTIVE,
    EVENT,
    HOST_FUNCTION,
    IMPLICIT,
    INVALID,
    INVALIDATED,
    ISOLATION,
    MODES,
    POOL,
    UNSUPPORTED,
    elsewhere,
    ended,
    out,
    scene,
)

NOTHING = HOST_FUNCTION(lambda _: None)
_kept = ctypes.create_string_buffer(64)
KEPT = ctypes.addressof(_kept)


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
    "cuMemAllocManaged": lambda s: (out(), 64, 1),
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


def called(cuda, what, arguments, where, kind=NON_BLOCKING, mode=GLOBAL):
    """Make a call while a stream is captured: its code, and what has become of the capture."""
    capture = scene(cuda, kind, mode)
    values = arguments(capture)

    def call():
        return cuda.code(what.split()[0], *values)

    code = call() if where == "same" else elsewhere(cuda, call)
    status = cuda.capturing(capture.stream)
    assert ended(cuda, capture.stream)[0] == (INVALIDATED if status == INVALID else 0) or "forks" in what
    return code, status


@pytest.mark.parametrize("what", UNSAFE)
def test_unsafe_calls(cuda, what):
    for kind in [NON_BLOCKING] if "legacy" in what else [0, NON_BLOCKING]:
        for mode in MODES:
            for where, forbidden in ("same", mode != RELAXED), ("other", mode == GLOBAL):
                outcome = called(cuda, what, UNSAFE[what], where, kind, mode)
                assert outcome == ((UNSUPPORTED, INVALID) if forbidden else (0, ACTIVE)), (kind, mode, where)


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
def test_the_legacy_stream_cannot_be_used_while_a_blocking_stream_is_captured(cuda, what):
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


def test_the_capture_of_the_per_thread_stream(cuda):
    cuda.capture(PER_THREAD)
    assert elsewhere(cuda, lambda: cuda.capturing(PER_THREAD)) == 0
    assert cuda.code("cuStreamQuery", LEGACY) == IMPLICIT
    assert ended(cuda, PER_THREAD) == (INVALIDATED, 0)


def test_what_an_unsafe_call_makes_invalid(cuda):
    streams = [cuda.stream() for _ in MODES]
    for stream, mode in zip(streams, MODES, strict=True):
        cuda.capture(stream, mode)
    assert elsewhere(cuda, lambda: cuda.code("cuMemAlloc_v2", out(), 4)) == UNSUPPORTED
    assert [cuda.capturing(stream) for stream in streams] == [INVALID, ACTIVE, ACTIVE]
    assert cuda.code("cuMemAlloc_v2", out(), 4) == UNSUPPORTED
    assert [cuda.capturing(stream) for stream in streams] == [INVALID, INVALID, ACTIVE]
    assert [ended(cuda, stream)[0] for stream in streams] == [INVALIDATED, INVALIDATED, 0]


@pytest.mark.parametrize("mode", [THREAD_LOCAL, RELAXED])
def test_a_threads_own_mode(cuda, mode):
    """Thread-local: other threads' captures are none of its business. Relaxed: nor are its own."""
    for begun, where in (GLOBAL, "same"), (GLOBAL, "other"), (THREAD_LOCAL, "same"):
        capture = scene(cuda, mode=begun)

        def call(event=capture.outside):
            return relaxed(cuda, lambda: cuda.code("cuEventQuery", event), mode)

        code = call() if where == "same" else elsewhere(cuda, call)
        allowed = mode == RELAXED or where == "other"
        assert (code, cuda.capturing(capture.stream)) == ((0, ACTIVE) if allowed else (UNSUPPORTED, INVALID))
        ended(cuda, capture.stream)


def relaxed(cuda, function, mode=RELAXED):
    """Call with another mode of this thread."""
    kept = ctypes.c_int(mode)
    cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(kept))
    try:
        return function()
    finally:
        cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(kept))


def test_the_mode_is_swapped(cuda):
    mode = ctypes.c_int(RELAXED)
    cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(mode))
    assert mode.value == GLOBAL
    mode.value = GLOBAL
    cuda("cuThreadExchangeStreamCaptureMode", ctypes.byref(mode))
    assert mode.value == RELAXED
