"""Pointers to member functions: constant ones, chosen at run time, in tables, of virtual functions and of bases."""

import pytest

import launchpath as lp

SOURCE = """
struct Five { int v[5]; };
struct A {
    int a;
    __device__ int f() const { return a; }
    __device__ int g() const { return -a; }
    __device__ __noinline__ int far(int x) const;
    __device__ __noinline__ Five five(Five by) const { Five r; for (int i = 0; i < 5; i++) r.v[i] = a * by.v[i]; return r; }
    __device__ void set(int x) { a = x; }
};
__device__ int A::far(int x) const { return a * 3 + x; }
typedef int (A::*Member)() const;

template <int (A::*M)() const> __device__ int of_template(const A& a) { return (a.*M)(); }
template <class M> __device__ int call(M m, const A& a) { return (a.*m)(); }
__global__ void constants(int* o, int c) {
    A a{o[0] + 7};
    Member m = &A::f;
    o[0] = (a.*m)();
    o[1] = of_template<&A::g>(a);
    o[2] = call(&A::f, A{5}) + call(&A::g, a);
    int (A::*far)(int) const = &A::far;
    o[3] = (a.*far)(c);
    Five (A::*five)(Five) const = &A::five;
    o[4] = (a.*five)(Five{{1, 2, 3, 4, 5}}).v[c];
    void (A::*set)(int) = &A::set;
    (a.*set)(40 + c);
    o[5] = a.a;
}
__global__ void chosen(int* o, int c) {
    A a{9};
    Member m = c ? &A::f : &A::g, none = c ? nullptr : &A::f;
    o[0] = (a.*m)();
    o[1] = none ? (a.*none)() : 100;
    o[2] = m == &A::f;
    int (A::*far)(int) const = c ? &A::far : nullptr;
    o[3] = far ? (a.*far)(2) : -1;
}

struct Base {
    int b;
    __device__ virtual int value(int x) const { return b + x; }
    __device__ int plain(int x) const { return b * x; }
    __device__ virtual int other(int x) const { return -x; }
};
struct Front { long pad; };
struct Derived : Front, Base {
    __device__ int value(int x) const override { return 1000 + b + x; }
    __device__ int other(int x) const override { return 2000 + x; }
    __device__ int own(int x) const { return pad + x; }
};
typedef int (Base::*OfBase)(int) const;
typedef int (Derived::*OfDerived)(int) const;
__device__ OfBase table[3] = {&Base::value, &Base::plain, &Base::other};
struct Entry { int n; OfBase m; };
__constant__ Entry entries[2] = {{5, &Base::plain}, {6, &Base::other}};
__global__ void tables(int* o, int c) {
    Derived d;
    d.pad = 50;
    d.b = 3;
    Base b;
    b.b = 4;
    const Base* either = c ? (const Base*)&d : &b;
    for (int i = 0; i < 3; i++) o[i] = (either->*table[i])(10);
    o[3] = (either->*entries[c].m)(entries[c].n);
    OfDerived mine[4] = {&Derived::own, &Base::plain, &Derived::value, &Base::other};
    for (int i = 0; i < 4; i++) o[4 + i] = (d.*mine[(i + c) & 3])(7);
}
__global__ void change(int* o, int c) { table[0] = c ? &Base::plain : &Base::other; }
"""
WANTED = {
    "constants": ([7, -7, -2, 21, 7, 40], [7, -7, -2, 22, 14, 41]),
    "chosen": ([-9, 9, 0, -1], [9, 100, 1, 29]),
    "tables": ([14, 40, -10, 20, 57, 21, 1010, 2007], [1013, 30, 2010, 2006, 21, 1010, 2007, 57]),
}


@pytest.mark.parametrize("kernel", WANTED)
@pytest.mark.parametrize("which", [0, 1])
def test_what_a_pointer_holds_is_called(device, kernels, kernel, which):
    wanted = WANTED[kernel][which]
    out = lp.zeros(len(wanted), "int32", device)
    kernels[kernel][1, 1](out, which)
    assert out.to_numpy().tolist() == wanted


def test_a_pointer_stored_by_a_kernel_is_called_by_another(device):
    program = lp.compile(SOURCE, device)
    out = lp.zeros(8, "int32", device)
    for which, wanted in ((1, 40), (0, -10)):
        program.change[1, 1](out, which)
        program.tables[1, 1](out, 0)
        assert out.to_numpy()[0] == wanted
