"""CUB's primitives of blocks, by its own and by hipCUB's name, against NumPy."""

import numpy as np
import pytest

import launchpath as lp

INCLUDES = {"hipcub": "#include <hipcub/hipcub.hpp>\n", "cub": "#include <cub/cub.cuh>\n"}
TYPES = {"int": "int32", "float": "float32", "double": "float64", "long long": "int64", "short": "int16"}


def values_of(dtype, count, seed=1):
    """Whole numbers, so that sums are exact in any order."""
    return np.random.default_rng(seed).integers(-50, 50, count).astype(dtype)


def run(device, source, block, *arrays, library="hipcub"):
    """The arrays after the kernel `k` ran on them, in a single block."""
    held = [lp.asarray(array, device=device) for array in arrays]
    lp.compile(INCLUDES[library] + source, device).k[1, block](*held)
    return [array.to_numpy() for array in held]


both_names = pytest.mark.parametrize("library", INCLUDES)


@pytest.mark.parametrize(("ctype", "threads"), [("short", 7), ("float", 33), ("double", 96), ("long long", 256)])
@pytest.mark.sample(1, "intel")
def test_block_reductions(device, ctype, threads):
    x = values_of(TYPES[ctype], threads * 3)
    source = f"""
    template <hipcub::BlockReduceAlgorithm A> __device__ void all({ctype}* x, {ctype}* out) {{
        typedef hipcub::BlockReduce<{ctype}, {threads}, A> Reduce;
        __shared__ typename Reduce::TempStorage storage;
        int t = threadIdx.x;
        {ctype} mine[3] = {{x[3 * t], x[3 * t + 1], x[3 * t + 2]}};
        {ctype} results[6];
        results[0] = Reduce(storage).Sum(x[t]); __syncthreads();
        results[1] = Reduce(storage).Sum(mine); __syncthreads();
        results[2] = Reduce(storage).Reduce(x[t], hipcub::Max()); __syncthreads();
        results[3] = Reduce(storage).Reduce(mine, hipcub::Min()); __syncthreads();
        results[4] = Reduce(storage).Sum(x[t], {threads // 2 + 1}); __syncthreads();
        results[5] = Reduce().Reduce(x[t], hipcub::Max(), 3);
        if (t == 0) for (int i = 0; i < 6; ++i) out[i] = results[i];
    }}
    __global__ void k({ctype}* x, {ctype}* out) {{
        all<hipcub::BLOCK_REDUCE_RAKING>(x, out);
        __syncthreads();
        all<hipcub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(x, out + 6);
        __syncthreads();
        all<hipcub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, out + 12);
    }}"""
    out = run(device, source, threads, x, np.zeros(18, x.dtype))[1].reshape(3, 6)
    first = x[:threads]
    wanted = [first.sum(), x.sum(), first.max(), x.min(), first[: threads // 2 + 1].sum(), first[:3].max()]
    assert (out == np.array(wanted, x.dtype)).all()


@both_names
@pytest.mark.parametrize("shape", [(8, 4, 2), (33, 3)])
@pytest.mark.sample(1)
def test_blocks_of_more_dimensions(device, library, shape):
    x, y, z = (*shape, 1)[:3]
    source = f"""
    __global__ void k(int* a, int* sum, int* before) {{
        typedef {library}::BlockReduce<int, {x}, {library}::BLOCK_REDUCE_WARP_REDUCTIONS, {y}, {z}> Reduce;
        typedef {library}::BlockScan<int, {x}, {library}::BLOCK_SCAN_RAKING, {y}, {z}> Scan;
        __shared__ union {{ typename Reduce::TempStorage reduce; typename Scan::TempStorage scan; }} storage;
        int t = {library}::RowMajorTid({x}, {y}, {z});
        int all = Reduce(storage.reduce).Sum(a[t]);
        if (t == 0) *sum = all;
        __syncthreads();
        Scan(storage.scan).ExclusiveSum(a[t], before[t]);
    }}"""
    a = values_of("int32", x * y * z)
    _, total, before = run(device, source, shape, a, np.zeros(1, "int32"), np.zeros_like(a), library=library)
    assert total[0] == a.sum() and (before == np.cumsum(a) - a).all()


ARGUMENT = """
__global__ void k(float* x, int* at, float* out, double* y) {
    typedef LIB::KeyValuePair<int, float> Pair;
    typedef LIB::BlockReduce<Pair, 96> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int t = threadIdx.x;
    Pair least = Reduce(storage).Reduce(Pair(t, x[t]), LIB::ArgMin());
    __syncthreads();
    Pair most = Reduce(storage).Reduce(Pair(t, x[t]), LIB::ArgMax());
    if (t == 0) { at[0] = least.key; out[0] = least.value; at[1] = most.key; out[1] = most.value; }
    struct Line { double a, b; };  // x -> a x + b, whose composition is not commutative
    struct Compose {
        __device__ Line operator()(const Line& f, const Line& g) const { return Line{g.a * f.a, g.a * f.b + g.b}; }
    };
    typedef LIB::BlockReduce<Line, 96, LIB::BLOCK_REDUCE_RAKING> Lines;
    __shared__ typename Lines::TempStorage lines;
    Line all = Lines(lines).Reduce(Line{t % 2 ? 2.0 : 0.5, (double)t}, Compose());
    if (t == 0) { y[0] = all.a; y[1] = all.b; }
    typedef LIB::BlockScan<Line, 96> Scan;
    __shared__ typename Scan::TempStorage scan;
    Line before;
    Scan(scan).ExclusiveScan(Line{t % 2 ? 2.0 : 0.5, (double)t}, before, Line{1, 0}, Compose());
    y[2 + t] = before.b;
}"""


@both_names
def test_structs_and_operators_that_do_not_commute(device, library):
    x = values_of("float32", 96)
    arrays = x, np.zeros(2, "int32"), np.zeros(2, "float32"), np.zeros(98)
    _, at, out, y = run(device, ARGUMENT.replace("LIB", library), 96, *arrays, library=library)
    assert at.tolist() == [x.argmin(), x.argmax()] and out.tolist() == [x.min(), x.max()]
    a, b, before = 1.0, 0.0, []
    for t in range(96):
        before.append(b)
        a, b = a * (2.0 if t % 2 else 0.5), b * (2.0 if t % 2 else 0.5) + t
    assert y[:2].tolist() == [a, b] and y[2:].tolist() == before


@pytest.mark.parametrize(("ctype", "threads"), [("int", 7), ("double", 33), ("int", 96)])
@pytest.mark.sample(1, "intel")
def test_block_scans(device, ctype, threads):
    x = values_of(TYPES[ctype], threads * 4)
    source = f"""
    struct Running {{
        {ctype} total;
        __device__ {ctype} operator()({ctype} aggregate) {{ {ctype} old = total; total += aggregate; return old; }}
    }};
    __global__ void k({ctype}* x, {ctype}* out, {ctype}* all) {{
        typedef hipcub::BlockScan<{ctype}, {threads}, hipcub::BLOCK_SCAN_WARP_SCANS> Scan;
        __shared__ typename Scan::TempStorage storage;
        int t = threadIdx.x, n = {threads};
        {ctype} v = x[t], aggregate[5], one;
        auto put = [&](int row, {ctype} value) {{ out[row * n * 4 + t] = value; __syncthreads(); }};
        Scan(storage).InclusiveSum(v, one); put(0, one);
        Scan(storage).ExclusiveSum(v, one); put(1, one);
        Scan(storage).InclusiveSum(v, one, aggregate[0]); put(2, one);
        Scan(storage).ExclusiveSum(v, one, aggregate[1]); put(3, one);
        Scan(storage).InclusiveScan(v, one, hipcub::Max()); put(4, one);
        Scan(storage).ExclusiveScan(v, one, 7, hipcub::Max()); put(5, one);
        Scan(storage).InclusiveScan(v, one, hipcub::Min(), aggregate[2]); put(6, one);
        Scan(storage).ExclusiveScan(v, one, {ctype}(7), hipcub::Max(), aggregate[3]); put(7, one);
        Scan(storage).ExclusiveScan(v, one, hipcub::Max()); put(8, t ? one : 0);
        {ctype} items[4], sums[4];
        auto load = [&] {{ for (int i = 0; i < 4; ++i) items[i] = x[4 * t + i]; }};
        auto store = [&](int row) {{
            for (int i = 0; i < 4; ++i) out[row * n * 4 + 4 * t + i] = sums[i];
            __syncthreads();
        }};
        load(); Scan(storage).InclusiveSum(items, sums); store(9);
        Scan(storage).ExclusiveSum(items, sums, aggregate[4]); store(10);
        Scan(storage).ExclusiveScan(items, sums, 3, hipcub::Min()); store(11);
        Scan(storage).ExclusiveSum(items, items); for (int i = 0; i < 4; ++i) sums[i] = items[i]; store(12);
        load();
        Running running{{100}};
        Scan(storage).ExclusiveSum(items, sums, running); store(13);
        Scan(storage).ExclusiveSum(items, sums, running); store(14);
        Scan(storage).InclusiveScan(items, sums, hipcub::Sum(), running); store(15);
        if (t == n - 1) for (int i = 0; i < 5; ++i) all[i] = aggregate[i];
    }}"""
    out, all_of = run(device, source, threads, x, np.zeros((16, threads * 4), x.dtype), np.zeros(5, x.dtype))[1:]
    v, total = x[:threads], x.sum()
    first = np.cumsum(v), np.cumsum(v) - v
    maxima = np.maximum.accumulate(np.concatenate([[7], v]))[:-1]
    rows = [*first, *first, np.maximum.accumulate(v), maxima, np.minimum.accumulate(v), maxima]
    for row, wanted in zip(out[:8], rows, strict=True):
        assert (row[:threads] == wanted).all()
    assert (out[8][1:threads] == np.maximum.accumulate(v)[:-1]).all()
    sums = np.cumsum(x)
    least = np.minimum.accumulate(np.concatenate([[3], x]))[:-1]
    rows = [sums, sums - x, least, sums - x, sums - x + 100, sums - x + 100 + total, sums + 100 + 2 * total]
    assert (out[9:] == np.array(rows)).all()
    assert all_of.tolist() == [v.sum(), v.sum(), v.min(), v.max(), total]


@pytest.mark.opencl_only("CUDA's own CUB wants whole warps, and leaves items outside undefined")
@pytest.mark.sample(1, "intel")
@pytest.mark.parametrize(("threads", "items"), [(33, 3), (64, 4)])
def test_loads_and_stores_of_every_algorithm(device, threads, items):
    names = ["DIRECT", "STRIPED", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE", "WARP_TRANSPOSE_TIMESLICED"]
    count, valid = threads * items, threads * items - items - 1
    kernels = "".join(
        f"move<hipcub::BLOCK_LOAD_{name}, hipcub::BLOCK_STORE_{name}>(x, out + {i} * {4 * count}); __syncthreads();\n"
        for i, name in enumerate(names)
    )
    source = f"""
    template <hipcub::BlockLoadAlgorithm L, hipcub::BlockStoreAlgorithm S> __device__ void move(const int* x, int* out) {{
        typedef hipcub::BlockLoad<int, {threads}, {items}, L> Load;
        typedef hipcub::BlockStore<int, {threads}, {items}, S> Store;
        __shared__ union {{ typename Load::TempStorage load; typename Store::TempStorage store; }} storage;
        int v[{items}];
        Load(storage.load).Load(x, v); __syncthreads();
        Store(storage.store).Store(out, v); __syncthreads();
        for (int& item : v) item = -2;
        Load(storage.load).Load(x, v, {valid}); __syncthreads();
        Store(storage.store).Store(out + {count}, v); __syncthreads();
        Load(storage.load).Load(x, v, {valid}, -1); __syncthreads();
        Store(storage.store).Store(out + 2 * {count}, v); __syncthreads();
        Store(storage.store).Store(out + 3 * {count}, v, {valid - 1});
    }}
    __global__ void k(const int* x, int* out) {{ {kernels} }}"""
    x = np.arange(count, dtype="int32") + 5
    out = run(device, source, threads, x, np.zeros((len(names), 4, count), "int32"))[1]
    inside = np.arange(count) < valid
    wanted = [x, np.where(inside, x, -2), np.where(inside, x, -1), np.where(np.arange(count) < valid - 1, x, 0)]
    assert (out == np.array(wanted)).all()


@both_names
@pytest.mark.parametrize(("threads", "items"), [(33, 3), (96, 4)])
@pytest.mark.sample(1, "intel")
def test_exchanges(device, library, threads, items, native):
    if native and threads % 32:
        pytest.skip("CUDA's own CUB exchanges in whole warps")
    count = threads * items
    names = ["StripedToBlocked", "BlockedToStriped", "WarpStripedToBlocked", "BlockedToWarpStriped"]
    body = "".join(
        f"load(); Exchange(storage).{name}(v, w); store({i}, w); Exchange(storage).{name}(v); store({i + 4}, v);\n"
        for i, name in enumerate(names)
    )
    source = f"""
    __global__ void k(const int* x, const int* ranks, int* out) {{
        typedef {library}::BlockExchange<int, {threads}, {items}> Exchange;
        __shared__ typename Exchange::TempStorage storage;
        int v[{items}], w[{items}], r[{items}], t = threadIdx.x;
        auto load = [&] {{ for (int i = 0; i < {items}; ++i) v[i] = x[t * {items} + i], r[i] = ranks[t * {items} + i]; }};
        auto store = [&](int row, int (&from)[{items}]) {{
            for (int i = 0; i < {items}; ++i) out[row * {count} + t * {items} + i] = from[i];
            __syncthreads();
        }};
        {body}
        load(); Exchange(storage).ScatterToBlocked(v, w, r); store(8, w);
        Exchange(storage).ScatterToStriped(v, r); store(9, v);
    }}"""
    x, ranks = np.arange(count, dtype="int32"), np.random.default_rng(2).permutation(count).astype("int32")
    out = run(device, source, threads, x, ranks, np.zeros((10, count), "int32"), library=library)[2]
    to_blocked = x.reshape(threads, items).T.reshape(-1)
    warps = [x[first * items : (first + 32) * items] for first in range(0, threads, 32)]
    of_warps = np.concatenate([w.reshape(-1, items).T.reshape(-1) for w in warps])
    to_warps = np.concatenate([w.reshape(items, -1).T.reshape(-1) for w in warps])
    rows = [to_blocked, x.reshape(items, threads).T.reshape(-1), of_warps, to_warps]
    scattered = np.empty_like(x)
    scattered[ranks] = x
    wanted = [*rows, *rows, scattered, scattered.reshape(items, threads).T.reshape(-1)]
    assert (out == np.array(wanted)).all()
