"""Dynamic shared memory that a kernel reaches, and that a launch does not give."""

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
extern __shared__ float whole[];
struct Params { float *x; int n; };
__device__ void turn(float *x) {
    whole[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = whole[threadIdx.x ^ 1];
}
__global__ void h(float *x) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void through(float *x, int n) { if (n) turn(x); else x[threadIdx.x] = 7; }
__global__ void fields(const Params *p) { if (p->n) turn(p->x); else p->x[threadIdx.x] = 7; }
__global__ void none(float *x) { x[threadIdx.x] = 5; }
"""
N = 8
WORDS = (
    "kernel '{0}' uses dynamic shared memory, extern __shared__ '{1}': expected its bytes for a block, "
    "{0}[grid, block, stream, bytes], got 0: a launch whose threads do not reach it can give 1"
)


@pytest.fixture
def x(device):
    return lp.asarray(np.arange(N, dtype="float32"), device=device)


def refused(make, kernel, variable):
    with pytest.raises(lp.ConfigurationError) as caught:
        make()
    assert str(caught.value) == WORDS.format(kernel, variable)


@pytest.mark.parametrize(("kernel", "variable"), [("h", "s"), ("through", "whole"), ("fields", "whole")])
def test_refused_before_the_arguments_are_looked_at(kernels, kernel, variable):
    of = kernels[kernel]
    for make in (
        lambda: of[1, N],
        lambda: of[1, N, lp.Stream(device=kernels.device)],
        lambda: of[1, N, None, 0],
        lambda: of[1, N, None, np.int64(0)],
        lambda: of.bind(1, N),
        lambda: of.bind(1, N, shared=0),
    ):
        refused(make, kernel, variable)


def test_refused_where_the_kernel_is_called_otherwise(kernels, device, x):
    refused(lambda: kernels.fields.by_fields[1, N], "fields", "whole")
    refused(lambda: kernels.h.returning(x=N)[1, N], "h", "s")
    if device.info.get("cooperative"):
        refused(lambda: kernels.h.cooperative[1, N], "h", "s")
    step = lp.Step()
    with pytest.raises(lp.ConfigurationError, match="extern __shared__ 's'"), step:
        kernels.h[1, N](x)


def test_a_launch_with_bytes_runs(kernels, x):
    kernels.h[1, N, None, 4 * N](x)
    assert x.to_numpy().tolist() == [1, 0, 3, 2, 5, 4, 7, 6]
    kernels.through[1, N, None, 4 * N](x, 1)
    assert x.to_numpy().tolist() == list(range(N))


def test_a_launch_that_does_not_reach_it_gives_one_byte(kernels, x):
    kernels.through[1, N, None, 1](x, 0)
    assert x.to_numpy().tolist() == [7] * N
    kernels.fields.by_fields[1, N, None, 1](x, 0)


def test_other_kernels_of_the_program_need_none(kernels, x):
    kernels.none[1, N](x)
    kernels.none[1, N, None, 0](x)
    assert x.to_numpy().tolist() == [5] * N


def test_saved_programs(kernels, device, tmp_path):
    kernels.save(tmp_path / "kept.lp")
    loaded = lp.load(tmp_path / "kept.lp", device)
    refused(lambda: loaded.h[1, N], "h", "s")
    loaded.none[1, N]


def test_questions_about_a_kernel_need_no_bytes(kernels, device):
    threads, _ = kernels.h.suggest_block()
    assert threads >= 1
    if device.info["driver"] != "opencl":
        assert kernels.h.occupancy(N) >= 1
