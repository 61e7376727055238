"""bfloat16: float's upper half, rounded to nearest even."""

import numpy as np
import pytest

import launchpath as lp

RANDOM = np.random.default_rng(4)
BITS = RANDOM.permutation(np.arange(65536, dtype="uint16"))
OTHER = RANDOM.permutation(BITS)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
NAMES = {"hip/hip_bf16.h": "__hip_bfloat16", "hip/hip_bfloat16.h": "hip_bfloat16", "cuda_bf16.h": "__nv_bfloat16"}


def widened(bits):
    return (np.asarray(bits, "uint32") << 16).view("float32")


def rounded(values):
    """Bits of the nearest bfloat16; one NaN for all."""
    bits = np.asarray(values, "float32").view("uint32").astype("uint64")
    return np.where(np.isnan(values), 0x7FFF, (bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("uint16")


def run(device, body, *inputs, rows=1, include="hip/hip_bf16.h", before=""):
    """Bits of the bfloat16 that `body` stores in ``out[row * n + i]`` for each element of ``a``, ``b``, ``c``."""
    types = {"uint16": NAMES[include], "float32": "float"}
    parameters = "".join(f", const {types[str(x.dtype)]}* {name}" for name, x in zip("abc", inputs, strict=False))
    source = f"""#include <{include}>
    {before}
    __global__ void k({NAMES[include]}* out, int n{parameters}) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {{ {body} }}
    }}
    """
    n = len(inputs[0])
    out = lp.zeros((rows, n), "uint16", device)
    lp.compile(source, device).k[-(-n // 128), 128](out, n, *(lp.asarray(x, device=device) for x in inputs))
    return out.to_numpy()


def check(bits, values):
    got, wanted = widened(bits), widened(rounded(values))
    assert ((got == wanted) | (np.isnan(got) & np.isnan(wanted))).all()


@pytest.mark.parametrize("include", NAMES)
def test_float_is_rounded_to_nearest_even(device, include):
    floats = RANDOM.integers(0, 2**32, 50000, dtype="uint64").astype("uint32")
    special = np.array([0x7F7FFFFF, 0x7F800000, 0xFF800000], "uint32")
    floats = np.concatenate([floats, floats & 0xFFFF0000 | 0x8000, special]).astype("uint32").view("float32")
    got = run(device, f"out[i] = {NAMES[include]}(a[i]);", floats, include=include)[0]
    check(got, floats)


def test_every_value_comes_back(device):
    got = run(device, "out[i] = __float2bfloat16(__bfloat162float(a[i]));", BITS)[0]
    check(got, widened(BITS))


def test_arithmetic_is_floats_rounded(device):
    body = """
    out[i] = a[i] + b[i]; out[n + i] = a[i] - b[i]; out[2 * n + i] = a[i] * b[i]; out[3 * n + i] = a[i] / b[i];
    out[4 * n + i] = __hadd(a[i], b[i]); out[5 * n + i] = -a[i]; __hip_bfloat16 c = a[i]; c += b[i]; out[6 * n + i] = c;
    """
    got = run(device, body, BITS, OTHER, rows=7)
    a, b = widened(BITS), widened(OTHER)
    for row, right in zip(got, (a + b, a - b, a * b, a / b, a + b, -a, a + b), strict=True):
        check(row, right)


def test_fma_is_rounded_once(device):
    third = RANDOM.permutation(BITS)
    got = run(device, "out[i] = __hfma(a[i], b[i], c[i]);", BITS, OTHER, third)[0]
    a, b, c = (widened(bits).astype("float64") for bits in (BITS, OTHER, third))
    product = a * b  # exact
    total = product + c
    other = total - product
    lost = (product - (total - other)) + (c - other)
    # Where nothing of the sum was lost it has 53 bits, of which float takes 24: those that it would round are left out.
    sure = (lost == 0) & (total.astype("float32") == total) | ~np.isfinite(total)
    assert sure.sum() > 1000
    with np.errstate(all="ignore"):
        wanted = widened(rounded(total.astype("float32")))
    bits = widened(got)
    assert ((bits == wanted) | (np.isnan(bits) & np.isnan(wanted)))[sure].all()
    near = np.abs(bits.astype("float64") - total) <= np.abs(total) * 2.0**-8 * 1.0001 + 2.0**-133
    assert (near | ~np.isfinite(total) | (np.abs(total) > 3.38e38))[~sure].all()


def test_pairs_and_functions(device, native):
    body = """
    __nv_bfloat162 p = __halves2bfloat162(a[i], b[i]), q = __hadd2(p, __float2bfloat162_rn(1.0f));
    out[i] = __low2bfloat16(q); out[n + i] = __high2bfloat16(q); out[2 * n + i] = hsqrt(a[i]);
    out[3 * n + i] = __hmax(a[i], b[i]); out[4 * n + i] = a[i] * 2.0f; out[5 * n + i] = __hlt(a[i], b[i]) ? 1.0f : 0.0f;
    """
    if native:  # to CUDA's own header a bfloat16 times a float is ambiguous, to nvcc as well
        body = body.replace("a[i] * 2.0f", "(float)a[i] * 2.0f")
    got = run(device, body, BITS, OTHER, rows=6, include="cuda_bf16.h")
    a, b = widened(BITS), widened(OTHER)
    unit = np.float32(1)
    for row, right in zip(got, (a + unit, b + unit, np.sqrt(a), np.fmax(a, b), a * 2, a < b), strict=True):
        check(row, right)


def test_shared_memory_and_atomic_addition(device):
    kernel = lp.compile("""
        #include <cuda_bf16.h>
        __global__ void k(__nv_bfloat16* at, __nv_bfloat162* pair) {
            __shared__ __nv_bfloat16 s[64];
            s[threadIdx.x] = __float2bfloat16(0.5f);
            __syncthreads();
            atomicAdd(at, s[63 - threadIdx.x]);
            atomicAdd(pair, __nv_bfloat162(s[0], __nv_bfloat16(1.0f)));
        }
        """, device).k  # fmt: skip
    at, pair = lp.zeros(2, "uint16", device), lp.zeros(2, "uint16", device)
    kernel[1, 64](at, pair)
    assert widened(at.to_numpy()).tolist() == [32, 0] and widened(pair.to_numpy()).tolist() == [32, 64]


def of_doubles(values):
    """The bits of the nearest bfloat16 of doubles, ties to even; NaN is 0x7fc0."""
    values = np.asarray(values, np.float64)
    odd = values.astype(np.float32)
    bits = odd.view(np.uint32).astype(np.int64)
    back = odd.astype(np.float64)
    inexact = np.isfinite(back) & (back != values)
    bits = (bits - (inexact & (np.abs(back) > np.abs(values)))) | inexact
    bits = bits + 0x7FFF + (bits >> 16 & 1) >> 16
    return np.where(np.isnan(values), 0x7FC0, bits & 0xFFFF).astype(np.uint16)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.filterwarnings("ignore:invalid")
@pytest.mark.opencl_only("NVRTC has no __bf16")
def test_the_compilers_own_type(device):
    source = """#include <hip/hip_runtime.h>
    typedef __bf16 four __attribute__((ext_vector_type(4)));
    struct pair { __bf16 a, b; };
    __device__ __bf16 larger(__bf16 a, __bf16 b) { return a < b ? b : a; }
    __global__ void k(const float* x, const double* d, const int* n, __bf16* o, four* v, pair* p) {
        int i = threadIdx.x;
        __bf16 a = x[i], b = x[i ^ 1];
        o += 8 * i;
        o[0] = a; o[1] = d[i]; o[2] = n[i]; o[3] = a + b; o[4] = a * b; o[5] = -a; o[6] = larger(a, b);
        o[7] = i % 2 ? a : (__bf16)2.5f;
        v[i] = __builtin_elementwise_abs(v[i]) / (__bf16)3.0f;
        p[i].b = __builtin_elementwise_max(p[i].a, (__bf16)-1.0f);
    }
    """
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2**32, 256, np.uint32)
    x[:8] = [0x3F808000, 0x3F818000, 0x7F800000, 0xFF800000, 0x7FC00000, 0, 0x80000000, 0x7F7FFFFF]
    x = x.view(np.float32)
    d = np.where(np.isfinite(x), x, 1).astype(np.float64) * (1 + 2.0**-40)
    n = rng.integers(-(2**31), 2**31, 256).astype(np.int32)
    out, pairs = lp.zeros((256, 8), "uint16", device), lp.zeros((256, 2), "uint16", device)
    four = of_doubles(rng.normal(size=(256, 4)))
    vectors = lp.asarray(four, device=device)
    kernel = lp.compile(source, device).k
    pairs[:] = 0x3F80
    kernel[1, 256](*(lp.asarray(each, device=device) for each in (x, d, n)), out, vectors, pairs)
    a = (of_doubles(x).astype(np.uint32) << 16).view(np.float32)
    b = a.reshape(-1, 2)[:, ::-1].ravel()
    last = np.where(np.arange(256) % 2, a, np.float32(2.5))
    wanted = [of_doubles(each) for each in (x, d, n, a + b, a * b)]
    wanted += [of_doubles(a) ^ 0x8000, of_doubles(np.where(a < b, b, a)), of_doubles(last)]
    got = out.to_numpy().T
    is_nan = (got & 0x7FFF) > 0x7F80
    wanted = np.array(wanted)
    assert np.array_equal(is_nan, (wanted & 0x7FFF) > 0x7F80)
    assert np.array_equal(np.where(is_nan, 0, got), np.where(is_nan, 0, wanted))
    of_four = (four.astype(np.uint32) << 16).view(np.float32)
    assert np.array_equal(vectors.to_numpy(), of_doubles(np.abs(of_four) / np.float32(3)))
    assert (pairs.to_numpy() == 0x3F80).all()


@pytest.mark.opencl_only("CUDA's header has these functions")
def test_functions_that_hips_header_lacks_are_the_programs(device):
    program = lp.compile("""#include <hip/hip_bf16.h>
        inline __device__ __hip_bfloat162 __float2bfloat162_rn(const float a) {
          return __hip_bfloat162{__float2bfloat16(a), __float2bfloat16(2 * a)};
        }
        __device__ __hip_bfloat162 make_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) { return {b, a}; }
        __global__ void k(float *x) {
          __hip_bfloat162 own = __float2bfloat162_rn(3.0f), turned = make_bfloat162(own.x, own.y);
          x[0] = own.x; x[1] = own.y; x[2] = turned.x; x[3] = __int2bfloat16_rn(7);
        }""", device)  # fmt: skip
    x = lp.zeros(4, "float32", device)
    program.k[1, 1](x)
    assert x.to_numpy().tolist() == [3, 6, 6, 7]
