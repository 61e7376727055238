"""hipModuleLaunchKernel with handles that the core knows: every launch behind the first."""

import ctypes

import numpy as np
import pytest

from tests.hip_api.calls import compiled, fails, ok
from tests.threads import at_once

SOURCE = """
extern "C" __global__ void add(int *x, int by) { x[threadIdx.x + blockIdx.x * blockDim.x] += by; }
extern "C" __global__ void shared(int *x, int n) {
    extern __shared__ int t[];
    t[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = t[n - 1 - threadIdx.x];
}
extern "C" __global__ void sometimes(int *x, int n) {
    extern __shared__ int t[];
    if (n) {
        t[threadIdx.x] = n;
        __syncthreads();
        x[threadIdx.x] = t[threadIdx.x ^ 1];
    } else x[threadIdx.x] = 7;
}
"""
N = 64


@pytest.fixture
def module(hip):
    return ok(hip.hipModuleLoadData(compiled(SOURCE.encode(), b"kept.hip")))


@pytest.fixture
def x(hip, made):
    memory = made(hip.hipMalloc(4 * N))
    ok(hip.hipMemset(memory, 0, 4 * N))
    ok(hip.hipDeviceSynchronize())
    return memory


def read(hip, memory):
    out = np.empty(N, "int32")
    ok(hip.hipMemcpy(out, memory, out.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    return out.tolist()


def test_many_launches_in_each_spelling(hip, module, x, made):
    add, stream = ok(hip.hipModuleGetFunction(module, b"add")), made(hip.hipStreamCreate())
    launch, by = hip.hipModuleLaunchKernel, ctypes.c_int(1)
    for _ in range(100):
        ok(launch(add, 1, 1, 1, N, 1, 1, 0, stream, None, (x, by)))
        ok(launch(add, 1, 1, 1, N, 1, 1, sharedMemBytes=0, stream=stream, kernelParams=None, extra=(x, by)))
        ok(launch(add, 1, 1, 1, N, 1, 1, extra=(x, by), stream=stream))
    ok(hip.hipStreamSynchronize(stream))
    for _ in range(3):
        ok(launch(add, 2, 1, 1, N // 2, 1, 1, extra=(x, by)))  # another configuration, on the default stream
        ok(launch(f=add, gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=N, blockDimY=1, blockDimZ=1, extra=(x, by)))
    assert read(hip, x) == [306] * N


def test_what_is_wrong_is_reported_after_many_that_were_right(hip, module, x):
    add = ok(hip.hipModuleGetFunction(module, b"add"))
    launch, right, stream = hip.hipModuleLaunchKernel, (x, ctypes.c_int(1)), ok(hip.hipStreamCreate())
    for _ in range(3):
        ok(launch(add, 1, 1, 1, N, 1, 1, extra=right))
        fails(launch(add, 0, 1, 1, N, 1, 1, extra=right), "hipErrorInvalidValue")
        fails(launch(add, 1, 1, 1, 0, 1, 1, extra=right), "hipErrorInvalidConfiguration")
        fails(launch(add, 1, 1, 1, 1 << 20, 1, 1, extra=right), "hipErrorInvalidConfiguration")
        fails(launch(add, 1, 1, 1, N, 1, 1, extra=(x,)), "hipErrorInvalidValue")
        fails(launch(add, 1, 1, 1, N, 1, 1, extra=(x, ctypes.c_double(1))), "hipErrorInvalidValue")
        fails(launch(add, 1, 1, 1, N, 1, 1, extra=right, kernelParams=right), "hipErrorInvalidValue")
        fails(launch(stream, 1, 1, 1, N, 1, 1, extra=right), "hipErrorInvalidHandle")
        assert hip.hipExtGetLastError()[0] != hip.hipError_t.hipSuccess
        ok(launch(add, 1, 1, 1, N, 1, 1, extra=right))
        assert hip.hipExtGetLastError()[0] == hip.hipError_t.hipSuccess
    assert read(hip, x) == [6] * N


def test_a_destroyed_stream_and_an_unloaded_module_are_not_launched_on(hip, module, x):
    add, stream = ok(hip.hipModuleGetFunction(module, b"add")), ok(hip.hipStreamCreate())
    launch, extra = hip.hipModuleLaunchKernel, (x, ctypes.c_int(1))
    for _ in range(3):
        ok(launch(add, 1, 1, 1, N, 1, 1, 0, stream, None, extra))
    ok(hip.hipStreamSynchronize(stream))
    ok(hip.hipStreamDestroy(stream))
    fails(launch(add, 1, 1, 1, N, 1, 1, 0, stream, None, extra), "hipErrorInvalidValue")
    for _ in range(3):
        ok(launch(add, 1, 1, 1, N, 1, 1, 0, None, None, extra))
    ok(hip.hipModuleUnload(module))
    fails(launch(add, 1, 1, 1, N, 1, 1, 0, None, None, extra), "hipErrorInvalidHandle")
    assert read(hip, x) == [6] * N


def test_dynamic_shared_memory(hip, module, x):
    flip = ok(hip.hipModuleGetFunction(module, b"shared"))
    ok(hip.hipMemcpy(x, np.arange(N, dtype="int32"), 4 * N, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    for _ in range(3):
        ok(hip.hipModuleLaunchKernel(flip, 1, 1, 1, N, 1, 1, sharedMemBytes=4 * N, extra=(x, ctypes.c_int(N))))
    assert read(hip, x) == list(range(N - 1, -1, -1))


def test_dynamic_shared_memory_of_no_bytes_is_right_where_no_thread_reaches_it(hip, module, x):
    sometimes = ok(hip.hipModuleGetFunction(module, b"sometimes"))
    for _ in range(3):  # the first goes another way
        ok(hip.hipModuleLaunchKernel(sometimes, 1, 1, 1, N, 1, 1, extra=(x, ctypes.c_int(0))))
    assert read(hip, x) == [7] * N


def test_threads_with_streams_and_configurations_of_their_own(hip, module, device, made):
    from launchpath.hip._devices import current

    add, launch, times = ok(hip.hipModuleGetFunction(module, b"add")), hip.hipModuleLaunchKernel, 300
    memories = [made(hip.hipMalloc(4 * N)) for _ in range(4)]
    for memory in memories:
        ok(hip.hipMemset(memory, 0, 4 * N))
    ok(hip.hipDeviceSynchronize())
    results = []

    def work(i):
        current.choose(device)
        stream, by = ok(hip.hipStreamCreate()), ctypes.c_int(i + 1)
        for _ in range(times):
            results.append(launch(add, 1 << i, 1, 1, N >> i, 1, 1, 0, stream, None, (memories[i], by))[0])
        ok(hip.hipStreamSynchronize(stream))
        ok(hip.hipStreamDestroy(stream))

    at_once(work, range(4))
    assert set(results) == {hip.hipError_t.hipSuccess}
    assert len(results) == 4 * times
    assert [read(hip, memory) for memory in memories] == [[times * (i + 1)] * N for i in range(4)]
