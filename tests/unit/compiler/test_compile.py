"""From source to SPIR-V, without a device: what comes out, and how it fails."""

import pytest

from launchpath._compiler import target
from launchpath._compiler.compile import compile
from launchpath._compiler.image import Image, from_entry
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError

pytestmark = pytest.mark.compiles

EXTENSIONS = ["cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot", "cl_khr_fp16", "cl_khr_fp64", "cl_khr_kernel_clock"]
SPIRV = target.target_of({"extensions": EXTENSIONS, "dialect": "spirv", "kind": "cpu", "platform": "Some OpenCL"})
OPENCL_C = target.target_of({"extensions": ["cl_khr_fp64"], "dialect": "clc", "kind": "cpu", "platform": "PoCL"})


def compiled(text: str, *names: str, to: target.Target = SPIRV, **around: object) -> Image:
    return compile(sources.from_text(text, "user.cu", **around), names, to)


def test_entries_and_signatures():
    image = compiled("""
__global__ void plain(int *o) { extern __shared__ int s[]; s[0] = o[0]; __syncthreads(); o[1] = s[0]; }
template <class T> __global__ void k(T *o, T v) { __shared__ T s[3]; s[0] = v; __syncthreads(); o[0] = s[0]; }
""", "k<double>")  # fmt: skip
    (plain, first), (template, second) = image.kernels
    assert (plain, template) == ("plain", "k<double>")
    assert (first.name, first.dynamic_shared, first.shared) == ("plain", True, 0)
    assert (second.name, second.dynamic_shared, second.shared) == ("k<double>", False, 24)
    assert image.code[:4] == b"\x03\x02\x23\x07"


def test_an_instance_that_is_asked_for_by_another_name_is_one_kernel():
    text = "typedef float real; template <class T> __global__ void k(T *x) {}\n"
    assert [signature.name for _, signature in compiled(text, "k<real>").kernels] == ["k<real>"]


def test_only_templates():
    """Without host code they are no program: what is looked up is compiled then."""
    assert compiled("template <class T> __global__ void k(T *o) {}").kernels == ()


@pytest.mark.parametrize(
    ("template", "shown", "example"),
    [
        ("template <class T> __global__ void k(T *o) {}", "k<class T>", "k<float>"),
        ("namespace n { template <typename T, int N = 4> __global__ void k(T *o) {} }",
         "n::k<typename T, int N = 4>", "n::k<float>"),
        ("template <bool B, unsigned int N> __global__ void k() {}", "k<bool B, unsigned int N>", "k<true, 4>"),
    ],
)  # fmt: skip
def test_a_program_of_nothing_but_templates(template, shown, example):
    with pytest.raises(CompileError) as caught:
        compiled(f"{template}\nint main() {{}}")
    assert str(caught.value) == (
        f"user.cu: expected a kernel, got only templates of which nothing launches or names an instance: {shown}; "
        f"name instances, as in names=['{example}']"
    )
    image = compiled(f"{template}\n__global__ void plain(int *o) {{ o[0] = 1; }}")
    assert [signature.name for _, signature in image.kernels] == ["plain"]
    assert [f"{name}<{', '.join(of)}>" for name, of in image.templates.items()] == [shown]
    assert from_entry(image.to_entry()).templates == image.templates


def test_globals():
    image = compiled("""
__device__ int counter = 7;
namespace n { static __constant__ float weights[2] = {1, 2}; }
__global__ void k(float *o) { o[0] = n::weights[1] + counter++; }
__global__ void none(float *o) { o[0] = 1; }
""")
    symbols = {symbol.name: (symbol.dtype, symbol.shape, symbol.size) for symbol in image.symbols}
    assert symbols == {"counter": ("int32", (), 4), "n::weights": ("float32", (2,), 8)}
    assert image.users == {"k"}
    at = next(symbol.offset for symbol in image.symbols if symbol.name == "counter")
    assert image.initial[at : at + 4] == (7).to_bytes(4, "little")


def test_the_callers_macros_do_not_reach_our_headers():
    letters = dict.fromkeys("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "broken(")
    words = dict.fromkeys(("value", "size", "index", "mask", "width", "name", "type", "lane", "More"), "broken(")
    assert compiled("__global__ void one(int* two) { two[0] = 3; }", defines=letters | words).kernels


@pytest.mark.parametrize(
    "header",
    [
        "hip/hip_runtime.h",
        "hip/hip_fp16.h",
        "cuda_fp16.h",
        "curand_kernel.h",
        "cuComplex.h",
        "cuda_fp8.h",
        "hip/hip_fp8.h",
    ],
)
@pytest.mark.sample(2)
def test_the_sources_macros_do_not_reach_our_headers(header):
    lines = [f"#define {letter} broken(" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    text = "\n".join([*lines, f"#include <{header}>", "__global__ void one(int* two) { two[0] = 3; }"])
    assert compiled(text).kernels


def test_local_headers_macros_and_lines(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "helper.cuh").write_text(
        '#ifndef HELPER\n#define HELPER\n#include "more.h"\n__device__ int f() { return MORE + wrong; }\n#endif\n'
    )
    (tmp_path / "deep" / "more.h").write_text("#pragma once\n#define MORE 3\n")
    path = tmp_path / "main.cu"
    path.write_text(
        '#include "deep/helper.cuh"\n#include "deep/helper.cuh"\n__global__ void k(int *o) { o[N] = f(); }\n'
    )
    with pytest.raises(CompileError) as caught:
        compile(sources.from_path(path, defines={"N": 2}), [], SPIRV)
    assert f"{tmp_path}/deep/helper.cuh:4:36: error: use of undeclared identifier 'wrong'" in str(caught.value)
    (tmp_path / "deep" / "more.h").write_text("#pragma once\n#define MORE 3\n#define wrong 4\n")
    image = compile(sources.from_path(path, defines={"N": 2}), [], SPIRV)
    assert {file.rsplit("/", 1)[1] for file, digest in image.files.items() if digest} == {"helper.cuh", "more.h"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__global__ void k(int *o) {\n  o[0] = 1\n}", "user.cu:2:11: error: expected ';'"),
        ("\n__global__ void k(Foo *o) {}", "user.cu:2:19: error: unknown type name 'Foo'"),
        (
            "__global__ void k(int *o) { o[0] = missing(1); }", "user.cu:1:36: error: use of undeclared identifier "
            "'missing'"
        ),
        ("#line 10 \"made.y\"\n__global__ void k(int *a) { a[0] = b; }", "made.y:10:36: error: use of undeclared"),
        ("#error no\n__global__ void k() {}", "user.cu:1:2: error: no"),
        ("__global__ void k(int *a) { throw 1; }", "user.cu:1:29: error: cannot use 'throw' in"),
        ("int f();\n__global__ void k(int *a) { a[0] = f(); }", "user.cu:1:1: note: 'f' is here, in host code"),
        ("__global__ void f(int *a) {}\n__global__ void k(int *a) {\n  if (a[0]) f<<<1, 1>>>(a); }",
         "user.cu:3:13: error: launches from kernels (dynamic parallelism) are not supported: launch from the host"),
        ("__global__ void k(int *a) {\n  cudaDeviceSynchronize(); }",
         "user.cu:2:3: note: 'cudaDeviceSynchronize' is of the host's API, which kernels do not have; launches from"),
        ("__global__ void k(int *a) {\n asm(\"bar.sync 0;\"); }", "user.cu:2:2: error: inline assembly works on"),
        ("__global__ void k(int *a) {\n asm(\"mov %0, %1;\" : \"=r\"(a[0]), \"=r\"(a[1])); }",
         "user.cu:2:2: error: inline assembly works on"),
        ("#include <stdio.h>\n__global__ void k(__intptr_t *a) { asm(\"bar.sync 0;\"); }", "user.cu:2:36: error: inline"),
        ("template <class T> __global__ void k(T a) { a.f(); }\nint main() { k<<<1, 1>>>(3); }",
         "user.cu:1:46: error: member reference base type 'int'"),
        ("struct B { __device__ virtual int f() { return 1; } };\n__device__ int g(B *b) {\n  return b->f();\n}\n"
         "__global__ void k(int *p, B *b) { p[0] = g(b); }", "user.cu:3:13: error: virtual functions and pointers to"),
        ("__device__ int one() { return 1; }\n__device__ float two() { return 2; }\n__global__ void k(int *p) {\n"
         "  float (*f)() = (float (*)())p[1];\n  p[0] = f() + one();\n}", "user.cu:5:10: error: virtual functions and"),
        ("__global__ void k(float *o) {\n  __shared__ float s[4];\n  static float *const p[2] = {s, s + 1};\n  o[0] = *p[o[1] > 0];\n}",
         "user.cu: error: 'p' is initialized with the address of a __shared__ variable"),
        ("__global__ void k(float *o) {\n  __shared__ float s[4], t[4];\n  static float *const p[2] = {s, t};\n  o[0] = *p[o[1] > 0];\n}",
         "'p' is initialized with the address of a __shared__ variable"),
        ("#include <type_traits>\n__global__ void k() { static_assert(std::is_same<int, char>::value, \"no\"); }",
         "user.cu:2:37: error: static assertion failed"),
        ("#include <no/such/header.h>\n#include <vector>\n__global__ void k(int *o) { o[0] = ONE; }\nint main() {}",
         "user.cu:1:10: error: 'no/such/header.h' file not found"),
    ],
)  # fmt: skip
@pytest.mark.sample(6)
def test_errors_are_at_the_users_lines(text, message):
    with pytest.raises(CompileError) as caught:
        compiled(text)
    assert f"\n{message}" in f"\n{caught.value}"


def test_a_template_that_cannot_be_instantiated():
    text = "template <class T> __global__ void k(T a) {\n  a.size();\n}"
    with pytest.raises(CompileError) as caught:
        compiled(text, "k<int>")
    lines = str(caught.value).splitlines()
    assert lines[1] == "user.cu:2:4: error: member reference base type 'int' is not a structure or union"
    assert "user.cu:1:36: note: in instantiation of function template specialization 'k<int>' requested here" in lines


def test_warnings_are_in_the_log():
    image = compiled("__global__ void k(int *o) {\n  o[0] = 1; return; o[1] == 2;\n}")
    assert image.log.startswith("user.cu:2:26: warning: equality comparison result unused")


def test_headers_that_are_missing_are_reported():
    image = compiled('#include "timer.h"\n__global__ void k(int *o) { o[0] = 1; }\nint main() { Timer t; }')
    assert image.log.startswith("user.cu:1:10: warning: 'timer.h' file not found; the kernels do without it")


def test_what_opencl_c_cannot_express_is_named():
    with pytest.raises(CompileError) as caught:
        compiled("__global__ void k(int *o) { o[0] = __shfl_sync(~0u, o[1], 3); }", to=OPENCL_C)
    assert "__shfl_sync" in str(caught.value) or "warp functions" in str(caught.value)


def test_what_no_device_has_names_no_platform():
    text = "#include <cooperative_groups.h>\n__global__ void k() { cooperative_groups::this_grid().sync(); }"
    for to in (SPIRV, OPENCL_C):
        with pytest.raises(CompileError, match="no device here runs the threads of a whole grid") as caught:
            compiled(text, to=to)
        assert "Intel" not in str(caught.value)
    with pytest.raises(CompileError, match="no clock that kernels can read; platforms that take SPIR-V have it"):
        compiled("__global__ void k(long long *o) { o[0] = clock64(); }", to=OPENCL_C)


@pytest.mark.parametrize("name", ["<source>", "user.cu", "/no/such/folder/user.cu"])
def test_what_is_left_out_is_reported_whatever_the_source_is_called(name):
    text = "template <class T> __global__ void k(T *x) {}\n__global__ void plain(int *x) {}\n"
    text += "int main() { auto x = unknown();\n  k<<<1, 1>>>(lost); }"
    image = compile(sources.from_text(text, name), [], SPIRV)
    assert f"{name}:4:15: warning: launch of 'k' could not be read: use of undeclared identifier 'lost'" in image.log


@pytest.mark.parametrize("name", ["k<float>", "k<float, 1, 2>", "k<>", "k<1, float>"])
def test_template_arguments_that_do_not_fit(name):
    with pytest.raises(CompileError) as caught:
        compiled("template <class T, int TILE> __global__ void k(T *o) {}", name)
    assert "the template takes <class T, int TILE>, and these arguments do not fit" in str(caught.value)
    assert "overloaded" not in str(caught.value)


def test_every_word_of_a_message_is_the_users():
    with pytest.raises(CompileError) as caught:
        compiled("__global__ void k(int *o) { atomicAdd(o, o); }")
    assert "__lp" not in str(caught.value).splitlines()[1]


def test_without_clang(monkeypatch, tmp_path):
    from launchpath._compiler.clang import frontend

    monkeypatch.setenv("LAUNCHPATH_CLANG", str(tmp_path / "none"))
    frontend.find.cache_clear()
    try:
        with pytest.raises(CompileError, match="LAUNCHPATH_CLANG names .*none, which is not a program"):
            compiled("__global__ void k() {}")
    finally:
        frontend.find.cache_clear()


def test_an_instance_by_itself_shares_no_pointers_to_functions():
    text = """
__device__ int one(int a) { return a; }
__device__ int two(int a) { return 2 * a; }
__device__ int (*table[2])(int) = {one, two};
template <class T> __global__ void k(T *p) { p[0] = table[p[1]](3); }
__global__ void plain(int *p) { p[0] = table[p[1]](3); }
"""
    assert len(compiled(text, "k<int>").kernels) == 2
    with pytest.raises(
        CompileError, match="expected instances that were requested when compiling, since its device code"
    ):
        compile(sources.from_text(text, "user.cu"), ["k<int>"], SPIRV, True)
