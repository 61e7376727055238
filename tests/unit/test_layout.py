"""Kernels' signatures, as the parser of sources finds them."""

import threading

import pytest

from launchpath.compiler.signature import Signature
from launchpath.compiler.unit import parse
from launchpath.errors import CompileError


def signature(declaration: str, before: str = "") -> Signature:
    (found,) = parse(f"{before}\n__global__ void k({declaration}) {{}}").signatures.values()
    return found


@pytest.mark.parametrize(
    ("ctype", "kind", "size", "pointee", "const"),
    [
        ("float *", "pointer", 8, "float32", False),
        ("const float *", "pointer", 8, "float32", True),
        ("const double *__restrict__", "pointer", 8, "float64", True),
        ("float *const", "pointer", 8, "float32", False),
        ("void *", "pointer", 8, None, False),
        ("const void *", "pointer", 8, None, True),
        ("char *", "pointer", 8, None, False),
        ("signed char *", "pointer", 8, "int8", False),
        ("unsigned char *", "pointer", 8, "uint8", False),
        ("bool *", "pointer", 8, "bool", False),
        ("unsigned long long *", "pointer", 8, "uint64", False),
        ("size_t *", "pointer", 8, "uint64", False),
        ("short *", "pointer", 8, "int16", False),
        ("float **", "pointer", 8, None, False),
        ("P *", "pointer", 8, None, False),
        ("Color *", "pointer", 8, "uint32", False),
        ("float (*)[4]", "pointer", 8, "float32", False),
        ("char", "int8", 1, None, False),
        ("unsigned char", "uint8", 1, None, False),
        ("short", "int16", 2, None, False),
        ("int", "int32", 4, None, False),
        ("const int", "int32", 4, None, False),
        ("unsigned", "uint32", 4, None, False),
        ("long", "int64", 8, None, False),
        ("long long", "int64", 8, None, False),
        ("unsigned long long", "uint64", 8, None, False),
        ("uint8_t", "uint8", 1, None, False),
        ("int64_t", "int64", 8, None, False),
        ("size_t", "uint64", 8, None, False),
        ("bool", "bool", 1, None, False),
        ("float", "float32", 4, None, False),
        ("double", "float64", 8, None, False),
        ("Color", "uint32", 4, None, False),
        ("P", "struct", 16, None, False),
        ("float3", "struct", 12, None, False),
        ("float4", "struct", 16, None, False),
    ],
)
def test_parameter(ctype, kind, size, pointee, const):
    (found,) = signature(ctype, "struct P { float *a; bool b; };\nenum Color { RED };").parameters
    assert (found.kind, found.size, found.pointee, found.const) == (kind, size, pointee, const)
    assert found.name == "arg0"


def test_layout():
    found = signature("bool a, double b, char c, short d, float4 e, int f")
    assert [parameter.offset for parameter in found.parameters] == [0, 8, 16, 18, 32, 48]
    assert found.size == 64  # 52, padded to the alignment of float4
    assert signature("int a").size == 8
    assert signature("").size == 0


def test_prints_as_declared():
    found = signature("float *out, const float *__restrict__ in, unsigned int n, float v[4], int")
    assert str(found) == "k(float *out, const float *in, unsigned int n, float *v, int arg4)"


def test_kernels_in_order_through_macros_namespaces_and_linkage():
    source = """
#include <hip/hip_runtime.h>
#  include "cuda_runtime.h"
#define AXPY(T) __global__ void axpy_##T(T a, T *x) {}
AXPY(float) AXPY(double)
extern "C" __global__ void plain(int n);
extern "C" { __global__ void plain(int n) {} }
namespace a { namespace b { __global__ void deep() {} } }
#ifdef ON
__global__ void conditional(int n) {}
#endif
__global__ void only_declared(int n);
template <class T> __global__ void generic(T *x) {}
"""
    assert list(parse(source).signatures) == ["axpy_float", "axpy_double", "plain", "a::b::deep"]
    assert list(parse(source, defines={"ON": None}).signatures)[-1] == "conditional"


def test_shared_memory():
    source = """
constexpr int N = 8;
extern __shared__ double at_file_scope[];
__global__ void none() {}
__global__ void fixed() { __shared__ float t[N][N + 1]; __shared__ char c; __shared__ double d; }
__global__ void dynamic() { extern __shared__ float s[]; }
__global__ void outer(double *o) { o[0] = at_file_scope[0]; }
"""
    found = parse(source).signatures
    assert {name: kernel.dynamic_shared for name, kernel in found.items()} == {
        "none": False,
        "fixed": False,
        "dynamic": True,
        "outer": True,
    }
    assert found["fixed"].shared == 8 * 9 * 4 + 8 + 8
    assert found["none"].shared == found["dynamic"].shared == 0


def test_launch_bounds():
    source = """
#define B 32
enum { E = 7 };
constexpr int Q = 5 * 2;
__global__ void __launch_bounds__(128, 2) a() {}
__launch_bounds__(B * 4) __global__ void b() {}
__global__ void __launch_bounds__(Q * E) c() {}
__global__ void d() {}
"""
    found = parse(source).signatures
    assert [kernel.max_threads for kernel in found.values()] == [128, 128, 70, None]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("__global__ void k(int *o) {\n  o[0] = 1\n}", "user.cu:2:11: error: expected ';'"),
        ("\n__global__ void k(Foo *o) {}", "user.cu:2:19: error: unknown type name 'Foo'"),
        ("struct A;\n__global__ void k(A a) {}", "user.cu:2:21: error: a kernel's parameter cannot be"),
        ("__global__ void k(int &a) {}", "user.cu:1:24: error: a kernel's parameter cannot be a reference"),
        ("__global__ int k(int a) { return a; }", "user.cu:1:12: error: kernel function type"),
        ("__device__ int f() { return 1; }", "user.cu: no __global__ function"),
        ('#include "mine.h"\n__global__ void k() {}', "user.cu:1:10: error: 'mine.h' file not found"),
        ("__global__ void k(int a) {}\n__global__ void k(float a) {}", "user.cu:2:17: error: there is"),
        ("__device__ void f() {\n  __shared__ int s; }\n__global__ void k() {}", "user.cu:2:18: error: "),
        ("__global__ void k() { auto f = [] { __shared__ int s; }; }", "user.cu:1:52: error: __shared__"),
    ],
)
def test_errors_are_at_the_users_lines(source, message):
    with pytest.raises(CompileError) as caught:
        parse(source, "user.cu")
    assert str(caught.value).startswith(message)


def test_an_error_quotes_its_line():
    with pytest.raises(CompileError) as caught:
        parse("\n__global__ void k(int *o) {\n\to[0] = 1\n}", "user.cu")
    assert str(caught.value).splitlines()[1:] == ["\to[0] = 1", "\t        ^"]


def test_what_is_wrong_in_a_body_is_left_to_the_device():
    found = parse("__global__ void k(float *o) { o[0] = unknown(1) + Missing(2); }").signatures
    assert str(found["k"]) == "k(float *o)"


def test_a_source_may_bring_its_own_vector_types():
    source = "struct float3 { double x, y, z; };\n__global__ void k(float3 v, dim3 d) {}"
    assert [parameter.size for parameter in parse(source).signatures["k"].parameters] == [24, 12]


def test_from_many_threads():
    failures = []

    def work(number: int) -> None:
        try:
            for _ in range(10):
                found = parse(f"__global__ void k{number}(float *o) {{ __shared__ int t[{number + 1}]; }}")
                assert found.signatures[f"k{number}"].shared >= 4 * (number + 1)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
