"""`stream.handle`: foreign code submits to the queue, and ordering stays right without being told."""

import ctypes

import pytest

import launchpath as lp

from .calls import becomes_true, returns_at_once, waits_until_released


class ForeignWork:
    """Work that other code puts into an OpenCL queue, and ends when told."""

    def __init__(self, stream):
        self.library = library = ctypes.CDLL(stream.device.info["library"])
        for name in ("clCreateUserEvent", "clEnqueueBarrierWithWaitList", "clGetCommandQueueInfo"):
            getattr(library, name).restype = ctypes.c_void_p if name == "clCreateUserEvent" else ctypes.c_int
        context = ctypes.c_void_p()
        queue = ctypes.c_void_p(stream.handle)
        assert library.clGetCommandQueueInfo(queue, 0x1090, ctypes.sizeof(context), ctypes.byref(context), None) == 0
        code = ctypes.c_int()
        self.event = ctypes.c_void_p(library.clCreateUserEvent(context, ctypes.byref(code)))
        assert code.value == 0
        assert library.clEnqueueBarrierWithWaitList(queue, 1, ctypes.byref(self.event), None) == 0
        assert library.clFlush(queue) == 0

    def release(self):
        event, self.event = self.event, None
        if event is not None:
            assert self.library.clSetUserEventStatus(event, 0) == 0
            self.library.clReleaseEvent(event)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.release()


@pytest.fixture
def opencl(device):
    if device.info["driver"] != "opencl":
        pytest.skip("the foreign code here is OpenCL's")


pytestmark = pytest.mark.usefixtures("opencl")


def test_a_handle_is_the_librarys_own_queue(nonblocking):
    assert isinstance(nonblocking.handle, int)
    assert nonblocking.handle != 0
    assert nonblocking.handle == nonblocking.handle


def test_foreign_work_makes_the_stream_busy(nonblocking):
    nonblocking.synchronize()
    with ForeignWork(nonblocking) as work:
        assert not nonblocking.query()
        waits_until_released(work, nonblocking.synchronize)
    assert becomes_true(nonblocking.query)


def test_legacy_waits_for_foreign_work_on_a_blocking_stream(legacy, blocking, program, counter):
    assert blocking.handle
    program.follow[1, 1, legacy](counter, 0)
    legacy.synchronize()
    with ForeignWork(blocking) as work:
        assert not legacy.query()
        program.follow[1, 1, legacy](counter, 1)
        event = legacy.record()
        assert not event.query()
        waits_until_released(work, event.synchronize)
    assert counter.to_numpy()[0] == 2


def test_foreign_work_on_a_blocking_stream_waits_for_legacy(legacy, blocking, program, counter):
    assert blocking.handle
    with legacy.hold() as hold:
        program.follow[1, 1, legacy](counter, 0)
        work = ForeignWork(blocking)
        work.release()
        assert not blocking.query()
        waits_until_released(hold, blocking.synchronize)


def test_an_event_recorded_behind_foreign_work_waits_for_it(blocking, nonblocking, program, counter):
    with ForeignWork(blocking) as work:
        event = blocking.record()
        assert not event.query()
        nonblocking.wait(event)
        program.follow[1, 1, nonblocking](counter, 0)
        assert not nonblocking.query()
        waits_until_released(work, nonblocking.synchronize)


def test_an_event_recorded_before_foreign_work_does_not_wait_for_it(nonblocking, program, counter):
    assert nonblocking.handle
    program.follow[1, 1, nonblocking](counter, 0)
    event = nonblocking.record()
    event.query()
    with ForeignWork(nonblocking):
        returns_at_once(event.synchronize)


def test_device_synchronize_covers_foreign_work(device, nonblocking):
    device.synchronize()
    with ForeignWork(nonblocking) as work:
        waits_until_released(work, device.synchronize)


def test_memory_freed_while_foreign_work_runs_is_not_used_again(device, nonblocking):
    size = 77_777
    array = lp.empty(size, "uint8", device)
    pointer = array.pointer
    device.synchronize()
    with ForeignWork(nonblocking):
        del array
        assert lp.empty(size, "uint8", device).pointer != pointer
