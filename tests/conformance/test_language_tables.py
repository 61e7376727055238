"""Variables and arrays that begin with addresses: of elements of arrays, of each other, of shared variables."""

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
__constant__ float tab[2][8] = {{1, 2, 3}, {4, 5, 6}};
__device__ double arr[3][4] = {{1, 2}, {3, 4}, {5, 6}};
__device__ double* rows[3] = {arr[0], arr[1], arr[2]};
__device__ int buf[64];
struct Two { int *a, *b; };
__device__ Two two = {buf, buf + 16};
__device__ int* middle = buf + 32;
__device__ int* before = &buf[8] - 3;
__device__ const unsigned char bits[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static __device__ const unsigned char* const halves[2] = {bits, bits + 8};
struct Part { const float* a; int n; };
__constant__ Part parts[2] = {{tab[0], 8}, {&tab[1][1], 7}};
struct __attribute__((packed)) Packed { char c; const float* a; short s; const char* t; };
__device__ Packed packed[2] = {{1, tab[0] + 1, 2, &"abc"[1]}, {3, tab[1] + 2, 4, "xyz"}};

__global__ void globals(float* o, int c) {
    for (int i = 0; i < 64; i++) buf[i] = i;
    o[0] = rows[c][1];
    o[1] = *middle + *two.b * 100 + *before * 10000;
    o[2] = halves[c][1];
    o[3] = parts[c].a[1] + parts[c].n * 100;
    o[4] = packed[c].c * 1000 + packed[c].a[0] * 100 + packed[c].s;
    o[5] = packed[c].t[1];
}
__global__ void write(float* o, int c) { rows[c][1] = 70 + c; rows[c] = arr[2]; o[0] = arr[c][1]; }
__global__ void read(float* o, int c) { o[0] = rows[c][1]; o[1] = arr[c][1]; }

__global__ void locals(float* o, int c) {
    const float* r[2] = {tab[0], tab[1]};
    const unsigned char* const b[2] = {bits + 1, bits + 9};
    static const unsigned char* const fixed[2] = {bits + 2, bits + 7};
    const char* words[3] = {"ab", &"cd"[1], "ef"};
    const char* mixed[2] = {&"zz"[1], nullptr};
    struct { char c; const float* p; float f[3]; } s[2] = {{1, tab[0] + 1, {1, 2, 3}}, {2, tab[0] + 2, {4, 5, 6}}};
    o[0] = r[c][1];
    o[1] = b[c][0];
    o[2] = fixed[c][0];
    o[3] = words[c + 1][0];
    o[4] = mixed[c] ? mixed[c][0] : -1;
    o[5] = s[c].c * 1000 + *s[c].p * 100 + s[c].f[2];
}
"""
WANTED = {
    "globals": ([2, 51632, 2, 802, 1202, ord("c")], [4, 51632, 10, 706, 3604, ord("y")]),
    "locals": ([2, 2, 3, ord("d"), ord("z"), 1203], [5, 10, 8, ord("e"), -1, 2306]),
}


@pytest.mark.parametrize("kernel", WANTED)
@pytest.mark.parametrize("which", [0, 1])
def test_addresses_of_elements(device, kernel, which):
    wanted = WANTED[kernel][which]
    out = lp.zeros(len(wanted), "float32", device)
    lp.compile(SOURCE, device)[kernel][1, 1](out, which)
    assert out.to_numpy().tolist() == wanted


def test_all_kernels_see_a_table_that_one_has_changed(device):
    program = lp.compile(SOURCE, device)
    out = lp.zeros(2, "float32", device)
    program.write[1, 1](out, 1)
    assert out.to_numpy()[0] == 71
    program.read[1, 1](out, 1)
    assert out.to_numpy().tolist() == [6, 71]


LINKS = """
struct Link { int v; Link* next; };
extern __device__ Link second;
__device__ Link first = {1, &second};
__device__ Link second = {2, &first};
__device__ Link own = {9, &own};
__global__ void k(int* o) {
    o[0] = first.next->v * 10 + second.next->v;
    o[1] = own.next->next->v;
    first.next = &own;
    o[2] = second.next->next->v;
}
"""


@pytest.mark.opencl_only("NVRTC takes `extern __device__` for the declaration of another file's variable")
def test_variables_that_begin_with_the_addresses_of_each_other(device):
    out = lp.zeros(3, "int32", device)
    lp.compile(LINKS, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [21, 9, 9]


FUNCTIONS = """
__device__ float data[4] = {1, 2, 3, 4};
__device__ float increment(float x) { return x + 1; }
__device__ float twice(float x) { return 2 * x; }
struct Op { float (*f)(float); const float* p; };
__device__ Op ops[2] = {{increment, &data[1]}, {twice, &data[3]}};
__global__ void k(float* o, int c) { o[0] = ops[c].f(*ops[c].p); }
"""


@pytest.mark.parametrize(("which", "wanted"), [(0, 3), (1, 8)])
def test_functions_beside_addresses_of_elements(device, which, wanted):
    out = lp.zeros(1, "float32", device)
    lp.compile(FUNCTIONS, device).k[1, 1](out, which)
    assert out.to_numpy()[0] == wanted


SHARED = """
__device__ float g[64];
struct Part { int n; float *p, *q; };
__device__ float get(float* const* t, int c) { return t[c][0]; }
__global__ void shared(float* o, int c) {
    __shared__ float s[2][32];
    __shared__ double t[32];
    int x = threadIdx.x, i = blockIdx.x * 9;
    float* b[4] = {s[0], s[1] + 3, g + 2, nullptr};
    Part part[2] = {{1, g + 1, s[1]}, {2, s[0] + 1, nullptr}};
    const Part fixed = {5, s[0] + 2, &s[1][4]};
    double* d[2] = {t, t + 2};
    s[0][x] = x; s[1][x] = 10 + x; t[x] = 100 + x; g[x] = 1000 + x;
    __syncthreads();
    float* const r[2] = {s[0] + 2, s[1] + 1};
    if (x == 0) {
        o[i++] = b[c][1];
        o[i++] = b[2][0];
        o[i++] = b[3] ? 1 : 0;
        o[i++] = part[c].p[0] + part[c].n;
        o[i++] = part[c].q ? part[c].q[0] : -1;
        o[i++] = fixed.p[0] + fixed.q[0] * 100;
        o[i++] = d[c][0];
        o[i++] = get(r, c);
        b[3] = s[1];
        o[i++] = b[c + 2][0];
    }
}
// Without an offset, for which Clang's SPIR-V is complete and yet no right program.
__global__ void blocks(float* o, int c) {
    __shared__ float s[32], t[32];
    float* b[2] = {s, t};
    s[threadIdx.x] = blockIdx.x;
    t[threadIdx.x] = 100;
    __syncthreads();
    for (int i = 0; i < 1000; i++) b[c][threadIdx.x] += 1;
    __syncthreads();
    o[blockIdx.x] = s[31 - threadIdx.x] + t[31 - threadIdx.x];
}
extern __shared__ float dynamic[];
__global__ void sized(float* o, int c) {
    float* b[2] = {dynamic, dynamic + 32};
    b[c][threadIdx.x] = threadIdx.x + 1;
    b[1 - c][threadIdx.x] = 0;
    __syncthreads();
    o[threadIdx.x] = dynamic[32 * c + 31 - threadIdx.x];
}
"""


@pytest.mark.parametrize(
    ("which", "wanted"), [(0, [1, 1002, 0, 1002, 10, 1402, 100, 2, 1002]), (1, [14, 1002, 0, 3, -1, 1402, 102, 11, 10])]
)
def test_addresses_of_shared_variables(device, which, wanted):
    out = lp.zeros(4 * 9, "float32", device)
    lp.compile(SHARED, device).shared[4, 32](out, which)
    assert out.to_numpy().tolist() == 4 * wanted


@pytest.mark.parametrize("which", [0, 1])
def test_each_block_has_its_own(device, which):
    program = lp.compile(SHARED, device)
    assert program.symbols.keys() == {"g"}
    out = lp.zeros(64, "float32", device)
    program.blocks[64, 32](out, which)
    assert np.array_equal(out.to_numpy(), np.arange(64) + 1100)


@pytest.mark.parametrize("which", [0, 1])
def test_addresses_of_dynamic_shared_memory(device, which):
    out = lp.zeros(32, "float32", device)
    lp.compile(SHARED, device).sized[1, 32, None, 256](out, which)
    assert np.array_equal(out.to_numpy(), np.arange(32, 0, -1))
