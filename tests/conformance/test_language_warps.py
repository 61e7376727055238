"""Warp functions, against CUDA's rules worked out in NumPy; and what devices without sub-groups say of them."""

import numpy as np
import pytest

import launchpath as lp

BLOCK = 128
T = np.arange(BLOCK)
LANE, FIRST = T % 32, T - T % 32


def has_sub_groups(device):
    needed = {"cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"}
    return device.info["driver"] != "opencl" or needed <= set(device.info["extensions"])


@pytest.fixture
def warps(device):
    """The device, if it has sub-groups."""
    if not has_sub_groups(device):
        pytest.skip("no sub-groups here")
    return device


def values(device, body, before="", dtype="int64", block=BLOCK, dialect="#include <cuda_runtime.h>\n"):
    """What `body` puts for every thread of a block, a row for each ``put``."""
    count = body.count("put(")
    source = f"""{dialect}{before}
    __global__ void k(long long* out) {{
        int t = threadIdx.x, lane = t % 32, row = 0;
        auto put = [&](long long value) {{ out[row++ * blockDim.x + t] = value; }};
        {body}
    }}
    """
    out = lp.zeros((count, block), "int64", device)
    lp.compile(source, device).k[1, block](out)
    return out.to_numpy()


def bits(per_thread):
    """The ballot that each thread of a block sees, given each thread's vote."""
    votes = np.asarray(per_thread, bool).reshape(-1, 32)
    return np.repeat((votes * (1 << np.arange(32))).sum(1), 32)


def taken(source, stays):
    """What each thread gets from thread `source`, or from itself where it `stays`."""
    return np.where(stays, T, source)


@pytest.mark.parametrize("width", [32, 16, 8, 4, 2, 1])
def test_shuffles_keep_to_their_segment(warps, width):
    got = values(warps, f"""
        put(__shfl_sync(0xffffffff, t, 5, {width}));
        put(__shfl_sync(0xffffffff, t, lane + 1, {width}));
        put(__shfl_up_sync(0xffffffff, t, 3, {width}));
        put(__shfl_down_sync(0xffffffff, t, 3, {width}));
        put(__shfl_xor_sync(0xffffffff, t, 1, {width}));
        put(__shfl_xor_sync(0xffffffff, t, 12, {width}));
        """)  # fmt: skip
    base, within = FIRST + LANE // width * width, LANE % width
    last = LANE | (width - 1)
    wanted = [
        base + 5 % width,
        base + (LANE + 1) % width,
        taken(T - 3, within < 3),
        taken(T + 3, within + 3 >= width),
        taken(T ^ 1, last < (LANE ^ 1)),
        taken(T ^ 12, last < (LANE ^ 12)),
    ]
    assert (got == np.array(wanted)).all()


@pytest.mark.parametrize(
    ("ctype", "scale"),
    [
        ("int", -3), ("unsigned", 3), ("long", -(1 << 40)), ("unsigned long", 1 << 40), ("long long", 1 << 50),
        ("unsigned long long", 1 << 50), ("float", 0.5), ("double", 0.25),
    ],
)  # fmt: skip
def test_shuffles_of_every_type(warps, ctype, scale):
    shuffles = {"": 9, "_up": 1, "_down": 1, "_xor": 3}
    calls = [f"__shfl{name}_sync(0xffffffff, v, {number})" for name, number in shuffles.items()]
    puts = "\n".join(f"put((long long)(({ctype}){call} / ({ctype}){scale}));" for call in calls)
    got = values(warps, f"{ctype} v = ({ctype})t * ({ctype}){scale};\n{puts}")
    wanted = [FIRST + 9, taken(T - 1, LANE == 0), taken(T + 1, LANE == 31), T ^ 3]
    assert (got == np.array(wanted)).all()


@pytest.mark.opencl_only("NVRTC's own shuffles are functions, not templates")
def test_a_programs_own_shuffles_of_vectors(warps):
    before = """
    __device__ float4 __shfl_down(const float4 v, int delta, unsigned width) {
        return make_float4(__shfl_down(v.x, delta, width), __shfl_down(v.y, delta, width), v.z, 100);
    }
    __device__ double2 __shfl_xor_sync(unsigned, double2 v, unsigned m, short) { return make_double2(v.y, m); }
    """
    body = """
        float4 v = __shfl_down(make_float4(t, -t, 5, 6), 1, 32);
        put(v.x); put(v.y); put(v.z); put(v.w);
        double2 w = __shfl_xor_sync(~0u, make_double2(t, 2 * t), 3, 32);
        put(w.x); put(w.y);
        put(__shfl_xor(make_int4(t, 1, 2, 3), 1u, 32).x);
    """
    down = taken(T + 1, LANE == 31)
    wanted = [down, -down, 5 + 0 * T, 100 + 0 * T, 2 * T, 3 + 0 * T, T ^ 1]
    got = values(warps, body, before, dialect="#include <hip/hip_runtime.h>\n")
    assert (got == np.array(wanted)).all()


def test_old_names_and_64_bit_masks(warps):
    body = """
    put(__shfl(t, 2)); put(__shfl_up(t, 1, 16)); put(__shfl_down(t, 4)); put(__shfl_xor(t, 8));
    put(__shfl_sync(0xffffffffffffffffULL, t, 7)); put(sizeof(__ballot(1))); put(__ballot(t % 2)); put(__any(t == 40));
    put(__all(t < 64)); put(__lane_id()); put(__popcll(__activemask())); put(__shfl_xor_sync(~0ull, float(t), 1));
    """
    got = values(warps, body, dialect="#include <hip/hip_runtime.h>\n")
    ones = np.ones(BLOCK, int)
    wanted = [
        FIRST + 2, taken(T - 1, LANE % 16 == 0), taken(T + 4, LANE > 27), T ^ 8, FIRST + 7, 8 * ones, 0xAAAAAAAA * ones,
        FIRST == 32, T < 64, LANE, 32 * ones, T ^ 1,
    ]  # fmt: skip
    assert (got == np.array(wanted, dtype="int64")).all()


def test_a_loop_that_the_shuffle_of_a_whole_warp_ends(warps):
    """Each warp takes numbers until none is left. The lanes come from loops of different lengths."""
    kernel = lp.compile("""
        #include <hip/hip_runtime.h>
        __global__ void k(int* next, int* taken, int count) {
            int lane = threadIdx.x % 32, number;
            if (lane == 0) number = atomicAdd(next, 1);
            number = __shfl(number, 0);
            while (number < count) {
                for (int i = lane; i < number; i += 32) atomicAdd(&taken[number], 1);
                if (lane == 0) number = atomicAdd(next, 1);
                number = __shfl(number, 0);
            }
        }
        """, warps, defines={"LAUNCHPATH_WHOLE_WARPS": 1}).k  # fmt: skip
    next_, taken_ = lp.zeros(1, "int32", warps), lp.zeros(100, "int32", warps)
    kernel[4, 96](next_, taken_, 100)
    assert taken_.to_numpy().tolist() == list(range(100))
    assert next_.to_numpy()[0] == 100 + 12


def test_votes_and_matches(warps, native):
    body = """
        put(__ballot_sync(0xffffffff, t % 3 == 0)); put(__ballot_sync(0x0000ffff, t % 2));
        put(__any_sync(0xffffffff, t == 70)); put(__all_sync(0xffffffff, t < 70)); put(__all_sync(0xff, lane < 8));
        put(__activemask());
        put(__match_any_sync(0xffffffff, t % 5)); put(__match_any_sync(0xffffffff, (t % 4) * 1e100));
        int same, other;
        put(__match_all_sync(0xffffffff, t / 32, &same)); put(same);
        put(__match_all_sync(0xffffffff, t / 48, &other)); put(other);
        put(sizeof(__ballot_sync(~0u, 1)));
    """
    if native:  # there a lane that a mask leaves out must not call
        body = body.replace(
            "__ballot_sync(0x0000ffff, t % 2)", "lane < 16 ? __ballot_sync(0x0000ffff, t % 2) : 0xaaaau"
        )
        body = body.replace("__all_sync(0xff, lane < 8)", "lane < 8 ? __all_sync(0xff, lane < 8) : 1")
    got = values(warps, body)
    ones = np.ones(BLOCK, "int64")
    matches = [bits(k == T % 5)[t] for t, k in enumerate(T % 5)]
    fours = [bits(k == T % 4)[t] for t, k in enumerate(T % 4)]
    even = np.isin(T // 32, [0, 2, 3])  # warps 0, 2 and 3 lie within one run of 48; warp 1 does not
    wanted = [
        bits(T % 3 == 0), 0xAAAA * ones, FIRST == 64, FIRST < 64, ones, 0xFFFFFFFF * ones, matches, fours,
        0xFFFFFFFF * ones, ones, np.where(even, 0xFFFFFFFF, 0), even, 4 * ones,
    ]  # fmt: skip
    assert (got == np.array(wanted, dtype="int64")).all()


def test_reductions(warps):
    got = values(warps, """
        put(__reduce_add_sync(0xffffffff, t)); put(__reduce_min_sync(0xffffffff, -t));
        put(__reduce_max_sync(0xffffffff, (unsigned)t)); put(__reduce_and_sync(0xffffffff, t | 0x100));
        put(__reduce_or_sync(0xffffffff, 1u << t % 8));
        put(__reduce_xor_sync(0xffffffff, (unsigned)t * 77));
        unsigned half = lane < 16 ? 0xffff : 0xffff0000;
        put(__reduce_add_sync(half, t));
        """)  # fmt: skip
    warp = T.reshape(-1, 32)
    each = [
        warp.sum(1), -warp.max(1), warp.max(1), np.bitwise_and.reduce(warp | 0x100, 1), np.full(4, 0xFF),
        np.bitwise_xor.reduce(warp * 77, 1),
    ]  # fmt: skip
    wanted = [*(np.repeat(row, 32) for row in each), np.repeat(T.reshape(-1, 16).sum(1), 16)]
    assert (got == np.array(wanted)).all()


def test_warps_go_their_own_ways(warps):
    """Branches and loops that part of a block, or of a warp, takes."""
    got = values(warps, """
        int x = t;
        if (t < 32) for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
        put(t % 32 == 0 ? x : 0);
        x = t;
        if (lane < 16) for (int d = 8; d > 0; d /= 2) x += __shfl_down_sync(0xffff, x, d, 16);
        put(lane == 0 ? x : 0);
        int seen = 0;
        for (int i = 0; i < lane % 3; ++i) seen += __popc(__activemask());
        put(seen);
        int rounds = 0, left = t % 7;
        while (__any_sync(0xffffffff, left > 0)) { --left; ++rounds; }
        put(rounds);
        put(lane % 2 ? __ballot_sync(0xaaaaaaaa, 1) : __ballot_sync(0x55555555, 1));
        """)  # fmt: skip
    odd, even = int(np.count_nonzero(np.arange(32) % 3 >= 1)), int(np.count_nonzero(np.arange(32) % 3 == 2))
    wanted = [
        np.where(LANE == 0, np.where(T == 0, 496, T), 0),
        np.where(LANE == 0, 16 * T + 120, 0),
        np.choose(LANE % 3, [0, odd, odd + even]),
        np.full(BLOCK, 6),
        np.where(LANE % 2, 0xAAAAAAAA, 0x55555555),
    ]
    assert (got == np.array(wanted)).all()


def test_a_block_reduces_by_warps(warps):
    source = """
    template <class T> __device__ T warp_sum(T x) {
        for (int d = warpSize / 2; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
        return x;
    }
    template <class T> __global__ void sum(const T* in, T* out) {
        __shared__ T parts[32];
        int i = threadIdx.x, warp = i / warpSize, lane = i % warpSize;
        T x = warp_sum(in[blockIdx.x * blockDim.x + i]);
        if (lane == 0) parts[warp] = x;
        __syncthreads();
        if (warp == 0) {
            x = lane < blockDim.x / warpSize ? parts[lane] : T(0);
            x = warp_sum(x);
            if (lane == 0) out[blockIdx.x] = x;
        }
    }
    """
    program = lp.compile(source, warps, names=["sum<int>", "sum<double>"])
    numbers = np.random.default_rng(1).integers(-1000, 1000, (7, 256))
    for ctype, dtype in (("int", "int32"), ("double", "float64")):
        out = lp.zeros(7, dtype, warps)
        program[f"sum<{ctype}>"][7, 256](lp.asarray(numbers.astype(dtype), device=warps), out)
        assert out.to_numpy().tolist() == numbers.sum(1).tolist()


def test_syncwarp_orders_shared_memory_within_a_warp(warps):
    got = values(warps, """
        __shared__ int s[128];
        s[t] = 1;
        __syncwarp();
        for (int d = 1; d < 32; d *= 2) {
            int v = lane >= d ? s[t - d] : 0;
            __syncwarp();
            s[t] += v;
            __syncwarp();
        }
        put(s[t]);
        __syncthreads();
        s[t] = t;
        __syncthreads();
        if (t / 32 == 2) {  // one warp alone
            if (lane < 16) s[t] += s[t + 16];
            __syncwarp();
            if (lane < 8) s[t] += s[t + 8];
            __syncwarp(0xffffffff);
        }
        put(s[t]);
        """)  # fmt: skip
    summed = T.copy()
    summed[64:80] += T[80:96]
    summed[64:72] += summed[72:80]
    assert (got == np.array([LANE + 1, summed])).all()


def test_the_last_warp_may_be_short(warps):
    body = "put(__activemask()); put(__shfl_up_sync(0xffffffff, t, 1)); put(__popc(__ballot_sync(0xffffffff, t % 2)));"
    got = values(warps, body, block=40)
    t = np.arange(40)
    wanted = [np.where(t < 32, 0xFFFFFFFF, 0xFF), np.where(t % 32 == 0, t, t - 1), np.where(t < 32, 16, 4)]
    assert (got == np.array(wanted)).all()


def test_blocks_of_two_dimensions_whose_rows_are_warps(warps):
    source = """
    __global__ void k(int* out) {
        int t = threadIdx.y * blockDim.x + threadIdx.x;
        out[t] = __shfl_sync(0xffffffff, t, 3);
        out[256 + t] = __shfl_down_sync(0xffffffff, t, 1);
    }
    """
    out = lp.zeros((2, 256), "int32", warps)
    lp.compile(source, warps).k[1, (64, 4)](out)
    t = np.arange(256)
    assert (out.to_numpy() == [t // 32 * 32 + 3, np.where(t % 32 == 31, t, t + 1)]).all()


def test_match_and_ballot_aggregate_atomics(warps):
    source = """
    __global__ void k(int* counts, int* places) {
        int bin = threadIdx.x % 3;
        unsigned same = __match_any_sync(__activemask(), bin);
        int leader = __ffs(same) - 1, rank = __popc(same & ((1u << threadIdx.x % 32) - 1)), start;
        if (rank == 0) start = atomicAdd(&counts[bin], __popc(same));
        start = __shfl_sync(same, start, leader);
        places[bin * 128 + start + rank] = threadIdx.x;
    }
    """
    counts, places = lp.zeros(3, "int32", warps), lp.zeros((3, 128), "int32", warps)
    lp.compile(source, warps).k[1, 128](counts, places)
    assert counts.to_numpy().tolist() == [43, 43, 42]
    for row, count, bin_ in zip(places.to_numpy(), [43, 43, 42], range(3), strict=True):
        assert sorted(row[:count].tolist()) == list(range(bin_, 128, 3))


def test_without_sub_groups_the_error_names_line_and_reason(device):
    source = (
        "__global__ void k(int* out) {\n    int x = *out;\n    x += __shfl_down_sync(~0u, x, 1);\n    *out = x;\n}\n"
    )
    if has_sub_groups(device):
        pytest.skip("this device has sub-groups")
    reason = r"mine\.cu:3.*warp functions need sub-groups, which this device does not have"
    with pytest.raises(lp.CompileError, match=reason):
        lp.compile(source, device, name="mine.cu")
