"""What calls of drivers are for, and calls inside those that load and compile."""

from pathlib import Path

import pytest

from launchpath._trace.summaries.categories import category
from launchpath._trace.summaries.summarize import summarize
from tests.trace.builder import FACTS, Builder, call, clocks, command, times

CATEGORIES = {
    "submit": "cuLaunchKernel cuLaunchKernelEx_ptsz cuLaunchHostFunc cuGraphLaunch cuGraphUpload cuEventRecord cuStreamWaitEvent "
    "cuStreamBatchMemOp_v2 clEnqueueNDRangeKernel clEnqueueTask clEnqueueCommandBufferKHR clEnqueueMarkerWithWaitList clFlush "
    "hipModuleLaunchKernel hipExtModuleLaunchKernel hipGraphLaunch launch graph_run",
    "copy and fill": "cuMemcpyHtoDAsync_v2 cuMemsetD8Async cuMemPrefetchAsync cuStreamAttachMemAsync clEnqueueReadBuffer "
    "clEnqueueCopyBufferRect clEnqueueFillBuffer clEnqueueMapBuffer clEnqueueUnmapMemObject clEnqueueSVMMemcpy clEnqueueSVMMap "
    "clEnqueueMemFillINTEL hipMemcpyAsync hipMemsetD8Async copy fill",
    "wait": "cuCtxSynchronize cuCtxSynchronize_v2 cuStreamSynchronize_ptsz cuEventSynchronize clFinish clWaitForEvents "
    "hipStreamSynchronize hipDeviceSynchronize queue_finish event_wait",
    "query": "cuStreamQuery cuEventQuery cuEventElapsedTime_v2 clGetEventInfo hipEventQuery",
    "allocate": "cuMemAlloc_v2 cuMemAllocAsync cuMemAllocHost_v2 cuMemHostRegister_v2 cuMemFree_v2 cuMemFreeHost cuMemCreate "
    "cuMemMap cuMemPoolTrimTo cuArrayCreate_v2 clCreateBuffer clCreateImage clReleaseMemObject clSVMAlloc clSVMFree "
    "clEnqueueSVMFree hipMalloc hipFreeAsync allocate free",
    "load and compile": "cuModuleLoadData cuModuleGetFunction cuModuleUnload cuLibraryLoadData cuLibraryGetKernel cuLinkComplete "
    "cuKernelGetFunction clBuildProgram clCompileProgram clLinkProgram clCreateProgramWithSource clCreateKernel hipModuleLoadData "
    "hiprtcCompileProgram",
    "other": "cuInit cuCtxCreate_v4 cuStreamCreate cuStreamBeginCapture_v2 cuGraphInstantiateWithFlags cuEventCreate "
    "clCreateCommandQueue clReleaseCommandQueue clSetEventCallback queue_create",
}  # fmt: skip


@pytest.mark.parametrize("name", CATEGORIES)
def test_functions_have_their_category(name: str) -> None:
    assert {each: category(each) for each in CATEGORIES[name].split()} == dict.fromkeys(CATEGORIES[name].split(), name)


def test_time_of_calls_inside_loading_is_loading(tmp_path: Path) -> None:
    facts = {**FACTS, "recorder": True, "entries": ["", "cuModuleLoadData", "cuMemAlloc_v2", "cuLaunchKernel"]}

    slots = [*clocks(), call(2, 1_200_000, 1_300_000), call(1, 1_100_000, 1_900_000), call(2, 2_000_000, 2_050_000)]
    slots += [
        command(1, 3_000_000, (3_000_000, 3_010_000), 3_010_000, number=3),
        times(1, 3_000_000, 3_020_000, 3_030_000),
    ]
    other = [call(2, 1_150_000, 1_250_000)]  # at the same time, by another thread
    built = Builder().meta(**facts).slots(*slots).slots(*other, ring=1, thread=12)
    summary = summarize(built.write(tmp_path / "t.lptrace"))
    assert {each.name: (each.calls, each.total) for each in summary.categories} == {
        "load and compile": (1, 800_000), "allocate": (3, 150_000), "submit": (1, 10_000),
    }  # fmt: skip
    assert summary.driver_calls["cuMemAlloc_v2"].nested == 100_000
    assert "load and compile" in str(summary)
    rows = {row["name"]: row["category"] for row in summary.as_json()["driver_calls"]}
    assert rows == {"cuModuleLoadData": "load and compile", "cuMemAlloc_v2": "allocate", "cuLaunchKernel": "submit"}
