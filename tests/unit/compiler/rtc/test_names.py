"""What profilers and debuggers of CUDA show of kernels: the mangled names stand for the source's own."""

import re
import shutil
import subprocess

import pytest

from launchpath._compiler.image import Image
from launchpath._compiler.target import Target
from tests.unit.support.rtc import compiled, cuda, hip, needs_hiprtc, needs_nvrtc

pytestmark = pytest.mark.compiles

FILTER = shutil.which("c++filt") or shutil.which("llvm-cxxfilt") or shutil.which("cu++filt")
# No library makes a binary for this architecture, so it is PTX, which the driver compiles.
PTX = cuda("sm_999")
LIMITED = PTX._replace(parameter_bytes=4096)

SOURCE = """
struct Big { char bytes[5000]; };
__device__ int counter;
__constant__ float weights[4];
__global__ void plain(int *o) { extern __shared__ int s[]; s[0] = counter; o[0] = s[threadIdx.x] + weights[1]; }
extern "C" __global__ void in_c(int *o) { *o = 1; }
static __global__ void unseen(int *o) { *o = 1; }
__global__ void expf(int *o) { *o = 1; }
namespace ns {
  __global__ void inside(int *o) { *o = 1; }
  namespace {
    __global__ void hidden(int *o) { *o = 1; }
  }
  template <class T> __global__ void bar(T *o) { *o = T(); }
}
template <class T, int N, bool B> __global__ void values(T *o) { *o = N + B; }
__global__ void over(int *o) { *o = 1; }
__global__ void over(float *o) { *o = 1; }
"""
NAMES = ("ns::bar<float>", "ns::bar<int *>", "values<unsigned, -4, true>")
SHOWN = {
    "plain": "plain(int*)", "in_c": "in_c", "unseen": "unseen(int*)", "expf": "expf(int*)",
    "ns::inside": "ns::inside(int*)", "ns::hidden": "ns::(anonymous namespace)::hidden(int*)",
    "ns::bar<float>": "void ns::bar<float>(float*)", "ns::bar<int *>": "void ns::bar<int*>(int**)",
    "values<unsigned, -4, true>": "void values<unsigned int, -4, true>(unsigned int*)",
    "over(int *)": "over(int*)", "over(float *)": "over(float*)",
}  # fmt: skip
# A launch brings 4 KiB: the kernels get the address of what is more.
LARGE = """
struct Big { char bytes[5000]; };
__global__ void plain(Big b, int *o) { *o = b.bytes[5]; }
extern "C" __global__ void in_c(Big b, int *o) { *o = b.bytes[5]; }
static __global__ void unseen(Big b, int *o) { *o = b.bytes[5]; }
namespace ns {
  namespace {
    __global__ void hidden(Big b, int *o) { *o = b.bytes[5]; }
  }
  namespace inner { struct Place { int at; }; constexpr int size = 4; }
  using namespace inner;
  inline namespace v1 {
    __global__ void current(Big b, int *o) { *o = b.bytes[5]; }
  }
  template <class T, int N = size> __global__ void bar(Big b, T *o) { *o = b.bytes[N]; }
}
template <class... T> __global__ void pack(Big b, T *...o) { int all[] = {(*o = b.bytes[1], 0)...}; }
__global__ void over(Big b, int *o) { *o = b.bytes[5]; }
__global__ void over(Big b, float *o) { *o = b.bytes[5]; }
"""
LARGE_NAMES = ("ns::bar<float>", "ns::bar<int, 3>", "pack<int, float>")
LARGE_SHOWN = {
    "plain": "plain", "in_c": "in_c", "unseen": "unseen", "ns::hidden": "ns::hidden",
    "ns::v1::current": "ns::v1::current", "ns::bar<float>": "void ns::bar<float, 4>", "ns::bar<int, 3>": "void ns::bar<int, 3>",
    "pack<int, float>": "void pack<int, float>", "over(Big, int *)": "over", "over(Big, float *)": "over",
}  # fmt: skip


def shown(image: Image) -> dict[str, str]:
    """What tools show, by the names in the source."""
    if FILTER is None:
        pytest.skip("there is no c++filt here")
    names = [entry for entry, _ in image.kernels]
    lines = subprocess.run([FILTER, *names], capture_output=True, text=True, check=True).stdout.splitlines()
    return {signature.name: line for (_, signature), line in zip(image.kernels, lines, strict=True)}


def entries(image: Image) -> set[str]:
    return {name.decode() for name in re.findall(rb"\.entry (\w+)", image.code)}


@needs_nvrtc
def test_the_entries_of_ptx() -> None:
    image = compiled(SOURCE, *NAMES, to=PTX)
    assert image.kind == "ptx"
    assert entries(image) == {entry for entry, _ in image.kernels}
    assert {"_Z5plainPi", "in_c", "_ZN2ns6insideEPi", "_ZN2ns3barIfEEvPT_"} <= entries(image)
    assert shown(image) == SHOWN


@pytest.mark.parametrize(
    "to", [pytest.param(LIMITED, marks=needs_nvrtc), pytest.param(hip()._replace(parameter_bytes=4096), marks=needs_hiprtc)]
)  # fmt: skip
def test_of_kernels_with_more_arguments_than_a_launch_brings(to: Target) -> None:
    image = compiled(LARGE, *LARGE_NAMES, to=to)
    assert all(signature.block for _, signature in image.kernels) and not image.log
    if image.kind == "ptx":
        assert entries(image) == {entry for entry, _ in image.kernels}
    assert {name: text.partition("(")[0] for name, text in shown(image).items()} == LARGE_SHOWN
    assert all(re.search(r"\(__lp_block_of<\d+> const\*\)$", text) for text in shown(image).values())


@needs_nvrtc
def test_of_kernels_that_are_called_with_their_arguments_because_a_macro_marks_others() -> None:
    text = """
    #define KERNEL __global__
    struct Big { char bytes[5000]; };
    namespace ns { struct S { int n; }; template <class T, int N> KERNEL void small(T t, S s, int *o) { *o = t + N + s.n; } }
    KERNEL void large(Big b, int *o) { *o = b.bytes[5]; }
    """
    image = compiled(text, "ns::small<int, 4>", "ns::small<int, 5>", to=LIMITED)
    assert shown(image) == {
        "large": "large(__lp_block_of<0> const*)",
        "ns::small<int, 4>": "void __launchpath_1::ns::small<int, 4>(int, ns::S, int*)",
        "ns::small<int, 5>": "void __launchpath_2::ns::small<int, 5>(int, ns::S, int*)",
    }


@needs_nvrtc
def test_a_template_that_cannot_be_written_again_has_another_name() -> None:
    text = """
    struct Big { char bytes[5000]; };
    #define PARAMETER class T
    template <PARAMETER> __global__ void k(T b, int *o) { *o = b.bytes[5]; }
    #undef PARAMETER
    """
    image = compiled(text, "k<Big>", to=LIMITED)
    assert shown(image) == {"k<Big>": "__kernel_k_Big"} and entries(image) == {"__kernel_k_Big"}


@needs_nvrtc
@pytest.mark.parametrize("to", [cuda(), PTX], ids=["cubin", "ptx"])
def test_templates_of_variables_are_symbols_by_their_names_in_the_source(to):
    image = compiled(
        "template <class T> __constant__ T mask[4];\n"
        "template <class T> __global__ void k(T *o) { o[0] = mask<T>[threadIdx.x]; }\n"
        "int main() { k<float><<<1, 1>>>(nullptr); k<short><<<1, 1>>>(nullptr); }", to=to,
    )  # fmt: skip
    assert {(symbol.name, symbol.entry, symbol.dtype, symbol.shape) for symbol in image.symbols} == {
        ("mask<float>", "_Z4maskIfE", "float32", (4,)), ("mask<short>", "_Z4maskIsE", "int16", (4,)),
    }  # fmt: skip
