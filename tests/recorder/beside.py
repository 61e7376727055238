"""A program that uses launchpath and OpenCL's own functions, in turns: ``beside.py loader platform``.

It prints how often each has launched.
"""

import ctypes
import sys
from collections.abc import Callable
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_void_p

import launchpath as lp

SOURCE = b"__kernel void theirs(__global int *a) { a[0] = 1; }"
KERNEL = 'extern "C" __global__ void ours(int *a) { a[0] = 2; }'
OURS, THEIRS = 7, 5


def theirs(path: str, name: str) -> Callable[[], None]:
    """Give a function that launches by OpenCL's loader."""
    cl = ctypes.CDLL(path)
    for function in (
        "clCreateContext",
        "clCreateCommandQueue",
        "clCreateProgramWithSource",
        "clCreateKernel",
        "clCreateBuffer",
    ):
        getattr(cl, function).restype = c_void_p
    platforms, n, device, text = (c_void_p * 16)(), c_uint(), c_void_p(), ctypes.create_string_buffer(256)
    cl.clGetPlatformIDs(16, platforms, byref(n))
    for platform in platforms[: n.value]:
        cl.clGetPlatformInfo(c_void_p(platform), 0x902, c_size_t(256), text, None)
        if name in text.value.decode():
            cl.clGetDeviceIDs(c_void_p(platform), ctypes.c_uint64(0xFFFFFFFF), 1, byref(device), None)
    context = c_void_p(cl.clCreateContext(None, 1, byref(device), None, None, None))
    queue = c_void_p(cl.clCreateCommandQueue(context, device, ctypes.c_uint64(0), None))
    program = c_void_p(cl.clCreateProgramWithSource(context, 1, byref(c_char_p(SOURCE)), None, None))
    if cl.clBuildProgram(program, 1, byref(device), b"", None, None):
        sys.exit("the program cannot be built")
    kernel = c_void_p(cl.clCreateKernel(program, b"theirs", None))
    buffer = c_void_p(cl.clCreateBuffer(context, ctypes.c_uint64(1), c_size_t(64), None, None))
    cl.clSetKernelArg(kernel, c_int(0), c_size_t(8), byref(buffer))

    def launch() -> None:
        one = c_size_t(1)
        if cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, byref(one), None, 0, None, None) or cl.clFinish(queue):
            sys.exit("a launch failed")

    return launch


def main() -> None:
    """Launch in turns."""
    launch = theirs(*sys.argv[1:3])
    device = lp.device(sys.argv[2].lower())
    kernel = lp.compile(KERNEL, device=device)["ours"]
    memory = lp.zeros(16, "i4", device=device)
    for i in range(max(OURS, THEIRS)):
        if i < THEIRS:
            launch()
        if i < OURS:
            kernel[1, 1](memory)
    device.synchronize()
    print(OURS, THEIRS)


if __name__ == "__main__":
    main()
