"""Bodies of programs: which may be exchanged, and that another statement at the entries alone changes nothing."""

import pytest

from launchpath._compiler.cache.entry import Entry
from launchpath._compiler.image import from_entry
from launchpath._compiler.rtc import body, waiting
from launchpath._compiler.target import Target
from tests.unit.support.rtc import by_nvrtc, compiled

CODE = waiting.statement(0)
FAR = "__device__ __noinline__ float far(float x) { return x * 3 + 1; }\n"
NEAR = "__device__ __noinline__ float near(float x) { return x * 5 + 1; }\n"
POINTER = "typedef float (*Function)(float);\n"


def target(threads=0):
    return Target("cuda", {}, frozenset(), "CUDA", "sm_90", dependent=True, trigger_threads=threads)


def kernel(statements):
    return f'extern "C" __global__ void k(float *a, int n) {{ {statements} }}\n'


FREE = {
    "plain": kernel("a[n] += 1;"),
    "calls": FAR + kernel("a[n] = far(a[n]);"),
    "headers": "#include <limits>\n#include <type_traits>\n" + kernel("a[n] += std::numeric_limits<float>::max();"),
    "math": kernel("a[n] = sinf(a[n]) + sin((double)a[n]);"),
    "shared": "extern __shared__ float t[];\n"
    + kernel("__shared__ float s[9]; s[n] = t[n]; a[n] = s[8 - n] + t[n + 1];"),
    "own stack": kernel("float t[8] = {1, 2, 3}; a[n] = t[n];"),
    "a variable that nothing names": "__device__ int spare;\n" + kernel("a[n] += 1;"),
    "hidden kernel": "namespace { __global__ void hidden(float *a) { a[0] += 1; } }\n" + kernel("a[n] += 1;"),
}
BOUND = {
    "device variable": "__device__ int v;\n" + kernel("a[n] += v;"),
    "constant variable": "__constant__ int v;\n" + kernel("a[n] += v;"),
    "managed variable": "__managed__ int v;\n" + kernel("a[n] += v;"),
    "static of a function": "__device__ int f() { static int c; return ++c; }\n" + kernel("a[n] += f();"),
    "static of a kernel": kernel("static __device__ int c; a[n] += ++c;"),
    "constant table": "static __device__ const float t[8] = {1, 2, 3};\n" + kernel("a[n] = t[n];"),
    "output": "#include <cstdio>\n" + kernel('printf("%d", n);'),
    "assertion": "#include <cassert>\n" + kernel("assert(n);"),
    "address of a function": FAR + POINTER + kernel("((Function *)a)[n] = far;"),
    "choice of functions": FAR + NEAR + POINTER + kernel("Function f = n ? far : near; a[n] = f(a[n]);"),
    "table of functions": FAR + NEAR + POINTER + "__device__ Function t[2] = {far, near};\n" + kernel("a[n] = t[n](a[n]);"),
    "function by its address": POINTER + kernel("a[n] = ((Function *)a)[n](1);"),
    "virtual functions": "struct A { __device__ virtual int f() { return n; } int n; };\n" + kernel("new (a) A; a[n] = ((A *)a)->f();"),
    "heap": kernel("((int **)a)[n] = new int[n];"),
    "text": kernel('((const char **)a)[n] = "text";'),
    "address of a kernel": "__global__ void other(int *p) { *p = 1; }\n" + kernel("((void **)a)[n] = (void *)other;"),
}  # fmt: skip


@by_nvrtc
@pytest.mark.parametrize("name", FREE)
def test_programs_without_state(name):
    first, again, early, other = (
        compiled(text, to=target(threads))
        for text, threads in ((FREE[name], 0), (FREE[name], 0), (FREE[name], 135168), (FREE[name] + kernel("").replace(" k(", " l("), 0))
    )  # fmt: skip
    assert first.body
    assert first.body == again.body == early.body
    assert first.code != early.code
    assert first.waiting == early.waiting != other.waiting
    assert other.body != first.body


@by_nvrtc
@pytest.mark.parametrize("name", BOUND)
def test_programs_with_a_state_of_their_own(name):
    image = compiled(BOUND[name], to=target())
    assert image.body == ""
    assert "k" in image.waiting


@by_nvrtc
def test_other_code_is_another_body():
    bodies = {compiled(kernel(f"a[n] += {number};"), to=target()).body for number in (1, 2, 3)}
    assert len(bodies) == 3


@by_nvrtc
def test_programs_whose_kernels_do_not_wait_have_none():
    assert compiled(FREE["plain"], to=target()._replace(dependent=False)).body == ""


@by_nvrtc
def test_it_is_kept():
    image = compiled(FREE["plain"], to=target())
    assert from_entry(Entry.decode(image.to_entry().encode(), "a file")).body == image.body
    assert "body" not in image._replace(body="").to_entry().meta


PTX = ".version 8.0\n.visible .entry k(\n\t.param .u64 p\n)\n{{\n\t{code}\n{body}\tret;\n}}\n"


@pytest.mark.parametrize(
    ("before", "inside", "is_free"),
    [
        ("", "", True),
        (".global .align 4 .u32 v;\n", "", True),
        (".global .align 4 .u32 v;\n", "\t// v\n", True),
        (".visible .global .align 4 .u32 v = 3;\n", "\tld.global.u32 %r1, [v];\n", False),
        (".const .align 4 .b8 v[16] = {1, 0};\n", "\tld.const.u32 %r1, [v+4];\n", False),
        (".global .align 4 .b8 __cudart_i2opi_f[24] = {65, 144};\n", "\tmov.u64 %rd1, __cudart_i2opi_f;\n", True),
        (".global .attribute(.managed) .align 4 .u32 v;\n", "", False),
        (".global .align 4 .u32 v;\n.global .align 8 .u64 w = v;\n", "", False),
        (".global .texref v;\n", "\ttex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [v, {%r1}];\n", False),
        (".tex .u32 v;\n", "", False),
        (".extern .shared .align 16 .b8 t[];\n", "\tld.shared.u32 %r1, [t];\n", True),
        (".extern .global .align 4 .u32 v;\n", "", False),
        (".extern .func vprintf\n(\n\t.param .b64 p\n)\n;\n", "", False),
        (".func (.param .b32 r) f(\n\t.param .b32 p\n)\n{\n\tret;\n}\n", "\tcall.uni (r), f, (p);\n", True),
        (".func f()\n{\n\tret;\n}\n", "\tcall f;\n", True),
        (".func f()\n{\n\tret;\n}\n", "\tmov.u64 %rd1, f;\n", False),
        (".func f()\n{\n\tret;\n}\n", "\tcall %rd1, (), f;\n", False),
        (".func .unknown (f) f\n{\n\tret;\n}\n", "", False),
        ("", "\tprototype_0 : .callprototype ();\n", False),
        ("", "\tmov.u64 %rd1, k;\n", False),
    ],
)
def test_what_ptx_shows(before, inside, is_free):
    ptx = before + PTX.format(code=CODE, body=inside)
    assert bool(body.digest(ptx.encode(), CODE)) == is_free


def test_another_statement():
    texts = [PTX.format(code=waiting.statement(threads), body="") for threads in (0, 100)]
    digests = [
        body.digest(text.encode(), waiting.statement(threads)) for text, threads in zip(texts, (0, 100), strict=True)
    ]
    assert digests[0] == digests[1] != ""
    assert body.digest(texts[1].encode(), CODE) == "", "it has another statement"
