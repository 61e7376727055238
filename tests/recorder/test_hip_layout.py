"""The structs and numbers of rocprofiler-sdk and HIP that the recorder has, held against their headers.

These are in no package of Debian's or PyPI's: the tests run where ROCm is installed, or ``LAUNCHPATH_TEST_ROCM_INCLUDE`` names
the folders of its headers.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.standin.build import ROOT, compile_c, compiler

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

SOURCE = ROOT / "src" / "launchpath"
OURS = ["-w", f"-I{SOURCE / '_core'}", f"-I{SOURCE / '_recorder'}"]
# Our struct, theirs, and members: our name is the same unless it is followed by theirs.
STRUCTS = """
rocp_client rocprofiler_client_id_t size name handle
rocp_tool rocprofiler_tool_configure_result_t size begins:initialize ends:finalize data:tool_data
rocp_record rocprofiler_callback_tracing_record_t context:context_id thread:thread_id internal:correlation_id.internal \
    external:correlation_id.external ancestor:correlation_id.ancestor kind operation phase payload
rocp_kernel rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t size kernel:kernel_id name:kernel_name
rocp_host_kernel rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t kernel:kernel_id \
    address:host_function name:device_function
rocp_dispatch rocprofiler_callback_tracing_kernel_dispatch_data_t size started:start_timestamp ended:end_timestamp \
    of.kernel:dispatch_info.kernel_id of.group_size:dispatch_info.group_segment_size of.group:dispatch_info.workgroup_size \
    of.items:dispatch_info.grid_size
rocp_copy rocprofiler_callback_tracing_memory_copy_data_t size started:start_timestamp ended:end_timestamp bytes \
    to:dst_address source:src_address
rocp_call rocprofiler_callback_tracing_hip_api_data_t size arguments:args
hip_pitched hipPitchedPtr at:ptr pitch
hip_extent hipExtent width height depth
hip_volume hipMemcpy3DParms source_array:srcArray source:srcPtr to_array:dstArray to:dstPtr extent kind
hip_box HIP_MEMCPY3D source_type:srcMemoryType source_host:srcHost source_device:srcDevice source_array:srcArray \
    to_type:dstMemoryType to_host:dstHost to_device:dstDevice to_array:dstArray width:WidthInBytes height:Height depth:Depth
hip_rows hip_Memcpy2D source_type:srcMemoryType source_host:srcHost source_device:srcDevice source_array:srcArray \
    to_type:dstMemoryType to_host:dstHost to_device:dstDevice to_array:dstArray width:WidthInBytes height:Height
hip_config HIP_LAUNCH_CONFIG grid:gridDimX block:blockDimX shared:sharedMemBytes stream:hStream attributes:attrs \
    n_attributes:numAttrs
hip_launch_config hipLaunchConfig_t grid:gridDim block:blockDim shared:dynamicSmemBytes stream attributes:attrs \
    n_attributes:numAttrs
cuda_attribute hipLaunchAttribute id value
hip_sizes rocprofiler_dim3_t x y z
"""
NUMBERS = """
ROCP_PHASE_ENTER ROCPROFILER_CALLBACK_PHASE_ENTER
ROCP_PHASE_EXIT ROCPROFILER_CALLBACK_PHASE_EXIT
ROCP_TRACE_HIP ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API
ROCP_TRACE_CODE ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT
ROCP_TRACE_DISPATCH ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH
ROCP_TRACE_COPY ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY
ROCP_CODE_KERNEL ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER
ROCP_CODE_HOST_KERNEL ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER
ROCP_DISPATCH_COMPLETE ROCPROFILER_KERNEL_DISPATCH_COMPLETE
ROCP_COPY_HOST_TO_DEVICE ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE
ROCP_COPY_DEVICE_TO_HOST ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST
ROCP_COPY_DEVICE_TO_DEVICE ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE
ROCP_ASKED_COPY ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY
ROCP_ASKED_DISPATCH ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH
ROCP_RESULT_SIZE sizeof(rocprofiler_callback_tracing_hip_api_data_t)-offsetof(rocprofiler_callback_tracing_hip_api_data_t,retval)
HIP_NOT_READY hipErrorNotReady
HIP_MEMORY_HOST hipMemoryTypeHost
HIP_MEMORY_DEVICE hipMemoryTypeDevice
HIP_MEMORY_MANAGED hipMemoryTypeManaged
HIP_MEMORY_ARRAY hipMemoryTypeArray
HIP_MEMORY_UNIFIED hipMemoryTypeUnified
HIP_COPY_TO_DEVICE hipMemcpyHostToDevice
HIP_COPY_TO_HOST hipMemcpyDeviceToHost
HIP_COPY_ON_DEVICE hipMemcpyDeviceToDevice
HIP_STREAM_NON_BLOCKING hipStreamNonBlocking
HIP_COOPERATIVE hipLaunchAttributeCooperative
"""


@pytest.fixture(scope="module")
def includes() -> list[str]:
    named = os.environ.get("LAUNCHPATH_TEST_ROCM_INCLUDE")
    folders = named.split(os.pathsep) if named else [os.path.join(os.environ.get("ROCM_PATH", "/opt/rocm"), "include")]
    if not any((Path(folder) / "rocprofiler-sdk" / "rocprofiler.h").exists() for folder in folders):
        pytest.skip(
            "no rocprofiler-sdk/rocprofiler.h: install ROCm 7, or name the folders in LAUNCHPATH_TEST_ROCM_INCLUDE"
        )
    return folders


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def told(folder: Path, language: str, head: list[str], values: dict[str, str], *flags: str) -> dict[str, int]:
    """Give the values of expressions, as a compiler has them."""
    lines = [
        *head,
        "int main(void) {",
        *(f'printf("{name} %zu\\n", (size_t)({value}));' for name, value in values.items()),
    ]
    source = folder / f"told.{language}"
    source.write_text("\n".join([*lines, "return 0; }"]))
    words = [*compiler(), "-w", *flags, "-o", folder / "told", source, "-ldl", "-lpthread"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    lines = subprocess.run([folder / "told"], capture_output=True, text=True, check=True).stdout.split("\n")
    return {name: int(value) for name, _, value in (line.partition(" ") for line in lines if line)}


def arguments_of_ours() -> dict[str, list[str]]:
    """Give the members of each function's arguments, as entries.h has them."""
    done = compile_c("-E", "-P", *OURS, SOURCE / "_recorder" / "recorder.c")
    assert done.returncode == 0, done.stderr
    structs = re.findall(r"struct hip_arguments_(\w+)\s*\{([^}]*)\}", done.stdout)
    return {name: re.findall(r"(\w+)\s*;", members) for name, members in structs}


def arguments_of_theirs(includes: list[str]) -> dict[str, list[str]]:
    (path,) = [path for folder in includes for path in Path(folder).glob("rocprofiler-sdk/hip/api_args.h")][:1]
    text = re.sub(r"//.*", "", path.read_text())
    return {
        name: re.findall(r"(\w+)\s*;", members) for members, name in re.findall(r"struct\s*\{([^{}]*)\}\s*(\w+);", text)
    }


def test_structs_numbers_and_arguments_are_those_of_the_headers(includes: list[str], tmp_path: Path) -> None:
    ours, theirs = arguments_of_ours(), arguments_of_theirs(includes)
    mine: dict[str, str] = {}
    header: dict[str, str] = {}
    for name, members in ours.items():
        assert name in theirs
        if members == ["none"]:
            continue
        union = "((rocprofiler_hip_api_args_t *)0)"
        for member, own in zip(theirs[name], _spread(members, len(theirs[name])), strict=True):
            if own:
                mine[f"{name}.{own}"] = f"offsetof(struct hip_arguments_{name}, {own})"
                header[f"{name}.{own}"] = f"(char *)&{union}->{name}.{member} - (char *){union}"
    for our, their, *members in rows(STRUCTS.replace("\\\n", "")):
        for own, _, member in (each.partition(":") for each in members):
            mine[f"{our}.{own}"] = f"offsetof({our}, {own})"
            header[f"{our}.{own}"] = f"offsetof({their}, {member or own})"
    for our, their in rows(NUMBERS):
        mine[our], header[our] = our, their
    got = told(tmp_path, "c", ['#include "recorder.c"'], mine, "-std=gnu11", *OURS)
    names = ("rocprofiler.h", "registration.h", "external_correlation.h")
    heads = ["#include <cstdio>", "#include <cstddef>", *(f"#include <rocprofiler-sdk/{name}>" for name in names)]
    flags = [f"-I{folder}" for folder in includes]
    wanted = told(tmp_path, "cpp", heads, header, "-D__HIP_PLATFORM_AMD__", "-x", "c++", "-std=c++17", *flags)
    assert len(got) > 400
    assert {name: (value, wanted[name]) for name, value in got.items() if value != wanted[name]} == {}


def _spread(members: list[str], n: int) -> list[str]:
    """Give a name for each of the header's members: six sizes of a launch are two of our members."""
    if len(members) == n:
        return members
    at = members.index("grid")
    return [*members[: at + 1], "", "", "block", "", "", *members[at + 2 :]]
