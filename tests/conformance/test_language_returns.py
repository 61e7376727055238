"""A thread that has ended counts as arrived at the barriers that others of its block wait at."""

import numpy as np
import pytest

import launchpath as lp

from .returning import Maker, reference, text
from .test_language_warps import has_sub_groups

BLOCKS = [1, 32, 64, 100, 256, (16, 6)]
BEFORE = """
    int t = threadIdx.x + blockDim.x * threadIdx.y, b = blockDim.x * blockDim.y, i = blockIdx.x * b + t;
"""
TOP = "__shared__ int s[256];" + BEFORE
REVERSED = "s[t] = i; __syncthreads(); int last = min(b, n - blockIdx.x * b) - 1; out[i] += s[last - t];"
KERNELS = {
    "at_the_top": TOP + "if (i >= n) return;" + REVERSED,
    "by_falling_out": TOP + "if (i < n) {" + REVERSED + "}",
    "dynamic": "extern __shared__ int s[];" + BEFORE + "if (i >= n) return;" + REVERSED,
    "nested": TOP + "if (t >= 0) { if (n > 0) { if (i >= n) return; } else return; }" + REVERSED,
    "stores_before": TOP + "if (i >= n) { out[i] = -2; return; }" + REVERSED,
    "several": TOP + "if (i >= n + 2) return; if (i == n) return; __syncthreads(); if (i == n + 1) return;" + REVERSED,
    "atomics_after": "__shared__ int sum;"
    + BEFORE
    + """sum = 0; __syncthreads(); if (i >= n) return;
        atomicAdd(&sum, 1); __syncthreads(); out[i] += sum; atomicAdd(&out[i], i);""",
}


def grid_of(block):
    size = int(np.prod(block))
    return size, 3


def launched(kernel, device, block, grid, n, *, shared=0):
    size = int(np.prod(block))
    out = lp.asarray(np.full(size * grid, -1), "int32", device)
    kernel[grid, block, device.legacy_stream, shared](out, n)
    return out.to_numpy()


@pytest.fixture(scope="module")
def program(device):
    source = "\n".join(f"__global__ void {name}(int* out, int n) {{ {body} }}" for name, body in KERNELS.items())
    return lp.compile(source, device)


@pytest.mark.sample(14)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", KERNELS)
def test_the_others_go_on(name, block, program, device):
    size, grid = grid_of(block)
    for n in {0, 1, size - 1, size, size + size // 3, 2 * size + 1, 3 * size}:
        out = launched(getattr(program, name), device, block, grid, n, shared=size * 4 if name == "dynamic" else 0)
        place = np.arange(size * grid)
        first = place // size * size
        wanted = -1 + first + np.minimum(size, n - first) - 1 - place % size
        if name == "atomics_after":
            wanted = -1 + np.minimum(size, n - first) + place
        wanted[n:] = -2 if name == "stores_before" else -1
        assert out.tolist() == wanted.tolist(), (n, block)


def test_in_the_middle_and_in_loops(device):
    kernel = lp.compile("""__global__ void k(int* out, int n) {
            __shared__ int s[64];
            int t = threadIdx.x;
            s[t] = 0;
            __syncthreads();
            for (int k = 0; k < n; k++) {
                if (t == k + 3) return;
                s[t] += t;
                __syncthreads();
                out[t] += s[63 - t];
                if (t == k + 40) { out[t] = 7; return; }
                __syncthreads();
            }
            out[t] += 1000;
        }""", device).k  # fmt: skip
    for n in (0, 1, 9, 20):
        wanted, shared = np.full(64, -1), np.zeros(64, int)
        live = np.ones(64, bool)
        for k in range(n):
            live[k + 3] = False
            shared[live] += np.arange(64)[live]
            wanted[live] += shared[::-1][live]
            if live[k + 40]:
                wanted[k + 40], live[k + 40] = 7, False
        wanted[live] += 1000
        assert launched(kernel, device, 64, 1, n).tolist() == wanted.tolist()


def test_templates_and_loops_that_hang_on_what_was_read(device):
    program = lp.compile("""template <class T, int N> __global__ void k(T* out, int n) {
            __shared__ T s[N];
            int t = threadIdx.x, i = blockIdx.x * N + t;
            if (i >= n) return;
            s[t] = i;
            __syncthreads();
            T sum = 0;
            for (T left = out[i] + 5; left > 0; left -= 1) sum += s[0] + left;
            out[i] = sum;
        }""", device, names=["k<int, 64>"])  # fmt: skip
    out = launched(program["k<int, 64>"], device, 64, 2, 100)
    assert out.tolist() == [4 * (i // 64 * 64) + 10 if i < 100 else -1 for i in range(128)]


def test_warps_after_a_return(device):
    if not has_sub_groups(device):
        pytest.skip("the device has no warps")
    kernel = lp.compile("""__global__ void k(int* out, int n) {
            __shared__ int s[2];
            int t = threadIdx.x;
            if (t >= n) return;
            int sum = t;
            for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
            if (t % 32 == 0) s[t / 32] = sum;
            __syncthreads();
            out[t] = s[0] + s[n > 32];
        }""", device).k  # fmt: skip
    assert launched(kernel, device, 64, 1, 64).tolist() == [sum(range(64))] * 64
    assert launched(kernel, device, 64, 1, 32).tolist() == [2 * sum(range(32))] * 32 + [-1] * 32


def test_barriers_that_count_without_those_who_returned(device):
    kernel = lp.compile("""__global__ void k(int* out, int n) {
            int t = threadIdx.x;
            if (t % n == 0) return;
            out[t] = __syncthreads_count(t > 10);
            out[t] += 100 * __syncthreads_count(t < 4) + 10000 * __syncthreads_or(t == 5) + 20000 * __syncthreads_and(t);
        }""", device).k  # fmt: skip
    out = lp.asarray(np.full(64, -1, "int32"), device=device)
    kernel[1, 64](out, 3)
    t = np.arange(64)
    stay = t % 3 != 0
    counted = (stay & (t > 10)).sum() + 100 * (stay & (t < 4)).sum() + 30000
    assert (out.to_numpy() == np.where(stay, counted, -1)).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(0, 20, 5))
def test_random_kernels(seed, device):
    bodies = {f"k{number}": Maker(number).program() for number in range(seed, seed + 5)}
    program = lp.compile("\n".join(text(name, body) for name, body in bodies.items()), device)
    grid, n, m = 2, 50, 3
    for name, body in bodies.items():
        for block in (33, (16, 4)):
            size = int(np.prod(block))
            data = np.random.default_rng(seed).integers(0, 1 << 32, grid * size + 16, "uint32")
            out, counts = lp.zeros(grid * size, "uint32", device), lp.zeros(4, "uint32", device)
            program[name][grid, block](lp.asarray(data, "uint32", device), out, counts, n, m)
            wanted = reference(body, data.tolist(), size, grid, n, m)
            assert (out.to_numpy().tolist(), counts.to_numpy().tolist()) == wanted, text(name, body)


REDUCED = {
    # All ended threads leave a branch around a barrier, and a loop with barriers follows (from Maker(106)).
    "a_branch_and_a_loop": [
        ("if", ("<", ("var", "m"), ("number", 6)), [
            ("get", "z", 1), ("if", (">=", ("var", "g"), ("var", "n")), [("return",)], []), ("barrier",),
        ], []),
        ("until", "v3", (">=", ("var", "g"), ("var", "n")), [
            ("while", "v4", ("<", ("var", "t"), ("number", 17)), [
                ("put", ("^", ("load", ("var", "g")), ("var", "t"))), ("barrier",), ("get", "x", 1),
            ]),
        ]),
        ("out", ("+", ("var", "x"), ("var", "z"))),
    ],
    # Threads leave the outer loop only by ending (from Maker(105)).
    "a_loop_that_threads_leave_by_ending": [
        ("until", "v9", ("<", ("&", ("var", "x"), ("number", 15)), ("number", 6)), [
            ("out", ("var", "t")), ("if", ("==", ("var", "t"), ("number", 19)), [("return",)], []), ("barrier",),
            ("while", "v12", ("==", ("var", "t"), ("number", 18)), [("barrier",), ("get", "x", 1), ("barrier",)]),
        ]),
    ],
}  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("optimization", [None, 0, 1])
@pytest.mark.parametrize("name", REDUCED)
def test_reduced_kernels(name, optimization, device):
    if device.info["driver"] == "cuda" and optimization is not None:
        pytest.skip("the driver may assemble PTX, which has no levels")
    body, grid, n, m = REDUCED[name], 2, 50, 3
    program = lp.compile(text("k", body), device, optimization=optimization)
    assert "could not be changed" not in program.log
    for size in (1, 5, 33, 64):
        data = np.random.default_rng(0).integers(0, 1 << 32, grid * size + 16, "uint32")
        out, counts = lp.zeros(grid * size, "uint32", device), lp.zeros(4, "uint32", device)
        program.k[grid, size](lp.asarray(data, "uint32", device), out, counts, n, m)
        assert out.to_numpy().tolist() == reference(body, data.tolist(), size, grid, n, m)[0], size


GUARDS = {
    "row": "if ((int)blockIdx.x >= rows) return;",
    "memory": "if (v[0] < 0) return;",
    "wrapped": "if (rows > 0) {",
    "loop": "for (int r = 0; r < rows - 1; r++) {",
}
ENDS = {
    "data": "if (v[i] < 3) return;",
    "both": "if (i >= n) return; if (v[i] < 3) return;",
    "else": "if (v[i] < 3) { out[i] = 5; return; }",
}


def test_an_end_behind_a_guard_that_all_threads_pass(device):
    def kernel(guard, end):
        close = "}" if GUARDS[guard].endswith("{") else ""
        return f"""__global__ void {guard}_{end}(const int* v, int* out, int n, int rows) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            {GUARDS[guard]} {ENDS[end]}
            __syncthreads();
            if (v[i] >= 4) if (v[i] < 9) out[i] = 1;
            {close} }}"""

    program = lp.compile("\n".join(kernel(guard, end) for guard in GUARDS for end in ENDS), device)
    v, n = (np.arange(64) * 7 % 13).astype("int32"), 60
    for guard in GUARDS:
        for end in ENDS:
            out = lp.zeros(64, "int32", device)
            program[f"{guard}_{end}"][2, 32](lp.asarray(v, device=device), out, n, 2)
            wanted = np.where((v >= 4) & (v < 9) & ((np.arange(64) < n) | (end != "both")), 1, 0)
            wanted[(v < 3) & (end == "else")] = 5
            assert out.to_numpy().tolist() == wanted.tolist(), (guard, end)


@pytest.mark.parametrize("inlined", ["__forceinline__", "__noinline__"])
def test_ends_before_barriers_in_functions(inlined, device):
    kernel = lp.compile(f"""__device__ {inlined} int neighbour(int* s, int value, int by) {{
            s[threadIdx.x] = value;
            __syncthreads();
            int got = s[(threadIdx.x + by) % 64];
            __syncthreads();
            return got;
        }}
        __global__ void k(int* out, int n) {{
            __shared__ int s[64];
            int t = threadIdx.x;
            s[t] = 0;
            __syncthreads();
            if (t % 3 == 0) return;
            int sum = neighbour(s, t, 1);
            for (int i = 0; i < n; i++) sum += neighbour(s, sum, 2);
            out[t] = sum;
        }}""", device).k  # fmt: skip
    for n in (0, 2):
        shared, t = np.zeros(64, int), np.arange(64)
        stay = t % 3 != 0
        shared[stay] = t[stay]
        total = np.roll(shared, -1)
        for _ in range(n):
            shared[stay] = total[stay]
            total = total + np.roll(shared, -2)
        assert launched(kernel, device, 64, 1, n).tolist() == np.where(stay, total, -1).tolist()


EACH = """__global__ void k(int *out, int n, int all) {
    __shared__ int s[64];
    int t = threadIdx.x, a = t;
    for (int i = 0; ; i++) {
        s[t] = a + i;
        __syncthreads();
        a += s[(t + 1) % 64];
        __syncthreads();
        if (n == all) break;
        if (i == n + t % 5) { out[t] = a; return; }
    }
    out[t] = -1;
}"""


def test_a_loop_with_an_end_for_each_thread_and_another_for_all(device):
    """The kernel hung: when all had ended, none was left to go on to the end for all."""
    kernel = lp.compile(EACH, device).k
    for n in range(3):
        out = lp.zeros(64, "int32", device)
        kernel[1, 64](out, n, 2)
        s, a, t, expected = np.zeros(64, int), np.arange(64), np.arange(64), np.full(64, -1)
        for i in range(n + 5):
            goes_on = n + t % 5 >= i
            s[goes_on] = a[goes_on] + i
            a = a + np.roll(s, -1)
            expected[n + t % 5 == i] = a[n + t % 5 == i]
        assert out.to_numpy().tolist() == (expected.tolist() if n != 2 else [-1] * 64)
