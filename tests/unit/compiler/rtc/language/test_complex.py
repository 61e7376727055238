"""Complex numbers for NVRTC: thrust's, libcu++'s, and namespaces that macros of headers open."""

import pytest

from tests.conformance.test_language_complex import EXTENDED, THRUST
from tests.unit.support.rtc import compiled, needs_nvrtc

pytestmark = [needs_nvrtc, pytest.mark.compiles]

STANDARD = """
#include <cuda/std/complex>
__global__ void k(char first, cuda::std::complex<float> a, char second, cuda::std::complex<double> b, double* out) {
    out[0] = first + a.real() + second + b.imag() + cuda::std::abs(a) + tanh(a).real();
}
"""


def test_thrust():
    stores = "\n".join(f"{{ complex<T> x = a[i], y = b[i]; out[i] = {e}; }}" for e in THRUST)
    image = compiled(
        "#include <thrust/complex.h>\nusing thrust::complex;\n"
        "template <class T> __global__ void k(complex<T>* out, const complex<T>* a, const complex<T>* b, complex<T> z) {\n"
        f"int i = threadIdx.x; __shared__ complex<T> s[64]; s[i] = z;\n{stores}\n}}",
        "k<float>",
    )
    assert [signature.parameters[3].pointee for _, signature in image.kernels] == ["complex64"]


def test_by_value_as_libcuxx_aligns_them():
    ((_, signature),) = compiled(STANDARD).kernels
    assert [(p.offset, p.size) for p in signature.parameters] == [(0, 1), (8, 8), (16, 1), (32, 16), (48, 8)]
    assert [p.pointee for p in signature.parameters] == [None, "complex64", None, "complex128", "float64"]


def test_by_value_without_libcuxx():
    text = "#include <complex>\n__global__ void k(char first, std::complex<float> a, float* out) { out[0] = a.real(); }"
    ((_, signature),) = compiled(text).kernels
    assert [p.offset for p in signature.parameters] == [0, 4, 16]


def test_namespaces_that_macros_open():
    assert len(compiled(EXTENDED).kernels) == 1
