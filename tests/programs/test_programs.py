"""Programs as they are published compile whole, with their host code, and have the kernels that they launch."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import Target, target_of
from tests.unit.support.rtc import compiled, needs_nvrtc

from .texts import PROGRAMS

INTEL = target_of({
    "extensions": ["cl_khr_fp64", "cl_khr_fp16", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"], "dialect": "spirv",
    "kind": "cpu", "platform": "Intel(R) OpenCL",
})  # fmt: skip
POCL = target_of(
    {"extensions": ["cl_khr_fp64"], "dialect": "clc", "kind": "cpu", "platform": "Portable Computing Language"}
)


def check(name: str, target: Target) -> None:
    program = PROGRAMS[name]
    image = compile(sources.from_text(program.text, "program.cu"), (), target)
    assert sorted(signature.name for _, signature in image.kernels) == sorted(program.kernels)


@pytest.mark.parametrize("name", PROGRAMS)
def test_on_intels_runtime(name: str) -> None:
    check(name, INTEL)


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if "warps" not in name])
def test_on_pocl(name: str) -> None:
    check(name, POCL)


@needs_nvrtc
@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if not program.not_for])
def test_for_nvrtc(name: str) -> None:
    program = PROGRAMS[name]
    image = compiled(program.text)
    assert sorted(signature.name for _, signature in image.kernels) == sorted(program.kernels)
