"""What the libraries call the functions behind the entries of their driver tables: other tools know these names."""

from __future__ import annotations

_GPU = {
    "fill": "MemsetD8Async",
    "copy": "MemcpyAsync",
    "copy_peer": "MemcpyPeerAsync",
    "queue_create": "StreamCreateWithPriority",
    "queue_finish": "StreamSynchronize",
    "queue_query": "StreamQuery",
    "marker": "EventRecord",
    "event_query": "EventQuery",
    "event_wait": "EventSynchronize",
    "program_load": "ModuleLoadDataEx",
    "program_release": "ModuleUnload",
    "kernel_find": "ModuleGetFunction",
    "queue_callback": "LaunchHostFunc",
    "graph_build": "GraphInstantiateWithFlags",
    "graph_run": "GraphLaunch",
}
_CUDA = {
    "launch": "LaunchKernel",
    "copy_rows": "Memcpy2DAsync_v2",
    "allocate": "MemAlloc_v2",
    "free": "MemFree_v2",
    "memory_info": "MemGetInfo_v2",
}
_HIP = {
    "launch": "ModuleLaunchKernel",
    "copy_rows": "Memcpy2DAsync",
    "allocate": "Malloc",
    "free": "Free",
    "memory_info": "MemGetInfo",
}
_OPENCL = {
    "launch": "clEnqueueNDRangeKernel",
    "queue_create": "clCreateCommandQueueWithProperties",
    "queue_flush": "clFlush",
    "queue_finish": "clFinish",
    "marker": "clEnqueueBarrierWithWaitList",
    "event_query": "clGetEventInfo",
    "event_wait": "clWaitForEvents",
    "event_callback": "clSetEventCallback",
    "user_event": "clCreateUserEvent",
    "user_event_set": "clSetUserEventStatus",
    "program_build": "clBuildProgram",
    "program_load": "clCreateProgramWithBinary",
    "program_release": "clReleaseProgram",
    "kernel_find": "clCreateKernel",
}
# By the kind of memory that an OpenCL device has.
_SVM = {"copy": "clEnqueueSVMMemcpy", "fill": "clEnqueueSVMMemFill", "allocate": "clSVMAlloc", "free": "clSVMFree"}
_USM = {
    "copy": "clEnqueueMemcpyINTEL",
    "fill": "clEnqueueMemFillINTEL",
    "allocate": "clSharedMemAllocINTEL",
    "free": "clMemFreeINTEL",
}

LIBRARY_NAMES: dict[str, dict[str, str]] = {
    "opencl": _OPENCL | _SVM,
    "opencl-usm": _OPENCL | _USM,
    "cuda": {entry: "cu" + name for entry, name in (_GPU | _CUDA).items()},
    "hip": {entry: "hip" + name for entry, name in (_GPU | _HIP).items()},
}


def library_of(driver: str, memory: str) -> str:
    """Name the entry of `LIBRARY_NAMES` for a device, by its driver and its kind of memory."""
    return "opencl-usm" if driver == "opencl" and memory == "usm" else driver
