"""The first part of the language: what kernels may use on every device, and how errors are told."""

import numpy as np
import pytest

import launchpath as lp


@pytest.fixture
def compiled(device):
    def compile_(source, **options):
        return lp.compile(source, device, **options)

    return compile_


def test_index_builtins_have_three_dimensions(compiled, device):
    kernel = compiled("""
    __global__ void k(int* out) {
        unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
        unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
        out[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x] = x + 100 * y + 10000 * z;
    }
    """).k
    out = lp.zeros((6, 4, 6), "int32", device)
    kernel[(3, 2, 2), (2, 2, 3)](out)
    z, y, x = np.indices((6, 4, 6))
    assert (out.to_numpy() == x + 100 * y + 10000 * z).all()


def test_static_shared_memory_and_syncthreads(compiled, device):
    kernel = compiled("""
    __global__ void reverse(int* a) {
        __shared__ int scratch[64];
        int i = threadIdx.x;
        scratch[i] = a[blockIdx.x * 64 + i];
        __syncthreads();
        a[blockIdx.x * 64 + i] = scratch[63 - i];
    }
    """).reverse
    a = lp.asarray(np.arange(256, dtype="int32"), device=device)
    kernel[4, 64](a)
    assert (a.to_numpy().reshape(4, 64) == np.arange(256).reshape(4, 64)[:, ::-1]).all()


def test_several_shared_arrays_of_several_types(compiled, device):
    kernel = compiled("""
    __global__ void k(double* out) {
        __shared__ char c[3];
        __shared__ double d[32];
        __shared__ float m[4][8];
        int i = threadIdx.x;
        if (i < 3) c[i] = i + 1;
        d[i] = i;
        m[i / 8][i % 8] = 2 * i;
        __syncthreads();
        int j = 31 - i;
        out[i] = d[j] + m[j / 8][j % 8] + c[0] + c[1] + c[2];
    }
    """).k
    out = lp.zeros(32, "float64", device)
    kernel[1, 32](out)
    assert out.to_numpy().tolist() == [3 * (31 - i) + 6 for i in range(32)]


@pytest.mark.parametrize("n", [1, 64, 256])
def test_dynamic_shared_memory_beside_static(compiled, device, n):
    kernel = compiled("""
    __global__ void sum(const float* in, float* out, int n) {
        extern __shared__ float scratch[];
        __shared__ float bias;
        int i = threadIdx.x;
        if (i == 0) bias = 0.5f;
        scratch[i] = in[i];
        __syncthreads();
        for (int width = n / 2; width > 0; width /= 2) {
            if (i < width) scratch[i] += scratch[i + width];
            __syncthreads();
        }
        if (i == 0) *out = scratch[0] + bias;
    }
    """).sum
    source, out = lp.asarray(np.arange(n, dtype="float32"), device=device), lp.zeros(1, "float32", device)
    kernel[1, n, None, 4 * n](source, out, n)
    assert out.to_numpy()[0] == n * (n - 1) / 2 + 0.5


def test_shared_memory_is_each_blocks_own(compiled, device):
    kernel = compiled("""
    __global__ void k(int* out) {
        __shared__ int mine;
        if (threadIdx.x == 0) mine = blockIdx.x;
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
    }
    """).k
    out = lp.zeros((200, 16), "int32", device)
    kernel[200, 16](out)
    assert (out.to_numpy() == np.arange(200)[:, None]).all()


def test_atomics_on_ints(compiled, device):
    kernel = compiled("""
    __global__ void k(int* a, unsigned* u) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicAdd(&a[0], 1);
        atomicSub(&a[1], 2);
        atomicMax(&a[2], i);
        atomicMin(&a[3], -i);
        atomicOr(&a[4], 1 << (i % 16));
        atomicAnd(&a[5], ~(1 << (i % 16)));
        atomicXor(&a[6], i == 5 ? 0xff : 0);
        if (atomicCAS(&a[7], 0, i + 1) == 0) atomicExch(&a[8], 77);
        atomicInc(&u[0], 9u);
        atomicAdd(&u[1], 3u);
    }
    """).k
    a = lp.asarray([0, 0, 0, 0, 0, 0xFFFF, 0, 0, 0], "int32", device)
    u = lp.zeros(2, "uint32", device)
    kernel[10, 64](a, u)
    got = a.to_numpy()
    assert got[:7].tolist() == [640, -1280, 639, -639, 0xFFFF, 0, 0xFF]
    assert 1 <= got[7] <= 640
    assert got[8] == 77
    assert u.to_numpy().tolist() == [0, 1920]


def test_atomics_on_floats_and_shared_memory(compiled, device):
    kernel = compiled("""
    __global__ void k(float* out, int* counts) {
        __shared__ int here;
        if (threadIdx.x == 0) here = 0;
        __syncthreads();
        atomicAdd(&here, 1);
        __syncthreads();
        if (threadIdx.x == 0) counts[blockIdx.x] = here;
        atomicAdd(out, 0.5f);
    }
    """).k
    out, counts = lp.zeros(1, "float32", device), lp.zeros(8, "int32", device)
    kernel[8, 96](out, counts)
    assert out.to_numpy()[0] == 8 * 96 / 2
    assert (counts.to_numpy() == 96).all()


def test_a_device_function_takes_pointers_and_values(compiled, device):
    kernel = compiled("""
    struct Point { float x, y; };
    __device__ float dot(struct Point a, struct Point b) { return a.x * b.x + a.y * b.y; }
    __device__ void put(float* at, float value) { *at = value; }
    __device__ float twice(const float* at) { return 2 * *at; }
    __global__ void k(float* out, const float* in) {
        struct Point p = {in[0], in[1]};
        put(out, dot(p, p));
        float local = 5;
        out[1] = twice(in) + twice(&local);
    }
    """).k
    out = lp.zeros(2, "float32", device)
    kernel[1, 1](out, lp.asarray([3, 4], "float32", device))
    assert out.to_numpy().tolist() == [25.0, 16.0]


MATH = {
    "sqrtf": np.sqrt, "expf": np.exp, "logf": np.log, "sinf": np.sin, "cosf": np.cos, "tanhf": np.tanh, "fabsf": np.abs,
    "floorf": np.floor, "ceilf": np.ceil, "exp2f": np.exp2, "log2f": np.log2, "log10f": np.log10, "atanf": np.arctan,
    "cbrtf": np.cbrt, "rsqrtf": lambda x: 1 / np.sqrt(x), "truncf": np.trunc,
}  # fmt: skip


def test_math_functions_of_a_single_float(compiled, device):
    lines = "\n".join(f"out[{i} * n + at] = {name}(x);" for i, name in enumerate(MATH))
    kernel = compiled(f"""
    __global__ void k(float* out, const float* in, int n) {{
        int at = threadIdx.x;
        float x = in[at];
        {lines}
    }}
    """).k
    x = np.linspace(0.25, 3.75, 32, dtype="float32")
    out = lp.zeros((len(MATH), 32), "float32", device)
    kernel[1, 32](out, lp.asarray(x, device=device), 32)
    for got, (name, function) in zip(out.to_numpy(), MATH.items(), strict=True):
        np.testing.assert_allclose(got, function(x), rtol=1e-4, atol=1e-6, err_msg=name)


def test_math_functions_of_several_arguments_and_double(compiled, device):
    kernel = compiled("""
    __global__ void k(double* out, double x, float y) {
        out[0] = pow(x, 2.0); out[1] = powf(y, 3.0f); out[2] = fmaf(y, 2.0f, 1.0f); out[3] = fmin(x, 1.0);
        out[4] = fmaxf(y, 9.0f); out[5] = atan2(1.0, x); out[6] = min(3, 4) + max(5, 6); out[7] = hypotf(3.0f, 4.0f);
        out[8] = sqrt(x); out[9] = fmodf(7.0f, 4.0f); out[10] = abs(-3); out[11] = exp(x);
    }
    """).k
    out = lp.zeros(12, "float64", device)
    kernel[1, 1](out, 2.0, 2.0)
    wanted = [4, 8, 5, 1, 9, np.arctan2(1, 2), 9, 5, np.sqrt(2), 3, 3, np.exp(2)]
    np.testing.assert_allclose(out.to_numpy(), wanted, rtol=1e-6)


def test_integer_intrinsics(compiled, device):
    kernel = compiled("""
    __global__ void k(int* out, unsigned x) {
        out[0] = __popc(x); out[1] = __clz(x); out[2] = __ffs(x); out[3] = __mulhi(1 << 30, 8);
        out[4] = __brev(1u) >> 31;
    }
    """).k
    out = lp.zeros(5, "int32", device)
    kernel[1, 1](out, 0b10110000)
    assert out.to_numpy().tolist() == [3, 24, 5, 2, 1]


def test_long_long_and_wrapping_arithmetic(compiled, device):
    kernel = compiled("""
    __global__ void k(unsigned long long* out, long long x, unsigned y) {
        out[0] = x * 3; out[1] = 1ULL << 40; out[2] = y + 1u; out[3] = (unsigned long long)(x >> 1);
    }
    """).k
    out = lp.zeros(4, "uint64", device)
    kernel[1, 1](out, -2, 0xFFFFFFFF)
    assert out.to_numpy().tolist() == [2**64 - 6, 2**40, 0, 2**64 - 1]


def test_local_arrays_loops_and_switch(compiled, device):
    kernel = compiled("""
    __global__ void k(int* out) {
        int fib[20];
        fib[0] = 0; fib[1] = 1;
        #pragma unroll
        for (int i = 2; i < 20; ++i) fib[i] = fib[i - 1] + fib[i - 2];
        switch (threadIdx.x % 3) {
            case 0: out[threadIdx.x] = fib[threadIdx.x]; break;
            case 1: out[threadIdx.x] = -1; break;
            default: out[threadIdx.x] = 0;
        }
    }
    """).k
    out = lp.zeros(6, "int32", device)
    kernel[1, 6](out)
    assert out.to_numpy().tolist() == [0, -1, 0, 2, -1, 0]


def test_constants_and_macros_of_the_source(compiled, device):
    kernel = compiled("""
    #define TWICE(x) (2 * (x))
    __constant__ int table[4] = {1, 2, 3, 4};
    __global__ void k(int* out) { out[threadIdx.x] = TWICE(table[threadIdx.x]) + N; }
    """, defines={"N": "10"}).k  # fmt: skip
    out = lp.zeros(4, "int32", device)
    kernel[1, 4](out)
    assert out.to_numpy().tolist() == [12, 14, 16, 18]


def test_extern_c_and_restrict_and_launch_bounds(compiled, device):
    kernel = compiled("""
    #include <hip/hip_runtime.h>
    extern "C" __global__ __launch_bounds__(64) void k(int* __restrict__ out, const int* __restrict__ in) {
        out[threadIdx.x] = in[threadIdx.x] + 1;
    }
    """).k
    out = lp.zeros(4, "int32", device)
    kernel[1, 4](out, lp.asarray([1, 2, 3, 4], "int32", device))
    assert out.to_numpy().tolist() == [2, 3, 4, 5]


def test_several_kernels_in_a_program(compiled):
    program = compiled("__global__ void a() {}\n__global__ void b(int x) {}\n")
    assert list(program.kernels) == ["a", "b"]
    assert program.b.signature.parameters[0].name == "x"


@pytest.mark.parametrize(
    ("line", "source", "words"),
    [
        (3, "\n__global__ void k(int* out) {\n    *out = missing;\n}\n", ["missing"]),
        (2, "__global__ void k(int* out) {\n    *out = 1\n}\n", ["';'"]),
        (1, "__global__ void k(unknown_type* out) {}\n", ["unknown_type"]),
        (4, "__device__ int f(int x) { return x; }\n\n__global__ void k(int* o) {\n    *o = f(1, 2, 3);\n}\n", ["f"]),
        (1, "#error not today\n__global__ void k() {}\n", ["not today"]),
    ],
)
def test_an_error_stands_at_its_line_of_the_users_own_source(compiled, line, source, words, native):
    with pytest.raises(lp.CompileError) as raised:
        compiled(source, name="mine.hip")
    if native and words == ["';'"]:  # what is missing, NVRTC tells at the next word
        assert 'mine.hip:3:1: error: expected a ";"' in raised.value.log or "mine.hip:2" in raised.value.log
        return
    assert f"mine.hip:{line}" in raised.value.log
    assert raised.value.log in str(raised.value)
    for word in words:
        assert word in raised.value.log
    assert "__lp" not in raised.value.log


def test_after_an_error_compiling_goes_on(compiled):
    with pytest.raises(lp.CompileError):
        compiled("__global__ void k( {}")
    assert compiled("__global__ void k() {}").k.name == "k"


def test_source_without_kernels_is_an_error(compiled):
    with pytest.raises(lp.CompileError, match="__global__"):
        compiled("__device__ int f() { return 1; }")


def test_a_kernel_may_be_named_like_anything_in_the_device_library(compiled, device):
    program = compiled("""
    __global__ void clamp(int* out) { *out = 1; }
    __global__ void barrier(int* out) { *out = 2; }
    __global__ void mix(int* out, int global, int local) { *out = global + local; }
    """)
    out = lp.zeros(3, "int32", device)
    program.clamp[1, 1](out)
    program.barrier[1, 1](out[1:])
    program.mix[1, 1](out[2:], 1, 2)
    assert out.to_numpy().tolist() == [1, 2, 3]


def test_variable_arguments_that_are_not_read(compiled, device):
    kernel = compiled("""
    struct Pair { int a, b; };
    __device__ int rank(...) { return 1; }
    __device__ int rank(int *) { return 2; }
    __device__ __attribute__((noinline)) int first(int n, ...) { return n; }
    __device__ __attribute__((noinline)) Pair pair(Pair p, ...) { return p; }
    __global__ void k(int *out, Pair p) {
        out[0] = rank(1.5, p);
        out[1] = rank(out);
        out[2] = first(p.a, 2.5, out) + first(p.b);
        out[3] = pair(p, 1, 2).b;
    }
    """).k
    out = lp.zeros(4, "int32", device)
    kernel[1, 1](out, np.array((30, 4), [("a", "i4"), ("b", "i4")])[()])
    assert out.to_numpy().tolist() == [1, 2, 34, 4]


@pytest.mark.opencl_only("Clang's backend has no message about these")
def test_variable_arguments_of_a_function_that_returns_nothing(device):
    source = """
    struct Pair { int a, b; };
    __device__ void log(const char *text, ...) {}
    __device__ Pair second(Pair p, ...) { p.a += 1; return p; }
    __global__ void k(int *out) { log("%d", out[0], 2.5); out[0] = second(Pair{out[0], 7}, 1, out).b; }
    """
    out = lp.zeros(1, "int32", device)
    lp.compile(source, device, optimization=0).k[1, 1](out)
    assert out.to_numpy()[0] == 7


@pytest.mark.opencl_only("NVRTC and hipRTC have this attribute")
def test_the_attribute_that_makes_kernels(device):
    source = "#define KERNEL __attribute__((global))\nKERNEL void k(int *x) { *x = 2; }"
    with pytest.raises(
        lp.CompileError, match=r":2:13: error: kernel 'k': expected __global__ for a kernel, got __attr"
    ):
        lp.compile(source, device)
