"""CUDA's own C++ library in kernels: cuda::std, atomics, barriers, pipelines, and what a target provides."""

import numpy as np
import pytest

import launchpath as lp

STANDARD = """
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <nv/target>
__global__ void k(double* out) {
    cuda::std::array<int, 3> a{1, 2, 3};
    cuda::std::tuple<int, float> both{4, 0.5f};
    cuda::std::complex<float> z(1, 2);
    out[0] = a[1] + cuda::std::get<0>(both) + cuda::std::get<1>(both);
    out[1] = (z * z).real() + cuda::std::sqrt(16.0);
    out[2] = cuda::std::numeric_limits<int>::max() - cuda::std::is_same<int, int>::value;
    NV_IF_TARGET(NV_PROVIDES_SM_60, (out[3] = 7;), (out[3] = 8;))
    NV_IF_ELSE_TARGET(NV_IS_HOST, (out[4] = 7;), (out[4] = 8;))
    NV_IF_TARGET(NV_IS_DEVICE, (out[5] = 9;))
}
"""

ATOMICS = """
#include <cuda/atomic>
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> total{5};
__global__ void k(int* x, float* f, unsigned long long* l, unsigned* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(x[0]);
    sum.fetch_add(2, cuda::memory_order_relaxed);
    cuda::atomic_ref<int>(x[1])++;
    cuda::atomic_ref<int>(x[2]).fetch_max(threadIdx.x);
    cuda::atomic_ref<int> least(x[3]);
    int seen = least.load(cuda::std::memory_order_acquire);
    while (seen > (int)threadIdx.x && !least.compare_exchange_weak(seen, threadIdx.x)) {}
    cuda::atomic_ref<float, cuda::thread_scope_device>(f[0]) += 0.5f;
    cuda::atomic_ref<unsigned long long>(l[0]).fetch_or(1ull << threadIdx.x);
    total.fetch_add(1);
    if (threadIdx.x == 0) cuda::atomic_ref<int>(x[4]).store(11, cuda::memory_order_release);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> mine;
    if (threadIdx.x == 0) mine = 3;
    __syncthreads();
    mine.fetch_sub(1);
    __syncthreads();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    out[threadIdx.x] = (unsigned)mine.load();
    if (threadIdx.x == 0) x[5] = total.load();
}
"""

BARRIERS = """
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
__global__ void k(const float* in, float* out) {
    auto block = cooperative_groups::this_thread_block();
    __shared__ cuda::barrier<cuda::thread_scope_block> done;
    __shared__ float a[128], b[128], c[128];
    int t = threadIdx.x;
    if (t == 0) init(&done, blockDim.x);
    block.sync();
    cuda::memcpy_async(block, a, in, sizeof a, done);
    done.arrive_and_wait();
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&b[t], &in[t], cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __pipeline_memcpy_async(&c[t], &in[t], 4, t % 2 * 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    done.wait(done.arrive());
    out[t] = a[127 - t] + 1000 * b[127 - t] + 1000000 * c[127 - t];
}
"""


def test_the_standard_library_by_cudas_name(device):
    out = lp.zeros(6, "float64", device)
    lp.compile(STANDARD, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [6.5, 1, 2.0**31 - 2, 7, 8, 9]


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_atomics_with_an_order_and_a_scope(device, standard):
    x = lp.asarray(np.array([1, 1, -1, 99, 0, 0], "int32"), device=device)
    f = lp.zeros(1, "float32", device)
    bits = lp.zeros(1, "uint64", device)
    out = lp.zeros(64, "uint32", device)
    lp.compile(ATOMICS, device, standard=standard).k[1, 64](x, f, bits, out)
    assert x.to_numpy().tolist() == [129, 65, 63, 0, 11, 69]
    assert f.to_numpy()[0] == 32 and bits.to_numpy()[0] == 2**64 - 1
    assert (out.to_numpy() == 2**32 + 3 - 64).all()


def test_barriers_and_pipelines(device):
    values = np.arange(128, dtype="float32")
    out = lp.zeros(128, "float32", device)
    lp.compile(BARRIERS, device).k[1, 128](lp.asarray(values, device=device), out)
    back = values[::-1]
    assert (out.to_numpy() == back + 1000 * back + np.float32(1e6) * np.where(back % 2, 0, back)).all()
