"""Kernels that tell conditional nodes of CUDA's graphs what to do: what compiles, and where it is refused."""

import pytest

from launchpath._compiler.binary import relocatable
from launchpath._compiler.compile import compile
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import Target
from launchpath.errors import CompileError
from tests.unit.compiler.rtc.test_several import by, several  # noqa: F401 (a fixture)
from tests.unit.support.rtc import compiled, hip, needs_hiprtc, needs_nvrtc

pytestmark = pytest.mark.compiles

KERNEL = """
__global__ void count_down(int *left, cudaGraphConditionalHandle handle) {
    if (threadIdx.x == 0) cudaGraphSetConditional(handle, --*left > 0);
}
"""


@needs_nvrtc
@pytest.mark.parametrize("include", ["", "#include <cuda_runtime.h>\n", "#include <cuda.h>\n"])
def test_the_driver_has_the_function(include):
    image = compiled(include + KERNEL)
    ((entry, signature),) = image.kernels
    assert [(p.ctype, p.kind, p.offset) for p in signature.parameters][1] == ("cudaGraphConditionalHandle", "uint64", 8)
    names = {name.name: name.is_defined for name in relocatable.names(image.kind, image.code, "user.cu")}
    assert names[entry] and names["cudaGraphSetConditional"] is False


@needs_nvrtc
def test_the_driver_apis_name_of_the_type():
    ((_, signature),) = compiled(KERNEL.replace("cudaGraphConditionalHandle", "CUgraphConditionalHandle")).kernels
    assert signature.parameters[1].ctype == "CUgraphConditionalHandle"


@needs_nvrtc
def test_a_file_of_several(tmp_path, by):  # noqa: F811
    decide = "__device__ void decide(cudaGraphConditionalHandle handle, int value)"
    image = several(tmp_path, {
        "a.cu": f"{decide} {{ cudaGraphSetConditional(handle, value); }}",
        "b.cu": f"{decide};\n__global__ void k(cudaGraphConditionalHandle handle, int n) {{ decide(handle, n > 0); }}",
    })  # fmt: skip
    assert [signature.name for _, signature in image.kernels] == ["k"]
    assert bool(image.code) == (by == "nvJitLink")


@pytest.mark.parametrize("form", ["spirv", "clc"])
def test_other_devices_refuse_it(form):
    with pytest.raises(CompileError) as caught:
        compile(
            sources.from_text(KERNEL, "user.cu"), [], Target(form, {"__LP_FLAT__": None}, frozenset(), "a platform")
        )
    assert (
        "user.cu:3:27: error: 'cudaGraphSetConditional' is unavailable: graphs have conditional nodes on CUDA devices only"
        in (str(caught.value))
    )


@needs_hiprtc
def test_hip_devices_refuse_it():
    with pytest.raises(CompileError, match="graphs have conditional nodes on CUDA devices only"):
        compiled(KERNEL, to=hip())
