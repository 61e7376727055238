"""Matrices that a warp holds together (nvcuda::wmma), against NumPy."""

import numpy as np
import pytest

import launchpath as lp

from .test_language_warps import has_sub_groups

SOURCE = """
#include <mma.h>
using namespace nvcuda;
__global__ void k(const TYPE* a, const TYPE* b, const SUM* c, SUM* d) {
    wmma::fragment<wmma::matrix_a, M, N, K, TYPE, wmma::A_ROWS> x;
    wmma::fragment<wmma::matrix_b, M, N, K, TYPE, wmma::B_ROWS> y;
    wmma::fragment<wmma::accumulator, M, N, K, SUM> sum, more;
    wmma::fill_fragment(sum, (SUM)0);
    wmma::load_matrix_sync(x, a, A_WIDTH);
    wmma::load_matrix_sync(y, b, B_WIDTH);
    wmma::mma_sync(sum, x, y, sum);
    wmma::load_matrix_sync(more, c, N, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = 2 * sum.x[i] + more.x[i];
    wmma::store_matrix_sync(d, sum, M, wmma::mem_col_major);
}
"""


@pytest.mark.parametrize("shape", [(16, 16, 16), (32, 8, 16), (8, 32, 16)])
@pytest.mark.parametrize("rows", [("row_major", "col_major"), ("col_major", "row_major")])
@pytest.mark.parametrize("types", [("half", "float"), ("signed char", "int")])
@pytest.mark.sample(2)
def test_product_of_matrices(device, shape, rows, types):
    if not has_sub_groups(device):
        pytest.skip("no sub-groups here")
    m, n, k = shape
    rng = np.random.default_rng(m)
    kind, total = ("float16", "float32") if types[0] == "half" else ("int8", "int32")
    a, b = rng.integers(-9, 9, (m, k)).astype(kind), rng.integers(-9, 9, (k, n)).astype(kind)
    c = rng.integers(-9, 9, (m, n)).astype(total)
    stored = [x if way == "row_major" else x.T.copy() for x, way in zip((a, b), rows, strict=True)]
    defines = {
        "TYPE": types[0], "SUM": types[1], "M": m, "N": n, "K": k, "A_ROWS": rows[0], "B_ROWS": rows[1],
        "A_WIDTH": stored[0].shape[1], "B_WIDTH": stored[1].shape[1],
    }  # fmt: skip
    out = lp.zeros((n, m), total, device)
    kernel = lp.compile(SOURCE, device, defines=defines).k
    kernel[1, 32](*(lp.asarray(x, device=device) for x in (*stored, c)), out)
    assert (2 * (a.astype(total) @ b.astype(total)) + c == out.to_numpy().T).all()


AMD = """#include <hip/hip_runtime.h>
typedef ELEMENT part __attribute__((ext_vector_type(COUNT)));
typedef SUM sums __attribute__((ext_vector_type(SUMS)));
__global__ void k(const part* a, const part* b, SUM* c) {
    int column = threadIdx.x % 16, upper = threadIdx.x / 16;
    sums sum = {};
    for (int i = 0; i < 8; ++i) sum[SUMS / 8 * i] = c[(2 * i + upper) * 16 + column];
    sum = __builtin_amdgcn_wmma_CALL;
    for (int i = 0; i < 8; ++i) c[(2 * i + upper) * 16 + column] = sum[SUMS / 8 * i];
}
"""


@pytest.mark.opencl_only("NVRTC has no _Float16, nor AMD's products")
@pytest.mark.parametrize(
    ("element", "count", "kind", "call"),
    [
        ("_Float16", 16, "float32", "f32_16x16x16_f16_w32(a[column], b[column], sum)"),
        ("short", 16, "float32", "f32_16x16x16_bf16_w32(a[column], b[column], sum)"),
        ("_Float16", 16, "float16", "f16_16x16x16_f16_w32(a[column], b[column], sum, false)"),
        ("int", 4, "int32", "i32_16x16x16_iu8_w32(true, a[column], false, b[column], sum, true)"),
        ("int", 2, "int32", "i32_16x16x16_iu4_w32(false, a[column], true, b[column], sum, false)"),
    ],
)
def test_products_by_amds_names(device, element, count, kind, call):
    if not has_sub_groups(device):
        pytest.skip("no sub-groups here")
    signs = ("iu8_w32(true" in call, "iu4" in call) if element == "int" else (True, True)
    rng = np.random.default_rng(count)
    low = [-8 if signed else 0 for signed in signs]
    a, b = (rng.integers(start, start + 15, (16, 16)) for start in low)  # rows; columns
    c = rng.integers(-9, 9, (16, 16)).astype(kind)
    if element == "_Float16":
        stored = [x.astype("float16") for x in (a, b)]
    elif element == "short":
        stored = [(x.astype("float32").view("uint32") >> 16).astype("uint16") for x in (a, b)]
    elif count == 4:
        stored = [x.astype("int8") for x in (a, b)]
    else:
        nibbles = [(x & 15).astype("uint8") for x in (a, b)]
        stored = [x[:, ::2] | x[:, 1::2] << 4 for x in nibbles]
    total = {"float32": "float", "float16": "_Float16", "int32": "int"}[kind]
    defines = {"ELEMENT": element, "COUNT": count, "SUM": total, "SUMS": 16 if kind == "float16" else 8}
    out = lp.asarray(c, device=device)
    kernel = lp.compile(AMD.replace("CALL", call), device, defines=defines).k
    kernel[1, 32](*(lp.asarray(x.view("uint8"), device=device) for x in stored), out)
    assert (out.to_numpy() == (a @ b.T + c.astype(int)).astype(kind)).all()
