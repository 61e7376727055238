"""Opening: the primary context is the one that other libraries use, and what is current on a thread stays so."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

import pytest

import launchpath as lp
from tests.gpu.process import CONTROL, HEAD, run
from tests.gpu.standin import OUT
from tests.threads import apart


def _used(gpu, ordinal):
    """Do a bit of everything on a device."""
    stream = gpu.stream("blocking", ordinal)
    array = lp.empty(16, "int32", device=gpu.devices[ordinal])
    array.fill(1, stream)
    gpu.kernel("increment", ordinal)[1, 16, stream](array, 16)
    event = stream.record(timing=True)
    other = gpu.stream("nonblocking", ordinal)
    other.wait(event)
    other.host_function(int)
    with other.hold():
        other.query()
    event.query()
    assert array.to_numpy(other).tolist() == [2] * 16
    event.elapsed_time(other.record(timing=True))
    gpu.devices[ordinal].memory_info()
    gpu.devices[ordinal].trim_memory()
    gpu.devices[ordinal].synchronize()


def _ordinal(gpu):
    """What HIP calls the current device of this thread."""
    library = ctypes.CDLL(gpu.device.info["library"])
    number = ctypes.c_int(-1)
    assert library.hipGetDevice(ctypes.byref(number)) == 0
    return number.value


def test_the_context_is_retained_once(gpu):
    before = gpu.live()["contexts"]
    gpu.forget_calls()
    for ordinal in 0, 1, 0:
        _used(gpu, ordinal)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: _used(gpu, 0), range(4)))
    assert gpu.calls("cuDevicePrimaryCtxRetain") == []
    assert gpu.live()["contexts"] == before


def test_memory_of_other_libraries_is_reached(gpu, stream):
    address = gpu.cuda("cuMemAlloc_v2", OUT, 64)
    gpu.cuda("cuMemsetD32Async", address, 5, 16, 0)
    gpu.device.legacy_stream.synchronize()
    gpu.kernel("increment")[1, 16, stream](lp.DevicePointer(address), 16)
    stream.synchronize()
    assert list((ctypes.c_int * 16).from_address(address)) == [6] * 16
    gpu.cuda("cuMemFree_v2", address)


@pytest.mark.parametrize("ordinal", [0, 1])
@pytest.mark.parametrize("current", [0, 1])
def test_what_is_current_stays_current(gpu, current, ordinal):
    with gpu.current(current) as context:
        _used(gpu, ordinal)
        assert gpu.bare("cuCtxGetCurrent", OUT) == context if gpu.driver == "cuda" else True
    if gpu.driver == "hip":
        library = ctypes.CDLL(gpu.device.info["library"])
        before = _ordinal(gpu)
        library.hipSetDevice(current)
        _used(gpu, ordinal)
        assert _ordinal(gpu) == current
        library.hipSetDevice(before)


@pytest.mark.parametrize("ordinal", [0, 1])
def test_a_thread_without_a_context_can_do_everything(gpu, ordinal):
    """Device 0 may stay current on it, as after the first call into a runtime API; another one must not."""

    def work():
        assert gpu.bare("cuCtxGetCurrent", OUT) == 0
        _used(gpu, ordinal)
        return gpu.bare("cuCtxGetCurrent", OUT)

    left = apart(work)
    with gpu.current(0) as first:
        assert left in (0, first) or gpu.driver == "hip"


def test_a_launch_asks_nothing_first(gpu, stream):
    """On a thread where the device is current a launch is one call."""
    launch = gpu.kernel("nothing")[1, 1, stream]
    launch()
    with gpu.current(0):
        gpu.forget_calls()
        launch()
        names = [call.name for call in gpu.calls()]
    assert names.count("cuLaunchKernel") == 1
    if gpu.driver == "cuda":  # HIP's current device is another one here, after some tests
        assert names == ["cuLaunchKernel"]


def test_a_launch_with_another_device_current_runs_once(gpu, array, stream):
    with gpu.current(1) as context:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        if gpu.driver == "cuda":
            assert gpu.bare("cuCtxGetCurrent", OUT) == context
    assert array.to_numpy(stream).tolist() == [1] * 16


def test_opening_from_many_threads_opens_once(driver):
    run(driver, """
    found = devices()
    start = threading.Barrier(8)
    def work(i):
        start.wait()
        lp.zeros(16, device=found[i % 2])
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    gpu = Standin.alone()
    assert gpu.live()["contexts"] == 2 and gpu.live()["pools"] == 2
    """, head=HEAD)  # fmt: skip


def test_opening_can_fail_and_be_tried_again(driver):
    out = run(driver, """
    device = devices()[0]
    for name in "cuDevicePrimaryCtxRetain", "cuStreamCreateWithPriority":
        control.fail(name, 999)
        with pytest.raises(lp.DriverError) as caught:
            lp.empty(10, device=device)
        print(caught.value.call, caught.value.code)
    control.fail("cuMemPoolCreate", 801)
    array = lp.zeros(10, device=device)  # it does without a pool
    assert control.live("pools") == 0
    device.synchronize()
    assert control.live("contexts") == 1
    """, head=HEAD + CONTROL)  # fmt: skip
    calls = [line.split() for line in out.splitlines()]
    assert [call for call, code in calls if code == "999"][-1] in (
        "cuStreamCreateWithPriority",
        "hipStreamCreateWithPriority",
    )
    assert len(calls) == 2
