"""Kernels that wait at their entry: which get the statement, and which are found to have it."""

import pytest

from launchpath._compiler.binary import elf
from launchpath._compiler.rtc import waiting
from launchpath._compiler.rtc.text import entry_waits
from launchpath._compiler.target import Target
from tests.unit.support.rtc import by_nvrtc, compiled, failed, needs_nvrtc

CODE = waiting.statement(1000)


def cuda(architecture="sm_90", version=(0, 0), threads=135168):
    return Target("cuda", {}, frozenset(), "CUDA", architecture, version, dependent=True, trigger_threads=threads)


def written(text):
    """Mark what was written into a file by an underline and two stars."""
    changed, lines = entry_waits.waiting({"a.cu": text.encode()})
    return changed["a.cu"].decode().replace(entry_waits.INSERTED, "_**"), sorted(line for _, line in lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__global__ void k(int *a) { *a = 1; }", "__global__ void k(int *a) {_** *a = 1; }"),
        ("template <class T>\n__global__ void k(T *a)\n{\n}", "template <class T>\n__global__ void k(T *a)\n{_**\n}"),
        ("__launch_bounds__(64) __global__ void k(int n = f({1})) {}", "__launch_bounds__(64) __global__ void k(int n = f({1})) {_**}"),
        ("__global__ void __launch_bounds__(64, 2) k() {}", "__global__ void __launch_bounds__(64, 2) k() {_**}"),
        ("__global__ auto k(int a[3]) -> void {}", "__global__ auto k(int a[3]) -> void {_**}"),
        ('extern "C" __attribute__((global)) void k() {}', 'extern "C" __attribute__((global)) void k() {_**}'),
        ("__global__ void k(int);\nvoid f() {}", "__global__ void k(int);\nvoid f() {}"),
        ("// __global__ (x)\nvoid f() {}", "// __global__ (x)\nvoid f() {}"),
        ('const char *s = "__global__ (";\nvoid f() {}', 'const char *s = "__global__ (";\nvoid f() {}'),
        ("#define KERNEL __global__ void\nstruct S {};\nKERNEL k() {}", "#define KERNEL __global__ void\nstruct S {};\nKERNEL k() {_**}"),
        ("#define K(n) __global__ void n() { }\nK(a)", "#define K(n) __global__ void n() {_** }\nK(a)"),
        ("#define K(n) \\\n  __global__ void n() \\\n  { }", "#define K(n) \\\n  __global__ void n() \\\n  {_** }"),
        ("#if X __global__\nvoid f() {}\n#endif", "#if X __global__\nvoid f() {}\n#endif"),
        ("__global__ void k(\n#ifdef N\n  int n\n#endif\n) {}", "__global__ void k(\n#ifdef N\n  int n\n#endif\n) {_**}"),
        ("__global__ int x {};", "__global__ int x {};"),
        ("struct S { friend __global__ void k(S); };", "struct S { friend __global__ void k(S); };"),
    ],
)  # fmt: skip
def test_where_it_is_written(text, expected):
    assert written(text)[0] == expected


def test_lines_stay_and_are_known():
    text, lines = written("\n__global__ void a()\n{\n}\n\n__global__ void b() {\n}\n")
    assert lines == [3, 6]
    assert text.count("\n") == 7


def entry(before, body="", code=CODE):
    return f".visible .entry k(\n\t.param .u64 p\n)\n.maxntid 128, 1, 1\n{{\n{before}\n\t// begin inline asm\n\t{code}\n{body}\tret;\n}}\n"


@pytest.mark.parametrize(
    "before",
    [
        "",
        ".reg .pred %p<2>;\n.reg .b64 %rd<3>;\n.loc 1 4 0\n\tld.param.u64 %rd1, [p];\n\tcvta.to.global.u64 %rd2, %rd1;",
        ".local .align 8 .b8 __local_depot0[16];\n\tmov.u64 %SPL, __local_depot0;\n$L__tmp0:\n\tst.local.u32 [%SPL], %r1;",
        ".shared .align 4 .b8 t[512];\n\tmov.u32 %r1, %tid.x;\n\tadd.s32 %r2, %r1, 1;\n\tld.param.v2.u32 {%r3, %r4}, [p+8];",
    ],
)
def test_what_may_come_before(before):
    assert waiting.entries(entry(before).encode(), CODE) == {"k"}


@pytest.mark.parametrize(
    "before",
    [
        "\tld.global.u32 %r1, [%rd1];",
        "\tld.global.nc.f32 %f1, [%rd1];",
        "\tld.u32 %r1, [%rd1];",
        "\tld.const.u32 %r1, [c];",
        "\tst.shared.u32 [t], %r1;",
        "\tatom.global.add.u32 %r1, [%rd1], 1;",
        "\tbra $L__1;\n$L__1:",
        "\t@%p1 ret;",
        "\tcall.uni f, ();",
        "\ttex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];",
        "\tbar.sync 0;",
        "\tfence.acq_rel.gpu;",
    ],
)
def test_what_may_not_come_before(before):
    assert waiting.entries(entry(before).encode(), CODE) == frozenset()


def test_each_kernel_is_judged_by_itself():
    other = entry("", code="").replace("entry k", "entry other")
    function = f".func f()\n{{\n\t{CODE}\n\tret;\n}}\n"
    assert waiting.entries((other + entry("") + function).encode(), CODE) == {"k"}
    assert waiting.entries(entry("", code=waiting.statement(999)).encode(), CODE) == frozenset()
    assert waiting.entries(b".visible .entry k();\n", CODE) == frozenset()


def test_the_trigger_is_before_the_wait_and_for_small_grids_alone():
    code = waiting.statement(4096)
    assert code.index("setp.le.u64 __lp_few, __lp_n, 4096;") < code.index("@__lp_few griddepcontrol.launch_dependents;")
    assert code.index("launch_dependents") < code.index("griddepcontrol.wait;")
    assert waiting.statement(0) == "{ griddepcontrol.wait; }"


SOURCE = """
#include <hip/hip_runtime.h>
#define MADE(n) __global__ void n(int *x) { *x = 3; }
template <class T, int N> __global__ __launch_bounds__(128, 2) void
templated(const T *__restrict__ a, T *x)
{ __shared__ T t[128]; t[threadIdx.x] = a[threadIdx.x]; __syncthreads(); x[0] = t[127 - threadIdx.x] + T(N); }
MADE(made)
struct Big { float v[32]; };
namespace a { __global__ void deep(Big b, float *o) { b.v[threadIdx.x % 32] += 1; o[0] = b.v[blockIdx.x % 32]; } }
static __device__ void helper(int *x) { *x = 1; }
__global__ void calls(int *x) { helper(x); }
int main() { templated<float, 4><<<1, 128>>>(nullptr, nullptr); }
"""


READS = """
__device__ float variable; __device__ const float table[4] = {1, 2, 3, 4};
extern "C" {
__global__ void only_read(const float *__restrict__ a, float *__restrict__ o) { o[threadIdx.x] = a[0] + __ldg(a + 1) + variable; }
__global__ void vectors(const float4 *__restrict__ a, float4 *__restrict__ o)
{ float4 s = a[0]; for (int i = 1; i < 9; ++i) s.x += a[i].x; o[threadIdx.x] = s; }
__global__ void writes(float *o) { o[threadIdx.x] = 1; }
__global__ void atomic(int *o, const int *__restrict__ a) { atomicAdd(o, a[threadIdx.x]); }
__global__ void chased(const float *const *__restrict__ a, float *o) { *o = **a + table[(int)a[1][0]]; }
__global__ void looped(const float *__restrict__ a, float *o, int n) { float s = 0; while (n--) s += a[n]; *o = s; }
}
"""


def waits(image):
    return {signature.name: entry in image.waiting for entry, signature in image.kernels}


@by_nvrtc
def test_every_kernel_of_a_source_waits():
    image = compiled(SOURCE, to=cuda())
    assert waits(image) == dict.fromkeys(("made", "a::deep", "calls", "templated<float, 4>"), True)
    assert image.kind == "cubin"


# The low 12 bits of an instruction, from compute capability 9.0 on: ACQBULK, which is the wait; loads and stores in global
# and generic memory, of any kind; atomic operations and reductions.
WAIT = 0x82E
TOUCH = {0x980, 0x981, 0x985, 0x986, 0x98A, 0x98E, 0x3A8, 0x3A9, 0x9A8}


@by_nvrtc
def test_the_assembler_moves_no_access_to_before_the_wait():
    image = compiled(READS, to=cuda())
    assert all(waits(image).values())
    with elf.opened(image.code, "made") as file:
        texts = {
            section.name[6:]: section.data() for section in file.iter_sections() if section.name.startswith(".text.")
        }
    assert texts.keys() == {entry for entry, _ in image.kernels}
    for name, text in texts.items():
        codes = [int.from_bytes(text[at : at + 8], "little") & 0xFFF for at in range(0, len(text), 16)]
        wait = codes.index(WAIT)
        assert TOUCH.isdisjoint(codes[:wait]), name
        assert not TOUCH.isdisjoint(codes[wait:]), name


@by_nvrtc
@pytest.mark.parametrize(
    ("to", "around"),
    [
        (cuda("sm_80"), {}),
        (Target("cuda", {}, frozenset(), "CUDA", "sm_90"), {}),
        (cuda(), {"dependent": False}),
    ],
)
def test_none_waits_where_it_is_not_wanted_or_the_device_has_it_not(to, around):
    from launchpath._compiler.source.options import options

    image = compiled(SOURCE, to=to, options=options(**around))
    assert not any(waits(image).values())


@by_nvrtc
def test_kernels_whose_arguments_come_in_a_block_wait():
    text = "struct Big { float v[2000]; };\n__global__ void k(Big b, float *o) { o[0] = b.v[3]; }\n"
    image = compiled(text, to=cuda()._replace(parameter_bytes=4096))
    assert [signature.block for _, signature in image.kernels] == [True]
    assert waits(image) == {"k": True}


@by_nvrtc
def test_a_place_that_is_no_body_leaves_the_kernels_as_they_are():
    text = "template <class T> __global__ void k(T *a) requires requires(T t) { t + 1; } { *a = 1; }\n"
    text += "__global__ void other(int *a) { *a = 1; }\nint main() { k<int><<<1, 1>>>(nullptr); }\n"
    image = compiled(text, to=cuda(), standard="c++20")
    assert waits(image) == {"other": False, "k<int>": False}


@by_nvrtc
def test_an_assembler_that_refuses_the_wait_gets_the_kernels_as_they_are(monkeypatch):
    monkeypatch.setattr(waiting, "statement", lambda threads: "{ griddepcontrol.nonsense; }")
    assert waits(compiled("__global__ void k(int *a) { *a = 1; }", to=cuda())) == {"k": False}


@by_nvrtc
def test_messages_have_the_columns_of_the_source():
    assert "user.cu:1:36: error" in failed("__global__ void k(int *a) { a[0] = foo; }", to=cuda())


@needs_nvrtc
@pytest.mark.compiles
def test_images_keep_which_wait():
    from launchpath._compiler.image import from_entry

    image = compiled(SOURCE, to=cuda())
    assert from_entry(image.to_entry()).waiting == image.waiting != frozenset()


def test_targets_with_and_without_it_have_different_programs():
    one, two, three = cuda(), cuda(threads=0), Target("cuda", {}, frozenset(), "CUDA", "sm_90")
    assert len({one.identity, two.identity, three.identity}) == 3
