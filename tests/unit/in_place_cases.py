"""Kernels whose parameter `b` is written, or may be, in as many ways as C++ has; and some that only read it."""

from __future__ import annotations

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

# name: (what stands before the kernel, the parameter, the body). None of these may be read in place.
WRITTEN = {
    "assignment": ("", "Big b", "b.n = 1; out[0] = b.n;"),
    "compound": ("", "Big b", "b.n <<= 1; out[0] = b.n;"),
    "increment": ("", "Big b", "b.n++; out[0] = b.n;"),
    "increment before, in brackets": ("", "Big b", "++(b.n); out[0] = b.n;"),
    "compound, through arrays": ("", "Big b", "b.grid[1][out[0] > 1] += 2; out[0] = b.grid[1][1];"),
    "index in front": ("", "Big b", "2[b.data] = 1; out[0] = b.data[2];"),
    "whole": ("", "Big b", "b = Big{}; out[0] = b.n;"),
    "comma": ("", "Big b", "(out[0], b.n) = 3; out[0] = b.n;"),
    "union": ("", "Big b", "b.u = 1; out[0] = b.f;"),
    "bit-field": ("", "Big b", "b.bits = 1; out[0] = b.bits;"),
    "ternary as an lvalue": ("", "Big b", "(out[0] > 1 ? b.data[0] : b.data[1]) = 3; out[0] = b.data[0];"),
    "ternary without its middle": ("", "Big b", "(b.n ?: b.flag) = 3; out[0] = b.n;"),
    "alias": ("", "Big b", "Big &r = b; r.n = 1; out[0] = b.n;"),
    "reference to a member": ("", "Big b", "float &r = b.inner.x; r = 1; out[0] = b.inner.x;"),
    "pointer": ("", "Big b", "float *q = b.data; q[2] = 1; out[0] = b.data[2];"),
    "auto pointer": ("", "Big b", "auto q = b.data; q[2] = 1; out[0] = b.data[2];"),
    "address": ("", "Big b", "*(&b.n) = 1; out[0] = b.n;"),
    "address, by function": (
        "template <class T> __device__ T *at(T &x) { return &x; }",
        "Big b",
        "*at(b.n) = 1; out[0] = b.n;",
    ),
    "cast to a reference": ("", "Big b", "(float &)b.n = 1; out[0] = b.n;"),
    "cast to a named reference": ("typedef float &Ref;", "Big b", "Ref(b.data[1]) = 1; out[0] = b.data[1];"),
    "cast to a named reference, of const": (
        "typedef float &Ref;",
        "Big b",
        "const float &r = b.data[1]; (Ref)r = 1; out[0] = b.data[1];",
    ),
    "cast to a named pointer": ("typedef float *P;", "Big b", "P q = (P)b.data; q[1] = 1; out[0] = b.data[1];"),
    "cast to a named pointer, as a function": ("using P = float *;", "Big b", "P(b.data)[1] = 1; out[0] = b.data[1];"),
    "cast to a template's pointer": (
        "template <class T> struct To { typedef T *P; };",
        "Big b",
        "auto q = (To<float>::P)b.data; q[1] = 1; out[0] = b.data[1];",
    ),
    "cast by way of a number": (
        "",
        "Big b",
        'auto q = (unsigned long long)b.data; asm volatile("" :: "l"(q)); out[0] = b.data[1];',
    ),
    "cast by way of a number, in a function": (
        "__device__ void put(unsigned long long to) { *reinterpret_cast<float *>(to) = 1; }",
        "Big b",
        "put((unsigned long long)b.data); out[0] = b.data[0];",
    ),
    "cast with static_cast": ("", "Big b", "static_cast<float &>(b.data[1]) = 1; out[0] = b.data[1];"),
    "const_cast": ("", "Big b", "const_cast<float &>(b.data[1]) = 1; out[0] = b.data[1];"),
    "const_cast in a function": (
        "__device__ float *strip(const float *p) { return const_cast<float *>(p); }",
        "Big b",
        "strip(b.data)[1] = 1; out[0] = b.data[1];",
    ),
    "const_cast in a function, by reference": (
        "__device__ void strip(const float &x) { const_cast<float &>(x) = 1; }",
        "Big b",
        "strip(b.data[1]); out[0] = b.data[1];",
    ),
    "const_cast in a function of a function": (
        "__device__ void inner(const Inner &x) { ((Inner &)x).x = 1; }\n"
        "__device__ float outer(const Inner &x) { inner(x); return x.x; }",
        "Big b",
        "out[0] = outer(b.inner);",
    ),
    "cast in a template": (
        "template <class T> __device__ void put(const T *p) { *(T *)p = 1; }",
        "Big b",
        "put(b.data); out[0] = b.data[0];",
    ),
    "cast in a template that is chosen by its type": (
        "template <class T, class U> __device__ void put(const U &x) { ((T)x) = 1; }",
        "Big b",
        "put<float &>(b.data[1]); out[0] = b.data[1];",
    ),
    "function that takes a reference": (
        "__device__ void put(float &x) { x = 1; }",
        "Big b",
        "put(b.data[1]); out[0] = b.data[1];",
    ),
    "function that takes a pointer": (
        "__device__ void put(float *x) { *x = 1; }",
        "Big b",
        "put(b.data); out[0] = b.data[0];",
    ),
    "function that takes a reference to a pointer": (
        "typedef float *P;\n__device__ void put(const float *const &p) { P q = (P)p; q[1] = 1; }",
        "Big b",
        "put(b.data); out[0] = b.data[1];",
    ),
    "reference to a pointer": (
        "typedef float *P;",
        "Big b",
        "const float *const &r = b.data; ((P)r)[1] = 1; out[0] = b.data[1];",
    ),
    "reference from a list": (
        "typedef float &R;",
        "Big b",
        "const float &r{b.data[1]}; ((R)r) = 1; out[0] = b.data[1];",
    ),
    "reference from a list, to a struct": (
        "typedef Inner &R;",
        "Big b",
        "const Inner &r{b.inner}; ((R)r).x = 1; out[0] = b.inner.x;",
    ),
    "argument from a list": (
        "__device__ void put(const float &x) { const_cast<float &>(x) = 1; }",
        "Big b",
        "put({b.data[1]}); out[0] = b.data[1];",
    ),
    "pointer that is set": (
        "typedef float *P;",
        "Big b",
        "const float *q = out; q = b.data; ((P)q)[1] = 1; out[0] = b.data[1];",
    ),
    "pointer in a struct": (
        "struct Pointer { const float *p; };\ntypedef float *P;",
        "Big b",
        "Pointer q{b.data}; ((P)q.p)[1] = 1; out[0] = b.data[1];",
    ),
    "pointer beside it": (
        "typedef float *P;",
        "Big b",
        "const float *q = b.data + 1; ((P)q)[1] = 1; out[0] = b.data[1];",
    ),
    "pointer that a lambda has": (
        "typedef float *P;",
        "Big b",
        "const float *q = b.data; auto f = [=] { ((P)q)[1] = 1; }; f(); out[0] = b.data[1];",
    ),
    "pointer of an address in a condition": (
        "typedef float *P;",
        "Big b",
        "if (const float *q = b.data) ((P)q)[1] = 1; out[0] = b.data[1];",
    ),
    "function for either": (
        "__device__ float put(float &x) { return x = 1; }\n__device__ float put(const float &x) { return 2; }",
        "Big b",
        "out[0] = put(b.data[1]);",
    ),
    "template for either": (
        "template <class T> struct Is { enum { value = 0 }; };\n"
        "template <class T> struct Is<const T> { enum { value = 1 }; };\n"
        "template <class T> __device__ float put(T &) { return Is<T>::value; }",
        "Big b",
        "out[0] = put(b.data[1]);",
    ),
    "function that is only declared": (
        "__device__ void put(const float &x);",
        "Big b",
        "if (b.n) put(b.data[1]); out[0] = b.data[1];",
    ),
    "function by its address": (
        "__device__ void put(const float &x) { const_cast<float &>(x) = 1; }",
        "Big b",
        "void (*f)(const float &) = put; f(b.data[1]); out[0] = b.data[1];",
    ),
    "function that stores the address": (
        "__device__ const float *kept;\n__device__ void keep(const float &x) { kept = &x; }\n"
        "__device__ void put() { *(float *)kept = 1; }",
        "Big b",
        "keep(b.data[1]); put(); out[0] = b.data[1];",
    ),
    "function that returns the reference": (
        "__device__ const float &same(const float &x) { return x; }",
        "Big b",
        "typedef float &R; ((R)same(b.data[1])) = 2; out[0] = b.data[1];",
    ),
    "lambda": ("", "Big b", "auto f = [&] { b.n = 1; }; f(); out[0] = b.n;"),
    "lambda with its own copy": ("", "Big b", "auto f = [b]() mutable { b.n = 1; return b.n; }; out[0] = f();"),
    "lambda with a reference": ("", "Big b", "auto f = [&r = b.n] { r = 1; }; f(); out[0] = b.n;"),
    "lambda that returns a reference": (
        "",
        "Big b",
        "auto f = [&]() -> const float & { return b.data[1]; }; typedef float &R; ((R)f()) = 1; out[0] = b.data[1];",
    ),
    "memcpy": ("", "Big b", "memcpy(&b.n, &out[1], 4); out[0] = b.n;"),
    "memcpy to an array": ("", "Big b", "memcpy(b.data, &out[1], 4); out[0] = b.data[0];"),
    "memset, cast": ("", "Big b", "memset((void *)b.data, 0, 4); out[0] = b.data[0];"),
    "placement new": ("", "Big b", "new (&b.n, 1) int(3); out[0] = b.n;"),
    "atomic": ("", "Big b", "atomicAdd(&b.n, 1); out[0] = b.n;"),
    "macro": ("#define SET(x) ((float &)(x)) = 1", "Big b", "SET(b.data[1]); out[0] = b.data[1];"),
    "macro of an include": ('#include "set.h"', "Big b", "SET_THERE(b.data[1]); out[0] = b.data[1];"),
    "macro of the program": ("typedef float &R;", "Big b", "(DEFINED b.data[1]) = 1; out[0] = b.data[1];"),
    "structured binding": ("", "Big b", "auto &[x, w] = b.inner; x = 1; out[0] = b.inner.x;"),
    "structured binding, cast": (
        "typedef float &R;",
        "Big b",
        "const auto &[x, w] = b.inner; ((R)x) = 1; out[0] = b.inner.x;",
    ),
    "loop over a range": ("", "Big b", "for (auto &x : b.data) x = 1; out[0] = b.data[1];"),
    "loop over a range, cast": ("typedef float &R;", "Big b", "for (auto &x : b.data) (R)x = 1; out[0] = b.data[1];"),
    "mutable": ("", "Late b", "b.n = 1; out[0] = b.n;"),
    "mutable in const": ("", "const Late b", "b.n = 1; out[0] = b.n;"),
    "mutable in const, deep": ("", "const Lately b", "b.late[1].n = 1; out[0] = b.y;"),
    "mutable in a method": (
        "struct Lazy { mutable int n; __device__ int next() const { return n++; } };\nstruct Lazier { Lazy lazy; };",
        "const Lazier b",
        "out[0] = b.lazy.next();",
    ),
    "method": ("", "Holder b", "out[0] = b.g.get();"),
    "method of its own": ("", "Getter b", "out[0] = b.get();"),
    "operator": ("", "Index b", "b.i[1] = 2; out[0] = b.i.v[1];"),
    "operator beside it": (
        "__device__ void operator<<(const Inner &x, float y) { ((Inner &)x).x = y; }",
        "Big b",
        "b.inner << 2.f; out[0] = b.inner.x;",
    ),
    "conversion": (
        "struct Sly { float x; __device__ operator float() const { return ((Sly *)this)->x++; } };\n"
        "struct Slyer { Sly s; };",
        "Slyer b",
        "out[0] = b.s; out[1] = b.s;",
    ),
    "constructor that takes a reference": (
        "struct From { float y; __device__ From(const Inner &x) { y = ((Inner &)x).x = 1; } };",
        "Big b",
        "From f = b.inner; out[0] = f.y + b.inner.x;",
    ),
    "constructor that copies": ("", "Copies b", "Copied c = b.c; out[0] = c.x + b.c.x;"),
    "member that is a reference": (
        "struct Ref { float &r; };",
        "Big b",
        "Ref r{b.data[1]}; r.r = 2; out[0] = b.data[1];",
    ),
    "member that is a const reference": (
        "struct Ref { const float &r; };\ntypedef float &R;",
        "Big b",
        "Ref r{b.data[1]}; ((R)r.r) = 2; out[0] = b.data[1];",
    ),
    "pointer to a member": ("", "Big b", "int Big::*m = &Big::n; b.*m = 1; out[0] = b.n;"),
    "type of it": (
        "template <class T> struct Is { enum { value = 0 }; };\n"
        "template <class T> struct Is<const T &> { enum { value = 1 }; };",
        "Big b",
        "out[0] = Is<decltype((b.n))>::value;",
    ),
    "initializer of an if": ("", "Big b", "if (auto *q = (float *)b.data; q) *q = 1; out[0] = b.data[0];"),
    "initializer of a loop over a range": (
        "typedef float &R;",
        "Big b",
        "for (R r = (R)b.data[0]; float x : b.data) r = x; out[0] = b.data[0];",
    ),
    "initializer in a macro": (
        "#define IN if (auto *q = (P)b.data; q) *q = 1\ntypedef float *P;",
        "Big b",
        "IN; out[0] = b.data[0];",
    ),
    "cleanups": (
        "struct Temporary { int i; __device__ ~Temporary() {} };\ntypedef float &R;",
        "Big b",
        "const float &r = b.data[Temporary{1}.i]; (R)r = 2; out[0] = b.data[1];",
    ),
    "asm": ("", "Big b", 'asm volatile("" : "+r"(b.n)); out[0] = b.n;'),
    "asm in a function": (
        '__device__ void put(const float *x) { asm volatile("" :: "l"(x) : "memory"); }',
        "Big b",
        "put(b.data); out[0] = b.data[0];",
    ),
    "asm in a macro": (
        '#define PUT(x) asm volatile("" :: "l"(x) : "memory")',
        "Big b",
        "PUT(b.data); out[0] = b.data[0];",
    ),
    "body in a macro": ("#define BODY b.n = 1; out[0] = b.n;", "Big b", "BODY"),
    "name of a member": ("", "Big b", "out[0] = b.nope;"),
}
# name: the same. These are only read.
READ = {
    "members": ("", "Big b", "out[0] = b.data[b.n] + b.grid[1][b.flag] * -b.inner.w[2] + b.many[b.n].x;"),
    "conditions": ("", "Big b", "if (b.on && !b.flag) out[0] = b.flag ? b.data[1] : 2; while (b.n > out[1]) out[1]++;"),
    "condition of one member": ("", "Big b", "if (b.on) out[0] = 1;"),
    "ternary": ("", "Big b", "out[0] = out[1] > 2 ? b.data[0] : b.data[1];"),
    "variable": ("", "Big b", "float x = b.data[2]; int n = b.n; x += b.inner.x; out[n] = x;"),
    "loop": ("", "Big b", "for (int i = 0; i < b.n; i++) out[i] += b.data[i];"),
    "loop over a range": ("", "Big b", "for (float x : b.data) out[0] += x;"),
    "union": ("", "Big b", "out[0] = b.u;"),
    "bit-field": ("", "Big b", "out[b.bits] = 0;"),
    "values to functions": (
        "__device__ float f(float x, int n) { return x * n; }",
        "Big b",
        "out[0] = f(b.data[1], b.n);",
    ),
    "references to functions": (
        "template <class T> __device__ const T &least(const T &x, const T &y) { return x < y ? x : y; }\n"
        "__device__ float sum(const Inner &x) { return x.x + x.w[1]; }\n"
        "__device__ float of(const float *p, int n) { return p[n] + *p; }",
        "Big b",
        "out[0] = sum(b.inner) + of(b.data, b.n);",
    ),
    "functions of the language": ("", "Big b", "out[0] = sqrtf(b.data[1]) + powf(b.inner.x, 2) + max(b.n, b.flag);"),
    "vectors": (
        "struct Vectors { float4 v; int2 i[2]; };",
        "Vectors b",
        "float4 v = b.v; out[b.i[1].x] = v.x + b.v.y + b.i[0].y;",
    ),
    "member by value": (
        "__device__ float sum(Inner x) { x.x++; return x.x + x.w[1]; }",
        "Big b",
        "out[0] = sum(b.inner);",
    ),
    "copy of a member": ("", "Big b", "Inner i = b.inner; i.x = 2; i = b.many[1]; out[0] = i.x;"),
    "const reference to a member": ("", "Big b", "const Inner &r = b.many[b.n]; out[0] = r.x + r.w[2];"),
    "const pointer to a member": ("", "Big b", "const float *q = b.data; out[0] = q[2];"),
    "cast to a number": ("", "Big b", "out[0] = (float)b.n + int(b.data[1]) + static_cast<double>(b.n);"),
    "size": ("", "Big b", "out[0] = sizeof(b.data) + b.n;"),
    "list": ("struct Two { float x, y; };", "Big b", "Two t{b.data[0], b.data[1]}; out[0] = t.x;"),
    "lambda": ("", "Big b", "auto f = [&](int i) { float x = b.data[i]; out[i] = x; }; f(2);"),
    "const": ("", "const Big b", "out[0] = b.data[1];"),
    "lambda that returns": ("", "Big b", "auto f = [=](int i) { return b.data[i]; }; out[0] = f(1);"),
    "lambda that returns, by reference": ("", "Big b", "auto f = [&](int i) { return b.data[i]; }; out[0] = f(1);"),
    "recursive function": (
        "__device__ float sum(const float *p, int n) { return n ? p[n] + sum(p, n - 1) : p[0]; }",
        "Big b",
        "out[0] = sum(b.data, b.n);",
    ),
    "initializer of an if": ("", "Big b", "if (int n = b.n; n > 2) out[0] = n;"),
    "macro": ("#define GET(x, i) x.data[i]", "Big b", "out[0] = GET(b, 2);"),
}
