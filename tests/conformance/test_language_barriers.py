"""Barriers within conditions that all threads of a block agree on."""

import numpy as np
import pytest

import launchpath as lp

from .barrier_kernels import Kernel, programs

PATH = """
#define BLOCK 128
// The cheapest way down a grid of costs, a step down and at most one aside: `steps` rows in a launch. A block's outermost
// columns are for its neighbours, and fewer of its threads have a result in each row.
__global__ void descend(int steps, const int *costs, const int *from, int *to, int columns, int first) {
    __shared__ int above[BLOCK];
    __shared__ int below[BLOCK];
    int t = threadIdx.x;
    int begin = (BLOCK - 2 * steps) * blockIdx.x - steps, end = begin + BLOCK - 1, x = begin + t;
    int low = begin < 0 ? -begin : 0, high = end > columns - 1 ? BLOCK - 1 - (end - columns + 1) : BLOCK - 1;
    int left = max(t - 1, low), right = min(t + 1, high);
    bool within = low <= t && t <= high, has_result;
    if (0 <= x && x < columns) above[t] = from[x];
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        has_result = false;
        if (i + 1 <= t && t <= BLOCK - 2 - i && within) {
            has_result = true;
            below[t] = min(min(above[left], above[t]), above[right]) + costs[(first + i) * columns + x];
        }
        __syncthreads();
        if (i == steps - 1) break;
        if (has_result) above[t] = below[t];
        __syncthreads();
    }
    if (has_result) to[x] = below[t];
}
"""


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_result_after_a_loop_with_barriers(device, steps):
    columns, random = 500, np.random.default_rng(3)
    costs = random.integers(0, 10, (steps, columns)).astype("int32")
    best = random.integers(0, 10, columns).astype("int32")
    to = lp.zeros(columns, "int32", device)
    blocks = -(-columns // (128 - 2 * steps))
    kernel = lp.compile(PATH, device).descend
    kernel[blocks, 128](steps, lp.asarray(costs, device=device), lp.asarray(best, device=device), to, columns, 0)
    for row in costs:
        wide = np.pad(best, 1, constant_values=1 << 20)
        best = np.minimum(np.minimum(wide[:-2], wide[1:-1]), wide[2:]) + row
    assert to.to_numpy().tolist() == best.tolist()


SOME = """
// Behind the loop there are two conditions, both of each thread's own.
__global__ void shift(int steps, const float *from, float *to, float limit) {
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = from[i];
    bool has_result = false;
    if (steps > 0) {
        __syncthreads();
        for (int step = 0; step < steps; ++step) {
            has_result = threadIdx.x > step;
            float value = has_result ? tile[threadIdx.x - 1] + 1 : 0;
            __syncthreads();
            if (step == steps - 1) break;
            if (has_result) tile[threadIdx.x] = value;
            __syncthreads();
        }
        if (has_result) {
            if (tile[threadIdx.x] < limit) to[i] = tile[threadIdx.x];
        }
    }
}
"""


def test_two_conditions_at_the_end_of_a_branch_with_barriers(device):
    values = np.random.default_rng(1).random((4, 64)).astype("float32")
    to = lp.zeros((4, 64), "float32", device)
    lp.compile(SOME, device).shift[4, 64](2, lp.asarray(values, device=device), to, 1.5)
    shifted = np.pad(values, ((0, 0), (1, 0)))[:, :-1] + 1
    once = np.where(np.arange(64) > 0, shifted, values)
    assert (to.to_numpy() == np.where((np.arange(64) > 1) & (once < 1.5), once, 0)).all()


LOOP = """
// Behind the barrier is a branch that all threads take together, with a loop of their own and more than one way out.
__global__ void count(const int *values, int *out, int n) {
    int i = threadIdx.x, sum = values[i];
    __syncthreads();
    if ((n & 9) != 0) {
        for (int round = 0; round < 3; round++) sum = values[i] > 3 ? sum * 3 + 3 : sum - 4;
        if (i >= 28) { out[i] += 4; return; }
    }
    if (i >= 31) return;
    out[i] += sum;
}
"""


def test_a_loop_without_a_barrier_in_a_branch_with_several_ends(device):
    """PoCL 3.1 puts a barrier into the loop."""
    kernel, place = lp.compile(LOOP, device).count, np.arange(32)
    values = (place * 7 % 10).astype("int32")
    for n in (5, 6):
        out = lp.zeros(32, "int32", device)
        kernel[1, 32](lp.asarray(values, device=device), out, n)
        sums = values.copy()
        for _ in range(3 if n == 5 else 0):
            sums = np.where(values > 3, sums * 3 + 3, sums - 4)
        wanted = np.where(place >= 28, 4, sums) if n == 5 else np.where(place < 31, sums, 0)
        assert (out.to_numpy() == wanted).all(), n


@pytest.mark.parametrize("first", range(0, 12, 2))
@pytest.mark.sample(1, "pocl")
def test_random_branches_and_loops(device, first):
    """PoCL 3.1 loses threads in many kernels of this kind; of that the test before this one has an example."""
    for program, kernels in programs([Kernel(first), Kernel(first + 1)], device):
        for kernel in kernels:
            assert not kernel.wrong(program, device), kernel.source()


@pytest.mark.parametrize("seed", [2051, 41202, 80304, 80460])
def test_random_kernels_that_were_wrong(device, seed):
    """On Intel's runtime a store was lost; PoCL 3.1 lost threads behind an inner loop with several exits.

    The third has a function that adds to one of two variables, see `test_language_own_pointers`; the fourth is that of
    the next test.
    """
    kernel = Kernel(seed)
    assert not kernel.wrong(lp.compile(kernel.source(), device), device)


ENDED = """extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned t = threadIdx.x, a = t * 7, b = t ^ 5;
    for (int i = 0; i < n; ++i) {
        a += i;
        __syncthreads();
        shared[t] = a;
        __syncthreads();
        a += shared[(t + 23) % 32];
        if (b % 5 == 0) {
            out[t] += b;
            if (b % 4 == 0) {
                out[t] += b * 8;
                return;
            }
            out[t] += a;
        } else {
            a *= 10;
            b = a * 4;
        }
    }
    out[t] += a + b;
}"""


def test_an_end_of_some_threads_beside_others_that_write_to_the_same_place(device):
    """Clang made one write of the two, and the ways out of the braces around met before an unreachable end."""
    kernel, thread = lp.compile(ENDED, device).k, np.arange(32)
    for n in range(4):
        out = lp.zeros(32, "uint32", device)
        kernel[1, 32](n, out)
        a, b, expected, shared, alive = thread * 7, thread ^ 5, thread * 0, thread, thread >= 0
        for i in range(n):
            a = np.where(alive, a + i, a)
            shared = np.where(alive, a, shared)
            a = np.where(alive, a + np.roll(shared, -23), a)
            writes = alive & (b % 5 == 0)
            ends = writes & (b % 4 == 0)
            expected = expected + np.where(writes, b + np.where(ends, b * 8, a), 0)
            a, b = np.where(alive & ~writes, a * 10, a), np.where(alive & ~writes, a * 40, b)
            alive = alive & ~ends
        expected = expected + np.where(alive, a + b, 0)
        assert (out.to_numpy() == expected.astype("uint32")).all(), n


# Each thread has one of `A` to `D` by the last two bits of its number, and the compiler knows that there are no others.
CHOICES = {
    "switch": "switch (t & 3) { case 0: A break; case 1: B break; case 2: C break; case 3: D break; }",
    "wide": "switch (t & 3ull) { case 0: A break; case 1: B break; case 2: C break; case 3: D break; }",
    "conditions": "if ((t & 3) == 0) { A } else if ((t & 3) == 1) { B } else if ((t & 3) == 2) { C } "
    "else if ((t & 3) == 3) { D }",
    "no default": "switch (t & 3) { case 0: A break; case 1: B break; case 2: C break; case 3: D break; "
    "default: __builtin_unreachable(); }",
    "function": "choose(t, a, out);",
    "in a branch": "if (t < 32 - n) switch (t & 3) { case 0: A break; case 1: B break; case 2: C break; case 3: D break; }"
    " else a = 0;",
    "below a limit": "if (t < 4) switch (t) { case 0: A break; case 1: B break; case 2: C break; case 3: D break; }",
    "loop": "for (int i = 0; i <= n; ++i) { MEET "
    "switch (t & 3) { case 0: A break; case 1: B break; case 2: C break; case 3: D break; } }",
    "an end": "switch (t & 3) { case 0: A break; case 1: B break; case 2: C break; case 3: D if (n) return; break; }",
}
CHOICE = """
#define A a += out[t + 32];
#define B a *= out[t + 32] + 3;
#define C out[t + 32] += a;
#define D a ^= 77; out[t + 32] -= a;
#define MEET shared[t] = t; __syncthreads(); a += shared[(t + 23) % 32]; __syncthreads();
__device__ void choose(unsigned t, unsigned &a, unsigned *out) {
    switch (t & 3) { case 0: A return; case 1: B return; case 2: C return; case 3: D return; }
}
extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned t = threadIdx.x, a = t * 7;
    CHOICE
    MEET
    out[t] += a;
}"""


@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_of_all_that_there_is_before_a_barrier(device, choice):
    """PoCL 3.1 lost what most threads computed, without a message, or the process crashed."""
    out = lp.asarray(np.arange(64), "uint32", device)
    lp.compile(CHOICE.replace("    CHOICE", CHOICES[choice]), device).k[1, 32](0, out)
    t, a, b = np.arange(32), np.arange(32) * 7, np.arange(32) + 32
    neighbour = (t + 23) % 32
    a = a + neighbour * (choice == "loop")
    chosen = np.where((t < 4) | (choice != "below a limit"), t & 3, 4)
    a, b = np.choose(chosen, [a + b, a * (b + 3), a, a ^ 77, a]), np.choose(chosen, [b, b, b + a, b - (a ^ 77), b])
    assert out.to_numpy().tolist() == np.append(t + a + neighbour, b).astype("uint32").tolist()


NEIGHBOURS = """extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned a = threadIdx.x * 7u;
    for (int i = 0; i < n; ++i) {
        if (i % 3 == 1) {
            __syncthreads();
            shared[threadIdx.x] = a;
            __syncthreads();
            a += shared[(threadIdx.x + %s) % 32];
        }
    }
    out[threadIdx.x] = a;
}"""


@pytest.mark.parametrize("distance", [1, 19, -1])
def test_an_index_of_a_neighbour_may_wrap_around_in_a_loop_with_barriers(device, distance):
    out, expected = lp.zeros(32, "uint32", device), np.arange(32) * 7
    lp.compile(NEIGHBOURS.replace("%s", str(distance)), device).k[1, 32](8, out)
    for _ in range(3):
        expected = expected + np.roll(expected, -distance)
    assert (out.to_numpy() == expected).all()


LEFT_BEHIND = """#define OUT out[blockIdx.x * 32 + threadIdx.x]
__device__ __noinline__ void rest(unsigned &a, unsigned &b, unsigned *shared, unsigned *out) {
    __syncthreads();
    shared[threadIdx.x] = b;
    __syncthreads();
    b += shared[(threadIdx.x + 19) % blockDim.x];
    if (a % 5u == 0) { if (b % 5u == 0) OUT += a; } else { OUT += b; }
    if (b % 4u == 0) { OUT += a; }
    else {
        if (b % 5u == 0) { OUT += a; OUT += b; }
        if (b % 3u == 0) { OUT += b; OUT += b; } else { OUT += a; b = b * 6u + b; }
    }
}
extern "C" __global__ void k(unsigned *out) {
    __shared__ unsigned shared[32];
    shared[threadIdx.x] = 0;
    unsigned a = threadIdx.x * 7u + blockIdx.x, b = threadIdx.x ^ 5u;
    if (b % 4u == 0) {
        if (a % 5u == 0) return;
        b = b * 7u + b;
    }
    rest(a, b, shared, out);
    OUT += a;
    OUT += b;
}"""


def test_what_a_thread_has_written_to_shared_memory_stays_when_it_ends(device):
    out = lp.zeros((9, 32), "uint32", device)
    lp.compile(LEFT_BEHIND, device).k[9, 32](out)
    thread, block = np.arange(32), np.arange(9)[:, None]
    a, b = thread * 7 + block, (thread ^ 5) + 0 * block
    is_ended = (b % 4 == 0) & (a % 5 == 0)
    b = np.where(b % 4 == 0, b * 8, b)
    b = b + np.roll(np.where(is_ended, 0, b), -19, axis=1)
    expected = np.where(a % 5 == 0, np.where(b % 5 == 0, a, 0), b)
    others = np.where(b % 5 == 0, a + b, 0) + np.where(b % 3 == 0, 2 * b, a)
    last = np.where((b % 4 != 0) & (b % 3 != 0), b * 7, b)
    expected = expected + np.where(b % 4 == 0, a, others) + a + last
    assert (out.to_numpy() == np.where(is_ended, 0, expected)).all()
