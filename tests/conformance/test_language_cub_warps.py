"""CUB's primitives of warps, against NumPy; its iterators and what a thread does by itself."""

import numpy as np
import pytest

import launchpath as lp

from .test_language_cub import both_names, run, values_of
from .test_language_warps import has_sub_groups, warps  # noqa: F401

WARPS = """
template <int W> __device__ void all(const T* x, T* out) {
    typedef LIB::WarpReduce<T, W> Reduce;
    typedef LIB::WarpScan<T, W> Scan;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } storage[96 / W];
    int t = threadIdx.x, at = t / W, rank = t % W, row = 0;
    T v = x[t], y, z;
    auto put = [&](T value) { out[row++ * 96 + t] = value; __syncwarp(); };
    y = Reduce(storage[at].reduce).Sum(v); put(rank == 0 ? y : 0);
    y = Reduce(storage[at].reduce).Reduce(v, LIB::Max()); put(rank == 0 ? y : 0);
    y = Reduce(storage[at].reduce).Sum(v, W / 2 + 1); put(rank == 0 ? y : 0);
    Scan(storage[at].scan).InclusiveSum(v, y); put(y);
    Scan(storage[at].scan).ExclusiveSum(v, y); put(y);
    Scan(storage[at].scan).ExclusiveSum(v, y, z); put(z);
    Scan(storage[at].scan).InclusiveScan(v, y, LIB::Min()); put(y);
    Scan(storage[at].scan).ExclusiveScan(v, y, (T)9, LIB::Min()); put(y);
    put(Scan(storage[at].scan).Broadcast(v, W - 1));
    y = Reduce(storage[at].reduce).HeadSegmentedSum(v, rank % 3 == 0); put(rank % 3 == 0 ? y : 0);
    y = Reduce(storage[at].reduce).TailSegmentedSum(v, rank % 3 == 2); put(rank % 3 == 0 ? y : 0);
}
__global__ void k(const T* x, T* out) { all<32>(x, out); all<8>(x, out + 11 * 96); all<3>(x, out + 22 * 96); }
"""


@both_names
@pytest.mark.parametrize(("ctype", "dtype"), [("int", "int32"), ("double", "float64")])
def test_reductions_and_scans_of_warps(warps, library, ctype, dtype, native):  # noqa: F811
    if native and library == "cub":
        pytest.skip("CUDA's own CUB has no cub::Max and cub::Min any more")
    x = values_of(dtype, 96)
    source = WARPS.replace("LIB", library).replace(
        "all<3>(x, out + 22 * 96)", "" if native else "all<3>(x, out + 2112)"
    )
    source = f"typedef {ctype} T;\n{source}"
    out = run(warps, source, 96, x, np.zeros((33, 96), dtype), library=library)[1]
    for width, rows in ((32, out[:11]), (8, out[11:22]), *([] if native else [(3, out[22:])])):
        # A logical warp of 3 lanes: 10 in each warp, and 2 lanes beyond them.
        parts = [(first + i, min(width, 32 - i)) for first in (0, 32, 64) for i in range(0, 32, width)]
        for first, count in parts:
            if count == width:
                check_logical_warp(x[first : first + count], rows[:, first : first + count], first, width)


def check_logical_warp(x, rows, first, width):
    sums = np.cumsum(x)
    heads = np.add.reduceat(x, range(0, width, 3))
    if width != 3:
        assert rows[0][0] == x.sum() and rows[1][0] == x.max() and rows[2][0] == x[: width // 2 + 1].sum()
        assert (rows[9][::3] == heads).all() and (rows[10][::3] == heads).all()
    for row, wanted in ((3, sums), (4, sums - x), (5, x.sum()), (6, np.minimum.accumulate(x)), (8, x[-1])):
        assert (rows[row] == wanted).all(), (row, first, width)
    assert (rows[7] == np.minimum.accumulate(np.concatenate([[9], x]))[:-1]).all()


PAIRS = """
struct Odd { int a; char b[3]; };
__global__ void k(const int* x, int* out) {
    typedef LIB::KeyValuePair<int, int> Pair;
    int t = threadIdx.x;
    __shared__ typename LIB::WarpReduce<Pair>::TempStorage storage[2];
    Pair least = LIB::WarpReduce<Pair>(storage[t / 32]).Reduce(Pair(t, x[t]), LIB::ArgMin());
    if (t % 32 == 0) { out[t / 32 * 2] = least.key; out[t / 32 * 2 + 1] = least.value; }
}"""


@both_names
def test_structs_in_warps(warps, library):  # noqa: F811
    x = values_of("int32", 64)
    source = PAIRS.replace("LIB", library)
    out = run(warps, source, 64, x, np.zeros(4, "int32"), library=library)[1]
    assert out.tolist() == [x[:32].argmin(), x[:32].min(), 32 + x[32:].argmin(), x[32:].min()]


def test_exchanges_in_warps(warps):  # noqa: F811
    source = """
    __global__ void k(const int* x, int* out) {
        typedef hipcub::WarpExchange<int, 3, 16> Exchange;
        __shared__ Exchange::TempStorage storage[4];
        int t = threadIdx.x, v[3], w[3];
        for (int i = 0; i < 3; ++i) v[i] = x[3 * t + i];
        Exchange(storage[t / 16]).StripedToBlocked(v, w);
        for (int i = 0; i < 3; ++i) out[3 * t + i] = w[i];
        __syncwarp();
        Exchange(storage[t / 16]).BlockedToStriped(w, v);
        for (int i = 0; i < 3; ++i) out[192 + 3 * t + i] = v[i];
    }"""
    x = np.arange(192, dtype="int32")
    out = run(warps, source, 64, x, np.zeros((2, 192), "int32"))[1]
    assert (out[0].reshape(4, 48) == x.reshape(4, 16, 3).transpose(0, 2, 1).reshape(4, 48)).all()
    assert (out[1] == x).all()


@pytest.mark.opencl_only("CUDA's own CUB has them")
def test_primitives_that_are_not_built_say_so(device):
    source = """#include <hipcub/hipcub.hpp>
    __global__ void k(int* x) {
        typedef hipcub::BlockRadixRank<64, 4, false> Rank;
        __shared__ Rank::TempStorage storage;
        Rank rank(storage);
    }"""
    with pytest.raises(lp.CompileError, match="CUB's BlockRadixRank is not built for OpenCL devices"):
        lp.compile(source, device)


def test_devices_without_warps_say_so(device):
    if has_sub_groups(device):
        pytest.skip("sub-groups are here")
    source = """#include <hipcub/hipcub.hpp>
    __global__ void k(int* x) {
        __shared__ hipcub::WarpReduce<int>::TempStorage storage;
        x[0] = hipcub::WarpReduce<int>(storage).Sum(x[threadIdx.x]);
    }"""
    with pytest.raises(lp.CompileError, match="CUB's primitives of warps need sub-groups"):
        lp.compile(source, device)


ITERATORS = """
struct Twice { __device__ int operator()(int x) const { return 2 * x; } };
__global__ void k(const int* x, int* out) {
    int t = threadIdx.x;
    hipcub::CountingInputIterator<int> counting(5);
    hipcub::ConstantInputIterator<int> constant(7);
    hipcub::TransformInputIterator<int, Twice, const int*> twice(x, Twice());
    hipcub::ArgIndexInputIterator<const int*> indexed(x);
    hipcub::CacheModifiedInputIterator<hipcub::LOAD_LDG, int> plain(x);
    auto pair = indexed[t];
    int* row = out + 9 * t;
    row[0] = counting[t]; row[1] = *(constant + t); row[2] = twice[t]; row[3] = (int)pair.key; row[4] = pair.value;
    row[5] = plain[t]; row[6] = hipcub::ThreadLoad<hipcub::LOAD_VOLATILE>(x + t);
    hipcub::ThreadStore<hipcub::STORE_CG>(row + 7, (int)((counting + t) - counting));
    int items[3] = {t, 2 * t, 3};
    row[8] = hipcub::ThreadReduce(items, hipcub::Sum());
}"""


@pytest.mark.opencl_only("CUDA's own CUB has no such iterators any more")
def test_iterators(device):
    x, t = values_of("int32", 33), np.arange(33)
    out = run(device, ITERATORS, 33, x, np.zeros((33, 9), "int32"))[1]
    assert (out == np.array([t + 5, 0 * t + 7, 2 * x, t, x, x, x, t, 3 * t + 3]).T).all()


def test_host_code_that_calls_device_wide_functions(device):
    source = """
    #include <hipcub/hipcub.hpp>
    #include <vector>
    struct NonZero { __host__ __device__ bool operator()(int x) const { return x != 0; } };
    template <int BLOCK> __global__ void k(const int* x, int* out) {
        __shared__ typename hipcub::BlockReduce<int, BLOCK>::TempStorage storage;
        int all = hipcub::BlockReduce<int, BLOCK>(storage).Sum(x[threadIdx.x]);
        if (threadIdx.x == 0) *out = all;
    }
    int main() {
        size_t bytes = 0;
        int *x, *out;
        hipcub::TransformInputIterator<bool, NonZero, int*> wanted(x, NonZero());
        hipcub::DeviceReduce::Sum(nullptr, bytes, wanted, out, 33);
        if (hipcub::DeviceSelect::Flagged(nullptr, bytes, x, wanted, out, out, 33) != hipSuccess) return 1;
        hipcub::DoubleBuffer<int> keys(x, out);
        hipcub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, 33, 0, 32, hipStream_t());
        k<33><<<1, 33>>>(keys.Current(), out);
    }"""
    x = values_of("int32", 33)
    program = lp.compile(source, device)
    out = lp.zeros(1, "int32", device)
    program["k<33>"][1, 33](lp.asarray(x, device=device), out)
    assert out.to_numpy()[0] == x.sum()


@pytest.mark.opencl_only("CUDA's own CUB has neither tuples nor these traits")
def test_types_that_hipcub_brings_along(device):
    source = """
    #include <hipcub/tuple.hpp>
    #include <hipcub/util_type.hpp>
    struct Fixed { short bits; };
    template <> struct hipcub::FpLimits<Fixed> {
        static __host__ __device__ Fixed Max() { return {32767}; }
        static __host__ __device__ Fixed Lowest() { return {-32768}; }
    };
    template <> struct hipcub::NumericTraits<Fixed>
        : hipcub::BaseTraits<hipcub::FLOATING_POINT, true, false, unsigned short, Fixed> {};
    __global__ void k(int* out) {
        hipcub::tuple<int, __half> both(3, __float2half(2));
        hip_bfloat16 third(4.0f);
        out[0] = hipcub::tuple_size<decltype(both)>::value;
        out[1] = std::get<0>(both) + (int)__half2float(std::get<1>(both)) + (int)(float)third;
        out[2] = hipcub::Traits<Fixed>::Max().bits;
        out[3] = sizeof(hipcub::Traits<Fixed>::UnsignedBits) + HIPCUB_WARP_SIZE_64;
    }"""
    out = lp.asarray(np.zeros(4, "int32"), device=device)
    lp.compile(source, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [2, 9, 32767, 66]
