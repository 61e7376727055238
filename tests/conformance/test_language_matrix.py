"""Matrices that a warp holds together (nvcuda::wmma), against NumPy."""

from __future__ import annotations

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
