"""Calls CUDA's driver, a scene in each function: ``evidence_cuda.py driver``. It prints addresses and handles, as JSON."""

import ctypes
import json
import struct
import sys
from ctypes import addressof, byref, c_size_t, c_uint64, c_void_p, create_string_buffer

cu = ctypes.CDLL(sys.argv[1])
cu.cuInit(0)
said = {}


def new(function: str, *arguments: object) -> c_void_p:
    result = c_void_p()
    getattr(cu, function)(byref(result), *arguments)
    return result


first, same, other = (create_string_buffer(text * 100) for text in (b"abc", b"abc", b"abd"))
memory, pinned_memory = new("cuMemAlloc_v2", c_size_t(1 << 20)), new("cuMemHostAlloc", c_size_t(300), 0)
size = c_size_t(300)


def uploads() -> None:
    for source in (first, first, same, other):
        cu.cuMemcpyHtoD_v2(memory, source, size)
    cu.cuMemcpy(memory, same, size)
    said["uploads"] = [addressof(each) for each in (first, first, same, other, same)]


def pinned() -> None:
    ctypes.memmove(pinned_memory, first, 300)
    cu.cuMemcpyHtoDAsync_v2(memory, pinned_memory, size, None)
    cu.cuMemcpyDtoHAsync_v2(pinned_memory, memory, size, None)
    cu.cuMemcpyDtoH_v2(pinned_memory, memory, size)


def downloads() -> None:
    cu.cuMemcpyHtoD_v2(memory, first, size)
    into = create_string_buffer(300)
    cu.cuMemcpyDtoH_v2(into, memory, size)
    cu.cuMemcpyDtoHAsync_v2(into, memory, size, None)


def unread() -> None:
    """What the host may not read, or what is refused."""
    cu.cuMemcpyDtoD_v2(c_void_p(memory.value + 512), memory, size)
    cu.cuMemcpyHtoD_v2(memory, c_void_p(memory.value + 1024), size)
    assert cu.cuMemcpyHtoD_v2(memory, None, size)
    assert cu.cuMemcpyDtoH_v2(None, memory, size)


class End(ctypes.Structure):
    _fields_ = [("x", c_size_t), ("y", c_size_t), ("z", c_size_t), ("level", c_size_t), ("type", ctypes.c_int)]
    _fields_ += [("host", c_void_p), ("device", c_uint64), ("array", c_void_p), ("context", c_void_p)]
    _fields_ += [("pitch", c_size_t), ("height", c_size_t)]


class Box(ctypes.Structure):
    _fields_ = [("source", End), ("to", End), ("width", c_size_t), ("height", c_size_t), ("depth", c_size_t)]


class Side(ctypes.Structure):
    _fields_ = [("x", c_size_t), ("y", c_size_t), ("type", ctypes.c_int), ("host", c_void_p), ("device", c_uint64)]
    _fields_ += [("array", c_void_p), ("pitch", c_size_t)]


class Rows(ctypes.Structure):
    _fields_ = [("source", Side), ("to", Side), ("width", c_size_t), ("height", c_size_t)]


def rows() -> None:
    for text in (b"-------- xxxx... xxxx...", b"-----------xxxx,,,,xxxx,,", b"-------- xxxx... xxxy..."):
        begin = text.index(b"x")
        source = create_string_buffer(text)
        copy = Rows(width=4, height=2)
        copy.source = Side(x=begin - 8, y=1, type=1, host=addressof(source), pitch=8)
        copy.to = Side(type=2, device=memory.value, pitch=64)
        cu.cuMemcpy2D_v2(byref(copy))


def boxes() -> None:
    for text in (b"xx..xx..----xx..xx..----", b"xx,,xx,,+++!xx..xx..----", b"xx..xx..----xx..xy..----"):
        source = create_string_buffer(text)
        copy = Box(width=2, height=2, depth=2)
        copy.source, copy.to = End(type=1, host=addressof(source), pitch=4, height=3), End(type=2, device=memory.value)
        cu.cuMemcpy3D_v2(byref(copy))


def fills() -> None:
    for value in (1, 1, 2):
        cu.cuMemsetD32_v2(c_uint64(memory.value), value, c_size_t(8))


def launch(function: c_void_p, parameters: object, extra: object) -> None:
    cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, parameters, extra)


def launches() -> None:
    function, numbers = new("cuModuleGetFunction", None, b"sixteen"), list(range(15))
    for change in (None, 1, 11):
        changed = [number + 100 * (place == change) for place, number in enumerate(numbers)]
        packed = create_string_buffer(struct.pack("Q15i", memory.value, *changed))
        length = c_size_t(68)
        launch(function, None, (c_void_p * 5)(1, addressof(packed), 2, addressof(length), 0))
    values = [c_uint64(memory.value), *map(ctypes.c_int32, numbers)]
    launch(function, (c_void_p * 16)(*map(addressof, values)), None)
    unknown = new("cuModuleGetFunction", None, b"unknown")
    launch(unknown, (c_void_p * 16)(*map(addressof, values)), None)
    launch(unknown, None, (c_void_p * 5)(1, addressof(packed), 2, addressof(length), 0))


def events() -> None:
    event = new("cuEventCreate", 0)
    cu.cuEventRecord(event, c_void_p(1))
    cu.cuStreamWaitEvent(c_void_p(1), event, 0)
    cu.cuEventSynchronize(event)
    said["events"] = [event.value]


for scene in (uploads, pinned, downloads, unread, rows, boxes, fills, launches, events):
    scene()
print(json.dumps(said))
