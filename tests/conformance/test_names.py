"""What drivers, and profilers and debuggers with them, call kernels: what the source does, as near as a platform can."""

import ctypes
import re
import shutil
import subprocess

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler import adapted, target
from launchpath._compiler import compile as compiler
from launchpath._compiler.source import source as sources
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.opcodes import Op
from launchpath._programs.program import Program
from tests.foreign_source import KERNELS, compiled, renamed
from tests.python import python

OPENCL = pytest.mark.opencl_only("CUDA's and HIP's compilers mangle names")
CL_KERNEL_FUNCTION_NAME = 0x1190

SOURCE = """
struct Big { char bytes[200000]; };
__device__ int counter = 1;
__constant__ int weights[2] = {1, 2};
__device__ __noinline__ int plain(int x) { return x + 1; }
__global__ void plain(int *o) { o[threadIdx.x] = plain(10); }
extern "C" __global__ void in_c(int *o) { o[threadIdx.x] = 12; }
static __global__ void unseen(int *o) { o[threadIdx.x] = 13; }
namespace ns {
  __global__ void inside(int *o) { o[threadIdx.x] = 14; }
  namespace { __global__ void hidden(int *o) { o[threadIdx.x] = 15; } }
  template <class T> __global__ void bar(int *o) { o[threadIdx.x] = 16 + sizeof(T); }
}
template <class T, int N> __global__ void pair(int *o) { o[threadIdx.x] = sizeof(T) + N; }
template <char C> __global__ void letter(int *o) { o[threadIdx.x] = C; }
__global__ void over(int *o) { o[threadIdx.x] = 17; }
__global__ void over(int *o, float x) { o[threadIdx.x] = x; }
__global__ void globals(int *o) { o[threadIdx.x] = counter + weights[1]; }
__global__ void dynamic(int *o) {
  extern __shared__ int s[];
  s[threadIdx.x] = 18;
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
__global__ void large(Big b, int *o) { o[threadIdx.x] = b.bytes[199999]; }
__global__ void ns_bar_float(int *o) { o[threadIdx.x] = 19; }
"""
NAMES = ["ns::bar<float>", "ns::bar<float *>", "pair<int, 4>", "pair<int, -4>", "letter<';'>"]
VALUES = {
    "plain": 11, "in_c": 12, "unseen": 13, "ns::inside": 14, "ns::hidden": 15, "ns::bar<float>": 20,
    "ns::bar<float *>": 24, "pair<int, 4>": 8, "pair<int, -4>": 0, "letter<';'>": 59, "over(int *)": 17, "globals": 3,
    "dynamic": 18, "ns_bar_float": 19,
}  # fmt: skip
INTEL = {
    "pair<int, 4>": "pair<int|4>", "pair<int, -4>": "pair<int|-4>", "letter<';'>": r"letter<'\x3b'>",
    "over(int *)": "over[int *]", "over(int *, float)": "over[int *|float]",
}  # fmt: skip
POCL = {
    "ns::inside": "ns_inside", "ns::hidden": "ns_hidden", "ns::bar<float>": "ns_bar_float_2",
    "ns::bar<float *>": "ns_bar_float_ptr", "pair<int, 4>": "pair_int_4", "pair<int, -4>": "pair_int_minus_4",
    "letter<';'>": "letter", "over(int *)": "over_int_ptr", "over(int *, float)": "over_int_ptr_float",
}  # fmt: skip
# As c++filt has them.
DEMANGLED = {
    "plain": "plain(int*)", "unseen": "unseen(int*)", "ns::inside": "ns::inside(int*)",
    "ns::hidden": "ns::(anonymous namespace)::hidden(int*)", "ns::bar<float>": "void ns::bar<float>(int*)",
    "ns::bar<float *>": "void ns::bar<float*>(int*)", "pair<int, 4>": "void pair<int, 4>(int*)",
    "pair<int, -4>": "void pair<int, -4>(int*)", "letter<';'>": "void letter<(char)59>(int*)",
    "over(int *)": "over(int*)", "over(int *, float)": "over(int*, float)", "globals": "globals(int*)",
    "dynamic": "dynamic(int*)", "ns_bar_float": "ns_bar_float(int*)",
}  # fmt: skip


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(SOURCE, device, names=NAMES)


@pytest.fixture
def spelled(device, native):
    """How the platform spells a kernel's name that is not as in the source."""
    if native:
        return DEMANGLED
    return POCL if target.target_of(device.info).takes_identifiers else INTEL


def driver_names(program):
    """The names that the driver tells of a program's kernels, by their names in the source."""
    library = ctypes.CDLL(program.device.info["library"])
    image, (first, *_) = program._image, program._driver_programs
    names = {}
    for entry, signature in image.kernels:
        address = {"globals_address": program._globals.pointer} if entry in image.users else {}
        kernel = first.kernel(entry, **address)
        text = ctypes.create_string_buffer(1000)
        code = library.clGetKernelInfo(
            ctypes.c_void_p(kernel.function), CL_KERNEL_FUNCTION_NAME, ctypes.c_size_t(1000), text, None
        )
        assert code == 0
        names[signature.name] = text.value.decode()
    return names


def entries(program):
    return {signature.name: entry for entry, signature in program._image.kernels}


def check(program, device):
    for name, value in VALUES.items():
        out = lp.zeros(4, "int32", device)
        program[name][1, 4, None, 16 if name == "dynamic" else 0](out)
        assert (out.to_numpy() == value).all(), name
    out = lp.zeros(4, "int32", device)
    program["over(int *, float)"][1, 4](out, 5.0)
    assert (out.to_numpy() == 5).all()
    program.large[1, 4](np.full(200000, 7, "uint8").tobytes(), out)
    assert (out.to_numpy() == 7).all()


def test_kernels_run_by_their_names_in_the_source(program, device):
    check(program, device)


@OPENCL
def test_the_driver_lists_and_tells_them(program, spelled):
    expected = {name: spelled.get(name, name) for name in VALUES | {"over(int *, float)": 0, "large": 0}}
    assert {*program._driver_programs[0].kernels} == {*expected.values()}
    assert driver_names(program) == expected


def test_names_demangle_to_the_sources(program, native, spelled):
    if not native:
        pytest.skip("OpenCL's are not mangled")
    tool = shutil.which("c++filt") or shutil.which("llvm-cxxfilt") or shutil.which("cu++filt")
    if tool is None:
        pytest.skip("there is no c++filt here")
    mangled = entries(program)
    lines = subprocess.run([tool, *mangled.values()], capture_output=True, text=True, check=True).stdout.splitlines()
    shown = dict(zip(mangled, lines, strict=True))
    assert shown.pop("large").startswith("large(")
    assert shown == {"in_c": "in_c", **spelled}


@OPENCL
def test_instances_that_are_compiled_later(device, spelled):
    program = lp.compile(SOURCE, device)
    out = lp.zeros(4, "int32", device)
    program["pair<int, 4>"][1, 4](out)
    assert (out.to_numpy() == 8).all()
    assert program._driver_programs[1].kernels == [spelled["pair<int, 4>"]]


def test_saved_and_loaded(program, device, tmp_path):
    program.save(tmp_path / "p.lp")
    loaded = lp.load(tmp_path / "p.lp", device)
    assert entries(loaded) == entries(program)
    check(loaded, device)


COLLIDING = """
#include <cstdio>
struct Big { char bytes[5000]; };
__global__ void exp(float *o) { o[threadIdx.x] = expf(o[threadIdx.x]); }
__global__ void fmod(float *o) { o[threadIdx.x] = fmodf(o[threadIdx.x], 3); }
__global__ void max(float *o) { o[threadIdx.x] = fmaxf(o[threadIdx.x], 3); }
__global__ void half(float *o) { o[threadIdx.x] /= 2; }
__global__ void get_local_id(float *o) { o[threadIdx.x] = threadIdx.x; }
__global__ void get_forces(float *o) { o[threadIdx.x] = 1; }
__global__ void kernel(float *o) { o[threadIdx.x] = 2; }
__global__ void printf(float *o) { o[threadIdx.x] = 3; if (o[0] < 0) printf("%d", 5); }
__global__ void _mine(float *o) { o[threadIdx.x] = 4; }
__global__ void memcpy(Big *to, Big *from) { *to = *from; }
__global__ void memset(Big *to) { *to = Big(); }
"""
# By device: what is not as in the source.
RENAMED = {
    "exp": ("::exp", "exp_kernel"), "fmod": ("::fmod", "fmod_kernel"), "memcpy": ("::memcpy", "memcpy_kernel"),
    "memset": ("::memset", "memset_kernel"), "max": ("max", "max_kernel"), "half": ("half", "half_kernel"),
    "kernel": ("kernel", "kernel_kernel"), "printf": ("printf", "printf_kernel"),
    "get_local_id": ("get_local_id", "get_local_id_kernel"),
}  # fmt: skip


@OPENCL
def test_names_that_a_platform_has_itself(device):
    program = lp.compile(COLLIDING, device)
    which = target.target_of(device.info).takes_identifiers
    assert driver_names(program) == {
        name: RENAMED[name][which] if name in RENAMED else name for name in program.kernels
    }
    values = {"exp": np.exp(4), "fmod": 1, "max": 4, "half": 2, "get_forces": 1, "kernel": 2, "printf": 3, "_mine": 4}
    for name, value in values.items():
        out = lp.full(8, 4, "float32", device=device)
        program[name][1, 8](out)
        assert np.allclose(out.to_numpy(), value), name
    out = lp.zeros(8, "float32", device)
    program.get_local_id[1, 8](out)
    assert (out.to_numpy() == np.arange(8)).all()
    array, nines = lp.zeros(5000, "uint8", device), lp.full(5000, 9, "uint8", device=device)
    program.memcpy[1, 1](array, nines)
    assert (array.to_numpy() == 9).all()
    program.memset[1, 1](array)
    assert not array.to_numpy().any()


@OPENCL
def test_a_name_too_long_for_a_file(device):
    arguments = ", ".join(["unsigned long long"] * 30)
    program = lp.compile(
        "template <class... T> __global__ void k(int *o) { o[0] = sizeof...(T); }", device, names=[f"k<{arguments}>"]
    )
    out = lp.zeros(1, "int32", device)
    program.k[1, 1](out)
    assert out.to_numpy() == [30]
    (name,) = driver_names(program).values()
    assert name.startswith("k<" if not target.target_of(device.info).takes_identifiers else "k_unsigned_long_long_")


@OPENCL
def test_a_program_saved_with_older_names(device, tmp_path, monkeypatch):
    monkeypatch.setattr(
        adapted,
        "entry_names",
        lambda kernels, identifiers: {name: "__kernel_" + re.sub(r"\W+", "_", name).strip("_") for name in kernels},
    )
    source = sources.from_text(
        "__device__ int c = 5; template <int N> __global__ void k(int *o) { o[0] = c + N; }", "k"
    )
    image = compiler.compile(source, ["k<3>"], target.target_of(device.info))
    program = Program(device, image, None, "k")
    assert driver_names(program) == {"k<3>": "__kernel_k_3"}
    program.save(tmp_path / "older.lp")
    out = lp.zeros(1, "int32", device)
    lp.load(tmp_path / "older.lp", device)["k<3>"][1, 1](out)
    assert out.to_numpy() == [8]


@OPENCL
def test_spirv_of_other_compilers(device):
    program = lp.load(renamed(compiled(KERNELS), {"saxpy": "ns::saxpy<float, 4>", "pair": "_Z4pairPi"}), device)
    which = target.target_of(device.info).takes_identifiers
    names = driver_names(program)
    assert names["ns::saxpy<float, 4>"] == ("ns_saxpy_float_4" if which else "ns::saxpy<float|4>")
    assert names["_Z4pairPi"] == "_Z4pairPi"


@OPENCL
def test_functions_of_the_spirv_have_the_names_too(device):
    if target.target_of(device.info).form != target.SPIRV:
        pytest.skip("the device takes OpenCL C")
    source = sources.from_text(SOURCE, "source")
    module = Module.decode(compiler.compile(source, NAMES, target.target_of(device.info)).code)
    names = {i.words[0]: i.text(1) for i in module.find(Op.Name)}
    entries = {i.words[1]: i.text(2) for i in module.find(Op.EntryPoint)}
    assert {function: names[function] for function in entries} == entries
    functions = [names.get(i.words[1]) for i in module.find(Op.Function)]
    assert all(functions.count(name) == 1 for name in entries.values())


LOGGED = """
import sys
import launchpath as lp
device = [d for d in lp.devices() if (d.info["platform"], d.info["kind"]) == (sys.argv[1], sys.argv[2])][0]
source = "namespace ns { template <class T> __global__ void bar(int *o) { o[threadIdx.x] = 1; } }"
out = lp.zeros(4, "int32", device)
lp.compile(source, device, names=["ns::bar<float>"])["ns::bar<float>"][1, 4](out)
device.synchronize()
"""


def test_the_log_has_the_sources_names(device):
    others = {"cuda", "hip", "opencl"} - {device.info["driver"]}
    hidden = {f"LAUNCHPATH_{name.upper()}_LIBRARY": "none" for name in others}
    process = python("-c", LOGGED, device.info["platform"], device.info["kind"], env=hidden | {"LAUNCHPATH_LOG": "1"})
    lines = [line for line in process.stderr.splitlines() if re.search(r"\.(kernel_(?!release)\w+|launch)\(", line)]
    assert {"kernel_find", "kernel_get", "launch"} <= {re.search(r"\.(\w+)\(", line)[1] for line in lines}
    assert all(re.search(r", ns::bar<float>( as \w+)?, ", line) for line in lines), lines
