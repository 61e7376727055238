"""Kernels whose parameter `b` is written, or may be, in as many ways as C++ has; and some that only read it."""

from typing import NamedTuple

TYPES = """
#include <string.h>
__device__ inline void *operator new(size_t, void *p, int) { return p; }
struct Inner { float x; float w[4]; };
struct Big {
  float data[64]; float grid[4][4]; Inner inner; Inner many[4]; int n; int flag; int bits : 5; bool on;
  union { float f; unsigned u; }; float *p;
};
struct Late { float x; mutable int n; };
struct Lately { float y; Late late[2]; };
struct Getter { float x; __device__ float get() const { return const_cast<Getter *>(this)->x += 1; } };
struct Holder { Getter g; };
struct Copied { float x; __device__ Copied() {} __device__ Copied(const Copied &o) : x(const_cast<Copied &>(o).x++) {} };
struct Copies { Copied c; float y; };
struct Indexed { float v[4]; __device__ float &operator[](int i) const { return const_cast<float &>(v[i]); } };
struct Index { Indexed i; };
"""

DEFINES = {"DEFINED": "(R)"}
HEADERS = {"set.h": "#define SET_THERE(x) ((float &)(x)) = 1\n"}


class Case(NamedTuple):
    """A kernel's body, what stands before the kernel, and its parameter."""

    body: str
    before: str = ""
    parameter: str = "Big b"


# None of these may be read in place.
WRITTEN = {
    "assignment": Case("b.n = 1; out[0] = b.n;"),
    "compound": Case("b.n <<= 1; out[0] = b.n;"),
    "increment": Case("b.n++; out[0] = b.n;"),
    "increment before, in brackets": Case("++(b.n); out[0] = b.n;"),
    "compound, through arrays": Case("b.grid[1][out[0] > 1] += 2; out[0] = b.grid[1][1];"),
    "index in front": Case("2[b.data] = 1; out[0] = b.data[2];"),
    "whole": Case("b = Big{}; out[0] = b.n;"),
    "comma": Case("(out[0], b.n) = 3; out[0] = b.n;"),
    "union": Case("b.u = 1; out[0] = b.f;"),
    "bit-field": Case("b.bits = 1; out[0] = b.bits;"),
    "ternary as an lvalue": Case("(out[0] > 1 ? b.data[0] : b.data[1]) = 3; out[0] = b.data[0];"),
    "ternary without its middle": Case("(b.n ?: b.flag) = 3; out[0] = b.n;"),
    "alias": Case("Big &r = b; r.n = 1; out[0] = b.n;"),
    "reference to a member": Case("float &r = b.inner.x; r = 1; out[0] = b.inner.x;"),
    "pointer": Case("float *q = b.data; q[2] = 1; out[0] = b.data[2];"),
    "auto pointer": Case("auto q = b.data; q[2] = 1; out[0] = b.data[2];"),
    "address": Case("*(&b.n) = 1; out[0] = b.n;"),
    "address, by function": Case(
        "*at(b.n) = 1; out[0] = b.n;", before="template <class T> __device__ T *at(T &x) { return &x; }"
    ),
    "cast to a reference": Case("(float &)b.n = 1; out[0] = b.n;"),
    "cast to a named reference": Case("Ref(b.data[1]) = 1; out[0] = b.data[1];", before="typedef float &Ref;"),
    "cast to a named reference, of const": Case(
        "const float &r = b.data[1]; (Ref)r = 1; out[0] = b.data[1];", before="typedef float &Ref;"
    ),
    "cast to a named pointer": Case("P q = (P)b.data; q[1] = 1; out[0] = b.data[1];", before="typedef float *P;"),
    "cast to a named pointer, as a function": Case(
        "P(b.data)[1] = 1; out[0] = b.data[1];", before="using P = float *;"
    ),
    "cast to a template's pointer": Case(
        "auto q = (To<float>::P)b.data; q[1] = 1; out[0] = b.data[1];",
        before="template <class T> struct To { typedef T *P; };",
    ),
    "cast by way of a number": Case(
        'auto q = (unsigned long long)b.data; asm volatile("" :: "l"(q)); out[0] = b.data[1];'
    ),
    "cast by way of a number, in a function": Case(
        "put((unsigned long long)b.data); out[0] = b.data[0];",
        before="__device__ void put(unsigned long long to) { *reinterpret_cast<float *>(to) = 1; }",
    ),
    "cast with static_cast": Case("static_cast<float &>(b.data[1]) = 1; out[0] = b.data[1];"),
    "const_cast": Case("const_cast<float &>(b.data[1]) = 1; out[0] = b.data[1];"),
    "const_cast in a function": Case(
        "strip(b.data)[1] = 1; out[0] = b.data[1];",
        before="__device__ float *strip(const float *p) { return const_cast<float *>(p); }",
    ),
    "const_cast in a function, by reference": Case(
        "strip(b.data[1]); out[0] = b.data[1];",
        before="__device__ void strip(const float &x) { const_cast<float &>(x) = 1; }",
    ),
    "const_cast in a function of a function": Case(
        "out[0] = outer(b.inner);",
        before="__device__ void inner(const Inner &x) { ((Inner &)x).x = 1; }\n"
        "__device__ float outer(const Inner &x) { inner(x); return x.x; }",
    ),
    "cast in a template": Case(
        "put(b.data); out[0] = b.data[0];", before="template <class T> __device__ void put(const T *p) { *(T *)p = 1; }"
    ),
    "cast in a template that is chosen by its type": Case(
        "put<float &>(b.data[1]); out[0] = b.data[1];",
        before="template <class T, class U> __device__ void put(const U &x) { ((T)x) = 1; }",
    ),
    "function that takes a reference": Case(
        "put(b.data[1]); out[0] = b.data[1];", before="__device__ void put(float &x) { x = 1; }"
    ),
    "function that takes a pointer": Case(
        "put(b.data); out[0] = b.data[0];", before="__device__ void put(float *x) { *x = 1; }"
    ),
    "function that takes a reference to a pointer": Case(
        "put(b.data); out[0] = b.data[1];",
        before="typedef float *P;\n__device__ void put(const float *const &p) { P q = (P)p; q[1] = 1; }",
    ),
    "reference to a pointer": Case(
        "const float *const &r = b.data; ((P)r)[1] = 1; out[0] = b.data[1];", before="typedef float *P;"
    ),
    "reference from a list": Case(
        "const float &r{b.data[1]}; ((R)r) = 1; out[0] = b.data[1];", before="typedef float &R;"
    ),
    "reference from a list, to a struct": Case(
        "const Inner &r{b.inner}; ((R)r).x = 1; out[0] = b.inner.x;", before="typedef Inner &R;"
    ),
    "argument from a list": Case(
        "put({b.data[1]}); out[0] = b.data[1];",
        before="__device__ void put(const float &x) { const_cast<float &>(x) = 1; }",
    ),
    "pointer that is set": Case(
        "const float *q = out; q = b.data; ((P)q)[1] = 1; out[0] = b.data[1];", before="typedef float *P;"
    ),
    "pointer in a struct": Case(
        "Pointer q{b.data}; ((P)q.p)[1] = 1; out[0] = b.data[1];",
        before="struct Pointer { const float *p; };\ntypedef float *P;",
    ),
    "pointer beside it": Case(
        "const float *q = b.data + 1; ((P)q)[1] = 1; out[0] = b.data[1];", before="typedef float *P;"
    ),
    "pointer that a lambda has": Case(
        "const float *q = b.data; auto f = [=] { ((P)q)[1] = 1; }; f(); out[0] = b.data[1];", before="typedef float *P;"
    ),
    "pointer of an address in a condition": Case(
        "if (const float *q = b.data) ((P)q)[1] = 1; out[0] = b.data[1];", before="typedef float *P;"
    ),
    "function for either": Case(
        "out[0] = put(b.data[1]);",
        before="__device__ float put(float &x) { return x = 1; }\n__device__ float put(const float &x) { return 2; }",
    ),
    "template for either": Case(
        "out[0] = put(b.data[1]);",
        before="template <class T> struct Is { enum { value = 0 }; };\n"
        "template <class T> struct Is<const T> { enum { value = 1 }; };\n"
        "template <class T> __device__ float put(T &) { return Is<T>::value; }",
    ),
    "function that is only declared": Case(
        "if (b.n) put(b.data[1]); out[0] = b.data[1];", before="__device__ void put(const float &x);"
    ),
    "function by its address": Case(
        "void (*f)(const float &) = put; f(b.data[1]); out[0] = b.data[1];",
        before="__device__ void put(const float &x) { const_cast<float &>(x) = 1; }",
    ),
    "function that stores the address": Case(
        "keep(b.data[1]); put(); out[0] = b.data[1];",
        before="__device__ const float *kept;\n__device__ void keep(const float &x) { kept = &x; }\n"
        "__device__ void put() { *(float *)kept = 1; }",
    ),
    "function that returns the reference": Case(
        "typedef float &R; ((R)same(b.data[1])) = 2; out[0] = b.data[1];",
        before="__device__ const float &same(const float &x) { return x; }",
    ),
    "lambda": Case("auto f = [&] { b.n = 1; }; f(); out[0] = b.n;"),
    "lambda with its own copy": Case("auto f = [b]() mutable { b.n = 1; return b.n; }; out[0] = f();"),
    "lambda with a reference": Case("auto f = [&r = b.n] { r = 1; }; f(); out[0] = b.n;"),
    "lambda that returns a reference": Case(
        "auto f = [&]() -> const float & { return b.data[1]; }; typedef float &R; ((R)f()) = 1; out[0] = b.data[1];"
    ),
    "memcpy": Case("memcpy(&b.n, &out[1], 4); out[0] = b.n;"),
    "memcpy to an array": Case("memcpy(b.data, &out[1], 4); out[0] = b.data[0];"),
    "memset, cast": Case("memset((void *)b.data, 0, 4); out[0] = b.data[0];"),
    "placement new": Case("new (&b.n, 1) int(3); out[0] = b.n;"),
    "atomic": Case("atomicAdd(&b.n, 1); out[0] = b.n;"),
    "macro": Case("SET(b.data[1]); out[0] = b.data[1];", before="#define SET(x) ((float &)(x)) = 1"),
    "macro of an include": Case("SET_THERE(b.data[1]); out[0] = b.data[1];", before='#include "set.h"'),
    "macro of the program": Case("(DEFINED b.data[1]) = 1; out[0] = b.data[1];", before="typedef float &R;"),
    "structured binding": Case("auto &[x, w] = b.inner; x = 1; out[0] = b.inner.x;"),
    "structured binding, cast": Case(
        "const auto &[x, w] = b.inner; ((R)x) = 1; out[0] = b.inner.x;", before="typedef float &R;"
    ),
    "loop over a range": Case("for (auto &x : b.data) x = 1; out[0] = b.data[1];"),
    "loop over a range, cast": Case("for (auto &x : b.data) (R)x = 1; out[0] = b.data[1];", before="typedef float &R;"),
    "mutable": Case("b.n = 1; out[0] = b.n;", parameter="Late b"),
    "mutable in const": Case("b.n = 1; out[0] = b.n;", parameter="const Late b"),
    "mutable in const, deep": Case("b.late[1].n = 1; out[0] = b.y;", parameter="const Lately b"),
    "mutable in a method": Case(
        "out[0] = b.lazy.next();",
        before="struct Lazy { mutable int n; __device__ int next() const { return n++; } };\nstruct Lazier { Lazy lazy; };",
        parameter="const Lazier b",
    ),
    "method": Case("out[0] = b.g.get();", parameter="Holder b"),
    "method of its own": Case("out[0] = b.get();", parameter="Getter b"),
    "operator": Case("b.i[1] = 2; out[0] = b.i.v[1];", parameter="Index b"),
    "operator beside it": Case(
        "b.inner << 2.f; out[0] = b.inner.x;",
        before="__device__ void operator<<(const Inner &x, float y) { ((Inner &)x).x = y; }",
    ),
    "conversion": Case(
        "out[0] = b.s; out[1] = b.s;",
        before="struct Sly { float x; __device__ operator float() const { return ((Sly *)this)->x++; } };\n"
        "struct Slyer { Sly s; };",
        parameter="Slyer b",
    ),
    "constructor that takes a reference": Case(
        "From f = b.inner; out[0] = f.y + b.inner.x;",
        before="struct From { float y; __device__ From(const Inner &x) { y = ((Inner &)x).x = 1; } };",
    ),
    "constructor that copies": Case("Copied c = b.c; out[0] = c.x + b.c.x;", parameter="Copies b"),
    "member that is a reference": Case(
        "Ref r{b.data[1]}; r.r = 2; out[0] = b.data[1];", before="struct Ref { float &r; };"
    ),
    "member that is a const reference": Case(
        "Ref r{b.data[1]}; ((R)r.r) = 2; out[0] = b.data[1];",
        before="struct Ref { const float &r; };\ntypedef float &R;",
    ),
    "pointer to a member": Case("int Big::*m = &Big::n; b.*m = 1; out[0] = b.n;"),
    "type of it": Case(
        "out[0] = Is<decltype((b.n))>::value;",
        before="template <class T> struct Is { enum { value = 0 }; };\n"
        "template <class T> struct Is<const T &> { enum { value = 1 }; };",
    ),
    "initializer of an if": Case("if (auto *q = (float *)b.data; q) *q = 1; out[0] = b.data[0];"),
    "initializer of a loop over a range": Case(
        "for (R r = (R)b.data[0]; float x : b.data) r = x; out[0] = b.data[0];", before="typedef float &R;"
    ),
    "initializer in a macro": Case(
        "IN; out[0] = b.data[0];", before="#define IN if (auto *q = (P)b.data; q) *q = 1\ntypedef float *P;"
    ),
    "cleanups": Case(
        "const float &r = b.data[Temporary{1}.i]; (R)r = 2; out[0] = b.data[1];",
        before="struct Temporary { int i; __device__ ~Temporary() {} };\ntypedef float &R;",
    ),
    "asm": Case('asm volatile("" : "+r"(b.n)); out[0] = b.n;'),
    "asm in a function": Case(
        "put(b.data); out[0] = b.data[0];",
        before='__device__ void put(const float *x) { asm volatile("" :: "l"(x) : "memory"); }',
    ),
    "asm in a macro": Case(
        "PUT(b.data); out[0] = b.data[0];", before='#define PUT(x) asm volatile("" :: "l"(x) : "memory")'
    ),
    "body in a macro": Case("BODY", before="#define BODY b.n = 1; out[0] = b.n;"),
    "name of a member": Case("out[0] = b.nope;"),
}
# These are only read.
READ = {
    "members": Case("out[0] = b.data[b.n] + b.grid[1][b.flag] * -b.inner.w[2] + b.many[b.n].x;"),
    "conditions": Case("if (b.on && !b.flag) out[0] = b.flag ? b.data[1] : 2; while (b.n > out[1]) out[1]++;"),
    "condition of one member": Case("if (b.on) out[0] = 1;"),
    "ternary": Case("out[0] = out[1] > 2 ? b.data[0] : b.data[1];"),
    "variable": Case("float x = b.data[2]; int n = b.n; x += b.inner.x; out[n] = x;"),
    "loop": Case("for (int i = 0; i < b.n; i++) out[i] += b.data[i];"),
    "loop over a range": Case("for (float x : b.data) out[0] += x;"),
    "union": Case("out[0] = b.u;"),
    "bit-field": Case("out[b.bits] = 0;"),
    "values to functions": Case(
        "out[0] = f(b.data[1], b.n);", before="__device__ float f(float x, int n) { return x * n; }"
    ),
    "references to functions": Case(
        "out[0] = sum(b.inner) + of(b.data, b.n);",
        before="template <class T> __device__ const T &least(const T &x, const T &y) { return x < y ? x : y; }\n"
        "__device__ float sum(const Inner &x) { return x.x + x.w[1]; }\n"
        "__device__ float of(const float *p, int n) { return p[n] + *p; }",
    ),
    "functions of the language": Case("out[0] = sqrtf(b.data[1]) + powf(b.inner.x, 2) + max(b.n, b.flag);"),
    "vectors": Case(
        "float4 v = b.v; out[b.i[1].x] = v.x + b.v.y + b.i[0].y;",
        before="struct Vectors { float4 v; int2 i[2]; };",
        parameter="Vectors b",
    ),
    "member by value": Case(
        "out[0] = sum(b.inner);", before="__device__ float sum(Inner x) { x.x++; return x.x + x.w[1]; }"
    ),
    "copy of a member": Case("Inner i = b.inner; i.x = 2; i = b.many[1]; out[0] = i.x;"),
    "const reference to a member": Case("const Inner &r = b.many[b.n]; out[0] = r.x + r.w[2];"),
    "const pointer to a member": Case("const float *q = b.data; out[0] = q[2];"),
    "cast to a number": Case("out[0] = (float)b.n + int(b.data[1]) + static_cast<double>(b.n);"),
    "size": Case("out[0] = sizeof(b.data) + b.n;"),
    "list": Case("Two t{b.data[0], b.data[1]}; out[0] = t.x;", before="struct Two { float x, y; };"),
    "lambda": Case("auto f = [&](int i) { float x = b.data[i]; out[i] = x; }; f(2);"),
    "const": Case("out[0] = b.data[1];", parameter="const Big b"),
    "lambda that returns": Case("auto f = [=](int i) { return b.data[i]; }; out[0] = f(1);"),
    "lambda that returns, by reference": Case("auto f = [&](int i) { return b.data[i]; }; out[0] = f(1);"),
    "recursive function": Case(
        "out[0] = sum(b.data, b.n);",
        before="__device__ float sum(const float *p, int n) { return n ? p[n] + sum(p, n - 1) : p[0]; }",
    ),
    "initializer of an if": Case("if (int n = b.n; n > 2) out[0] = n;"),
    "macro": Case("out[0] = GET(b, 2);", before="#define GET(x, i) x.data[i]"),
}
