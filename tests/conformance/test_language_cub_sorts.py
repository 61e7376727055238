"""CUB's sorts, histograms and neighbors within a block, against NumPy."""

import numpy as np
import pytest

from .test_language_cub import TYPES, run, values_of

KEYS = {**TYPES, "unsigned char": "uint8", "unsigned": "uint32"}


def keys_of(dtype, count):
    keys = np.random.default_rng(3).integers(-100, 100, count).astype(dtype)
    return keys / 8 if np.dtype(dtype).kind == "f" else keys


@pytest.mark.sample(2, "intel")
@pytest.mark.parametrize(
    ("ctype", "threads", "items"),
    [("int", 33, 3), ("float", 96, 2), ("double", 7, 1), ("unsigned char", 64, 4), ("long long", 32, 2)],
)
def test_radix_sorts(device, ctype, threads, items):
    count = threads * items
    keys = keys_of(KEYS[ctype], count)
    source = f"""
    __global__ void k(const {ctype}* x, {ctype}* out, int* at) {{
        typedef hipcub::BlockRadixSort<{ctype}, {threads}, {items}> Sort;
        typedef hipcub::BlockRadixSort<{ctype}, {threads}, {items}, int> SortPairs;
        __shared__ union {{ typename Sort::TempStorage keys; typename SortPairs::TempStorage pairs; }} storage;
        {ctype} v[{items}];
        int w[{items}], t = threadIdx.x, row = 0;
        auto load = [&] {{
            for (int i = 0; i < {items}; ++i) v[i] = x[t * {items} + i], w[i] = t * {items} + i;
        }};
        auto store = [&] {{
            for (int i = 0; i < {items}; ++i) {{
                out[row * {count} + t * {items} + i] = v[i];
                at[row * {count} + t * {items} + i] = w[i];
            }}
            ++row;
            __syncthreads();
        }};
        load(); Sort(storage.keys).Sort(v); store();
        load(); Sort(storage.keys).SortDescending(v); store();
        load(); Sort(storage.keys).SortBlockedToStriped(v); store();
        load(); SortPairs(storage.pairs).Sort(v, w); store();
        load(); SortPairs(storage.pairs).SortDescending(v, w); store();
        load(); SortPairs(storage.pairs).SortDescendingBlockedToStriped(v, w); store();
        load(); SortPairs(storage.pairs).Sort(v, w, 2, 7); store();
    }}"""
    arrays = np.zeros((7, count), keys.dtype), np.zeros((7, count), "int32")
    out, at = run(device, source, threads, keys, *arrays)[1:]

    def striped(row):
        return row.reshape(items, threads).T.reshape(-1)

    up = np.argsort(keys, kind="stable")
    down = (count - 1 - np.argsort(keys[::-1], kind="stable"))[::-1]
    for row, wanted in ((0, keys[up]), (1, keys[down]), (2, striped(keys[up]))):
        assert (out[row] == wanted).all()
    for row, order in ((3, up), (4, down), (5, striped(down))):
        assert (out[row] == keys[order]).all() and (at[row] == order).all()
    if keys.dtype.kind in "iu":
        assert (at[6] == np.argsort(keys.view(f"u{keys.itemsize}") >> 2 & 31, kind="stable")).all()


def test_zeros_of_both_signs_are_equal(device):
    source = """
    __global__ void k(const float* x, int* at) {
        typedef hipcub::BlockRadixSort<float, 32, 1, int> Sort;
        __shared__ typename Sort::TempStorage storage;
        float v[1] = {x[threadIdx.x]};
        int w[1] = {(int)threadIdx.x};
        Sort(storage).Sort(v, w);
        at[threadIdx.x] = w[0];
    }"""
    x = np.where(np.arange(32) % 2, np.float32(-0.0), np.float32(0.0))
    assert run(device, source, 32, x, np.zeros(32, "int32"))[1].tolist() == list(range(32))


@pytest.mark.opencl_only("CUDA's own CUB sorts with a power of two threads")
def test_merge_sorts(device):
    library = "cub"
    source = f"""
    struct Key {{ int major; float minor; }};
    struct Less {{ __device__ bool operator()(const Key& a, const Key& b) const {{ return a.major < b.major; }} }};
    __global__ void k(const int* x, int* out, int* guarded, int* at) {{
        typedef {library}::BlockMergeSort<Key, 33, 3, int> Sort;
        typedef {library}::BlockMergeSort<int, 33, 3> SortKeys;
        __shared__ union {{ typename Sort::TempStorage pairs; typename SortKeys::TempStorage keys; }} storage;
        Key v[3];
        int w[3], u[3], t = threadIdx.x;
        for (int i = 0; i < 3; ++i) w[i] = 3 * t + i, v[i] = Key{{x[w[i]], 1.5f}}, u[i] = x[w[i]];
        Sort(storage.pairs).Sort(v, w, Less());
        __syncthreads();
        SortKeys(storage.keys).Sort(u, [](int a, int b) {{ return a > b; }}, 50, -1000);
        for (int i = 0; i < 3; ++i) out[3 * t + i] = v[i].major, at[3 * t + i] = w[i], guarded[3 * t + i] = u[i];
    }}"""
    x = values_of("int32", 99)
    zeros = np.zeros_like(x)
    _, out, guarded, at = run(device, source, 33, x, zeros, zeros, zeros, library=library)
    order = np.argsort(x, kind="stable")
    assert (out == x[order]).all() and (at == order).all()
    assert (guarded[:50] == np.sort(x[:50])[::-1]).all()


@pytest.mark.parametrize(("library", "algorithm"), [("hipcub", "SORT"), ("cub", "ATOMIC")])
def test_histograms(device, library, algorithm, native):
    if native and algorithm == "ATOMIC":
        pytest.skip("CUDA's own CUB has no atomic operations on 16 bits")
    source = f"""
    __global__ void k(const unsigned char* x, unsigned* counts, unsigned long long* sums, unsigned short* small) {{
        typedef {library}::BlockHistogram<unsigned char, 96, 3, 20, {library}::BLOCK_HISTO_{algorithm}> Histogram;
        __shared__ typename Histogram::TempStorage storage;
        __shared__ unsigned histogram[20];
        unsigned char v[3];
        for (int i = 0; i < 3; ++i) v[i] = x[threadIdx.x * 3 + i];
        Histogram(storage).Histogram(v, histogram);
        __syncthreads();
        if (threadIdx.x < 20) counts[threadIdx.x] = histogram[threadIdx.x];
        Histogram(storage).Composite(v, *(unsigned long long(*)[20])sums);
        __syncthreads();
        Histogram(storage).Histogram(v, *(unsigned short(*)[20])small);
    }}"""
    x = np.random.default_rng(4).integers(0, 20, 288).astype("uint8")
    arrays = np.zeros(20, "uint32"), np.full(20, 5, "uint64"), np.zeros(20, "uint16")
    _, counts, sums, small = run(device, source, 96, x, *arrays, library=library)
    wanted = np.bincount(x, minlength=20)
    assert (counts == wanted).all() and (sums == wanted + 5).all() and (small == wanted).all()


NEIGHBORS = """
struct Minus {
    template <class T> __device__ T operator()(T& a, T& b) { return a - b; }
};
struct OddDifferent {
    __device__ bool operator()(const int& a, const int& b, int index) const { return a != b && index % 2; }
};
__global__ void k(const int* x, int* out) {
    typedef LIB::BlockDiscontinuity<int, 33> Flags;
    typedef LIB::BlockAdjacentDifference<int, 33> Differences;
    typedef LIB::BlockShuffle<int, 33> Shuffle;
    __shared__ union {
        typename Flags::TempStorage flags;
        typename Differences::TempStorage differences;
        typename Shuffle::TempStorage shuffle;
    } storage;
    int v[3], w[3] = {}, u[3], t = threadIdx.x, row = 0;
    auto load = [&] { for (int i = 0; i < 3; ++i) v[i] = x[3 * t + i]; };
    auto store = [&](int (&from)[3]) {
        for (int i = 0; i < 3; ++i) out[row * 99 + 3 * t + i] = from[i];
        ++row;
        __syncthreads();
    };
    load();
    Flags(storage.flags).FlagHeads(w, v, LIB::Inequality()); store(w);
    Flags(storage.flags).FlagHeads(w, v, LIB::Inequality(), x[0]); store(w);
    Flags(storage.flags).FlagTails(w, v, LIB::Inequality()); store(w);
    Flags(storage.flags).FlagTails(w, v, LIB::Inequality(), x[98]); store(w);
    Flags(storage.flags).FlagHeadsAndTails(w, u, v, OddDifferent()); store(w); store(u);
    Differences(storage.differences).SubtractLeft(v, w, Minus()); store(w);
    Differences(storage.differences).SubtractLeft(v, v, Minus(), 5); store(v);
    load();
    Differences(storage.differences).SubtractRight(v, v, Minus()); store(v);
    load();
    Differences(storage.differences).SubtractRight(v, w, Minus(), 5); store(w);
    Differences(storage.differences).SubtractLeftPartialTile(v, w, Minus(), 50); store(w);
    Differences(storage.differences).SubtractRightPartialTile(v, w, Minus(), 50); store(w);
    Shuffle(storage.shuffle).Up(v, w); store(w);
    for (int& item : w) item = -1;
    Shuffle(storage.shuffle).Down(v, w); store(w);
    Shuffle(storage.shuffle).Rotate(v[0], w[0], 5); __syncthreads();
    Shuffle(storage.shuffle).Offset(v[0], w[1], -2); w[2] = 0; store(w);
}"""


def test_neighbors(device):
    x = np.random.default_rng(5).integers(0, 3, 99).astype("int32")
    source = NEIGHBORS.replace("LIB", "hipcub")
    out = run(device, source, 33, x, np.zeros((15, 99), "int32"))[1]
    differs, steps = np.diff(x) != 0, np.diff(x)
    odd = differs & (np.arange(1, 99) % 2 == 1)
    partial = np.arange(99) < 50
    left, right = np.concatenate([x[:1], steps]), np.concatenate([-steps, x[98:]])
    wanted = [
        [1, *differs], [0, *differs], [*differs, 1], [*differs, 0], [1, *odd], [*odd, 1],
        left, [x[0] - 5, *steps], right, [*-steps, x[98] - 5], np.where(partial, left, x),
        np.where(np.arange(99) < 49, right, x),
    ]  # fmt: skip
    assert (out[:12] == np.array(wanted)).all()
    assert (out[12][1:] == x[:-1]).all() and (out[13][:-1] == x[1:]).all() and out[13][-1] == -1
    first = x[::3]
    assert (out[14][::3] == np.roll(first, -5)).all() and (out[14][7::3] == first[:-2]).all()
