"""Headers of libraries that only host code calls, by NVRTC: where they are installed, and where they are not."""

from importlib.util import find_spec

import pytest

from launchpath._compiler.extraction import host_libraries
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.rtc.library import headers
from launchpath._compiler.rtc.text.includes import resolve
from launchpath._compiler.source import source as sources
from tests.unit.support.rtc import by_nvrtc, compiled

# A library's header and what it includes, as NVIDIA writes them.
HEADER = """
#ifndef LIBRARY_H
#define LIBRARY_H
#include "cublas_api.h"
#define cublasCreate cublasCreate_v2
#endif
"""
API = """
#pragma once
#include <stdint.h>
#include <stdio.h>
#include "driver_types.h"
#include <cuda_bf16.h>
#if defined(__cplusplus)
extern "C" {
#endif
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_NEW = 7 } cublasOperation_t;
struct cublasContext;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *);
cublasOperation_t __stdcall cublasCreate_v2(cublasHandle_t *handle);
int cublasLoggerOpen(FILE *file, cudaStream_t stream);
int cublasSetPolicy(cudaPolicyThatIsNew policy, enum cudaPolicyOfALaterVersion more);
static inline int cublasMath(cudaDataTypeThatIsNew type) { return fprintf(stderr, "%d", type); }
#if defined(__cplusplus)
}
#endif
"""
PROGRAM = """
#include "common.h"
#include <cstdio>
struct Plan { cublasHandle_t handle; cublasOperation_t operation; float *x; };
template <class T> __global__ void scale(T *x, __nv_bfloat16 factor) { x[threadIdx.x] *= T(float(factor)); }
__global__ void planned(Plan plan) { if (plan.operation == CUBLAS_OP_T) plan.x[0] = 1; }
void run(Plan plan, cublasHandle_t *handle) {
  check(cublasCreate(handle));
  scale<<<1, 4>>>(plan.x, __nv_bfloat16(2.f));
}
int main() {}
"""
COMMON = """
#pragma once
#include <cublas_v2.h>
static cublasHandle_t handle;
void check(cublasStatus_t status) { if (status != CUBLAS_STATUS_SUCCESS) printf("%d", status); }
#define check(status) { check((status)); }
"""
# Each with a use of a type that kernels take from it.
BROUGHT = [
    ("cublas_v2.h", "__nv_bfloat16 b = __float2bfloat16(*p); cuComplex c; c.x = CUDA_R_32F + CUBLAS_OP_T; *p = float(b) + c.x;"),
    ("cublas.h", "*p = __half2float(__float2half(*p));"),
    ("cublasLt.h", "*p = float(__nv_bfloat16(*p)); cublasLtHandle_t h = 0; if (h) *p = 1;"),
    ("cusparse.h", "*p = float(__nv_bfloat16(*p)); cusparseHandle_t h = 0; if (h) *p = 1;"),
    ("cusolverDn.h", "cuDoubleComplex c; c.y = 2; *p = c.y; cusolverDnHandle_t h = 0; if (h) *p = 1;"),
    ("cufft.h", "cufftComplex c; c.x = 2; cufftDoubleReal d = c.x; cufftHandle plan = 3; *p = d + plan;"),
    ("cufftXt.h", "cufftReal r = 1; cufftCallbackLoadR load = 0; if (load) *p = r;"),
    ("nccl.h", "*p = float(__nv_bfloat16(*p));"),
    ("curand.h", "curandGenerator_t g = 0; if (g) *p = 1;"),
    ("library_types.h", "cudaDataType t = CUDA_C_64U; *p = t;"),
    ("hip/library_types.h", "hipDataType t = HIP_C_64U; *p = t;"),
    ("hipfft/hipfft.h", "hipfftComplex c; c.x = 2; hipfftDoubleReal d = c.x; *p = d;"),
    ("hipfft/hipfftXt.h", "hipfftReal r = 1; hipfftCallbackLoadR load = 0; if (load) *p = r;"),
    ("hipblas/hipblas.h", "hipblasDoubleComplex c; c.y = HIPBLAS_OP_T; hip_bfloat16 b(1.f); *p = c.y + float(b);"),
    ("hipsparse/hipsparse.h", "hipsparseStatus_t s = HIPSPARSE_STATUS_ZERO_PIVOT; *p = s;"),
    ("hipsolver.h", "hipsolverHandle_t h = 0; *p = HIPSOLVER_STATUS_ZERO_PIVOT + HIPBLAS_DIAG_UNIT; if (h) *p = 1;"),
    ("rocblas/rocblas.h", "rocblas_int n = 2; *p = n;"),
    ("rocsparse/rocsparse.h", "rocsparse_int n = 2; *p = n;"),
    ("rocfft/rocfft.h", "rocfft_plan plan = 0; rocfft_status s = rocfft_status_failure; *p = s; if (plan) *p = 1;"),
    ("rccl/rccl.h", "ncclComm_t c = 0; if (c) *p = 1;"),
]  # fmt: skip
has_runtime = pytest.mark.skipif(not find_spec("nvidia") or not find_spec("nvidia.cu13"), reason="no cuda_bf16.h")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder of headers that is searched after those of NVIDIA's packages that the tests need."""
    folder = tmp_path / "toolkit"
    folder.mkdir()
    before = headers.folders
    monkeypatch.setattr(headers, "folders", lambda library: (str(folder), *before(library)))
    return folder


@by_nvrtc
@has_runtime
def test_a_librarys_header_is_read_without_the_hosts_declarations(installed):
    (installed / "cublas_v2.h").write_text(HEADER)
    (installed / "cublas_api.h").write_text(API)
    image = compiled(PROGRAM.replace("CUBLAS_OP_T", "CUBLAS_OP_NEW"), headers={"common.h": COMMON})
    assert [signature.name for _, signature in image.kernels] == ["planned", "scale<float>"]


@by_nvrtc
@has_runtime
def test_a_librarys_header_that_is_not_installed():
    image = compiled(PROGRAM, headers={"common.h": COMMON})
    assert [signature.name for _, signature in image.kernels] == ["planned", "scale<float>"]
    assert image.log == ""


@by_nvrtc
@has_runtime
@pytest.mark.sample(5)
@pytest.mark.parametrize(("header", "use"), BROUGHT, ids=[header for header, _ in BROUGHT])
def test_what_headers_bring_along(header, use):
    assert compiled(f"#include <{header}>\n__global__ void k(float *p) {{ {use} }}").kernels


@by_nvrtc
def test_thrusts_random_numbers_beside_its_containers():
    text = """
    #include <thrust/device_vector.h>
    #include <thrust/random.h>
    #include <thrust/tuple.h>
    __global__ void k(float *p) {
      thrust::default_random_engine engine(3);
      thrust::random::uniform_real_distribution<float> uniform(0, 2);
      thrust::normal_distribution<float> normal;
      thrust::tuple<int, int> pair(1, 2);
      *p = uniform(engine) + normal(engine) + thrust::get<0>(pair);
    }
    int main() { thrust::device_vector<float> v(1); }
    """
    assert compiled(text).kernels


@by_nvrtc
def test_what_headers_bring_along_where_cuda_has_no_headers(monkeypatch):
    monkeypatch.setattr(headers, "folders", lambda _: ())
    text = "#include <cublas_v2.h>\n__global__ void k(cuComplex *p) { p->x = CUDA_R_64F; }\nint main() {}"
    assert compiled(text).kernels


@by_nvrtc
def test_a_header_is_recognized_by_its_name_in_angles_and_in_quotes(installed):
    (installed / "cusparse.h").write_text('#pragma once\n#include <cublas_api.h>\n#include "nvtx3/inner.h"\n')
    (installed / "cublas_api.h").write_text("int log(FILE *);\nenum { FROM_ANGLES = 3 };\n")
    (installed / "nvtx3").mkdir()
    (installed / "nvtx3" / "inner.h").write_text("int log(FILE *);\nenum { FROM_QUOTES = 4 };\n")
    text = "#include <cusparse.h>\n__global__ void k(int *p) { *p = FROM_ANGLES + FROM_QUOTES; }"
    assert compiled(text).kernels


@by_nvrtc
@pytest.mark.parametrize("name", ["nvtx3/nvToolsExtCudaRt.h", "curand.h"])
def test_where_the_parser_has_a_header_of_ours_nvrtc_does_not_read_the_librarys(installed, name):
    (installed / "nvtx3").mkdir()
    (installed / name).write_text("#include <unistd.h>\nint log(FILE *file);\n")
    text = f"#include <{name}>\n__global__ void k(int *p) {{ *p = 1; }}\nint main() {{ k<<<1, 1>>>(nullptr); }}"
    assert compiled(text).kernels


def test_what_cudas_own_headers_include_stays_as_it_is(tmp_path):
    (tmp_path / "cub.cuh").write_text("#include <nvtx3/nvtx3.hpp>\n")
    (tmp_path / "nvtx3").mkdir()
    (tmp_path / "nvtx3" / "nvtx3.hpp").write_text("void mark();\n")
    (tmp_path / "cublas.h").write_text("void multiply();\n")
    text = "#include <cub.cuh>\n#include <cublas.h>\n__global__ void k(int *p) {}"
    unit = parse(sources.from_text(text, "k.cu")._replace(system=(str(tmp_path),)))
    assert list(unit.files) == ["/__launchpath__/k.cu", f"{tmp_path}/cublas.h"]
    image = resolve(unit, unit.reduced(), [str(tmp_path)])
    assert image.text.splitlines()[0] == "#include <cub.cuh>"
    assert [text.splitlines()[1].strip() for text in image.headers.values()] == [""]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cublas_v2.h", True), ("cublasLt.h", True), ("cusolverDn.h", True), ("cufftXt.h", True), ("nccl.h", True),
        ("nvtx3/nvToolsExt.h", True), ("curand.h", True), ("cudnn.h", True),
        ("curand_kernel.h", False), ("cuda_fp16.h", False), ("cub/cub.cuh", False), ("cublasdx.hpp", False),
        ("nccl_device/core.h", False), ("cuComplex.h", False), ("my/cublas_v2.h", False),
    ],
)  # fmt: skip
def test_which_headers_are_of_libraries(name, expected):
    assert host_libraries.is_one_of(f"/cuda/include/{name}", ["/other", "/cuda/include"]) == expected
    assert not host_libraries.is_one_of(f"/elsewhere/{name}", ["/cuda/include"])
