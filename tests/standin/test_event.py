"""Events of the stand-in: what a record and a wait capture, and times."""

import ctypes
import time

from .client import NON_BLOCKING


def test_a_new_event_is_over(cuda):
    event = cuda.event()
    assert cuda.code("cuEventQuery", event) == 0
    cuda("cuEventSynchronize", event)
    cuda("cuStreamWaitEvent", cuda.stream(), event, 0)


def test_a_wait_takes_the_record_of_its_time(cuda):
    source, waiter, event = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.event()
    data = cuda.allocate(4)
    first = cuda.hold(source)
    cuda.write(source, data, 1)
    cuda("cuEventRecord", event, source)
    cuda("cuStreamWaitEvent", waiter, event, 0)
    second = cuda.hold(source)
    cuda("cuEventRecord", event, source)  # later than the wait: none of its business
    assert not cuda.is_over(waiter)
    first()
    cuda("cuStreamSynchronize", waiter)
    assert cuda.code("cuEventQuery", event) == 600
    second()
    cuda("cuEventSynchronize", event)


def test_a_wait_survives_the_event(cuda):
    source, waiter, event = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.event()
    release = cuda.hold(source)
    cuda("cuEventRecord", event, source)
    cuda("cuStreamWaitEvent", waiter, event, 0)
    cuda("cuEventDestroy_v2", event)
    cuda("cuStreamDestroy_v2", source)
    assert cuda.code("cuEventQuery", event) == 400
    assert not cuda.is_over(waiter)
    release()
    cuda("cuStreamSynchronize", waiter)
    assert (cuda.live("events"), cuda.live("streams")) == (0, 1)


def test_a_wait_holds_back_only_later_work(cuda):
    source, waiter, event, data = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.event(), cuda.allocate(4)
    release = cuda.hold(source)
    cuda("cuEventRecord", event, source)
    cuda.write(waiter, data, 1)
    earlier = cuda.event()
    cuda("cuEventRecord", earlier, waiter)
    cuda("cuStreamWaitEvent", waiter, event, 0)
    cuda("cuEventSynchronize", earlier)
    assert not cuda.is_over(waiter)
    release()


def test_times(cuda):
    stream, start, end, elapsed = cuda.stream(), cuda.event(), cuda.event(), ctypes.c_float()
    assert cuda.code("cuEventElapsedTime", ctypes.byref(elapsed), start, end) == 400
    cuda("cuEventRecord", start, stream)
    release = cuda.hold(stream)
    cuda("cuEventRecord", end, stream)
    assert cuda.code("cuEventElapsedTime", ctypes.byref(elapsed), start, end) == 600
    time.sleep(0.02)
    release()
    cuda("cuEventSynchronize", end)
    for name in ("cuEventElapsedTime", "cuEventElapsedTime_v2"):
        cuda(name, ctypes.byref(elapsed), start, end)
        assert 15 < elapsed.value < 5000
    cuda(name, ctypes.byref(elapsed), end, start)
    assert elapsed.value < -15
    untimed = cuda.event(2)
    cuda("cuEventRecord", untimed, stream)
    cuda("cuEventSynchronize", untimed)
    assert cuda.code("cuEventElapsedTime", ctypes.byref(elapsed), start, untimed) == 400


def test_an_event_belongs_to_a_device(cuda):
    event = cuda.event()
    cuda.current(cuda.retain(1))
    stream = cuda.stream()
    assert cuda.code("cuEventRecord", event, stream) == 400
    cuda("cuStreamWaitEvent", stream, event, 0)  # waiting goes across


def test_query_needs_no_context(cuda):
    event = cuda.event()
    cuda.current(0)
    assert cuda.code("cuEventQuery", event) == 0
    assert cuda.code("cuEventSynchronize", event) == 201
    cuda.current(cuda.context)
