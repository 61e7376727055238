"""Errors in device code are errors, however its functions are declared: only those of host code are put up with."""

import pytest

import launchpath as lp

BODY = "{\n    c[0] = 1;\n    c[1] = nope;\n}\n"
HEADS = [
    'extern "C" __global__ void k(float* c) BODY',
    'extern "C"\n__global__ void k(float* c)\nBODY',
    "__global__ void __launch_bounds__(64) k(float* c) BODY",
    'extern "C" __global__ __launch_bounds__(64) void k(float* c) BODY',
    "namespace n { __global__ void k(float* c) BODY }",
    'extern "C" { __global__ void k(float* c) BODY }',
    'extern "C++" { namespace n { __global__ void k(float* c) BODY } }',
    '#define KERNEL extern "C" __global__ void\nKERNEL k(float* c) BODY',
    '#define KERNEL(name) extern "C" __global__ void name(float* c)\nKERNEL(k) BODY',
    "static __global__ void k(float* c) BODY",
    "inline __global__ void k(float* c) BODY",
    "void __global__ k(float* c) BODY",
    "[[maybe_unused]] __global__ void k(float* c) BODY",
    "template <class T> __global__ void k(T* c) BODY template __global__ void k<float>(float*);",
    "struct S { static __device__ void f(float* c) BODY }; __global__ void k(float* c) { S::f(c); }",
    "struct alignas(16) S { __device__ void f(float* c) BODY float x[4]; }; __global__ void k(float* c) { S s; s.f(c); }",
    'extern "C" struct S { __device__ void f(float* c) BODY }; __global__ void k(float* c) { S s; s.f(c); }',
    'extern "C" __device__ void f(float* c) BODY __global__ void k(float* c) { f(c); }',
    'extern "C" __device__ int f(float* c) BODY __global__ void k(float* c) { c[0] = f(c); }',
    'struct R { int a; }; extern "C" __device__ struct R f(float* c) BODY __global__ void k(float* c) { c[0] = f(c).a; }',
    "struct R { int a; }; __device__ struct R f(float* c) BODY __global__ void k(float* c) { c[0] = f(c).a; }",
    "constexpr int f(float* c) BODY __global__ void k(float* c) { c[0] = f(c); }",
    "template <class T> struct S { __device__ S& operator=(float* c) BODY }; __global__ void k(float* c) { S<int> s; s = c; }",
    "struct S { __device__ void operator()(float* c) const BODY }; __global__ void k(float* c) { S()(c); }",
    "union U { int a; __device__ void f(float* c) BODY }; __global__ void k(float* c) { U u; u.f(c); }",
    "__device__ auto f = [] __device__ (float* c) BODY; __global__ void k(float* c) { f(c); }",
    'extern "C" inline __device__ void f(float* c) BODY __global__ void k(float* c) { f(c); }',
    'struct S { __device__ S(float* c) BODY }; extern "C" __global__ void k(float* c) { S s(c); }',
    'extern "C" __global__ void k(float* c) try BODY catch (...) {}',
]


@pytest.mark.compiles
@pytest.mark.sample(40)
@pytest.mark.parametrize("source", HEADS)
def test_a_statement_that_cannot_be_compiled_is_refused(source: str) -> None:
    with pytest.raises(lp.CompileError, match="use of undeclared identifier 'nope'"):
        lp.compile(source.replace("BODY", BODY))
