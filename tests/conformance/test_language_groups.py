"""`thread_group`: what every cooperative group is passed as."""

import numpy as np
import pytest

import launchpath as lp

from .test_language_warps import has_sub_groups, warps  # noqa: F401

START = """
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;
"""
SUM = """
__device__ int sum(cg::thread_group g, int* t, int v) {
    for (int i = g.size() / 2; i > 0; i /= 2) {
        t[g.thread_rank()] = v;
        g.sync();
        if (g.thread_rank() < i) v += t[g.thread_rank() + i];
        g.sync();
    }
    return v;
}
"""
SYNC = "__device__ int f(const cg::thread_group& g) { g.sync(); return g.size(); }\n"


def summed(device, body, threads=128):
    source = f"{START}{SUM}__global__ void k(int* out, const int* x) {{ __shared__ int s[256]; int t = threadIdx.x; {body} }}"
    x = np.random.default_rng(3).permutation(threads).astype("int32")
    out = lp.zeros(threads, "int32", device)
    lp.compile(source, device).k[1, threads](out, lp.asarray(x, device=device))
    return x, out.to_numpy()


def test_a_block(device):
    body = """
        cg::thread_block b = cg::this_thread_block();
        cg::thread_group g = b;
        int all = sum(b, s, x[t]);
        out[t] = t == 0 ? all : (g.size() == 128) + 10 * (g.thread_rank() == t);
    """
    x, got = summed(device, body)
    assert got[0] == x.sum()
    assert (got[1:] == 11).all()


@pytest.mark.opencl_only("CUDA's thread_group has no is_valid, which HIP's has")
def test_a_block_is_valid(device):
    _, got = summed(device, "cg::thread_group g = cg::this_thread_block(); out[t] = g.is_valid();")
    assert (got == 1).all()


def test_tiles(warps):  # noqa: F811
    for tile in ("cg::tiled_partition<8>(cg::this_thread_block())", "cg::tiled_partition(cg::this_thread_block(), 8)",
                 "cg::tiled_partition(cg::thread_group(cg::this_thread_block()), 8)"):  # fmt: skip
        x, got = summed(warps, f"int v = sum({tile}, s + t / 8 * 8, x[t]); out[t] = v;")
        assert (got[::8] == x.reshape(-1, 8).sum(1)).all(), tile


def test_coalesced_threads_and_their_parts(warps):  # noqa: F811
    body = """
        if (t % 2) {
            cg::coalesced_group odd = cg::coalesced_threads();
            auto part = cg::tiled_partition(odd, 4);
            cg::thread_group again = cg::tiled_partition(cg::thread_group(odd), 4);
            int v = sum(part, s + t / 8 * 8, x[t]), rank = part.thread_rank();
            out[t] = rank == 0 ? v : 1000 * (again.thread_rank() == rank && again.size() == part.size())
                + 100 * odd.meta_group_size() + 10 * odd.meta_group_rank() + rank;
            out[t - 1] = 10 * part.meta_group_rank() + part.meta_group_size();
        }
    """
    x, got = summed(warps, body)
    odd = got[1::2].reshape(-1, 4)
    assert (odd[:, 0] == x[1::2].reshape(-1, 4).sum(1)).all()
    assert (odd[:, 1:] == 1100 + np.arange(1, 4)).all()
    assert (got[::2] == np.repeat(np.tile(np.arange(4), 4) * 10 + 4, 4)).all()


@pytest.mark.opencl_only("CUDA's grid_group forgets that it is one, and has size 0 as a thread_group")
def test_sizes_of_a_grid(device):
    source = (
        START
        + """
    __device__ void show(const cg::thread_group& g, int* out) { out[g.thread_rank()] = g.size(); }
    __global__ void k(int* out) { show(cg::this_grid(), out); }
    """
    )
    out = lp.zeros(3 * 64, "int32", device)
    lp.compile(source, device).k[3, 64](out)
    assert (out.to_numpy() == 192).all()


@pytest.mark.opencl_only("CUDA devices have it")
@pytest.mark.parametrize("calls", ["f(cg::this_grid())", "f(cg::this_grid()) + f(cg::this_thread_block())"])
def test_no_barrier_of_a_grid(device, calls):
    with pytest.raises(lp.CompileError, match="a thread_group that is a grid: no device here runs"):
        lp.compile(f"{START}{SYNC}__global__ void k(int* out) {{ out[0] = {calls}; }}", device)


@pytest.mark.opencl_only("CUDA devices have warps")
def test_no_barrier_of_a_tile_without_warps(device):
    if has_sub_groups(device):
        pytest.skip("this device has sub-groups")
    kernel = "__global__ void k(int* out) { out[0] = f(cg::tiled_partition(cg::this_thread_block(), 4)); }"
    with pytest.raises(lp.CompileError, match="a thread_group that is a tile: tiles of a block need sub-groups"):
        lp.compile(START + SYNC + kernel, device)
    lp.compile(START + SYNC.replace("g.sync();", "") + kernel, device)


@pytest.mark.opencl_only("CUDA's headers have neither")
@pytest.mark.parametrize(
    ("body", "reason"),
    [("auto g = cg::this_multi_grid();", "a launch is on one device here"),
     ("auto g = cg::tiled_partition<4>(cg::this_grid());", "takes a block or a tile")],
)  # fmt: skip
def test_groups_that_are_not_there(device, body, reason):
    with pytest.raises(lp.CompileError, match=reason):
        lp.compile(f"{START}__global__ void k() {{ {body} }}", device)
