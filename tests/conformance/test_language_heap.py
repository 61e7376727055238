"""Memory that kernels allocate: malloc and free, new and delete."""

import pytest

import launchpath as lp

MANY = """
__device__ char odd = 1;
__device__ int word = 3;
// Every thread has some blocks at a time, of many sizes, and looks whether another thread writes to them.
__global__ void many(int *errors, int rounds) {
    int id = blockIdx.x * blockDim.x + threadIdx.x, wrong = odd + word - 4;
    unsigned random = id * 2654435761u + 1;
    int *held[4] = {}, sizes[4] = {};
    for (int i = 0; i < rounds; ++i) {
        random = random * 1664525u + 1013904223u;
        int slot = random >> 30, size = 1 + (random >> 8) % 40;
        for (int j = 0; j < sizes[slot]; ++j) wrong += held[slot][j] != id * 100 + slot;
        free(held[slot]);
        held[slot] = (int *)malloc(size * sizeof(int));
        if (held[slot] == nullptr || (size_t)held[slot] % 16 != 0) { wrong += 1000; sizes[slot] = 0; continue; }
        sizes[slot] = size;
        for (int j = 0; j < size; ++j) held[slot][j] = id * 100 + slot;
    }
    for (int slot = 0; slot < 4; ++slot) free(held[slot]);
    atomicAdd(errors, wrong);
}
"""
LIST = """
struct Node { int value; Node *next; __device__ Node(int value, Node *next) : value(value), next(next) {} };
__device__ Node *first;
__global__ void build(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Node *node = new Node(i, nullptr);
    unsigned long long *at = (unsigned long long *)&first, seen = *at, before;
    do {
        before = seen;
        node->next = (Node *)before;
        __threadfence();
        seen = atomicCAS(at, before, (unsigned long long)node);
    } while (seen != before);
}
__global__ void take(unsigned long long *sum) {
    while (first != nullptr) {
        Node *node = first;
        first = node->next;
        *sum += node->value;
        delete node;
    }
}
"""


def test_blocks_of_many_threads_are_apart(device):
    errors = lp.zeros(1, "int32", device)
    program = lp.compile(MANY, device)
    for _ in range(3):
        program.many[16, 64](errors, 200)
    assert errors.to_numpy()[0] == 0


@pytest.mark.opencl_only("CUDA's own heap takes a minute and a half for it on an H200")
def test_memory_lasts_until_it_is_freed(device):
    program = lp.compile(LIST, device)
    total = lp.zeros(1, "uint64", device)
    for _ in range(40):  # more than the heap would have without `delete`
        program.build[79, 128](10_000)
        program.take[1, 1](total)
    assert total.to_numpy()[0] == 40 * 10_000 * 9_999 // 2


def test_no_more_memory(device):
    text = """
    __global__ void k(int *counts, int megabytes) {
        void *held[64];
        int n = 0;
        while (n < 64 && (held[n] = malloc(1 << 20)) != nullptr) ++n;
        counts[0] = n;
        counts[1] = malloc((size_t)megabytes << 20) == nullptr;
        for (int i = 0; i < n; ++i) free(held[i]);
        void *again = malloc(900000);
        counts[2] = again != nullptr;
        free(again);
        free(nullptr);
    }"""
    counts = lp.zeros(3, "int32", device)
    program = lp.compile(text, device)
    program.k[1, 1](counts, 64)
    first = counts.to_numpy().tolist()
    program.k[1, 1](counts, 64)
    assert first == counts.to_numpy().tolist()
    assert 1 <= first[0] <= 8
    assert first[1:] == [1, 1]


def test_the_heap_is_no_symbol_of_the_program(device):
    program = lp.compile(LIST, device)
    assert list(program.symbols) == ["first"]


@pytest.mark.opencl_only("cudaDeviceSetLimit sets the size of CUDA's heap")
def test_the_size_of_the_heap(device):
    text = "__global__ void k(int *n) { while (malloc(1 << 20) != nullptr) ++*n; }"
    counts = []
    for size in (1 << 20, "4 << 20", 32 << 20):
        n = lp.zeros(1, "int32", device)
        lp.compile(text, device, defines={"LAUNCHPATH_HEAP_BYTES": size}).k[1, 1](n)
        counts.append(int(n.to_numpy()[0]))
    assert counts[0] == 0
    assert 2 <= counts[1] <= 3
    assert 24 <= counts[2] <= 31
    for size in (0, -32, "1ll << 40"):
        with pytest.raises(lp.CompileError, match="LAUNCHPATH_HEAP_BYTES: from 1 KiB to 16 GiB"):
            lp.compile(text, device, defines={"LAUNCHPATH_HEAP_BYTES": size})


@pytest.mark.opencl_only("about launchpath's own heap")
def test_new_without_memory(device):
    text = """
    struct Large { int x[1 << 22]; __device__ Large() { x[0] = 1; } };
    __device__ int *last;
    __global__ void k(int *out) {
        last = new int[1 << 24];
        out[0] = last == nullptr;
        Large *large = new Large;
        out[1] = large == nullptr;
        delete large;
        free(out);
        out[2] = 7;
    }"""
    out = lp.zeros(3, "int32", device)
    lp.compile(text, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [1, 1, 7]


@pytest.mark.opencl_only("NVRTC compiles it to a kernel that ends with an illegal address on an H200")
def test_operators_of_the_programs_own(device):
    text = """
    __device__ char room[1000];
    __device__ int used;
    __device__ void *operator new(size_t size) { int at = used; used += size; return room + at; }
    __device__ void operator delete(void *) noexcept { used = 0; }
    struct Node { int value[4]; };
    __global__ void k(int *out) {
        Node *node = new Node;
        out[0] = (char *)node - room + used;
        delete node;
        out[1] = used;
    }"""
    out = lp.zeros(2, "int32", device)
    lp.compile(text, device, options=["-w"]).k[1, 1](out)
    assert out.to_numpy().tolist() == [16, 0]


def test_arrays_and_objects(device):
    text = """
    struct Counted { int *at; __device__ Counted() : at(nullptr) {} __device__ ~Counted() { if (at) atomicAdd(at, 1); } };
    struct Shape { __device__ virtual int area() const = 0; __device__ virtual ~Shape() {} };
    struct Square : Shape { int a; __device__ Square(int a) : a(a) {} __device__ int area() const override { return a * a; } };
    struct Line : Shape { __device__ int area() const override { return 0; } };
    __global__ void k(int *out, int n) {
        Counted *all = new Counted[n];
        for (int i = 0; i < n; ++i) all[i].at = out;
        delete[] all;
        Shape *shape = n > 3 ? (Shape *)new Square(n) : new Line;
        out[1] = shape->area();
        delete shape;
        double *sums = new double[n]();
        for (int i = 0; i < n; ++i) sums[n - 1] += i;
        out[2] = sums[n - 1];
        delete[] sums;
        delete[] (int *)nullptr;
    }"""
    out = lp.zeros(3, "int32", device)
    lp.compile(text, device).k[1, 1](out, 9)
    assert out.to_numpy().tolist() == [9, 81, 36]


@pytest.mark.opencl_only("CUDA's device code has neither")
def test_calloc_and_realloc(device):
    text = """
    __global__ void k(int *out) {
        int *x = (int *)calloc(100, sizeof(int)), sum = 0;
        for (int i = 0; i < 100; ++i) { sum += x[i]; x[i] = i; }
        x = (int *)realloc(x, 5000 * sizeof(int));
        for (int i = 0; i < 100; ++i) sum += x[i];
        x = (int *)realloc(x, 10 * sizeof(int));
        for (int i = 0; i < 10; ++i) sum += x[i];
        out[0] = sum;
        out[1] = calloc(~(size_t)0 / 2, 4) == nullptr;
        out[2] = realloc(nullptr, 16) != nullptr;
    }"""
    out = lp.zeros(3, "int32", device)
    lp.compile(text, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [4950 + 45, 1, 1]
