"""The forwarding library gives HIP's interface over the stand-in, and hiprtc over one of NVRTC."""

import ctypes
import struct

from tests.threads import apart

from .client import IMAGE, Hip

MAX_THREADS, WARP_SIZE, CAPABILITY_MAJOR, MEMORY_POOLS, WAIT_VALUE = 56, 87, 23, 88, 10013


def test_devices(hip):
    value = ctypes.c_int()
    hip("hipGetDeviceCount", ctypes.byref(value))
    assert value.value == 2
    attributes = {}
    for which in (MAX_THREADS, WARP_SIZE, CAPABILITY_MAJOR, MEMORY_POOLS, WAIT_VALUE):
        hip("hipDeviceGetAttribute", ctypes.byref(value), which, 0)
        attributes[which] = value.value
    assert attributes == {MAX_THREADS: 1024, WARP_SIZE: 32, CAPABILITY_MAJOR: 9, MEMORY_POOLS: 1, WAIT_VALUE: 1}
    assert hip.code("hipDeviceGetAttribute", ctypes.byref(value), 4711, 0) == 1
    assert hip.code("hipSetDevice", 2) == 101
    properties = ctypes.create_string_buffer(792)
    hip("hipGetDeviceProperties", properties, 1)
    assert properties.raw[:14] == b"Stand-in GPU 1"
    assert properties.raw[396:402] == b"sm_90\0"


def test_the_device_is_each_threads_own(hip):
    hip("hipSetDevice", 1)
    seen = []

    def other():
        device = ctypes.c_int(-1)
        hip("hipGetDevice", ctypes.byref(device))
        seen.append(device.value)
        address = hip.out("hipMalloc", 8)  # a thread needs no context of its own to be set
        ordinal = ctypes.c_int(-1)
        hip("hipPointerGetAttribute", ctypes.byref(ordinal), 9, address)
        seen.append(ordinal.value)

    apart(other)
    assert seen == [0, 0]
    hip("hipSetDevice", 0)


def test_a_launch(hip, cuda):
    stream = hip.out("hipStreamCreateWithPriority", 1, 0)
    module = hip.out("hipModuleLoadDataEx", IMAGE, 0, None, None)
    function = hip.out("hipModuleGetFunction", module, b"fill")
    data = hip.out("hipMalloc", 8)
    packed = struct.pack("Qfi", data, 2.0, 1)
    assert hip.launch_code(function, packed) == 0
    assert hip.launch_code(function, packed[:8]) == 1
    event, waiter = hip.out("hipEventCreateWithFlags", 0x80000002), hip.out("hipStreamCreateWithPriority", 1, 0)
    word = cuda.word()
    hip("hipStreamWaitValue32", stream, ctypes.addressof(word), 1, 0, 0xFFFFFFFF)
    assert hip.code("hipStreamWaitValue32", stream, ctypes.addressof(word), 1, 0, 0xFF) == 801
    hip("hipEventRecord", event, stream)
    hip("hipStreamWaitEvent", waiter, event, 0)
    out = ctypes.c_float()
    assert hip.code("hipStreamQuery", waiter) == 600
    word.value = 1
    hip("hipStreamSynchronize", waiter)
    hip("hipMemcpyAsync", ctypes.addressof(out), data, 4, 2, 0)
    assert out.value == 2.0
    assert hip.code("hipMemcpyAsync", ctypes.addressof(out), data, 4, 5, 0) == 1
    for name, handle in (
        ("hipEventDestroy", event),
        ("hipStreamDestroy", stream),
        ("hipStreamDestroy", waiter),
        ("hipFree", data),
    ):
        hip(name, handle)
    hip("hipModuleUnload", module)


def test_pointers_have_hips_types(hip):
    kinds = []
    for name, *arguments in (("hipMalloc", 8), ("hipHostMalloc", 8, 0x40000002)):
        value = ctypes.c_uint(99)
        hip("hipPointerGetAttribute", ctypes.byref(value), 2, hip.out(name, *arguments))
        kinds.append(value.value)
    assert kinds == [1, 0]
    assert hip.out("hipMalloc", 0) == 0


def test_pools(hip):
    properties = struct.pack("iiiiQ64x", 1, 0, 1, 0, 0)
    pool, stream = hip.out("hipMemPoolCreate", properties), hip.out("hipStreamCreateWithPriority", 1, 0)
    threshold = ctypes.c_uint64(1 << 30)
    hip("hipMemPoolSetAttribute", pool, 4, ctypes.byref(threshold))
    address = hip.out("hipMallocFromPoolAsync", 64, pool, stream)
    hip("hipMemsetD32Async", address, 1, 16, stream)
    hip("hipFreeAsync", address, stream)
    hip("hipStreamSynchronize", stream)
    hip("hipMemPoolTrimTo", pool, 0)


def test_a_capture(hip, cuda):
    stream, data = hip.out("hipStreamCreateWithPriority", 1, 0), hip.out("hipMalloc", 4)
    graph, status, id_ = ctypes.c_uint64(), ctypes.c_int(), ctypes.c_uint64()
    mode = ctypes.c_int(1)
    hip("hipThreadExchangeStreamCaptureMode", ctypes.byref(mode))
    hip("hipThreadExchangeStreamCaptureMode", ctypes.byref(mode))
    assert mode.value == 1
    for broken in True, False:
        hip("hipStreamBeginCapture", stream, 0)
        hip("hipMemsetD32Async", data, 6, 1, stream)
        if broken:
            assert hip.code("hipStreamSynchronize", stream) == 900
            assert hip.code("hipMemsetD32Async", data, 6, 1, stream) == 901
            assert hip.code("hipStreamEndCapture", stream, ctypes.byref(graph)) == 901
    hip("hipStreamIsCapturing", stream, ctypes.byref(status))
    assert status.value == 1
    hip("hipStreamGetCaptureInfo", stream, ctypes.byref(status), ctypes.byref(id_))
    assert (status.value, id_.value != 0) == (1, True)
    hip("hipStreamEndCapture", stream, ctypes.byref(graph))
    count = ctypes.c_size_t()
    hip("hipGraphGetNodes", graph.value, None, ctypes.byref(count))
    assert count.value == 1
    for name, *more in ("hipGraphInstantiate", None, None, 0), ("hipGraphInstantiateWithFlags", 0):
        exec_ = hip.out(name, graph.value, *more)
        hip("hipGraphLaunch", exec_, stream)
        hip("hipGraphExecDestroy", exec_)
    hip("hipGraphDestroy", graph.value)
    assert cuda.read(data) == [6]
    assert cuda.live("graphs") == 0
    assert hip.c.hipGetErrorName(907) == b"hipErrorCapturedEvent"


def test_errors(hip, cuda):
    assert hip.c.hipGetErrorName(700) == b"hipErrorIllegalAddress"
    for code, translated in ((222, 218), (716, 719), (46, 999), (2, 2)):
        cuda.fail("cuMemAlloc_v2", code)
        assert hip.code("hipMalloc", ctypes.byref(ctypes.c_uint64()), 8) == translated


def test_what_cuda_lacks_hip_does_not_support(built, monkeypatch):
    path = str(built("cuda", ("cuMemPoolCreate", "cuStreamWaitValue32_v2")))
    monkeypatch.setenv("HIP_FORWARD_CUDA", path)
    hip, value = Hip(str(built("hip"))), ctypes.c_int(-1)
    assert hip.code("hipMemPoolCreate", ctypes.byref(ctypes.c_uint64()), bytes(88)) == 801
    assert hip.code("hipStreamWaitValue32", 0, 0, 1, 0, 0xFFFFFFFF) == 801
    hip("hipDeviceGetAttribute", ctypes.byref(value), WAIT_VALUE, 0)
    assert value.value == 0


def test_without_cuda_there_is_no_device(built, monkeypatch):
    monkeypatch.setenv("HIP_FORWARD_CUDA", "/nonexistent.so")
    hip, count = Hip(str(built("hip"))), ctypes.c_int(-1)
    assert hip.code("hipInit", 0) == 100
    assert hip.code("hipGetDeviceCount", ctypes.byref(count)) == 100
    assert count.value == 0


SOURCE = b"""
//ptx .version 8.0
//ptx .target sm_90
//ptx .visible .entry increment(.param .u64 p, .param .u32 n)
//ptx {
//ptx }
"""


def compile_program(hip, source, *options, names=()):
    program = ctypes.c_void_p()
    hip("hiprtcCreateProgram", ctypes.byref(program), source, b"t.hip", 0, None, None)
    for name in names:
        hip("hiprtcAddNameExpression", program, name)
    code = hip.code("hiprtcCompileProgram", program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    hip("hiprtcGetProgramLogSize", program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    hip("hiprtcGetProgramLog", program, log)
    return program, code, log.value.decode().splitlines()


def test_compiling(hip, cuda):
    program, code, _ = compile_program(hip, SOURCE, names=[b"scale<float>"])
    assert code == 0
    lowered = ctypes.c_char_p()
    hip("hiprtcGetLoweredName", program, b"scale<float>", ctypes.byref(lowered))
    assert lowered.value == b"scale_float_"
    assert hip.code("hiprtcGetLoweredName", program, b"other", ctypes.byref(lowered)) == 10
    size = ctypes.c_size_t()
    hip("hiprtcGetCodeSize", program, ctypes.byref(size))
    image = ctypes.create_string_buffer(size.value)
    hip("hiprtcGetCode", program, image)
    module = hip.out("hipModuleLoadDataEx", image, 0, None, None)
    function = hip.out("hipModuleGetFunction", module, b"increment")
    data = hip.out("hipMalloc", 4)
    hip("hipMemsetD32Async", data, 1, 1, 0)
    assert hip.launch_code(function, struct.pack("Qi", data, 1)) == 0
    assert cuda.read(data) == [2]
    hip("hiprtcDestroyProgram", ctypes.byref(program))
    assert program.value is None


def test_options(hip, monkeypatch):
    options = [
        b"--offload-arch=gfx90a", b"-O3", b"-Ihere", b"-I", b"there", b"-DA=1", b"-mllvm", b"-x", b"-ffast-math",
        b"-std=gnu++20", b"-fno-rtti",
    ]  # fmt: skip
    wanted = ["--gpu-architecture=sm_90", "-Ihere", "-I", "there", "-DA=1", "--use_fast_math", "--std=c++20"]
    _, code, log = compile_program(hip, SOURCE, *options)
    assert (code, log[2:]) == (0, wanted)
    assert log[:2] == ["header:", "hip/hip_runtime.h"]
    monkeypatch.setenv("HIP_FORWARD_ARCH", "compute_80")
    assert compile_program(hip, SOURCE)[2][2:] == ["--gpu-architecture=compute_80"]


def test_errors_of_compiling(hip):
    _, code, log = compile_program(hip, b"//error t.hip(1): error: no\n")
    assert code == 6
    assert log[-1] == "t.hip(1): error: no"
    assert hip.c.hiprtcGetErrorString(6) == b"HIPRTC_ERROR_COMPILATION"
