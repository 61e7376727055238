"""OpenCL C of HIP C++: what the text looks like, and what cannot be expressed."""

import re

import pytest

from launchpath._compiler.opencl_c import UnsupportedConstruct
from tests.unit.compiler.opencl_c.opencl_c import EXTENSIONS, written

pytestmark = pytest.mark.compiles


def test_it_reads_as_written_by_hand():
    text = written("""
    __global__ void saxpy(float a, const float *x, float *y, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = a * x[i] + y[i];
    }""")
    (line,) = [line for line in text.splitlines() if line.strip().startswith("*")]
    assert re.search(r"\*(\w+) = .* \* .*\[.*\] \+ \*\1;", line)
    assert "goto" not in text and "for (;;)" not in text


def test_a_kernel_takes_the_block_the_globals_and_dynamic_shared_memory():
    text = written("""
    __device__ int counter;
    __global__ void k(int *o) { extern __shared__ float s[]; s[0] = counter; __syncthreads(); o[0] = s[1]; }""")
    kernel = re.search(r"__kernel void k\((\w+) \w+, __global (\w+) \*\w+, __local \w+ \*\w+\)", text)
    assert kernel and "aligned(8)" in text


def test_shared_memory_is_declared_in_the_kernel_and_passed_to_functions():
    text = written("""
    __device__ __attribute__((noinline)) int *shared() { __shared__ int values[8]; return values; }
    __global__ void k(int *o) { shared()[threadIdx.x] = 1; __syncthreads(); o[0] = shared()[7]; }""")
    assert re.search(r"__kernel void k\([^{]*\{\n  __local uint values\[8\]", text)


@pytest.mark.parametrize(
    ("dialect", "kind", "declared"),
    [
        ("clc", "cpu", r"  __global u\w+ \* __local (\w+)(\[4\])?;"),
        ("clc-generic", "gpu", r"  u\w+ \* __local (\w+)(\[4\])?;"),
    ],
)
def test_a_shared_pointer_is_itself_in_shared_memory(dialect, kind, declared):
    """Before the star, `__local` would be of what it points to."""
    source = """
    __global__ void k(int *o, int n) {
        __shared__ int s[64], *middle, *rows[4];
        s[threadIdx.x] = n;
        if (threadIdx.x < 4) { middle = s + n; rows[threadIdx.x] = s + 8 * threadIdx.x; }
        __syncthreads();
        o[threadIdx.x] = middle[threadIdx.x] + rows[threadIdx.x & 3][1];
    }"""
    text = written(source, dialect, kind)
    assert len(re.findall(declared, text)) == 2, text
    assert "__local __global" not in text


def test_pointers_keep_their_address_spaces_without_generic_ones():
    source = """
    __global__ void k(float *o, int n) {
        __shared__ float s[64];
        float own[8];
        for (int i = 0; i < n; i++) own[i & 7] += i;
        s[threadIdx.x] = own[n & 7];
        __syncthreads();
        const float *any = n > 5 ? s : o;
        o[n] = any[n];
    }"""
    text = written(source)
    assert "float own[8];" in text and "__local float s[64];" in text
    # What may point to either goes through the flat address space, which is the global one.
    assert "(__global f32 *)(ulong)s" in text
    generic = written(source, "clc-generic", "gpu")
    assert "(ulong)s" not in generic and "(f32 *)s" in generic


@pytest.mark.parametrize(("dialect", "qualifier"), [("clc", "__constant"), ("clc-generic", "__global const")])
def test_tables(dialect, qualifier):
    text = written("""
    __global__ void k(float *o, int i) {
        static const float table[2][3] = {{1, 2, 3.5f}, {-0.1f, 1e30f, __builtin_inff()}};
        o[0] = table[i][i + 1];
    }""", dialect)  # fmt: skip
    assert f"{qualifier} float table[6]" in text
    assert "{1.0f, 2.0f, 3.5f, -0.1f, 1e+30f, (1.0f / 0.0f)};" in text


def test_contraction_is_on_as_in_the_module():
    assert "#pragma OPENCL FP_CONTRACT ON\n" in written("__global__ void k(float *o) { o[0] = o[1] * o[2] + o[3]; }")


def test_names_that_opencl_c_or_a_type_has_are_changed():
    text = written("""
    struct float4x { float x; };
    struct kernel { int get_global_id, barrier; };
    __device__ __attribute__((noinline)) void barrier(kernel *global, int half, float4x uint, int min) {
        global->get_global_id = half + min; global->barrier = uint.x;
    }
    __global__ void get_local_id(kernel *local, int signed_, int f32) { barrier(local, f32, {1}, signed_); }""")
    words = set(re.findall(r"\b(?:global|half|local|kernel|min)\b", re.sub(r"__\w+", "", text)))
    assert not words - {"kernel"}
    assert "__kernel void get_local_id_kernel(" in text


def test_printf_with_opencl_lengths_and_strings():
    text = written(r"""
    __global__ void k(long long a, size_t b) { printf("%lld %-8zu \"%s\"? %5.2f%%\n", a, b, "w\xc3\xb6", 1.5); }
    """)
    assert r'printf("%ld %-8lu \"%s\"\077 %5.2f%%\n", (long)' in text
    assert r'"w\303\266"' in text


ATOMICS = "__global__ void k(int *a, unsigned long long *b) { atomicAdd(a, 1); atomicCAS(b, 5ull, 7ull); }"


def test_atomics_of_each_dialect():
    flat = written(ATOMICS)
    assert "atomic_add((volatile __global uint *)" in flat
    assert "atom_cmpxchg((volatile __global ulong *)" in flat
    generic = written(ATOMICS, "clc-generic", "gpu")
    assert "atomic_fetch_add_explicit((volatile " in generic
    assert "atomic_compare_exchange_strong_explicit((volatile " in generic


def test_64_bit_atomics_need_an_extension():
    with pytest.raises(UnsupportedConstruct, match=r"an atomic operation on 64 bits.*lacks cl_khr_int64_base_atomics"):
        written(ATOMICS, extensions=("cl_khr_fp64",))


def test_doubles_need_an_extension():
    with pytest.raises(UnsupportedConstruct, match=r"arithmetic in double precision.*runs on devices with cl_khr_fp64"):
        written("__global__ void k(double *o) { o[0] *= 2; }", extensions=())


def test_half_numbers_need_an_extension_only_where_they_are_computed_with():
    source = "__global__ void k(_Float16 *o) {{ o[0] {}; }}"
    assert "cl_khr_fp16 : enable" in written(source.format("*= (_Float16)2"))
    with pytest.raises(UnsupportedConstruct, match="arithmetic in half precision"):
        written(source.format("*= (_Float16)2"), extensions=("cl_khr_fp64",))


def test_recursion_is_named():
    with pytest.raises(UnsupportedConstruct, match=r"recursion .tree calls itself.*has none.*SPIR-V") as caught:
        written("""
        __device__ int tree(int n) { return n < 2 ? n : tree(n - 1) + tree(n - 2); }
        __global__ void k(int *o) { o[0] = tree(o[1]); }""")
    assert "Intel" in caught.value.platforms


WARPS = """
__global__ void k(int *o) {
    int v = o[threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    o[threadIdx.x] = v + __ballot_sync(~0u, v > 3);
}"""


def test_warp_functions_are_sub_group_functions():
    text = written(WARPS, "clc-generic")
    assert "sub_group_shuffle(" in text and "sub_group_ballot(" in text and "get_sub_group_local_id()" in text
    assert "#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable" not in written(ATOMICS, "clc-generic")


def test_warp_functions_without_sub_groups_are_named():
    with pytest.raises(UnsupportedConstruct, match=r"\(the device has no sub-groups\); it runs on .*sub-groups"):
        written(WARPS, "clc", extensions=EXTENSIONS)


def test_errors_survive_pickling():
    import pickle

    error = UnsupportedConstruct("recursion", "some platforms", "why")
    again = pickle.loads(pickle.dumps(error))
    assert (again.construct, again.platforms, str(again)) == ("recursion", "some platforms", str(error))


def test_atomics_on_a_threads_own_variable():
    """OpenCL C has them on global and shared memory only."""
    inlined = "__global__ void k(int *o, int n) { int a[4] = {1, 2, 3, 4}; atomicAdd(&a[n & 3], n); o[n] = a[1]; }"
    for dialect, kind in (("clc", "cpu"), ("clc-generic", "gpu")):
        text = written(inlined, dialect, kind)
        assert "atomic" not in text, text
    source = """
    __device__ __attribute__((noinline)) void add(int *p, int n) { atomicAdd(p, n); }
    __global__ void k(int *o, int n) { int a[4] = {1, 2, 3, 4}; add(&a[n & 3], n); o[n] = a[1]; }"""
    assert "atomic_add" in written(source)  # on a CPU all memory is in one space
    with pytest.raises(UnsupportedConstruct, match="atomic operation on a thread's own variable"):
        written(source, "clc-generic", "gpu")


LEFT = """
    __global__ void k(int *o, int n) {
        __shared__ int s[64];
        s[threadIdx.x] = n;
        BARRIER
        for (int i = 0; i < n; i++) {
            int x = o[i] * s[i];
            if (x > 5) break;
            o[i + 64] = x;
            if (o[x] > 3) break;
            o[i + 32] += x;
        }
        o[0] = s[5];
    }"""


def test_braces_with_variables_that_a_jump_leaves_begin_with_a_label_for_pocl():
    """Behind a label Clang notes no lifetimes. Without a barrier those do no harm, and on GPUs neither."""
    text = written(LEFT.replace("BARRIER", "__syncthreads();"))
    assert re.search(r"\n    do \{\nbraces:;\n      ", text) and "braces_" not in text
    assert "braces" not in written(LEFT.replace("BARRIER", ""))
    assert "braces" not in written(LEFT.replace("BARRIER", "__syncthreads();"), "clc-generic", "gpu")


def test_braces_that_are_left_in_one_way_have_no_label():
    assert "braces" not in written("""
    __global__ void k(int *o, int n) {
        __shared__ int s[64];
        s[threadIdx.x] = n;
        __syncthreads();
        for (int i = 0; i < n; i++) {
            int x = o[i] * s[i];
            if (x > 5) o[i + 32] = x;
            else o[i + 64] += o[x];
        }
        switch (n) { case 2: n = o[3] * 7; o[n]++; o[n + 1]--; break; case 3: o[5]++; break; default: o[6]++; }
        o[0] = s[5] + n;
    }""")
