"""Managed memory of CUDA and HIP: the library's calls, what frees wait for, DLPack's kinds, devices without."""

import gc

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.capture.capture import Capture
from tests.gpu.foreign.dlpack import KINDS, take
from tests.gpu.process import run
from tests.standin.client import on_thread

N = 100


def test_the_librarys_calls(gpu):
    gpu.forget_calls()
    array = lp.managed_empty(N, "int32", gpu.device)
    (call,) = gpu.calls("cuMemAllocManaged", "cuMemAllocFromPoolAsync", "cuMemAlloc_v2")
    assert (call.name, call.result) == ("cuMemAllocManaged", 0)
    assert gpu.live()["managed"] == 1
    gpu.kernel("increment")[1, N](array, N)
    array.host_view()[:] = 4
    gpu.kernel("increment")[1, N](array, N)
    assert array.host_view().tolist() == [5] * N
    del array
    gpu.device.synchronize()
    gpu.device.trim_memory()
    assert gpu.live()["managed"] == 0
    assert "cuMemFree_v2" in [call.name for call in gpu.calls()]


def test_a_view_waits_for_the_device(gpu):
    array, stream = lp.managed_empty(N, "int32", gpu.device), gpu.stream()
    array.fill(0)
    gpu.device.synchronize()
    with stream.hold():
        gpu.kernel("increment")[1, N, stream](array, N)
        views: list[np.ndarray] = []
        thread = on_thread(lambda: views.append(array.host_view().copy()))
        assert not views
    thread.join()
    assert views[0].tolist() == [1] * N


def test_memory_is_not_freed_while_a_stream_is_held(gpu):
    """The library waits for the device, under a lock that the host may need to let the stream go on."""
    stream = gpu.stream()
    array = lp.managed_empty(N, "int32", gpu.device)
    del array
    gc.collect(0)
    gpu.device.synchronize()
    with stream.hold():
        gpu.forget_calls()
        gpu.device.trim_memory()
        assert gpu.calls("cuMemFree_v2") == []
        assert gpu.live()["managed"] == 1
    stream.synchronize()
    gpu.device.trim_memory()
    assert gpu.live()["managed"] == 0


def test_a_free_waits_for_work_in_flight(gpu):
    array, stream = lp.managed_empty(N, "int32", gpu.device), gpu.stream()
    with stream.hold():
        gpu.kernel("increment")[1, N, stream](array, N)
        pointer = array.pointer
        array.free()
        gpu.device.trim_memory()
        assert pointer not in [lp.managed_empty(N, "int32", gpu.device).pointer for _ in range(3)]
    stream.synchronize()
    gpu.device.trim_memory()
    assert gpu.live()["managed"] == 0


def test_frees_beside_host_functions_and_launches(driver):
    from tests.gpu.order.test_unheld import BESIDE

    run(driver, BESIDE + """
def waits(turn):
    device.pool.allocate(1 << 16, kind=_core.MANAGED)
    device.trim_memory()
for_a_while(waits, waits, launches, host_functions)
assert called
""")  # fmt: skip


def test_a_limit_and_memory_information(gpu):
    gpu.device.trim_memory()
    gpu.device.set_memory_limit(gpu.device.pool.held + (1 << 20))
    before = gpu.device.memory_info()
    try:
        array = lp.managed_empty(1 << 19, "uint8", gpu.device)
        with pytest.raises(lp.OutOfMemoryError, match="over the limit"):
            lp.managed_empty(1 << 20, "uint8", gpu.device)
        after = gpu.device.memory_info()
        assert after["in_use"] - before["in_use"] == 1 << 19
        assert before["free"] - after["free"] == array.nbytes
    finally:
        gpu.device.set_memory_limit(None)


def test_out_of_memory_names_the_call(gpu):
    with pytest.raises(lp.OutOfMemoryError) as caught:
        lp.managed_empty(2 << 30, "uint8", gpu.device)
    assert (caught.value.call, caught.value.code) == (gpu.call["managed_allocate"], 2)


@pytest.mark.parametrize("versioned", [False, True])
def test_dlpack(gpu, versioned):
    array = lp.managed_empty(N, "int32", gpu.device)
    version = (1, 0) if versioned else None
    here = (KINDS[gpu.driver], 0)
    assert array.__dlpack_device__() == here
    managed = (13, 0)  # kDLCUDAManaged
    for wanted in (None, here, managed) if gpu.driver == "cuda" else (None, here):
        described, end = take(array.__dlpack__(max_version=version, dl_device=wanted))
        assert (described.tensor.device_type, described.tensor.device_id) == (wanted or here)
        assert described.tensor.data == array.pointer
        end()
    with pytest.raises(BufferError, match="on its own device"):
        array.__dlpack__(dl_device=(13, 1))
    if gpu.driver == "hip":
        with pytest.raises(BufferError, match="on its own device"):
            array.__dlpack__(dl_device=managed)
    with pytest.raises(BufferError, match="on its own device"):
        gpu.zeros().__dlpack__(dl_device=(1, 0))


def test_numpy_takes_it_as_memory_of_the_cpu_after_the_work(gpu):
    array, stream = lp.managed_empty(N, "int32", gpu.device), gpu.stream()
    array.fill(7, stream)
    described, end = take(array.__dlpack__(dl_device=(1, 0)))
    assert stream.query()
    assert described.tensor.device_type == 1
    end()
    assert np.from_dlpack(array, device="cpu").tolist() == [7] * N


def test_copies_between_devices(gpu):
    here, there = lp.managed_empty(N, "int32", gpu.device), gpu.zeros(N, ordinal=1)
    here.host_view()[:] = np.arange(N)
    here.copy_to(there)
    assert there.to_numpy().tolist() == list(range(N))
    there.fill(2)
    there.copy_to(here)
    assert here.to_numpy().tolist() == [2] * N
    assert here.host_view().tolist() == [2] * N


def test_a_view_while_a_stream_is_captured(gpu):
    """What is captured does not run, so nothing of it is waited for."""
    array, stream = lp.managed_empty(N, "int32", gpu.device), gpu.stream()
    array.fill(1)
    capture = Capture(gpu, stream.handle)
    with capture:
        array.fill(2, stream)
        assert array.host_view().tolist() == [1] * N
    assert capture.code == 0
    capture.launch()
    stream.synchronize()
    assert array.host_view().tolist() == [2] * N
    capture.close()


def test_an_allocation_while_a_stream_is_captured(gpu, stream):
    capture = Capture(gpu, stream.handle)
    with capture, stream:
        array = lp.managed_empty(N, "int32", gpu.device)
    assert capture.code == 0
    array.fill(1)
    assert array.host_view().tolist() == [1] * N
    capture.close()


def test_devices_without(driver):
    run(driver, """
    assert not device.managed_memory and not device.concurrent_managed_access
    with pytest.raises(lp.LaunchpathError, match="Stand-in GPU 0.* has no managed memory: its attribute .* is 0"):
        lp.managed_empty(10, device=device)
    """, managed=0)  # fmt: skip


def test_libraries_without(driver):
    name = {"cuda": "cuMemAllocManaged", "hip": "hipMallocManaged"}[driver]
    run(driver, f"""
    assert not device.managed_memory
    with pytest.raises(lp.LaunchpathError, match="has no managed memory: .* has no {name}. Use"):
        lp.managed_empty(10, device=device)
    with pytest.raises(lp.DriverError, match={name!r}):
        device.pool.allocate(10, kind=_core.MANAGED)
    """, without=(name,))  # fmt: skip


def test_devices_whose_managed_memory_the_host_may_use_while_they_are_idle(driver):
    run(driver, """
    assert device.managed_memory and not device.concurrent_managed_access
    array, other, stream = lp.managed_empty(10, "int32", device), gpu.zeros(), gpu.stream()
    array.fill(1)
    device.synchronize()
    hold = stream.hold()
    gpu.kernel("increment")[1, 16, stream](other, 16)   # work that does not use the array
    threading.Timer(0.05, hold.release).start()
    assert array.host_view().tolist() == [1] * 10
    assert stream.query()
    """, managed=2)  # fmt: skip


def test_a_forked_child_gets_no_view(driver):
    run(driver, """
    array = lp.managed_empty(10, "int32", device)
    array.fill(1)
    device.synchronize()
    child = os.fork()
    if child == 0:
        try:
            array.host_view()
        except lp.LaunchpathError as error:
            os._exit(0 if "fork" in str(error) else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    """)  # fmt: skip


def test_a_call_that_fails(gpu):
    """An allocation that is refused is told and leaves nothing; a free that fails is tried again by the next trim."""
    gpu.control.fail("cuMemAllocManaged", 1)
    with pytest.raises(lp.DriverError, match="M(em)?[aA]llocManaged"):
        lp.managed_empty(1000, device=gpu.device)
    gpu.control.forgive()
    array = lp.managed_empty(1 << 22, "uint8", gpu.device)
    array.free()
    gpu.device.synchronize()
    gpu.control.fail("cuMemFree_v2", 1)
    with pytest.raises(lp.DriverError, match="Free"):
        gpu.device.trim_memory()
    gpu.control.forgive()
    before = gpu.device.memory_info()["driver_frees"]
    gpu.device.trim_memory()
    assert gpu.device.memory_info()["driver_frees"] > before
