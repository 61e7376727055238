"""Programs as they are published compile whole, with their host code, and have the kernels that they launch."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import target_of
from tests.unit.support.rtc import compiled, needs_nvrtc

from .texts import PROGRAMS

INTEL = target_of({
    "extensions": ["cl_khr_fp64", "cl_khr_fp16", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"], "dialect": "spirv",
    "kind": "cpu", "platform": "Intel(R) OpenCL",
})  # fmt: skip
POCL = target_of(
    {"extensions": ["cl_khr_fp64"], "dialect": "clc", "kind": "cpu", "platform": "Portable Computing Language"}
)


# For which driver each program is compiled: in `make test` for one of them.
CASES = [
    pytest.param(name, target, id=f"{name}-{target}", marks=[needs_nvrtc] if target == "nvidia" else [])
    for name, program in PROGRAMS.items()
    for target in ("intel", "pocl", "nvidia")
    if not (target == "pocl" and "warps" in name) and not (target == "nvidia" and program.not_for)
]


@pytest.mark.parametrize(("name", "target"), CASES)
def test_programs_compile_whole(name: str, target: str) -> None:
    program = PROGRAMS[name]
    if target == "nvidia":
        image = compiled(program.text)
    else:
        image = compile(sources.from_text(program.text, "program.cu"), (), {"intel": INTEL, "pocl": POCL}[target])
    assert sorted(signature.name for _, signature in image.kernels) == sorted(program.kernels)
