"""Types of the libraries that HIP's host code calls, in kernels, where these libraries are not installed."""

import numpy as np
import pytest

import launchpath as lp

# By the headers, what each kernel makes of x = 3.
USES = [
    ("hipfft/hipfft.h hipfft/hipfftXt.h hipfft.h", "hipfftComplex c{x, 2}; hipfftDoubleReal d = c.x; hipfftReal r = c.y;"
     "hipfftHandle plan = 0; *out = d * r + (plan ? 1 : HIPFFT_C2C);", 3 * 2 + 0x29),
    ("hipfft/hipfft.h", "hipfftDoubleComplex c = make_hipDoubleComplex(x, 4); *out = c.y - HIPFFT_NOT_SUPPORTED;", -12),
    ("hipblas/hipblas.h hipblas.h", "hipblasComplex c = make_hipFloatComplex(x, 1); hipblasDoubleComplex d{c.x, c.y};"
     "*out = hipCmul(d, d).x + HIPBLAS_OP_T + HIPBLAS_STATUS_UNKNOWN + HIPBLAS_FILL_MODE_LOWER;", 8 + 112 + 11 + 122),
    ("hipblaslt/hipblaslt.h", "hipblasLtHandle_t h = 0; *out = __half2float(__float2half(x)) + (h != 0);", 3),
    ("hipsparse/hipsparse.h hipsparse.h", "hipsparseStatus_t s = HIPSPARSE_STATUS_INSUFFICIENT_RESOURCES;"
     "hipsparseIndexBase_t base = HIPSPARSE_INDEX_BASE_ONE; *out = x + s + 100 * base;", 114),
    ("hipsolver/hipsolver.h hipsolver.h", "hipsolverStatus_t s = HIPSOLVER_STATUS_ZERO_PIVOT; *out = s + HIPBLAS_SIDE_LEFT;",
     12 + 141),
    ("rocblas/rocblas.h rocblas.h rocsolver/rocsolver.h", "rocblas_int i = 2; rocblas_stride s = i;"
     "*out = i + sizeof s + rocblas_operation_conjugate_transpose + rocblas_status_continue;",
     2 + 8 + 113 + 12),
    ("rocsparse/rocsparse.h rocsparse.h", "rocsparse_int i = 2; *out = i + rocsparse_index_base_one;", 3),
    ("rocfft/rocfft.h rocfft.h", "rocfft_plan p = 0; rocfft_precision precision = rocfft_precision_half;"
     "rocfft_transform_type t = rocfft_transform_type_real_inverse; rocfft_status s = rocfft_status_invalid_work_buffer;"
     "*out = (p == 0) + 10 * (precision + t) + 100 * s + 1000 * (rocfft_placement_notinplace + rocfft_array_type_unset);",
     6851),
    ("rccl/rccl.h rccl.h", "ncclComm_t c = 0; *out = __half2float(__float2half(x)) + (c == 0);", 4),
    ("hip/library_types.h", "hipDataType t = HIP_C_64U; *out = t + HIP_R_8F_E5M2_FNUZ;", 1028),
]  # fmt: skip


@pytest.mark.parametrize(("headers", "use", "wanted"), USES, ids=[headers for headers, *_ in USES])
def test_types_and_enumerators(device, headers, use, wanted):
    text = "#include <hip/hip_runtime.h>\n" + "".join(f"#include <{header}>\n" for header in headers.split())
    out = lp.zeros(1, "float64", device)
    lp.compile(f"{text}__global__ void k(float x, double *out) {{ {use} }}", device).k[1, 1](np.float32(3), out)
    assert out.to_numpy().tolist() == [wanted]


def test_a_template_is_found_by_the_types_of_its_launch(device):
    text = """
    #include <hip/hip_runtime.h>
    #include <rocblas/rocblas.h>
    template <class T> __global__ void scale(rocblas_int n, T *x, T a) { if (threadIdx.x < n) x[threadIdx.x] *= a; }
    int main() {
        rocblas_int n = 3;
        rocblas_handle handle;
        rocblas_create_handle(&handle);
        float *x;
        scale<<<1, 64>>>(n, x, 2.f);
    }"""
    x = lp.asarray(np.array([1, 3, 5], "float32"), device=device)
    lp.compile(text, device)["scale<float>"][1, 64](3, x, np.float32(2))
    assert x.to_numpy().tolist() == [2, 6, 10]


def test_a_header_that_is_named_comes_first(device, tmp_path):
    (tmp_path / "hipfft").mkdir()
    (tmp_path / "hipfft" / "hipfft.h").write_text("#pragma once\nstruct hipfftComplex { float re, im; };\n")
    text = "#include <hipfft/hipfft.h>\n__global__ void k(float *x) { hipfftComplex c; c.im = *x; *x = c.im + 1; }"
    x = lp.asarray(np.array([5], "float32"), device=device)
    lp.compile(text, device, include_paths=[tmp_path], language="hip").k[1, 1](x)
    assert x.to_numpy().tolist() == [6]
