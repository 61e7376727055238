"""Complex numbers: CUDA's and HIP's pairs with their functions, and std::complex."""

import numpy as np
import pytest

import launchpath as lp

RANDOM = np.random.default_rng(5)
N = 1000


def numbers(dtype):
    return (RANDOM.standard_normal(N) * 3 + 1j * RANDOM.standard_normal(N)).astype(dtype)


def run(device, source, dtype, rows, a, b):
    out = lp.zeros((rows, N), dtype, device)
    kernel = lp.compile(source, device).k
    kernel[-(-N // 64), 64](out, lp.asarray(a, device=device), lp.asarray(b, device=device), N)
    return out.to_numpy()


def check(got, wanted, names=None):
    tolerance = 2e-5 if got.dtype == np.complex64 else 1e-13
    for number, (row, right) in enumerate(zip(got, wanted, strict=True)):
        error = np.abs(row - right) / np.maximum(np.abs(right), 1e-3)
        assert error.max() < tolerance, (names[number] if names else number, error.max())


FUNCTIONS = """
#include <{include}>
__global__ void k({T}* out, const {T}* a, const {T}* b, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    {T} x = a[i], y = b[i];
    out[i] = {p}Cadd{f}(x, y);
    out[n + i] = {p}Csub{f}(x, y);
    out[2 * n + i] = {p}Cmul{f}(x, y);
    out[3 * n + i] = {p}Cdiv{f}(x, y);
    out[4 * n + i] = {p}Conj{f}(x);
    out[5 * n + i] = make_{p}{kind}Complex({p}Creal{f}(x), {p}Cabs{f}(y));
    out[6 * n + i] = {p}Cfma{f}(x, y, x);
}}
"""


@pytest.mark.parametrize("include, p", [("cuComplex.h", "cu"), ("hip/hip_complex.h", "hip")])
@pytest.mark.parametrize("dtype, kind, f", [("complex64", "Float", "f"), ("complex128", "Double", "")])
def test_functions_on_pairs(device, include, p, dtype, kind, f):
    a, b = numbers(dtype), numbers(dtype)
    got = run(device, FUNCTIONS.format(include=include, p=p, T=f"{p}{kind}Complex", kind=kind, f=f), dtype, 7, a, b)
    check(got, (a + b, a - b, a * b, a / b, a.conj(), a.real + 1j * abs(b), a * b + a))


def test_division_neither_overflows_nor_vanishes(device):
    source = FUNCTIONS.format(include="cuComplex.h", p="cu", T="cuFloatComplex", kind="Float", f="f")
    a = numbers("complex64") * np.float32(1e30)
    b = numbers("complex64") * np.float32(1e30)
    check(run(device, source, "complex64", 7, a, b)[3:4], [(a.astype("complex128") / b).astype("complex64")])


STANDARD = {
    "x + y": lambda a, b: a + b, "x - y": lambda a, b: a - b, "x * y": lambda a, b: a * b, "x / y": lambda a, b: a / b,
    "-x": lambda a, b: -a, "x * T(2) + T(1)": lambda a, b: 2 * a + 1, "T(3) / x": lambda a, b: 3 / a,
    "std::conj(x)": lambda a, b: a.conj(),
    "std::complex<T>(std::abs(x), std::arg(x))": lambda a, b: abs(a) + 1j * np.angle(a),
    "std::complex<T>(std::norm(x), std::real(y))": lambda a, b: abs(a) ** 2 + 1j * b.real,
    "std::exp(x)": lambda a, b: np.exp(a), "std::log(x)": lambda a, b: np.log(a),
    "std::sqrt(x)": lambda a, b: np.sqrt(a), "std::sin(x)": lambda a, b: np.sin(a),
    "std::cos(x)": lambda a, b: np.cos(a), "std::pow(x, T(2))": lambda a, b: a**2,
    "std::polar(x.real() * x.real(), y.imag())": lambda a, b: a.real**2 * np.exp(1j * b.imag),
    "x == y ? y : x": lambda a, b: a,
    "(x += y, x *= y, x -= T(1), x /= y)": lambda a, b: ((a + b) * b - 1) / b,
}  # fmt: skip


@pytest.mark.parametrize("dtype, name", [("complex64", "float"), ("complex128", "double")])
def test_std_complex(device, dtype, name):
    stores = "\n".join(f"{{ auto x = a[i], y = b[i]; out[{r} * n + i] = {e}; }}" for r, e in enumerate(STANDARD))
    source = f"""
    #include <complex>
    typedef {name} T;
    __global__ void k(std::complex<T>* out, const std::complex<T>* a, const std::complex<T>* b, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        {stores}
    }}
    """
    a, b = numbers(dtype), numbers(dtype)
    got = run(device, source, dtype, len(STANDARD), a, b)
    check(got, [function(a, b) for function in STANDARD.values()], list(STANDARD))


def test_complex_numbers_in_shared_memory_and_by_value(device):
    kernel = lp.compile("""
        #include <cuComplex.h>
        __global__ void k(cuDoubleComplex factor, cuDoubleComplex* z) {
            __shared__ cuDoubleComplex s[64];
            s[threadIdx.x] = z[threadIdx.x];
            __syncthreads();
            z[threadIdx.x] = cuCmul(s[63 - threadIdx.x], factor);
        }
        """, device).k  # fmt: skip
    z = numbers("complex128")[:64]
    at = lp.asarray(z, device=device)
    kernel[1, 64](np.complex128(1 + 2j).tobytes(), at)
    check(at.to_numpy()[None], [z[::-1] * (1 + 2j)])


THRUST = {
    "x + y": lambda a, b: a + b, "x - y": lambda a, b: a - b, "x * y": lambda a, b: a * b, "x / y": lambda a, b: a / b,
    "-x": lambda a, b: -a, "x * 2 + 1": lambda a, b: 2 * a + 1, "3 / x": lambda a, b: 3 / a, "2.f - x": lambda a, b: 2 - a,
    "thrust::conj(x)": lambda a, b: a.conj(), "complex<T>(abs(x), arg(x))": lambda a, b: abs(a) + 1j * np.angle(a),
    "complex<T>(norm(x), y.real())": lambda a, b: abs(a) ** 2 + 1j * b.real,
    "thrust::polar(norm(x), y.imag())": lambda a, b: abs(a) ** 2 * np.exp(1j * b.imag),
    "exp(x)": lambda a, b: np.exp(a), "log(x)": lambda a, b: np.log(a), "log10(x)": lambda a, b: np.log10(a),
    "sqrt(x)": lambda a, b: np.sqrt(a), "pow(x, y / 4)": lambda a, b: a ** (b / 4), "pow(x, 2)": lambda a, b: a**2,
    "pow(T(2), y)": lambda a, b: 2**b, "sin(x)": lambda a, b: np.sin(a), "cos(x)": lambda a, b: np.cos(a),
    "tan(x)": lambda a, b: np.tan(a), "sinh(x)": lambda a, b: np.sinh(a), "cosh(x)": lambda a, b: np.cosh(a),
    "tanh(x)": lambda a, b: np.tanh(a), "asin(x)": lambda a, b: np.arcsin(a), "acos(x)": lambda a, b: np.arccos(a),
    "atan(x)": lambda a, b: np.arctan(a), "asinh(x)": lambda a, b: np.arcsinh(a), "acosh(x)": lambda a, b: np.arccosh(a),
    "atanh(x)": lambda a, b: np.arctanh(a), "proj(x)": lambda a, b: a,
    "complex<T>(complex<double>(x) + complex<float>(1, 2))": lambda a, b: a + (1 + 2j),
    "(x += y, x *= y, x -= 1, x /= y, x)": lambda a, b: ((a + b) * b - 1) / b,
    "complex<T>(x == y, x != 2 && x == x)": lambda a, b: 1j + 0 * a, "s[i % 64]": lambda a, b: a,
}  # fmt: skip


@pytest.mark.parametrize("dtype, name", [("complex64", "float"), ("complex128", "double")])
def test_thrust_complex(device, dtype, name):
    stores = "\n".join(f"{{ complex<T> x = a[i], y = b[i]; out[{r} * n + i] = {e}; }}" for r, e in enumerate(THRUST))
    source = f"""
    #include <thrust/complex.h>
    using thrust::complex;
    typedef {name} T;
    __global__ void k(complex<T>* out, const complex<T>* a, const complex<T>* b, int n) {{
        __shared__ complex<T> s[64];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        s[i % 64] = a[i];
        {stores}
    }}
    """
    a, b = numbers(dtype), numbers(dtype)
    got = run(device, source, dtype, len(THRUST), a, b)
    check(got, [function(a, b) for function in THRUST.values()], list(THRUST))


EDGES = np.array([0, 1, -1, 1j, -1j, 2, -2, 1e-20, 1e-20j, 1e18 + 1e18j, -1e-18 + 1e18j, 0.5 + 1e-9j, 30 + 1j, -30j])


def test_thrust_complex_at_the_edges_of_its_range(device):
    wanted = {"sqrt": np.sqrt, "log": np.log, "tanh": np.tanh, "tan": np.tan, "asin": np.arcsin, "atan": np.arctan}
    functions = list(wanted)
    stores = "".join(f"out[{r} * n + i] = thrust::{name}(a[i]);" for r, name in enumerate(functions))
    source = f"""
    #include <thrust/complex.h>
    using thrust::complex;
    __global__ void k(complex<double>* out, const complex<double>* a, const complex<double>* b, int n) {{
        int i = threadIdx.x;
        {stores}
    }}
    """
    out, operand = lp.zeros((len(wanted), len(EDGES)), "complex128", device), lp.asarray(EDGES, device=device)
    lp.compile(source, device).k[1, len(EDGES)](out, operand, operand, len(EDGES))
    with np.errstate(all="ignore"):
        right = np.array([wanted[name](EDGES) for name in functions])
    finite = np.isfinite(right)
    assert np.allclose(out.to_numpy()[finite], right[finite], rtol=1e-12, atol=1e-30)


BY_VALUE = """
#include <hip/hip_complex.h>
#include <complex>
#include <thrust/complex.h>
__global__ void k(double* out, char first, hipFloatComplex a, char second, hipDoubleComplex b, char third,
                  thrust::complex<float> c, char fourth, thrust::complex<double> d) {
    out[0] = first; out[1] = a.x; out[2] = a.y; out[3] = second; out[4] = b.x; out[5] = b.y; out[6] = third;
    out[7] = c.real(); out[8] = c.imag(); out[9] = fourth; out[10] = d.real(); out[11] = d.imag();
}
__global__ void standard(double* out, char first, std::complex<float> a) {
    out[0] = first; out[1] = a.real(); out[2] = a.imag();
}
"""


def test_complex_numbers_by_value(device):
    program = lp.compile(BY_VALUE, device)
    out = lp.zeros(12, "float64", device)
    program.k[1, 1](out, 1, 2 + 3j, 4, np.complex64(5 + 6j), 7, np.complex128(8 + 9j), 10, 11)
    assert out.to_numpy().tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]
    program.k[1, 1](out, 1, np.float32([2, 3]).tobytes(), 4, np.array(5j), 7, 1.5, 10, np.float64(2))
    assert out.to_numpy().tolist() == [1, 2, 3, 4, 0, 5, 7, 1.5, 0, 10, 2, 0]
    program.standard[1, 1](out, 1, 2 + 3j)
    assert out.to_numpy().tolist()[:3] == [1, 2, 3]
    with pytest.raises(lp.ArgumentValueError, match=r"parts that fit into complex64, got \(1e\+300\+0j\)"):
        program.standard[1, 1](out, 1, 1e300 + 0j)
    with pytest.raises(lp.ArgumentValueError, match="parts that fit into complex64"):
        program.standard[1, 1](out, 1, 10**400)
    with pytest.raises(lp.SignatureError, match=r"standard: .*: expected a struct of 8 bytes .*, got the str 'j'"):
        program.standard[1, 1](out, 1, "j")


# As headers of other libraries extend thrust: its macros open and close the namespace.
EXTENDED = """
#include <thrust/detail/config/namespace.h>
THRUST_NAMESPACE_BEGIN
template <class T> struct turned { T re, im; __device__ turned(T a, T b) : re(b), im(a) {} };
THRUST_NAMESPACE_END
THRUST_NAMESPACE_BEGIN
template <class T> __device__ T sum(const turned<T>& z) { return z.re + 2 * z.im; }
THRUST_NAMESPACE_END
using thrust::turned;
__global__ void k(float* out) { out[0] = sum(turned<float>(1, 2)); }
"""


def test_the_namespace_of_thrust_is_extended_by_its_macros(device):
    out = lp.zeros(1, "float32", device)
    lp.compile(EXTENDED, device).k[1, 1](out)
    assert float(out[0]) == 4
