"""Half precision, against NumPy's float16: the same results whether or not the device computes with it itself."""

import numpy as np
import pytest

import launchpath as lp

ALL = np.arange(65536, dtype="uint16")
RANDOM = np.random.default_rng(3)
A, B = RANDOM.permutation(ALL).view("float16"), RANDOM.permutation(ALL).view("float16")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def run(device, body, *inputs, rows=1, out="float16", include="hip/hip_fp16.h", before="", **options):
    """What `body` stores in ``out[row * n + i]`` for each element of the inputs ``a``, ``b``, ..."""
    types = {"float16": "half", "float32": "float", "float64": "double", "uint16": "unsigned short", "int32": "int"}
    names = "abcd"[: len(inputs)]
    parameters = "".join(f", const {types[str(x.dtype)]}* {name}" for name, x in zip(names, inputs, strict=True))
    source = f"""#include <{include}>
    {before}
    __global__ void k({types[out]}* out, int n{parameters}) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {{ {body} }}
    }}
    """
    n = len(inputs[0])
    result = lp.zeros((rows, n), out, device)
    kernel = lp.compile(source, device, **options).k
    kernel[-(-n // 128), 128](result, n, *(lp.asarray(x, device=device) for x in inputs))
    return result.to_numpy()


def check(got, wanted):
    """Bit for bit, but for which NaN it is."""
    wanted = np.asarray(wanted)
    wrong = (got != wanted) & ~(np.isnan(got) & np.isnan(wanted))
    assert not wrong.any(), (np.flatnonzero(wrong)[:5], got[wrong][:5], wanted[wrong][:5])


def hard_floats():
    """Floats where rounding to half is hardest: midpoints, their neighbours, subnormal and large ones."""
    halves = np.unique(ALL.view("float16").astype("float64"))
    halves = halves[np.isfinite(halves)]
    middles = ((halves[1:] + halves[:-1]) / 2).astype("float32")
    around = np.concatenate([middles, np.nextafter(middles, np.float32(9e9)), np.nextafter(middles, np.float32(-9e9))])
    special = [0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519.996, 65520, 65536, 1e30, -1e30, 1e-30]
    return np.concatenate([around, np.array(special, "float32")])


# Devices without half of their own take the second way; it is there for every device.
@pytest.fixture(params=["own", "by bits"])
def options(request):
    return {} if request.param == "own" else {"defines": {"__LP_NO_FP16__": None}}


def test_every_half_becomes_its_float(device, options):
    check(run(device, "out[i] = __half2float(a[i]);", A, out="float32", **options)[0], A.astype("float32"))


def test_float_is_rounded_to_nearest_even(device, options):
    floats = hard_floats()
    got = run(device, "out[i] = __float2half(a[i]); out[n + i] = a[i];", floats, rows=2, **options)
    check(got[0], floats.astype("float16"))
    check(got[1], floats.astype("float16"))


def test_double_is_rounded_once(device, options):
    middles = hard_floats().astype("float64")
    doubles = np.concatenate([middles * (1 + 2.0**-40), middles * (1 - 2.0**-40)])
    check(run(device, "out[i] = __double2half(a[i]);", doubles, **options)[0], doubles.astype("float16"))


def test_directed_conversions_are_the_nearest_on_their_side(device):
    floats = hard_floats()
    floats = floats[~np.isnan(floats)]
    body = "out[i] = __float2half_rd(a[i]); out[n + i] = __float2half_ru(a[i]); out[2 * n + i] = __float2half_rz(a[i]);"
    down, up, zero = run(device, body, floats, rows=3).astype("float64")
    above = np.nextafter(down.astype("float16"), np.float16(np.inf)).astype("float64")
    below = np.nextafter(up.astype("float16"), np.float16(-np.inf)).astype("float64")
    assert (down <= floats).all() and ((above > floats) | (down == floats)).all()
    assert (up >= floats).all() and ((below < floats) | (up == floats)).all()
    check(zero, np.where(floats < 0, up, down))


def test_arithmetic(device, options):
    body = """
    out[i] = a[i] + b[i]; out[n + i] = a[i] - b[i]; out[2 * n + i] = a[i] * b[i]; out[3 * n + i] = a[i] / b[i];
    out[4 * n + i] = __hadd(a[i], b[i]); out[5 * n + i] = __hmul(a[i], b[i]); out[6 * n + i] = hsqrt(a[i]);
    out[7 * n + i] = -a[i]; out[8 * n + i] = __habs(a[i]); half c = a[i]; c *= b[i]; out[9 * n + i] = c;
    """
    got = run(device, body, A, B, rows=10, **options)
    wanted = (A + B, A - B, A * B, A / B, A + B, A * B, np.sqrt(A), -A, abs(A), A * B)
    for row, right in zip(got, wanted, strict=True):
        check(row, right)


def test_fma_is_rounded_once(device, options):
    c = RANDOM.permutation(B)
    got = run(device, "out[i] = __hfma(a[i], b[i], c[i]);", A, B, c, **options)[0]
    exact = A.astype("float64") * B.astype("float64") + c  # but for what is too small to matter
    check(got, exact.astype("float16"))


def test_functions_are_within_a_single_step(device):
    x = np.abs(A)
    x = x[(x < 10) & (x > 1e-3)]
    names = {"hexp": np.exp, "hexp2": np.exp2, "hlog": np.log, "hlog2": np.log2, "hlog10": np.log10, "hsin": np.sin,
             "hcos": np.cos, "hrsqrt": lambda v: 1 / np.sqrt(v), "hrcp": lambda v: 1 / v, "hfloor": np.floor,
             "hceil": np.ceil, "htrunc": np.trunc, "hrint": np.rint}  # fmt: skip
    got = run(device, " ".join(f"out[{r} * n + i] = {f}(a[i]);" for r, f in enumerate(names)), x, rows=len(names))
    for row, (name, function) in zip(got, names.items(), strict=True):
        right = function(x.astype("float64")).astype("float16")
        assert (abs(row.astype("float64") - right) <= np.spacing(abs(right))).all(), name


def test_comparisons_know_nan(device):
    names = {"eq": A == B, "ne": A != B, "lt": A < B, "le": A <= B, "gt": A > B, "ge": A >= B}
    body = "".join(f"out[{2 * r} * n + i] = __h{f}(a[i], b[i]); out[{2 * r + 1} * n + i] = __h{f}u(a[i], b[i]);"
                   for r, f in enumerate(names))  # fmt: skip
    body += "out[12 * n + i] = a[i] < b[i]; out[13 * n + i] = __hisnan(a[i]);"
    got = run(device, body, A, B, rows=14, out="int32")
    unordered = np.isnan(A) | np.isnan(B)
    for r, right in enumerate(names.values()):
        assert (got[2 * r] == (right & ~unordered)).all()  # unlike C++'s, __hne is ordered
        assert (got[2 * r + 1] == (right | unordered)).all()
    assert (got[12] == (A < B)).all() and (got[13] == np.isnan(A)).all()


def test_minimum_and_maximum_pass_over_nan(device):
    body = "out[i] = __hmin(a[i], b[i]); out[n + i] = __hmax(a[i], b[i]); out[2 * n + i] = __hmax_nan(a[i], b[i]);"
    got = run(device, body, A, B, rows=3)
    for row, right in zip(got, (np.fmin(A, B), np.fmax(A, B), np.maximum(A, B)), strict=True):
        check(row, right)


def test_numbers_of_other_types_mix_with_half(device):
    got = run(
        device,
        """
        out[i] = a[i] * 2.0f; out[n + i] = 1.5 + a[i]; out[2 * n + i] = a[i] / 4; out[3 * n + i] = (float)(int)a[i];
        float f = a[i]; f += a[i]; out[4 * n + i] = f;
        half h = 3; h++; out[5 * n + i] = h; out[6 * n + i] = a[i] > 0.5f;
        """,
        A[abs(A) < 1000], rows=7, out="float32",
    )  # fmt: skip
    x = A[abs(A) < 1000].astype("float32")
    sums, quarters = (1.5 + x.astype("float64")).astype("float32"), (x / 4).astype("float16")
    wanted = (x * 2, sums, quarters, np.trunc(x), x + x, 4 + 0 * x, x > 0.5)
    for row, right in zip(got, wanted, strict=True):
        assert (row == right).all()


@pytest.mark.parametrize("include", ["hip/hip_fp16.h", "cuda_fp16.h"])
def test_pairs(device, include):
    got = run(
        device,
        """
        half2 p = __halves2half2(a[i], b[i]), q = __float2half2_rn(2.0f), r = __hmul2(__hadd2(p, p), q);
        float2 f = __half22float2(__hfma2(p, q, r));
        out[i] = __low2half(r); out[n + i] = __high2half(r); out[2 * n + i] = f.x; out[3 * n + i] = f.y;
        out[4 * n + i] = __lowhigh2highlow(p).x; out[5 * n + i] = (p * q - p).y;
        """,
        A, B, rows=6, include=include,
    )  # fmt: skip
    two = np.float16(2)
    for row, right in zip(got[:5], ((A + A) * two, (B + B) * two, None, None, B), strict=True):
        if right is not None:
            check(row, right)
    # The product and the difference may be one operation, rounded once.
    fused = (B.astype("float64") * 2 - B).astype("float16")
    check(np.where(got[5] == fused, B * two - B, got[5]), B * two - B)


def test_parameters_constants_and_shared_memory_of_half(device, native):
    constants = """
        __constant__ half weights[2] = {half(0.5f), half(2.0f)};
        __device__ const half one = 1;
    """
    if native:  # CUDA's half has no constructor that a constant may have
        constants = """
        __constant__ __half_raw raw[2] = {{0x3800}, {0x4000}};
        #define weights ((const half*)raw)
        #define one half(1)
        """
    kernel = lp.compile(
        "#include <hip/hip_fp16.h>"
        + constants
        + """
        template <typename T> __device__ T twice(T x) { return x + x; }
        __global__ void k(half a, half2 pair, half* x) {
            __shared__ half s[64];
            s[threadIdx.x] = x[threadIdx.x];
            __syncthreads();
            x[threadIdx.x] = twice(s[63 - threadIdx.x]) * weights[threadIdx.x % 2] + a * one + pair.y;
        }
        static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4);
        """,
        device,
    ).k
    x = np.arange(64).astype("float16")
    at = lp.asarray(x, device=device)
    kernel[1, 64](np.float16(3), np.array([1, 0.25], "float16").tobytes(), at)
    assert (at.to_numpy() == x[::-1] * 2 * np.tile([0.5, 2], 32) + 3.25).all()


def test_atomic_addition(device):
    kernel = lp.compile(
        "#include <hip/hip_fp16.h>\n__global__ void k(half* at, half2* pair) { atomicAdd(at + 1, half(0.25f)); "
        "atomicAdd(pair, half2(half(1), half(0.5f))); }",
        device,
    ).k
    at, pair = lp.zeros(4, "float16", device), lp.zeros(2, "float16", device)
    kernel[4, 128](at, pair)
    assert at.to_numpy().tolist() == [0, 128, 0, 0] and pair.to_numpy().tolist() == [512, 256]


def test_conversions_to_and_from_integers_and_bits(device):
    x = A[abs(A) < 30000]
    got = run(
        device,
        """
        out[i] = __half2int_rz(a[i]); out[n + i] = __half2int_rn(a[i]); out[2 * n + i] = __half2int_rd(a[i]);
        out[3 * n + i] = __half2int_ru(a[i]); out[4 * n + i] = __half_as_ushort(a[i]);
        out[5 * n + i] = __half_as_ushort(__int2half_rn(i)); out[6 * n + i] = __half_as_ushort(__ushort_as_half(i));
        """,
        x, rows=7, out="int32",
    )  # fmt: skip
    i = np.arange(len(x))
    bits = i.astype("float32").astype("float16").view("uint16")
    wanted = (np.trunc(x), np.rint(x), np.floor(x), np.ceil(x), x.view("uint16"), bits, i % 65536)
    for row, right in zip(got, wanted, strict=True):
        assert (row == right).all()


@pytest.mark.opencl_only("CUDA's __half2, which stands for HIP's there, is made of two halves, and not of any number")
def test_pairs_and_any_number_in_hip(device, options):
    body = """
        half2 p(a[i], b[i]);
        unsigned u = 3;
        half2 r = p * __half2(2) + u;
        r = r - 1 + static_cast<__half2>(0.5f);
        r += a[i];
        half2 s = 2.0f * p / a[i];
        out[i] = r.x; out[n + i] = r.y; out[2 * n + i] = s.x; out[3 * n + i] = s.y;
    """
    a, b = (np.linspace(1, 9, 64) + k for k in (0, 5))
    a, b = a.astype("float16"), b.astype("float16")
    got = run(device, body, a, b, rows=4, **options)
    two, three, unit, half = (np.float16(x) for x in (2, 3, 1, 0.5))
    wanted = [x * two + three - unit + half + a for x in (a, b)] + [two * x / a for x in (a, b)]
    # Products and sums may be fused.
    assert np.allclose(got.astype("float32"), np.array(wanted, "float32"), rtol=2e-3)


def test_other_names_of_half_in_cuda(device, options):
    body = """
        __nv_half x = a[i];
        nv_half2 p = __nv_half2(x, b[i]);
        out[i] = p.y;
        out[n + i] = __ushort_as_half(__heq2_mask(p, p) >> 16 & __hgtu2_mask(p, p));
        out[2 * n + i] = __half2char_rz(__float2half(-2.75f)) + __half2uchar_rz(CUDART_ONE_FP16);
    """
    a = np.linspace(1, 9, 64).astype("float16")
    got = run(device, body, a, -a, rows=3, include="cuda_fp16.h", **options)
    assert (got[0] == -a).all() and (got[1] == 0).all() and (got[2] == -1).all()


def test_conversions_are_functions(device):
    text = """#include <hip/hip_fp16.h>
    template <class F> __device__ float applied(F f, float x) { return f(x); }
    __global__ void k(float *x) { auto f = __float2half_rn; x[0] = f(2.5f); x[1] = applied(__float2half_rz, 3.5f); }"""
    x = lp.zeros(2, "float32", device)
    lp.compile(text, device).k[1, 1](x)
    assert x.to_numpy().tolist() == [2.5, 3.5]
