"""Kernels that take more by value than a launch brings: what is made of them."""

import dataclasses
import json
import re

import pytest

from launchpath._compiler import Signature, target
from launchpath._compiler.binary import cubin
from launchpath._compiler.cache.signature_json import from_json, to_json
from launchpath._compiler.compile import compile
from launchpath._compiler.source import source as sources
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.target import Target
from tests.unit.support.rtc import compiled, cuda, failed, hip, needs_hiprtc, needs_nvrtc

pytestmark = pytest.mark.compiles

LIMIT = 1024
EXTENSIONS = frozenset({"cl_khr_fp64", "cl_khr_fp16"})
SPIRV = Target("spirv", {"__LP_FLAT__": None}, EXTENSIONS, "test", parameter_bytes=LIMIT)
CLC = SPIRV._replace(form="clc")
GENERIC = Target("clc-generic", {}, EXTENSIONS, "test", parameter_bytes=LIMIT)

TEXT = """
struct Big { float data[16384]; int n; double d[4]; };
__device__ int counter;
__device__ float sum(Big b) { return b.data[0] + b.data[1]; }
__device__ float sneaky(float &x) { x += 1; return x; }
__global__ void reads(Big b, int at, float *out) { out[0] = b.data[at] + b.n; }
__global__ void writes(Big b, int at, float *out) {
  for (int i = 0; i < at; i++) b.data[i * 3] += out[i];
  out[0] = b.data[at];
}
__global__ void hidden(Big b, int at, float *out) { out[0] = sneaky(b.data[at]) + b.data[at + 1]; }
__global__ void calls(int at, Big b, Big c, float *out) { out[0] = sum(b) + c.data[at]; }
__global__ void small(int at, float *out) { out[at] = 1; }
__global__ void globals(Big b, float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = b.data[counter];
  out[0] = s[0];
}
template <class T, int N> __global__ void scaled(T b, float *out) { out[0] = b.data[N] + b.data[threadIdx.x]; }
"""
NAMES = ["scaled<Big, 4>"]


def compiled_for(to, text=TEXT, names=NAMES):
    return compile(sources.from_text(text, "user.hip"), names, to)


def _kernels(code):
    """OpenCL C, by kernel."""
    return {match[1]: match[0] for match in re.finditer(r"__kernel\b.*?void (\w+)\(.*?\n}\n", code, re.DOTALL)}


# -- signatures


@pytest.mark.parametrize("to", [SPIRV, CLC, GENERIC], ids=lambda to: to.form)
def test_who_takes_a_block(to):
    signatures = {signature.name: signature for _, signature in compiled_for(to).kernels}
    assert {name for name, signature in signatures.items() if not signature.block} == {"small"}
    reads = signatures["reads"]
    assert (reads.size, reads.parameter_bytes, reads.end) == (65_592, 8, 65_592)
    assert [parameter.offset for parameter in reads.parameters] == [0, 65_576, 65_584]
    assert signatures["small"].parameter_bytes == signatures["small"].size == 16
    assert not any(signature.block for _, signature in compiled_for(to._replace(parameter_bytes=0)).kernels)


def test_the_limit_is_met_exactly():
    text = "struct Big {{ char c[{}]; }}; __global__ void k(Big b, char *out) {{ *out = b.c[3]; }}"
    for size, block in ((LIMIT - 9, False), (LIMIT - 8, False), (LIMIT - 7, True)):
        (signature,) = [candidate for _, candidate in compiled_for(CLC, text.format(size), []).kernels]
        assert signature.block == block


def test_the_simulated_device_says_it_too():
    (signature,) = [candidate for _, candidate in compiled_for(Target("simulated", {}, frozenset(), "x", parameter_bytes=8), "__global__ void k(int a, int b, int c) {}", []).kernels]  # fmt: skip
    assert signature.block


def test_json():
    signature = Signature("k", (), 16, block=True)
    assert from_json(json.loads(json.dumps(to_json(signature)))) == signature
    older = to_json(Signature("k"))
    del older["block"]
    assert from_json(older) == Signature("k")


def test_the_limit_is_part_of_what_the_text_depends_on():
    assert SPIRV.identity != SPIRV._replace(parameter_bytes=2048).identity
    info = {"dialect": "clc", "kind": "cpu", "platform": "p", "parameter_bytes": 1024}
    assert target.target_of(info).parameter_bytes == 1024
    assert dataclasses.replace(Signature("k", size=64), block=True).parameter_bytes == 8


# -- what Clang's way makes


def test_the_address_comes_as_a_number_and_what_is_read_is_not_copied():
    kernels = _kernels(compiled_for(CLC).code.decode())
    for name in ("reads", "calls", "scaled_Big_4", "globals"):
        text = kernels[name]
        assert re.search(r"\(ulong \w+", text)
        assert not re.search(r"^  Big \w+;", text, re.MULTILINE), text
    assert kernels["globals"].count("(ulong ") == 1
    assert "__local" in kernels["globals"].splitlines()[0]
    for name in ("writes", "hidden"):
        assert re.search(r"^  Big \w+;", kernels[name], re.MULTILINE)


def test_spirv_has_private_memory_only_where_it_is_written_to():
    module = Module.decode(compiled_for(SPIRV).code)
    sizes, function = {}, 0
    names = {i.words[1]: i.text(2) for i in module.instructions if i.opcode == Op.EntryPoint}
    for i in module.instructions:
        if i.opcode == Op.Function:
            function = i.words[1]
        if i.opcode == Op.Variable and i.words[2] == 7:
            sizes[names[function]] = sizes.get(names[function], 0) + 1
    assert sizes.keys() == {"writes", "hidden"} or sizes.keys() == {"writes"}


# -- NVRTC and hipRTC

CUDA, HIP = cuda()._replace(parameter_bytes=4096), hip()._replace(parameter_bytes=4096)
BOTH = [pytest.param(CUDA, marks=needs_nvrtc, id="nvrtc"), pytest.param(HIP, marks=needs_hiprtc, id="hiprtc")]
each = pytest.mark.parametrize("to", BOTH)


@each
@pytest.mark.parametrize("macro", [False, True])
def test_native_entry_points(to, macro):
    text = TEXT if not macro else "#define KERNEL __global__\n" + TEXT.replace("__global__", "KERNEL")
    image = compiled(text, "scaled<Big, 4>", to=to)
    entries = {signature.name: entry for entry, signature in image.kernels}
    assert entries["reads"] == "_Z5readsPK13__lp_block_ofILi0EE"  # reads(__lp_block_of<0> const*)
    assert entries["scaled<Big, 4>"] == "_Z6scaledI3BigLi4EEvPK13__lp_block_ofILi6EE"
    assert entries["small"] == ("_ZN14__launchpath_45smallEiPf" if macro else "_Z5smalliPf")
    if to.form == "cuda":
        places = {
            kernel.entry: [(p.offset, p.size) for p in kernel.places] for kernel in cubin.read(image.code, "x").kernels
        }
        assert places[entries["reads"]] == [(0, 8)]
        assert places[entries["small"]] == [(0, 4), (8, 8)]


BESIDE = """
struct Big { char bytes[60000]; };
struct Odd { char tag; double weight; };
namespace a { namespace b {
static __global__ void __launch_bounds__(128, 2) first(char c, const __grid_constant__ Big big, Odd odd, int (&given)[4], int *out);
static __global__ void __launch_bounds__(128, 2)
first(char c, const __grid_constant__ Big big, Odd odd, int (&given)[4], int *out) { *out = big.bytes[given[0]] + odd.tag + c; }
} }
extern "C" __global__ void plain(Big big, int *out) { *out = big.bytes[*out]; }
__global__ void scale(Big big, float *x) { *x *= big.bytes[1]; }
__global__ void scale(Odd odd, int *x) { *x *= odd.weight; }
template <int N> __global__ void __launch_bounds__(N) bound(Big big, int *out) { *out = big.bytes[N]; }
template <class T> __global__ void both(T t, int *out) { *out = sizeof(t); }
"""


@each
def test_native_variety(to):
    image = compiled(BESIDE, "bound<32>", "both<Big>", "both<int>", "both<Odd>", to=to)
    blocks = {signature.name: signature.block for _, signature in image.kernels}
    assert blocks == {
        "a::b::first": True, "plain": True, "scale(Big, float *)": True, "scale(Odd, int *)": False, "bound<32>": True,
        "both<Big>": True, "both<int>": False, "both<Odd>": False,
    }  # fmt: skip


@needs_nvrtc
def test_what_is_only_read_is_read_in_place():
    program = compiled(TEXT, "scaled<Big, 4>", to=CUDA._replace(architecture="sm_999"))
    assert program.kind == "ptx"
    parts = re.split(rb"\.(?:visible|weak) \.entry (\w+)\(", program.code)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    private = {signature.name: b"__local_depot" in texts[entry.encode()] for entry, signature in program.kernels}
    assert not private["reads"]
    assert not private["scaled<Big, 4>"]
    assert private["writes"]
    assert private["hidden"]  # by a function that takes a reference


@each
def test_native_errors_stand_at_the_users_lines(to):
    log = failed("struct Big { int a[9999]; };\n__global__ void k(Big b, int *p) {\n  *p = b.a[1] + nope;\n}\n", to=to)
    assert "user.cu:3:17: error: " in log
    assert "\n  *p = b.a[1] + nope;\n" in log
    log = failed("struct Big { int a[9999]; };\ntemplate <class T> __global__ void k(T b, int *p) {\n  *p = b.c;\n}\n", "k<Big>", to=to)  # fmt: skip
    assert "user.cu:3:" in log
