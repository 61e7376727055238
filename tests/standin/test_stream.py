"""Streams of the stand-in keep CUDA's rules, and what is submitted to them runs later."""

import ctypes
import os
import signal
import threading
import time

import pytest

from .client import LEGACY, NON_BLOCKING, PER_THREAD, CudaError, on_thread, soon
from .control import KERNEL

HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def test_a_call_returns_before_its_work_has_run(cuda):
    stream, data = cuda.stream(), cuda.allocate(4)
    release = cuda.hold(stream)
    cuda.write(stream, data, 7)
    assert not cuda.is_over(stream)
    assert cuda.pending == 2
    release()
    cuda("cuStreamSynchronize", stream)
    assert cuda.is_over(stream)
    assert cuda.read(data) == [7]


def test_a_stream_is_in_order(cuda):
    stream, data = cuda.stream(NON_BLOCKING), cuda.allocate(4)
    for value in range(200):
        cuda.write(stream, data, value)
    assert cuda.read(data) == [199]


def test_streams_run_at_the_same_time(cuda):
    first, other = cuda.stream(), cuda.stream()
    word, data = cuda.word(), cuda.allocate(4)
    cuda.launch("spin", ctypes.addressof(word).to_bytes(8, "little") + (1).to_bytes(4, "little"), first)
    cuda.write(other, data, 1)
    cuda("cuStreamSynchronize", other)
    assert not cuda.is_over(first)
    word.value = 1
    cuda("cuStreamSynchronize", first)


# (earlier work on, query of, is it over): the table in measured order, one H200
ORDER = [
    ("legacy", "blocking", True),
    ("legacy", "per-thread", True),
    ("legacy", "non-blocking", True),
    ("blocking", "legacy", False),
    ("per-thread", "legacy", False),
    ("non-blocking", "legacy", True),
    ("blocking", "blocking", True),
]


def _stream(cuda, kind):
    return {"legacy": LEGACY, "per-thread": PER_THREAD}.get(kind) or cuda.stream(
        {"blocking": 0, "non-blocking": NON_BLOCKING}.get(kind, 0)
    ) * (kind != "legacy")


@pytest.mark.parametrize(("earlier", "asked", "over"), ORDER)
def test_query_and_synchronize_cover_what_cuda_covers(cuda, earlier, asked, over):
    busy, idle = _stream(cuda, earlier), _stream(cuda, asked)
    release = cuda.hold(busy)
    assert cuda.is_over(idle) is over
    if over:
        cuda("cuStreamSynchronize", idle)
        release()
    else:
        threading.Timer(0.05, release).start()
        cuda("cuStreamSynchronize", idle)
        assert cuda.is_over(busy)


def test_late_queries_are_counted_and_then_one_waits(cuda):
    stream = cuda.stream()
    cuda.option("late_queries", 2)
    try:
        for _ in range(2):  # the count begins again
            release = cuda.hold(stream)
            assert [cuda.is_over(stream) for _ in range(2)] == [False, False]
            threading.Timer(0.05, release).start()
            assert cuda.is_over(stream)
    finally:
        cuda.option("late_queries", 0)


@pytest.mark.parametrize(
    ("earlier", "later", "waits"),
    [
        ("legacy", "blocking", True),
        ("legacy", "per-thread", True),
        ("legacy", "non-blocking", False),
        ("blocking", "legacy", True),
        ("per-thread", "legacy", True),
        ("non-blocking", "legacy", False),
        ("blocking", "per-thread", False),
    ],
)
def test_a_record_is_a_command(cuda, earlier, later, waits):
    busy, other, event = _stream(cuda, earlier), _stream(cuda, later), cuda.event()
    release = cuda.hold(busy)
    cuda("cuEventRecord", event, other)
    if not waits:
        cuda("cuEventSynchronize", event)
        release()
        return
    time.sleep(0.01)
    assert cuda.code("cuEventQuery", event) == 600
    release()
    cuda("cuEventSynchronize", event)


def test_all_names_of_the_legacy_stream_are_the_same_stream(cuda):
    release = cuda.hold(1)
    assert not cuda.is_over(0)
    release()
    cuda("cuStreamSynchronize", 0)


def test_each_thread_has_its_own_stream(cuda):
    release, seen = cuda.hold(PER_THREAD), []

    def other():
        cuda.current(cuda.context)
        seen.append(cuda.is_over(PER_THREAD))

    on_thread(other).join()
    assert seen == [True]
    release()
    cuda("cuStreamSynchronize", PER_THREAD)


def test_devices_do_not_wait_for_each_other(cuda):
    release = cuda.hold(LEGACY)
    cuda.current(cuda.retain(1))
    data = cuda.allocate(4)
    cuda.write(LEGACY, data, 3)
    cuda("cuStreamSynchronize", LEGACY)
    cuda.current(cuda.context)
    release()


@pytest.mark.parametrize(
    ("flags", "value", "before", "after"),
    [(0, 5, 4, 5), (0, 5, 4, 6), (1, 5, 6, 5), (2, 4, 3, 12), (3, 0xFFFFFFFE, 1, 0)],
)
def test_waiting_for_a_value(cuda, flags, value, before, after):
    stream, word = cuda.stream(), cuda.word()
    word.value = before
    cuda("cuStreamWaitValue32_v2", stream, ctypes.addressof(word), value, flags)
    time.sleep(0.005)
    assert not cuda.is_over(stream)
    word.value = after
    assert soon(lambda: cuda.is_over(stream))


def test_waiting_for_a_value_is_cyclic(cuda):
    stream, word = cuda.stream(), cuda.word()
    word.value = 3  # after 0xFFFFFFFF came 0
    cuda("cuStreamWaitValue32_v2", stream, ctypes.addressof(word), 0xFFFFFFFF, 0)
    cuda("cuStreamSynchronize", stream)


def test_a_value_must_be_in_memory_that_cuda_knows(cuda):
    word = ctypes.c_uint32()
    assert cuda.code("cuStreamWaitValue32_v2", cuda.stream(), ctypes.addressof(word), 1, 0) == 1


def test_host_functions_share_a_thread(cuda):
    stream, other = cuda.stream(), cuda.stream()
    go, threads = threading.Event(), []

    def first(_):
        threads.append(threading.get_native_id())
        go.wait(10)

    blocking, plain = HOST_FUNCTION(first), HOST_FUNCTION(lambda _: threads.append(threading.get_native_id()))
    cuda("cuLaunchHostFunc", stream, blocking, None)
    assert soon(lambda: threads)
    cuda("cuLaunchHostFunc", other, plain, None)
    time.sleep(0.02)
    assert not cuda.is_over(other)  # behind the one that blocks, though its stream is free
    go.set()
    cuda("cuCtxSynchronize")
    assert len(threads) == 2
    assert threads[0] == threads[1] != threading.get_native_id()


def test_a_host_function_may_not_call_the_driver(cuda):
    codes = []
    call = HOST_FUNCTION(lambda _: codes.append(cuda.code("cuStreamQuery", 0)))
    cuda("cuLaunchHostFunc", cuda.stream(), call, None)
    cuda("cuCtxSynchronize")
    assert codes == [800]
    assert cuda.reports() == ["cuStreamQuery was called from a host function"]


def test_too_many_commands_block_the_caller(cuda):
    cuda.option("depth", 8)
    stream, data, done = cuda.stream(), cuda.allocate(4), threading.Event()
    release = cuda.hold(stream)

    def submit():
        cuda.current(cuda.context)
        for value in range(8):
            cuda.write(stream, data, value)
        done.set()

    thread = on_thread(submit)
    assert not done.wait(0.05)
    release()
    thread.join(10)
    assert done.is_set()


def test_a_destroyed_stream_ends_its_work(cuda):
    stream, data = cuda.stream(), cuda.allocate(4)
    release = cuda.hold(stream)
    cuda.write(stream, data, 5)
    cuda("cuStreamDestroy_v2", stream)
    assert cuda.code("cuStreamQuery", stream) == 400
    assert cuda.code("cuStreamDestroy_v2", stream) == 400
    release()
    assert cuda.read(data) == [5]
    assert cuda.live("streams") == 0


def test_steps(cuda):
    stream, other, data = cuda.stream(), cuda.stream(), cuda.allocate(8)
    with cuda.paused():
        cuda.write(stream, data, 1)
        cuda.write(stream, data, 2)
        cuda.write(other, data + 4, 3)
        assert cuda.ready == 2
        assert (cuda.step(), cuda.pending) == (1, 2)
        assert ctypes.c_uint32.from_address(data).value == 1
        assert cuda.step(5, stream=other) == 1
        assert cuda.is_over(other)
        assert not cuda.is_over(stream)
        assert cuda.step(10) == 1
        assert cuda.ready == 0
    assert cuda.read(data, 2) == [2, 3]


def test_a_thread_needs_a_context(cuda):
    codes = []

    def other():
        codes.append(cuda.code("cuStreamQuery", 0))
        codes.append(cuda.code("cuMemAlloc_v2", ctypes.byref(ctypes.c_uint64()), 4))
        cuda.current(cuda.context)
        codes.append(cuda.code("cuStreamQuery", 0))

    on_thread(other).join()
    assert codes == [201, 201, 0]


def test_a_kernel_in_python(cuda):
    seen = []
    cuda.register("python", lambda launch, arguments: seen.append((launch.name, list(launch.grid), launch.size)))
    module = cuda.load(b"STANDIN1\nkernel python python 4 0:4\n")
    cuda.launch(cuda.function("python", module), b"1234", grid=(2, 3, 4))
    cuda("cuCtxSynchronize")
    assert seen == [(b"python", [2, 3, 4], 4)]
    assert KERNEL


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_child_has_no_driver(cuda):
    release = cuda.hold(LEGACY)
    child = os.fork()
    if not child:
        os._exit(cuda.code("cuStreamQuery", 0))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_child_forked_while_a_worker_works_can_ask_for_the_calls(cuda):
    stream, data = cuda.stream(), cuda.allocate(4)
    for _ in range(40):
        for value in range(50):
            cuda.write(stream, data, value)
        child = os.fork()
        if not child:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # pytest's handler would wait for the lock, too
            signal.alarm(10)
            code = 1
            try:
                code = 0 if cuda.calls() else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_failed_call_raises(cuda):
    with pytest.raises(CudaError, match="cuStreamQuery: 400"):
        cuda("cuStreamQuery", cuda.pinned(64))
