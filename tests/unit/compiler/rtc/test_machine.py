"""What the compilers are told: architecture, options, macros."""

from types import SimpleNamespace

import pytest

from launchpath._compiler.rtc.library.library_file import LibraryFile
from launchpath._compiler.rtc.library.machine import machine
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError
from tests.unit.support.rtc import cuda, hip


def library(version=(13, 0), architectures=(75, 80, 90, 100)):
    return SimpleNamespace(
        file=LibraryFile("cuda", "/lib/libnvrtc.so.13", version[0]), version=version, architectures=architectures
    )


def of(text, target, **changes):
    return machine(sources.from_text(text, "k.cu" if "cuda" in text else "k.hip"), target, library(**changes))


CUDA_TEXT, HIP_TEXT = "#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"


@pytest.mark.parametrize(
    ("device", "kind", "architecture", "number"),
    [(cuda("sm_90"), "cubin", "sm_90", "900"), (cuda("sm_120", (13, 0)), "ptx", "compute_100", "1000")],
)
def test_a_binary_for_the_device_or_ptx_if_it_is_newer(device, kind, architecture, number):
    described = of(CUDA_TEXT, device)
    assert described.kind == kind
    assert f"--gpu-architecture={architecture}" in described.options
    assert described.predefined["__CUDA_ARCH__"] == number


def test_ptx_that_is_too_new_for_the_driver():
    with pytest.raises(
        CompileError, match=r"NVRTC 13.2.*does not support sm_120.*too new for the driver, of CUDA 13.0"
    ):
        of(CUDA_TEXT, cuda("sm_120", (13, 0)), version=(13, 2))


def test_a_device_that_is_too_old():
    with pytest.raises(CompileError, match="supports sm_75 and later, the device is sm_61"):
        of(CUDA_TEXT, cuda("sm_61"))


def test_options_by_version():
    assert "--device-int128" in of(CUDA_TEXT, cuda()).options
    assert "--device-int128" not in of(CUDA_TEXT, cuda(), version=(11, 2)).options


@pytest.mark.parametrize(
    ("standard", "expected"), [("c++17", "c++17"), ("gnu++20", "c++20"), ("c++2a", "c++20"), ("gnu++1z", "c++17")]
)
def test_standards(standard, expected):
    source = sources.from_text(CUDA_TEXT, standard=standard)
    assert f"--std={expected}" in machine(source, cuda(), library()).options
    assert f"-std={expected}" in machine(source, hip(), library()).options


def test_dialects():
    described = of(HIP_TEXT, cuda())
    assert {"__HIPCC__", "__HIP_PLATFORM_NVIDIA__", "__HIP_DEVICE_COMPILE__"} <= described.added.keys()
    assert "__LP_CUDA__" not in described.added
    described = of(CUDA_TEXT, hip("gfx90a:xnack-"))
    assert "--offload-arch=gfx90a:xnack-" in described.options
    assert described.added["__CUDA_ARCH__"] == "700"
    assert "__gfx90a__" in described.predefined
    assert "__CUDACC__" not in of(HIP_TEXT, hip()).added
