"""Calls OpenCL, a scene in each function: ``evidence_opencl.py loader platform``. It prints handles, as JSON."""

import ctypes
import json
import sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

SOURCE = b"""__kernel void nine(__global int *a, int b, int c, int d, int e, int f, int g, int h, int i, __local int *l) { a[0] = b + i; }
__kernel void none(void) { }"""
cl = ctypes.CDLL(sys.argv[1])
for name in ("Context", "CommandQueue", "ProgramWithSource", "Kernel", "Buffer"):
    getattr(cl, f"clCreate{name}").restype = c_void_p
cl.clCloneKernel.restype = c_void_p
said = {}


def done(code: int) -> None:
    if code:
        sys.exit(f"a call failed: {code}")


def begin() -> None:
    global context, queue, program, memory
    platforms, n, device, text = (c_void_p * 16)(), c_uint(), c_void_p(), ctypes.create_string_buffer(256)
    cl.clGetPlatformIDs(16, platforms, byref(n))
    for platform in platforms[: n.value]:
        cl.clGetPlatformInfo(c_void_p(platform), 0x902, c_size_t(256), text, None)
        if sys.argv[2] in text.value.decode():
            cl.clGetDeviceIDs(c_void_p(platform), c_uint64(0xFFFFFFFF), 1, byref(device), None)
    if not device:
        sys.exit(4)
    context = c_void_p(cl.clCreateContext(None, 1, byref(device), None, None, None))
    queue = c_void_p(cl.clCreateCommandQueue(context, device, c_uint64(0), None))
    program = c_void_p(cl.clCreateProgramWithSource(context, 1, byref(c_char_p(SOURCE)), None, None))
    done(cl.clBuildProgram(program, 1, byref(device), b"", None, None))
    memory = c_void_p(cl.clCreateBuffer(context, c_uint64(1), c_size_t(4096), None, None))


first, same, other = (ctypes.create_string_buffer(text * 100) for text in (b"abc", b"abc", b"abd"))


def write(source: object, blocking: int = 1) -> None:
    done(cl.clEnqueueWriteBuffer(queue, memory, blocking, c_size_t(0), c_size_t(300), source, 0, None, None))


def uploads() -> None:
    for source in (first, first, same, other):
        write(source)
    write(same, 0)
    done(cl.clFinish(queue))
    said["uploads"] = [ctypes.addressof(each) for each in (first, first, same, other, same)]


def downloads() -> None:
    write(first)
    into = ctypes.create_string_buffer(300)
    for blocking in (1, 0):
        done(cl.clEnqueueReadBuffer(queue, memory, blocking, c_size_t(0), c_size_t(300), into, 0, None, None))
    done(cl.clFinish(queue))


def rows() -> None:
    none, region = (c_size_t * 3)(0, 0, 0), (c_size_t * 3)(4, 2, 1)
    for text in (b"xxxx....xxxx....", b"xxxx,,,,xxxx,,,,", b"xxxx....xxxy...."):
        source = ctypes.create_string_buffer(text)
        wide = [c_size_t(each) for each in (64, 0, 8, 0)]
        done(cl.clEnqueueWriteBufferRect(queue, memory, 1, none, none, region, *wide, source, 0, None, None))


def fills() -> None:
    for pattern in (1, 1, 2):
        number = c_int(pattern)
        done(
            cl.clEnqueueFillBuffer(queue, memory, byref(number), c_size_t(4), c_size_t(0), c_size_t(64), 0, None, None)
        )
    done(cl.clFinish(queue))


def launch(kernel: c_void_p) -> None:
    one = c_size_t(1)
    done(cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, byref(one), None, 0, None, None))


def launches() -> None:
    kernel = c_void_p(cl.clCreateKernel(program, b"nine", None))

    def put(place: int, number: int) -> None:
        done(cl.clSetKernelArg(kernel, place, c_size_t(4), byref(c_int(number))))

    done(cl.clSetKernelArg(kernel, 0, c_size_t(8), byref(memory)))
    done(cl.clSetKernelArg(kernel, 9, c_size_t(64), None))
    for place in range(1, 9):
        put(place, place)
    launch(kernel)
    put(2, 100)
    launch(kernel)
    put(2, 2)
    put(8, 100)
    launch(kernel)
    put(8, 8)
    launch(kernel)
    launch(c_void_p(cl.clCreateKernel(program, b"none", None)))
    clone = c_void_p(cl.clCloneKernel(kernel, None))
    if clone:
        put(1, 50)  # not of the clone
        launch(clone)
    done(cl.clFinish(queue))


def events() -> None:
    made = (c_void_p * 5)()
    for i in range(5):
        done(cl.clEnqueueMarkerWithWaitList(queue, 0, None, byref(made, 8 * i)))
    done(cl.clEnqueueBarrierWithWaitList(queue, 5, made, None))
    done(cl.clEnqueueFillBuffer(queue, memory, byref(c_int()), c_size_t(4), c_size_t(0), c_size_t(64), 3, made, None))
    done(cl.clWaitForEvents(2, made))
    said["events"] = list(made)


for scene in (begin, uploads, downloads, rows, fills, launches, events):
    scene()
print(json.dumps(said))
