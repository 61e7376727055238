"""Classes that kernels take by value: a launch copies their bytes, and calls no constructor or destructor of theirs.

CUDA C++ Programming Guide, "__global__ function argument processing".
"""

import numpy as np
import pytest

import launchpath as lp

CLASSES = """
struct Counted {  // counts its copies, and its ends
    int *at;
    __host__ __device__ Counted(int *at) : at(at) {}
    __host__ __device__ Counted(const Counted &other) : at(other.at) { at[0] += 1; }
    __host__ __device__ ~Counted() { at[1] += 1; }
};
struct Owner {  // what copies and ends it is the host's
    int *at;
    int value;
    Owner(const Owner &other);
    ~Owner();
};
struct Moved { int *at; Moved(Moved &&other) : at(other.at) {} Moved(const Moved &) = delete; };
struct alignas(16) Wide { double x[5]; int *at; Wide(const Wide &other); };
struct Large { int *at; int values[2000]; Large(const Large &other); ~Large(); };
struct Plain { int *at; int value; };
"""


def _packed(array, *fields):
    """The bytes of a struct that begins with the array's address."""
    dtype = [("at", "u8"), *((f"f{i}", value.dtype) for i, value in enumerate(fields))]
    record = np.zeros(1, np.dtype(dtype, align=True))
    record["at"] = array.pointer
    for i, value in enumerate(fields):
        record[f"f{i}"] = value
    return record.tobytes()


@pytest.fixture
def counts(device):
    return lp.asarray(np.zeros(8, np.int32), device=device)


def test_copies_and_ends_are_not_run(device, counts):
    text = CLASSES + "__global__ void k(Counted c, const Counted d) { c.at[2] = 5; d.at[3] = 6; }"
    lp.compile(text, device=device).k[1, 1](_packed(counts), _packed(counts))
    assert counts.to_numpy()[:4].tolist() == [0, 0, 5, 6]


def test_a_copy_that_the_kernel_makes_is_run(device, counts):
    text = CLASSES + "__global__ void k(Counted c) { Counted other(c); other.at[2] = 5; }"
    lp.compile(text, device=device).k[1, 1](_packed(counts))
    assert counts.to_numpy()[:3].tolist() == [1, 1, 5]


def test_classes_that_only_the_host_copies(device, counts):
    text = (
        CLASSES
        + """
    __global__ void k(int first, Owner o, Plain p, Moved m, const Owner q) {
        o.at[0] = first; o.at[1] = o.value; p.at[2] = p.value; m.at[3] = 9; q.at[4] = q.value;
    }"""
    )
    owner, other = (_packed(counts, np.int32(value)) for value in (7, 11))
    lp.compile(text, device=device).k[1, 1](3, owner, _packed(counts, np.int32(8)), _packed(counts), other)
    assert counts.to_numpy()[:5].tolist() == [3, 7, 8, 9, 11]


def test_each_thread_writes_to_its_own(device):
    text = CLASSES + "__global__ void k(Owner o) { o.value += threadIdx.x; o.at[threadIdx.x] = o.value; }"
    out = lp.asarray(np.zeros(64, np.int32), device=device)
    lp.compile(text, device=device).k[1, 64](_packed(out, np.int32(100)))
    assert out.to_numpy().tolist() == [*range(100, 164)]


def test_alignment(device, counts):
    text = CLASSES + "__global__ void k(char c, Wide w, float f) { w.at[0] = w.x[4]; w.at[1] = c; w.at[2] = f; }"
    wide = np.zeros(1, np.dtype({"names": ["x", "at"], "formats": ["5f8", "u8"], "offsets": [0, 40], "itemsize": 48}))
    wide["x"], wide["at"] = [1, 2, 3, 4, 5], counts.pointer
    lp.compile(text, device=device).k[1, 1](12, wide.tobytes(), 3.5)
    assert counts.to_numpy()[:3].tolist() == [5, 12, 3]


def test_more_bytes_than_a_launch_takes(device):
    text = (
        CLASSES
        + """
    __global__ void k(Large l, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) l.at[i] = l.values[i]; }
    __global__ void turn(Large l, int n) { l.values[n] = 1; for (int i = 0; i < n; ++i) l.at[i] = l.values[n - i]; }
    """
    )
    values = np.arange(2000, dtype=np.int32)
    out = lp.asarray(np.zeros(2000, np.int32), device=device)
    large = out.pointer.to_bytes(8, "little") + values.tobytes()
    program = lp.compile(text, device=device)
    program.k[1, 32](large, 2000)
    assert (out.to_numpy() == values).all()
    program.turn[1, 1](large, 1999)
    assert out.to_numpy()[:1999].tolist() == [1, *range(1998, 0, -1)]


def test_references_are_addresses(device, counts):
    text = "struct P { int a, b; }; __global__ void k(int &x, const P &p, int n) { x = p.b + n; }"
    lp.compile(text, device).k[1, 1](counts, lp.asarray(np.array([4, 5], np.int32), device=device), 3)
    assert counts.to_numpy()[0] == 8


PADDED = """
struct Base { int a; char b; Base(const Base &other) : a(other.a), b(other.b) {} };
struct Derived : Base { char c; };
struct Outer { Derived d; int e; };
"""


@pytest.mark.opencl_only("NVRTC compiles the classes with their host's methods")
def test_the_parser_and_the_compiler_lay_classes_out_alike(device):
    # Where the host's constructor is cut, members of derived classes no longer stand in the padding of their base.
    program = lp.compile(PADDED + "__global__ void k(Outer *o) { o->d.a = (char *)&o->e - (char *)o; }", device)
    out = lp.zeros(8, "int32", device)
    program.k[1, 1](out)
    assert [field.offset for field in program.k.signature.fields] == [0, out.to_numpy()[0]]


@pytest.mark.opencl_only("NVRTC compiles the classes with their host's methods")
def test_such_a_class_by_value(device, counts):
    program = lp.compile(PADDED + "__global__ void k(int *out, Derived d) { out[0] = sizeof(d); }", device)
    program.k[1, 1](counts, bytes(program.k.signature.parameters[1].size))
    assert counts.to_numpy()[0] == program.k.signature.parameters[1].size


# What the C++ compilers of the host make of them: the padding of a base is used again if the class declares a
# constructor, a destructor or an assignment of its own.
BASES = """
#include <string>
template <class T> struct Derived : T { char last; };
struct Plain { int a; char b; };
struct Copied { int a; char b; Copied(const Copied &other) { a = other.a + 1; } };
struct Ended { int a; char b; ~Ended() { delete[] host(a); } int *host(int); };
struct Named { int a; char b; Named(std::string name) { a = name.size(); } };
struct Made { int a; char b; Made(int a) : a(a) { b = std::string("x").size(); } };
__global__ void sizes(int *to, Derived<Copied> value) {
  to[0] = sizeof(Derived<Plain>); to[1] = sizeof(Derived<Copied>); to[2] = sizeof(Derived<Ended>);
  to[3] = sizeof(Derived<Named>); to[4] = sizeof(Derived<Made>); to[5] = value.last;
}
"""


def test_bases_with_code_of_the_host_are_laid_out_as_on_the_host(device):
    program = lp.compile(BASES, device)
    to = lp.zeros(6, "int32", device)
    value = np.zeros(1, np.dtype({"names": ["a", "b", "last"], "formats": ["i4", "i1", "i1"], "itemsize": 8}))
    value["last"] = 7
    program.sizes[1, 1](to, value[0])
    assert to.to_numpy().tolist() == [12, 8, 8, 8, 8, 7]
