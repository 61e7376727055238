"""OpenCL C that is built without the platform's header of functions."""

from dataclasses import dataclass, field
from typing import Any

import pytest

import launchpath as lp
from launchpath._compiler import target
from launchpath._compiler.compile import compile as compile_source
from launchpath._compiler.source.source import from_text
from launchpath._compiler.target import DECLARATIONS
from launchpath._programs.builds import preparation, without_header
from tests.unit.compiler.opencl_c.opencl_c import pocl

__all__ = ["pocl"]

DECLARING = f"#ifdef {DECLARATIONS}\n#endif\n"


@dataclass
class Driver:
    """A driver that refuses the builds whose options have a word."""

    refused: str = "nothing"
    workarounds: tuple[str, ...] = ("declare-functions",)
    options: list[str] = field(default_factory=list)

    @property
    def info(self) -> dict[str, Any]:
        return {"workarounds": self.workarounds}

    def build(self, text: str, options: str = "") -> str:
        self.options.append(options)
        if self.refused in options.split():
            raise lp.CompileError("no such function")
        return text


def test_a_text_that_declares_its_functions_is_built_without_the_header() -> None:
    driver = Driver()
    assert without_header.build(driver, DECLARING) == DECLARING
    assert driver.options == [f"-D_OPENCL_H_ -D{DECLARATIONS}"]


def test_a_text_that_does_not_build_is_built_with_the_header() -> None:
    driver = Driver(refused="-D_OPENCL_H_")
    assert without_header.build(driver, DECLARING) == DECLARING
    assert driver.options == [f"-D_OPENCL_H_ -D{DECLARATIONS}", ""]


@pytest.mark.parametrize(
    ("driver", "text"), [(Driver(), "kernel void k() {}"), (Driver(workarounds=()), DECLARING)], ids=["text", "device"]
)
def test_others_are_built_with_the_header(driver: Driver, text: str) -> None:
    without_header.build(driver, text)
    assert driver.options == [""]


def test_an_error_is_that_of_the_build_with_the_header(pocl: lp.Device) -> None:
    with pytest.raises(lp.CompileError) as caught:
        without_header.build(pocl.driver_device, f"{DECLARING}kernel void k(global int *p) {{ *p = nowhere_1(); }}")
    assert "nowhere_1" in caught.value.log
    assert "_OPENCL_H_" not in caught.value.log


@pytest.mark.compiles
def test_pocl_reads_no_header_for_launchpaths_programs(pocl: lp.Device) -> None:
    source = """
    __global__ void k(float *x, int *n) {
        x[threadIdx.x] = sqrtf(x[threadIdx.x]);
        __syncthreads();
        atomicAdd(n, 1);
    }"""
    image = compile_source(from_text(source, "user.hip"), (), target.target_of(pocl.info))
    assert "-D_OPENCL_H_" in without_header.build(pocl.driver_device, image.code.decode()).options
    program = lp.compile(source, pocl)
    x, n = lp.full(4, 9, "float32", device=pocl), lp.zeros(1, "int32", device=pocl)
    program.k[1, 4, pocl.legacy_stream](x, n)
    assert x.to_numpy(pocl.legacy_stream).tolist() == [3] * 4
    assert n.to_numpy(pocl.legacy_stream)[0] == 4


def test_what_prepares_pocl_needs_no_header(pocl: lp.Device) -> None:
    with pytest.raises(lp.CompileError) as caught:
        pocl.driver_device.build(preparation.LACKING, without_header.options(pocl.driver_device.info))
    assert "launchpath_nowhere" in caught.value.log
