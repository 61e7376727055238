"""What kernels take and what device globals are, as the parser lays them out."""

import pytest

from launchpath._compiler.extraction import instances as extracted
from launchpath._compiler.extraction.parameters.layout import Layout, layout
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.signature import Signature
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError
from tests.sample import amount
from tests.threads import at_once


def laid_out(text: str, *names: str, **around: object) -> Layout:
    unit = parse(sources.from_text(text, "user.cu", **around))
    return layout(unit, extracted.instances(unit, list(names)), unit.reduced())


def signatures(text: str, *names: str, **around: object) -> dict[str, Signature]:
    return {kernel.name: kernel for kernel in laid_out(text, *names, **around).signatures}


def signature(declaration: str, before: str = "") -> Signature:
    (kernel,) = laid_out(f"{before}\n__global__ void k({declaration}) {{}}").signatures
    return kernel


@pytest.mark.sample(15)
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
        ("const double &", "pointer", 8, "float64", True),
        ("unsigned long long *", "pointer", 8, "uint64", False),
        ("size_t *", "pointer", 8, "uint64", False),
        ("short *", "pointer", 8, "int16", False),
        ("float **", "pointer", 8, None, False),
        ("P *", "pointer", 8, None, False),
        ("Color *", "pointer", 8, "uint32", False),
        ("float (*)[4]", "pointer", 8, "float32", False),
        ("wchar_t *", "pointer", 8, "int32", False),
        ("const char16_t *", "pointer", 8, "uint16", True),
        ("char", "int8", 1, None, False),
        ("wchar_t", "int32", 4, None, False),
        ("const volatile wchar_t", "int32", 4, None, False),
        ("char16_t", "uint16", 2, None, False),
        ("char32_t", "uint32", 4, None, False),
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
    (parameter,) = signature(ctype, "struct P { float *a; bool b; };\nenum Color { RED };").parameters
    assert (parameter.kind, parameter.size, parameter.pointee, parameter.const) == (kind, size, pointee, const)
    assert parameter.name == "arg0"


@pytest.mark.parametrize(
    ("ctype", "kind", "pointee"),
    [("char8_t", "uint8", None), ("const char8_t *", "pointer", "uint8"), ("const volatile char8_t", "uint8", None)],
)
def test_char8_t(ctype, kind, pointee):
    (kernel,) = laid_out(f"__global__ void k({ctype}) {{}}", standard="c++20").signatures
    (parameter,) = kernel.parameters
    assert (parameter.kind, parameter.pointee) == (kind, pointee)


def test_layout():
    kernel = signature("bool a, double b, char c, short d, float4 e, int f")
    assert [parameter.offset for parameter in kernel.parameters] == [0, 8, 16, 18, 32, 48]
    assert kernel.size == 64  # 52, padded to the alignment of float4
    assert signature("int a").size == 8
    assert signature("").size == 0


def test_prints_as_declared():
    kernel = signature("float *out, const float *__restrict__ in, unsigned int n, float v[4], int")
    assert str(kernel) == "k(float *out, const float *in, unsigned int n, float *v, int arg4)"


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
    assert list(signatures(source)) == ["axpy_float", "axpy_double", "plain", "a::b::deep"]
    assert list(signatures(source, defines={"ON": None}))[-1] == "conditional"


def test_dynamic_shared_memory():
    assert not signature("").dynamic_shared
    assert (
        signature(
            "", "extern __shared__ double at_file_scope[];\n__device__ double f() { return at_file_scope[0]; }"
        ).dynamic_shared
        is False
    )
    assert signatures("__global__ void k() { extern __shared__ float s[]; }")["k"].dynamic_shared


def test_templates():
    source = """#include <cstdint>
enum class Mode { A, B };
template <class T> struct Box { T *data; T one; bool b; };
namespace n { template <class T, int N> __global__ void k(Box<T> box, const T *__restrict__ in, int (*table)[N], Mode m) {} }
template <class... T> __global__ void pack(int n, T... rest) {}
"""
    kernels = signatures(source, "n::k<double, 3>", "n::k<std::uint8_t,4>", "pack<float, char>")
    double, byte, pack = kernels.values()
    assert [(p.name, p.kind, p.size, p.offset) for p in double.parameters] == [
        ("box", "struct", 24, 0), ("in", "pointer", 8, 24), ("table", "pointer", 8, 32), ("m", "int32", 4, 40),
    ]  # fmt: skip
    assert [parameter.pointee for parameter in double.parameters] == [None, "float64", "int32", None]
    assert double.parameters[1].const
    assert byte.parameters[0].size == 16 and byte.parameters[1].pointee == "uint8"
    assert [(p.name, p.kind) for p in pack.parameters] == [("n", "int32"), ("rest", "float32"), ("arg2", "int8")]


def test_overloads():
    kernels = signatures("__global__ void k(int *a) {}\n__global__ void k(float *a, int n) {}")
    assert [(name, len(kernel.parameters)) for name, kernel in kernels.items()] == [
        ("k(int *)", 1), ("k(float *, int)", 2),
    ]  # fmt: skip


def test_globals():
    source = """struct P { int a; double b; };
__device__ int counter;
__constant__ float weights[3][4];
static __device__ unsigned char bytes[5];
namespace n { namespace { __device__ P p; } }
__device__ float *pointer;
struct S { static __device__ int member[2]; };
__device__ int S::member[2];
__device__ const P *table[2];
__device__ void (*function)(int);
__constant__ float3 axes[2];
namespace o { struct float3 { int a, b, c; }; }
__device__ o::float3 own;
int host;
__global__ void k() {}
"""
    assert laid_out(source).variables == {
        "counter": ("int32", (), ""),
        "weights": ("float32", (3, 4), ""),
        "bytes": ("uint8", (5,), ""),
        "n::p": ("uint8", (16,), ""),
        "pointer": ("uint64", (), "float32"),
        "S::member": ("int32", (2,), ""),
        "table": ("uint64", (2,), "void"),
        "function": ("uint64", (), ""),
        "axes": ("float32", (2, 3), ""),
        "own": ("uint8", (12,), ""),
    }


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
    kernels = signatures(source)
    assert [kernel.max_threads for kernel in kernels.values()] == [128, 128, 70, None]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "struct A;\n__global__ void k(A a) {}",
            "user.cu:2:17: error: parameter 'a' of kernel 'k' cannot be of type 'A'",
        ),
        ("__global__ void k(int &&a) {}", "user.cu:1:17: error: parameter 'a' of kernel 'k' cannot be a reference"),
        ("__global__ int k(int a) { return a; }", "user.cu:1:16: error: kernel 'k' must return void, not 'int'"),
        ("\n__global__ void k(Foo o) {}", "user.cu:2:19: error: unknown type name 'Foo'"),
    ],
)
def test_errors_are_at_the_users_lines(source, message):
    with pytest.raises(CompileError) as caught:
        laid_out(source)
    assert str(caught.value).startswith(message)


def test_an_error_quotes_its_line():
    with pytest.raises(CompileError) as caught:
        laid_out("\n__global__ void k(int *o,\n\tint &&b) {}")
    assert str(caught.value).splitlines()[1:] == ["__global__ void k(int *o,", " " * 16 + "^"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("k<Foo>", "cannot be instantiated: use of undeclared identifier 'Foo'"), ("k<3>", "cannot be instantiated")],
)
def test_templates_that_cannot_have_these_arguments(name, message):
    with pytest.raises(CompileError) as caught:
        laid_out("\ntemplate <class T> __global__ void k(T x) {}", name)
    assert str(caught.value).startswith(f"user.cu:2:36: error: kernel '{name}' {message}")


@pytest.mark.compiles
def test_from_many_threads():
    def work(number: int) -> None:
        for _ in range(amount(3, 10)):
            kernels = signatures(f"__global__ void k{number}(float (*o)[{number + 1}], int n) {{}}")
            assert kernels[f"k{number}"].parameters[0].ctype == f"float (*)[{number + 1}]"

    at_once(work, range(8))


STRUCTS = """
struct Never; struct Empty {}; struct Base { int n; }; struct Derived : Base { int m; }; union Either { int i; float f; };
struct Bits { unsigned a : 3, b : 5; }; struct Gap { int a; unsigned : 3; };
struct Inner { int a; union { int b; float c; }; }; struct InnerStruct { int a; struct { int b; }; };
struct Reference { int& r; }; struct Flexible { int n; float v[]; }; struct Virtual { virtual void f(); int n; };
template <class T> struct P { T a; const T* x; T bits : 3; }; template <class T> struct Of : P<T> {};
template <class T> struct Destroyed { virtual ~Destroyed(); T a; };
"""


@pytest.mark.parametrize(
    ("declaration", "why"),
    [
        ("const Never* p", "Never is incomplete: it is declared, but not defined"),
        ("const Empty* p", "Empty has no fields"),
        ("const Derived* p", "Derived has a base, Base"),
        ("const Either* p", "Either is a union"),
        ("const Bits* p", "Bits.a is a bit-field"),
        ("const Gap* p", "Gap has a bit-field without a name"),
        ("const Inner* p", "Inner has a union without a name in it"),
        ("const InnerStruct* p", "InnerStruct has a struct without a name in it"),
        ("const Reference* p", "Reference.r is a reference"),
        ("const Flexible* p", "Flexible.v is an array without elements"),
        ("const Virtual* p", "Virtual has virtual functions"),
        ("const P<int>* p", "P<int>.bits is a bit-field"),
        ("const Of<int>* p", "Of<int> has a base, P<T>"),
        ("const Destroyed<int>* p", "Destroyed<int> has virtual functions"),
        ("const void* p", "its parameter points to void, which is not a struct"),
        ("Base** p", "its parameter points to Base *, which is not a struct"),
        ("const Base& p", "its parameter is a reference"),
        ("Base p", ""),
        ("Base* p, int n", ""),
    ],
)
def test_why_a_struct_has_no_fields_to_call_by(declaration, why):
    kernel = signature(declaration, STRUCTS)
    assert (kernel.fields, kernel.no_fields) == ((), why)


def test_fields_of_templates_and_of_what_is_defined_later():
    before = """
    template <class T> struct P { T a; short n; T* x; };
    template <class T, int N> struct A { T all[N]; }; template <class T> struct A<T, 3> { T x, y, z; };
    struct Later; struct Named { union { int b; float c; } u; struct { char d; } s; };"""
    for declaration, wanted in (
        ("const P<double>* p", ["double a", "short n", "double *x"]),
        ("A<float, 2>* p", ["float[2] all"]),
        ("A<float, 3>* p", ["float x", "float y", "float z"]),
        ("const Named* p", ["union u", "struct s"]),
    ):
        assert [str(field) for field in signature(declaration, before).fields] == wanted
    (later,) = laid_out(f"{before}\n__global__ void k(Later* p) {{}}\nstruct Later {{ int a, b; }};").signatures
    assert [field.offset for field in later.fields] == [0, 4]


IN_STRUCTS = """
struct In { int a; float2 v; };
template <class T> struct Pair { T first; T second; };
struct Node { Node *next; unsigned char text[4]; };
struct Scale { const float *by; In in[2]; bool on; Pair<double> pair; cudaTextureObject_t image; Node node; };
struct Base { int q; };
struct Derived : Base { int r; };
union Either { int i; float f; };
"""


def test_structs_have_their_fields():
    kernel = signature("Scale s, float3 v, dim3 d, Derived x, Either e, Pair<short> p, float2 z", IN_STRUCTS)
    scale, vector, extents, derived, either, pair, pair_of_floats = kernel.parameters

    def places(parameter):
        return [(each.name, each.kind, each.size, each.offset) for each in parameter.members]

    assert places(scale) == [
        ("by", "pointer", 8, 0), ("in", "struct", 32, 8), ("on", "bool", 1, 40), ("pair", "struct", 16, 48),
        ("image", "texture", 8, 64), ("node", "struct", 16, 72),
    ]  # fmt: skip
    by, inside, _, doubles, _, node = scale.members
    assert (by.pointee, by.const) == ("float32", True)
    assert (inside.shape, places(inside)) == ((2,), [("", "struct", 16, 0)])
    assert places(inside.members[0]) == [("a", "int32", 4, 0), ("v", "struct", 8, 8)]
    assert inside.members[0].members[1].pointee == "complex64"
    assert places(doubles) == [("first", "float64", 8, 0), ("second", "float64", 8, 8)]
    assert places(node) == [("next", "pointer", 8, 0), ("text", "struct", 4, 8)]
    assert places(vector) == [("x", "float32", 4, 0), ("y", "float32", 4, 4), ("z", "float32", 4, 8)]
    assert [name for name, *_ in places(extents)] == ["x", "y", "z"]
    assert (derived.no_members, either.no_members) == ("Derived has a base, Base", "Either is a union")
    assert not derived.members + either.members
    assert places(pair) == [("first", "int16", 2, 0), ("second", "int16", 2, 2)]
    assert places(pair_of_floats) == [("x", "float32", 4, 0), ("y", "float32", 4, 4)]


def test_fields_of_a_pointer_have_their_fields():
    kernel = signature("const Scale *s", IN_STRUCTS)
    assert [len(field.members) for field in kernel.fields] == [0, 1, 0, 2, 0, 2]
