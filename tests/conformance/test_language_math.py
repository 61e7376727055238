"""CUDA's math functions in float and double, against NumPy's and Python's own."""

import math

import numpy as np
import pytest

import launchpath as lp

from .expressions import evaluate

SUFFIX = {"float32": "f", "float64": ""}
TOLERANCE = {"float32": 4e-6, "float64": 4e-13}
N = 192


def each(function):
    """A function of Python's numbers, for arrays."""
    return np.vectorize(function, otypes=["float64"])


def inverse(function):
    """The inverse of an increasing function."""

    def of(y):
        low, high = -9.0, 9.0
        for _ in range(90):
            middle = (low + high) / 2
            low, high = (middle, high) if function(middle) < y else (low, middle)
        return low

    return each(of)


def bessel(order):
    """The Bessel function of the first kind, by its integral."""
    angle = (np.arange(400) + 0.5) * math.pi / 400
    return lambda x: np.cos(order * angle - x[:, None] * np.sin(angle)).mean(1)


def normal(x):
    return math.erfc(-x / math.sqrt(2)) / 2


# The right function, and the interval to take it on.
UNARY = {
    "sin": (np.sin, -20, 20),
    "cos": (np.cos, -20, 20),
    "tan": (np.tan, -1.5, 1.5),
    "asin": (np.arcsin, -1, 1),
    "acos": (np.arccos, -1, 0.99),
    "atan": (np.arctan, -20, 20),
    "sinh": (np.sinh, -10, 10),
    "cosh": (np.cosh, -10, 10),
    "tanh": (np.tanh, -5, 5),
    "asinh": (np.arcsinh, -50, 50),
    "acosh": (np.arccosh, 1.1, 50),
    "atanh": (np.arctanh, -0.9, 0.9),
    "exp": (np.exp, -20, 20),
    "exp2": (np.exp2, -20, 20),
    "exp10": (lambda x: np.power(10.0, x), -5, 5),
    "expm1": (np.expm1, -2, 2),
    "log": (np.log, 1e-3, 1e3),
    "log2": (np.log2, 1e-3, 1e3),
    "log10": (np.log10, 1e-3, 1e3),
    "log1p": (np.log1p, -0.9, 10),
    "sqrt": (np.sqrt, 0, 99),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.1, 99),
    "cbrt": (np.cbrt, -30, 30),
    "rcbrt": (lambda x: 1 / np.cbrt(x), 0.1, 30),
    "fabs": (np.abs, -3, 3),
    "floor": (np.floor, -9, 9),
    "ceil": (np.ceil, -9, 9),
    "trunc": (np.trunc, -9, 9),
    "rint": (np.rint, -9, 9),
    "nearbyint": (np.rint, -9, 9),
    "round": (lambda x: np.trunc(x + np.copysign(0.5, x)), -9, 9),
    "erf": (each(math.erf), -4, 4),
    "erfc": (each(math.erfc), -4, 6),
    "lgamma": (each(math.lgamma), 2.5, 20),
    "tgamma": (each(math.gamma), 0.1, 20),
    "logb": (lambda x: np.floor(np.log2(x)), 0.1, 50),
    "sinpi": (lambda x: np.sin(math.pi * x), 0.1, 0.9),
    "cospi": (lambda x: np.cos(math.pi * x), -0.4, 0.4),
    "erfcx": (each(lambda x: math.exp(x * x) * math.erfc(x)), -3, 5),
    "erfinv": (inverse(math.erf), -0.99, 0.99),
    "erfcinv": (lambda y: -inverse(lambda x: math.erfc(-x))(y), 0.01, 1.9),
    "normcdf": (each(normal), -5, 5),
    "normcdfinv": (inverse(normal), 0.01, 0.99),
    "cyl_bessel_i0": (np.i0, -40, 40),
    "j0": (bessel(0), -60, 60),
    "j1": (bessel(1), -60, 60),
}

TWO = {
    "pow": (np.power, (0.1, 5), (-3, 3)),
    "hypot": (np.hypot, (-5, 5), (-5, 5)),
    "atan2": (np.arctan2, (-5, 5), (-5, 5)),
    "rhypot": (lambda a, b: 1 / np.hypot(a, b), (-5, 5), (1, 5)),
    "fmod": (np.fmod, (-9, 9), (0.5, 3)),
    "remainder": (each(math.remainder), (-9, 9), (0.5, 3)),
    "fdim": (lambda a, b: np.maximum(a - b, 0), (-5, 5), (-5, 5)),
    "fmin": (np.minimum, (-5, 5), (-5, 5)),
    "fmax": (np.maximum, (-5, 5), (-5, 5)),
    "copysign": (np.copysign, (-5, 5), (-5, 5)),
    "fdivide": (np.divide, (-5, 5), (1, 5)),
}


def close(calls, got, wanted, tolerance):
    for call, row, right in zip(calls, got, wanted, strict=True):
        np.testing.assert_allclose(row, right, rtol=tolerance, atol=tolerance, err_msg=call)


@pytest.mark.parametrize("dtype", SUFFIX)
def test_functions_of_a_single_number(device, dtype):
    arguments = {f"x_{name}": np.linspace(low, high, N).astype(dtype) for name, (_, low, high) in UNARY.items()}
    calls = [f"{name}{SUFFIX[dtype]}(x_{name})" for name in UNARY]
    wanted = [function(arguments[f"x_{name}"].astype("float64")) for name, (function, _, _) in UNARY.items()]
    close(calls, evaluate(device, calls, arguments, dtype), wanted, TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", SUFFIX)
def test_functions_of_two_numbers(device, dtype):
    rng = np.random.default_rng(7)
    arguments, calls, wanted = {}, [], []
    for name, (function, first, second) in TWO.items():
        a, b = rng.uniform(*first, N).astype(dtype), rng.uniform(*second, N).astype(dtype)
        arguments |= {f"a_{name}": a, f"b_{name}": b}
        calls.append(f"{name}{SUFFIX[dtype]}(a_{name}, b_{name})")
        wanted.append(function(a.astype("float64"), b.astype("float64")))
    close(calls, evaluate(device, calls, arguments, dtype), wanted, TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", SUFFIX)
def test_powers_with_whole_exponents(device, native, dtype):
    x = np.linspace(-3, 3, N).astype(dtype)
    n = (np.arange(N) % 9 - 4).astype("int32")
    exponents = [2, 3, 4, 1, 0, -1, -2, 5, 0.5]
    calls = [f"pow{SUFFIX[dtype]}(x, {e})" for e in exponents] + [
        "pow(x, n)",
        "pow(2.0, n)",
        "exp2(n)",
        # NVRTC's pow(float, int) is a float, as in C++03.
        "pow((double)10.0f, n)" if native else "pow(10.0f, n)",
    ]
    wide, power = x.astype("float64"), n.astype("float64")
    with np.errstate(invalid="ignore"):
        wanted = [np.power(wide, e) for e in exponents]
    wanted += [np.power(wide, power), np.exp2(power), np.exp2(power), np.power(10.0, power)]
    close(calls, evaluate(device, calls, {"x": x, "n": n}, dtype), wanted, TOLERANCE[dtype])


@pytest.mark.parametrize(
    "include", ["", "#include <cmath>\n#include <cstdlib>\n", "#include <math.h>\n#include <algorithm>\n"]
)
def test_names_overloads_and_the_c_library(device, native, include):
    """sin(float) is float, sin(int) double; ::sinf, std::sin; with the C++ library's own declarations beside them."""
    own = "std::min(n, 7) + std::max(x, 2.0f)" if "algorithm" in include else "min(n, 7) + max(x, 2.0f)"
    calls = {
        "sizeof(sin(x)) + 10 * sizeof(sin(d)) + 100 * sizeof(sin(n))": 884,
        "sizeof(pow(x, x)) + 10 * sizeof(pow(x, n)) + 100 * sizeof(atan2(x, d))": 884,
        "sizeof(max(x, 1.0f)) + 10 * sizeof(max(n, 1)) + 100 * sizeof(max(x, d)) + 1000 * sizeof(min(1u, l))": 8844,
        "sizeof(abs(x)) + 10 * sizeof(abs(n)) + 100 * sizeof(abs(l)) + 1000 * sizeof(fabs(d))": 8844,
        "::sinf(x) - std::sin(x)": 0,
        "::sqrt(n) + std::sqrt(d) + sqrtf(x) + std::sqrt(x)": math.sqrt(5) + 4 + 2 + 2,
        "std::pow(x, 2) + std::pow(2, n) + pow(d, 0.5) + std::fabs(-d) + std::abs(-x) + std::abs(-n)": 16
        + 32
        + 4
        + 16
        + 9,
        "generic(x) + generic(d) + both(x)": 2 + 4 + 4 + 16 + math.exp(4.0) + 1,
        "std::floor(-1.5f) + std::ceil(x) + std::round(2.5) + floor(n) + std::trunc(-d)": -2 + 4 + 3 + 5 - 16,
        "isnan(x) + 2 * std::isinf(d / 0) + 4 * isfinite(d) + 8 * signbit(-x) + 16 * std::isnan(d) + 32 * isnan(n)": 14,
        own: 9,
        "fma(x, 2, d) + fmaf(x, x, x) + std::fma(d, d, d) + fmin(x, n) + fmax(d, n) + fmod(n, 3)": 24
        + 20
        + 272
        + 4
        + 16
        + 2,
        "std::hypot(3.0f, x - 0) + std::cbrt(8.0) + std::log(1) + std::exp(0) + std::tanh(0.0f)": 5 + 2 + 1,
        "labs(-l) + llabs(l) + abs(-7) + llmax(l, 3) + umin(3u, n)": 81 + 81 + 7 + 81 + 3,
        "lrint(2.5) + lround(2.5f) + llrintf(3.5f) + lround(d)": 2 + 3 + 4 + 16,
    }
    if native:  # NVRTC's pow(float, int) is a float, as in C++03
        calls["sizeof(sin(x)) + 10 * sizeof(sin(d)) + 100 * sizeof(sin(n))"] = 884
        calls = {
            name.replace("10 * sizeof(pow(x, n))", "10 * sizeof(pow(d, n))"): value for name, value in calls.items()
        }
    before = (
        include
        + """
    template <class T> __device__ T generic(T x) { return std::sqrt(x) + abs(x); }
    __host__ __device__ double both(float x) { return std::exp(x) + cosf(0.0f); }
    """
    )
    arguments = {
        "x": np.full(1, 4, "float32"),
        "d": np.full(1, 16, "float64"),
        "n": np.full(1, 5, "int32"),
        "l": np.full(1, 81, "int64"),
    }
    got = evaluate(device, list(calls), arguments, "float64", before)
    close(calls, got, [[value] for value in calls.values()], 1e-6)


def test_functions_that_give_two_results(device):
    source = r"""
    __global__ void k(double* out, float* small, const double* in, int n) {
        int at = threadIdx.x, e = 0;
        double x = in[at], whole, s, c;
        float sf, cf;
        double* o = out + at;
        *o = frexp(x, &e); o += n; *o = e; o += n;
        *o = modf(x, &whole); o += n; *o = whole; o += n;
        *o = remquo(x, 0.75, &e); o += n; *o = e; o += n;
        sincos(x, &s, &c); *o = s; o += n; *o = c; o += n;
        sincospi(x / 16, &s, &c); *o = s; o += n; *o = c; o += n;
        *o = ldexp(x, 3); o += n; *o = scalbn(x, -2); o += n; *o = ilogb(x); o += n;
        *o = norm3d(x, 2.0, 3.0); o += n; *o = rnorm4d(1.0, x, 1.0, 1.0); o += n; *o = norm(2, in); o += n;
        *o = jn(3, x); o += n; *o = y0(fabs(x)) * 0 + yn(1, 2.5); o += n; *o = isnan(nan("")); o += n;
        sincosf((float)x, &sf, &cf);
        small[at] = sf; small[n + at] = cf;
        small[2 * n + at] = frexpf((float)x, &e); small[3 * n + at] = norm3df((float)x, 2, 3);
    }
    """
    x = np.array([1.5, -2.75, 100.0, 0.1, -7.0, 3.0])
    n = len(x)
    out, small = lp.zeros((19, n), "float64", device), lp.zeros((4, n), "float32", device)
    lp.compile(source, device).k[1, n](out, small, lp.asarray(x, device=device), n)
    got = out.to_numpy()
    mantissa, exponent = np.frexp(x)
    fraction, whole = np.modf(x)
    quotient = np.rint(x / 0.75)
    ones = np.ones(n)
    low_bits = np.sign(quotient) * (np.abs(quotient) % 8)
    got[5] = np.sign(got[5]) * (np.abs(got[5]) % 8)
    wanted = [
        mantissa,
        exponent,
        fraction,
        whole,
        each(math.remainder)(x, 0.75),
        low_bits,
        np.sin(x),
        np.cos(x),
        np.sin(math.pi * x / 16),
        np.cos(math.pi * x / 16),
        8 * x,
        x / 4,
        exponent - 1,
        np.sqrt(x * x + 13),
        1 / np.sqrt(x * x + 3),
        math.hypot(1.5, 2.75) * ones,
        bessel(3)(x),
        0.14591813796678580 * ones,
        ones,
    ]
    close([str(row) for row in range(19)], got, wanted, 1e-12)
    narrow = x.astype("float32").astype("float64")
    wanted = [np.sin(narrow), np.cos(narrow), np.frexp(narrow)[0], np.sqrt(narrow**2 + 13)]
    close(["sin", "cos", "frexp", "norm3d"], small.to_numpy(), wanted, 1e-6)


def test_fast_intrinsics(device, native):
    x = np.linspace(-3, 3, N).astype("float32")
    calls = {
        "__sinf(x)": np.sin,
        "__cosf(x)": np.cos,
        "__expf(x)": np.exp,
        "__exp10f(x)": lambda x: np.power(10.0, x),
        "__logf(x + 4)": lambda x: np.log(x + 4),
        "__log2f(x + 4)": lambda x: np.log2(x + 4),
        "__log10f(x + 4)": lambda x: np.log10(x + 4),
        "__powf(x + 4, 1.5f)": lambda x: np.power(x + 4, 1.5),
        "__fdividef(x, 3.0f)": lambda x: x / 3,
        "__saturatef(x)": lambda x: np.clip(x, 0, 1),
        "__tanf(x / 3)": lambda x: np.tan(x / 3),
        "__frsqrt_rn(x + 4)": lambda x: 1 / np.sqrt(x + 4),
    }
    wanted = [function(x.astype("float64")) for function in calls.values()]
    # OpenCL leaves the accuracy of its native functions to the platform: Intel's exponential differs from CPU to CPU.
    close(calls, evaluate(device, list(calls), {"x": x}, "float32"), wanted, 1e-5 if native else 2e-4)


def test_no_number_and_infinity(device):
    x = np.array([0.0, -0.0, 1.5, -2.75, np.inf, -np.inf, np.nan, 1e-42, 3e38], "float32")
    calls = [
        "isnan(x)", "isinf(x)", "isfinite(x)", "signbit(x)", "isnormal(x)", "__float_as_uint(x)",
        "__saturatef(x) == 0", "fminf(x, 1.0f) <= 1", "max(x, 0.0f) >= 0", "x != x",
    ]  # fmt: skip
    got = evaluate(device, calls, {"x": x}, "uint32")
    normal_ = np.isfinite(x) & (np.abs(x) >= 1.2e-38)
    with np.errstate(invalid="ignore"):
        wanted = [
            np.isnan(x),
            np.isinf(x),
            np.isfinite(x),
            np.signbit(x),
            normal_,
            x.view("uint32"),
            ~(x > 0),
            ~(x > 1) | (x > 1),
            np.ones(9),
            np.isnan(x),
        ]
    assert got.tolist() == np.array(wanted, "uint32").tolist()
