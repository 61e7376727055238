"""Complex numbers: CUDA's and HIP's pairs with their functions, and std::complex."""

from __future__ import annotations

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
    kernel = lp.compile(
        """
        #include <cuComplex.h>
        __global__ void k(cuDoubleComplex factor, cuDoubleComplex* z) {
            __shared__ cuDoubleComplex s[64];
            s[threadIdx.x] = z[threadIdx.x];
            __syncthreads();
            z[threadIdx.x] = cuCmul(s[63 - threadIdx.x], factor);
        }
        """,
        device,
    ).k
    z = numbers("complex128")[:64]
    at = lp.asarray(z, device=device)
    kernel[1, 64](np.complex128(1 + 2j).tobytes(), at)
    check(at.to_numpy()[None], [z[::-1] * (1 + 2j)])
