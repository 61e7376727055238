"""Atomic functions on every type that HIP and CUDA have them for, in global and shared memory."""

import numpy as np
import pytest

import launchpath as lp

TYPES = {
    "int": "int32", "unsigned": "uint32", "long long": "int64", "unsigned long long": "uint64",
    "float": "float32", "double": "float64",
}  # fmt: skip
INTEGERS = [name for name in TYPES if name not in ("float", "double")]
GRID, BLOCK = 6, 64
N = GRID * BLOCK


def launched(device, source, out, *arguments):
    lp.compile(source, device).k[GRID, BLOCK](out, *arguments)
    return out.to_numpy().tolist()


@pytest.mark.sample(4)
@pytest.mark.parametrize("ctype", TYPES)
def test_add_subtract_exchange_minimum_maximum(device, ctype):
    source = f"""
    __global__ void k({ctype}* out) {{
        {ctype} i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicAdd(&out[0], 2);
        atomicSub(&out[1], 1);
        atomicMin(&out[2], i + 5);
        atomicMax(&out[3], i);
        atomicExch(&out[4], 7);
        {ctype} before = atomicAdd(&out[5], 1);
        atomicMax(&out[6], before);
        volatile {ctype}* seen = &out[7];
        atomicAdd(seen, 3);
        atomicAdd_system(&out[8], 1);
    }}
    """
    out = lp.asarray([0, N, 1000, 0, 0, 0, 0, 0, 0], TYPES[ctype], device)
    assert launched(device, source, out) == [2 * N, 0, 5, N - 1, 7, N, N - 1, 3 * N, N]


@pytest.mark.parametrize("ctype", INTEGERS)
def test_bits_and_compare_and_swap(device, ctype):
    source = f"""
    __global__ void k({ctype}* out) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicOr(&out[0], ({ctype})1 << i % 31);
        atomicAnd(&out[1], ~(({ctype})1 << i % 31));
        atomicXor(&out[2], ({ctype})i);
        if (atomicCAS(&out[3], 0, i + 1) == 0) atomicAdd(&out[4], 1);
        {ctype} seen = out[5], expected;
        do {{
            expected = seen;
            seen = atomicCAS(&out[5], expected, expected + 2);
        }} while (seen != expected);
    }}
    """
    out = lp.asarray([0, 2**31 - 1, 0, 0, 0, 0], TYPES[ctype], device)
    got = launched(device, source, out)
    assert got[:3] == [2**31 - 1, 0, int(np.bitwise_xor.reduce(np.arange(N)))]
    assert 1 <= got[3] <= N
    assert got[4:] == [1, 2 * N]


def test_signs_count_in_minimum_and_maximum(device):
    source = """
    __global__ void k(int* s, unsigned* u, long long* l, unsigned long long* w) {
        int i = threadIdx.x;
        atomicMin(&s[0], -i); atomicMax(&s[1], -i - 1);
        atomicMin(&u[0], 0u - i); atomicMax(&u[1], 0u - i - 1);
        atomicMin(&l[0], (long long)-i << 40); atomicMax(&l[1], -1 - ((long long)i << 40));
        atomicMin(&w[0], 0ull - i); atomicMax(&w[1], 0ull - i - 1);
    }
    """
    s, u = lp.asarray([9, -999], "int32", device), lp.asarray([99, 0], "uint32", device)
    w = lp.asarray([99, 0], "uint64", device)
    wide = lp.asarray([9, -(2**62)], "int64", device)
    lp.compile(source, device).k[1, BLOCK](s, u, wide, w)
    assert s.to_numpy().tolist() == [1 - BLOCK, -1]
    assert u.to_numpy().tolist() == [0, 2**32 - 1]
    assert wide.to_numpy().tolist() == [-(BLOCK - 1) << 40, -1]
    assert w.to_numpy().tolist() == [0, 2**64 - 1]


def test_increment_and_decrement_wrap(device):
    source = """
    __global__ void k(unsigned* out) {
        atomicInc(&out[0], 9);
        atomicDec(&out[1], 9);
        unsigned before = atomicInc(&out[2], 1000);
        atomicAdd(&out[3], before);
    }
    """
    out = lp.zeros(4, "uint32", device)
    assert launched(device, source, out) == [N % 10, -N % 10, N, N * (N - 1) // 2]


def test_shared_memory(device):
    source = """
    __device__ void count(int* bins, int value) { atomicAdd(&bins[value], 1); }  // of either memory
    __global__ void k(int* out, float* sums, int* all) {
        __shared__ int bins[4];
        __shared__ float sum;
        __shared__ double most;
        __shared__ unsigned long long wide;
        int i = threadIdx.x;
        if (i < 4) bins[i] = 0;
        if (i == 0) { sum = 0; most = -1; wide = 0; }
        __syncthreads();
        count(bins, i % 3);
        count(all, i % 3);
        atomicAdd_block(&bins[3], 1);
        atomicAdd(&sum, 0.5f);
        atomicMax(&most, (double)i);
        atomicAdd(&wide, 1ull << 33);
        __syncthreads();
        if (i < 4) out[4 * blockIdx.x + i] = bins[i];
        float* own = sums + 3 * blockIdx.x;
        if (i == 0) { own[0] = sum; own[1] = most; own[2] = wide >> 33; }
    }
    """
    out, sums = lp.zeros((GRID, 4), "int32", device), lp.zeros((GRID, 3), "float32", device)
    everywhere = lp.zeros(4, "int32", device)
    assert launched(device, source, out, sums, everywhere) == [[22, 21, 21, BLOCK]] * GRID
    assert sums.to_numpy().tolist() == [[BLOCK / 2, BLOCK - 1, BLOCK]] * GRID
    assert everywhere.to_numpy().tolist() == [22 * GRID, 21 * GRID, 21 * GRID, 0]


def test_sixteen_bits_are_swapped_in_place(device):
    source = """
    __global__ void k(unsigned short* out) {
        unsigned short seen = out[1], expected;
        do {
            expected = seen;
            seen = atomicCAS(&out[1], expected, (unsigned short)(expected + 1));
        } while (seen != expected);
        atomicCAS(&out[2], (unsigned short)5, (unsigned short)6);
    }
    """
    out = lp.asarray([11, 0, 5, 33], "uint16", device)
    assert launched(device, source, out) == [11, N, 6, 33]


def test_a_programs_own_atomics_come_before(device):
    source = """
    __device__ double atomicAdd(double* at, double value) {
        unsigned long long* bits = (unsigned long long*)at;
        unsigned long long seen = *bits, expected;
        do {
            expected = seen;
            seen = atomicCAS(bits, expected, __double_as_longlong(2 * value + __longlong_as_double(expected)));
        } while (seen != expected);
        return __longlong_as_double(seen);
    }
    __device__ static float atomicMax(float* at, float value) {
        int* bits = (int*)at;
        int seen = *bits, expected;
        do {
            expected = seen;
            seen = atomicCAS(bits, expected, __float_as_int(fmaxf(value, __int_as_float(expected)) + 0.0f));
        } while (seen != expected);
        return __int_as_float(seen);
    }
    __global__ void k(double* out) {
        __shared__ float most;
        if (threadIdx.x == 0) most = 0;
        __syncthreads();
        atomicAdd(&out[0], 1.0);
        atomicMax(&most, (float)threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0) out[1] = most;
    }
    """
    assert launched(device, source, lp.zeros(2, "float64", device)) == [2 * N, BLOCK - 1]


def test_fences_and_flags_between_blocks(device):
    source = """
    __device__ unsigned done = 0;
    __global__ void k(int* out, int* parts) {
        __shared__ bool last;
        if (threadIdx.x == 0) {
            parts[blockIdx.x] = blockIdx.x + 1;
            __threadfence();
            last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (last && threadIdx.x == 0) {
            int sum = 0;
            for (int i = 0; i < gridDim.x; ++i) sum += ((volatile int*)parts)[i];
            __threadfence_block();
            __threadfence_system();
            *out += sum;
        }
    }
    """
    out, parts = lp.zeros(1, "int32", device), lp.zeros(GRID, "int32", device)
    program = lp.compile(source, device)
    for _ in range(3):
        program.k[GRID, BLOCK](out, parts)
    assert out.to_numpy().tolist() == [3 * GRID * (GRID + 1) // 2]


def test_barriers_that_count(device):
    source = """
    __global__ void k(int* out) {
        int i = threadIdx.x, block = blockIdx.x;
        int odd = __syncthreads_count(i % 2), few = __syncthreads_count(i < block);
        int any = __syncthreads_or(i == block * 20), all = __syncthreads_and(i < 60 + block);
        int* own = out + 4 * block;
        if (i == 17) { own[0] = odd; own[1] = few; own[2] = any; own[3] = all; }
    }
    """
    out = lp.zeros((GRID, 4), "int32", device)
    assert launched(device, source, out) == [[32, block, block * 20 < 64, block >= 4] for block in range(GRID)]


@pytest.mark.parametrize("call", ["atomicAdd((char*)out, 'a')", "atomicAnd((float*)out, 1.0f)"])
def test_what_is_not_atomic_is_an_error(device, call):
    with pytest.raises(
        lp.CompileError, match=r"atomic\w+ takes|overloaded function \"atomic\w+\" matches|no matching function"
    ):
        lp.compile(f"__global__ void k(int* out) {{ {call}; }}", device)


def test_sums_of_vectors(device):
    source = """
    #include <cuda_runtime.h>
    __global__ void k(float2* a, float4* b) {
        atomicAdd(&a[0], make_float2(1, 2));
        atomicAdd(b, make_float4(1, 2, 3, threadIdx.x));
    }
    """
    a, b = lp.zeros(2, "float32", device), lp.zeros(4, "float32", device)
    lp.compile(source, device).k[2, 64](a, b)
    assert a.to_numpy().tolist() == [128, 256]
    assert b.to_numpy().tolist() == [128, 256, 384, 2 * 64 * 63 / 2]


@pytest.mark.sample(3)
@pytest.mark.parametrize("ctype", TYPES)
@pytest.mark.opencl_only("NVIDIA's GPUs have no atomics on local memory: the launch fails, CUDA_ERROR_LAUNCH_FAILED")
def test_variables_of_a_thread(device, ctype):
    """They are of no use but in code that is for any memory. On CUDA devices such a launch fails."""
    bits = (
        ""
        if ctype in ("float", "double")
        else """
        T c = 12; out[at++] = atomicAnd(&c, (T)6); out[at++] = atomicOr(&c, (T)n); out[at++] = atomicXor(&c, (T)1);
        out[at++] = c; out[at++] = atomicCAS(&c, (T)(n + 4), (T)50); out[at++] = atomicCAS(&c, (T)7, (T)9); out[at++] = c;
    """
    )
    inc = (
        ""
        if ctype != "unsigned"
        else "T d = n; out[at++] = atomicInc(&d, 3u); out[at++] = atomicDec(&d, 9u); out[at++] = d;"
    )
    source = f"""
    typedef {ctype} T;
    template <class U> __device__ __attribute__((noinline)) void bump(U* p, U v) {{ atomicAdd(p, v); }}
    __global__ void k(T* out, T* other, int n) {{
        int at = 0;
        T a = 3, b[4] = {{1, 2, 3, 4}};
        out[at++] = atomicAdd(&a, (T)n); out[at++] = atomicExch(&a, (T)(n + 1)); out[at++] = a;
        out[at++] = atomicMin(&a, (T)1); out[at++] = atomicMax(&a, (T)20); out[at++] = a;
        for (int i = 0; i < n + 6; i++) atomicAdd(&b[(i * 5) % 3], (T)1);
        for (int i = 0; i < 4; i++) out[at++] = b[i];
        bump(&a, (T)5); bump(other, (T)6);
        T* either = n > 2 ? other : &a;
        T* same = n > 2 ? &a : b;
        out[at++] = atomicAdd(either, (T)1); out[at++] = atomicAdd(same, (T)2); out[at++] = a;
        {bits} {inc}
    }}"""
    a, b, other = 3, [1, 2, 3, 4], 7
    wanted = [a, a + 2, 3, 3, 1, 20]
    for i in range(8):
        b[i * 5 % 3] += 1
    wanted += b
    a, other = 25, other + 6
    wanted += [a, b[0], a + 1]
    if bits:
        wanted += [12, 4, 6, 7, 7, 7, 9]
    if inc:
        wanted += [2, 3, 2]
    out = lp.zeros(len(wanted), TYPES[ctype], device)
    memory = lp.asarray(np.array([7], TYPES[ctype]), device=device)
    lp.compile(source, device).k[1, 1](out, memory, 2)
    assert out.to_numpy().tolist() == wanted
    assert memory.to_numpy().tolist() == [other]
