"""What tests ask the stand-in for: failing calls and records of calls; libraries that lack functions."""

import ctypes
import threading

import pytest

from tests.python import python

from .build import environment


def test_calls_are_recorded(cuda):
    stream = cuda.stream()
    cuda.calls()
    cuda("cuStreamQuery", stream)
    assert cuda.code("cuStreamQuery", 8) == 400
    cuda.launch("nothing", stream=stream, grid=(2, 1, 1))
    calls = cuda.calls()
    assert [(call.name, call.stream, call.result) for call in calls] == [
        ("cuStreamQuery", stream, 0),
        ("cuStreamQuery", 8, 400),
        ("cuModuleGetFunction", 0, 0),
        ("cuLaunchKernel", stream, 0),
    ]
    assert {call.thread for call in calls} == {threading.get_native_id()}
    assert calls[3].detail == "nothing 2,1,1 1,1,1 0"
    assert cuda.calls() == []


def test_recording_can_be_stopped(cuda):
    cuda.calls()
    cuda.record(False)
    cuda.stream()
    cuda.record(True)
    assert cuda.calls() == []


def test_the_nth_call_fails(cuda):
    cuda.fail("cuStreamQuery", 999, nth=2)
    assert [cuda.code("cuStreamQuery", 0) for _ in range(4)] == [0, 999, 0, 0]


def test_every_call_fails(cuda):
    cuda.fail("cuStreamQuery", 999, nth=0)
    assert [cuda.code("cuStreamQuery", 0) for _ in range(3)] == [999, 999, 999]
    cuda.forgive("cuStreamQuery")
    assert cuda.code("cuStreamQuery", 0) == 0


def test_a_failed_call_does_nothing(cuda):
    data = cuda.allocate(4)
    cuda.fail("cuMemsetD32Async", 2)
    cuda.fail("cuMemFree_v2", 2)
    assert cuda.code("cuMemsetD32Async", data, 1, 1, 0) == 2
    assert cuda.code("cuMemFree_v2", data) == 2
    assert (cuda.pending, cuda.live("memory")) == (0, 1)


def test_misuse_has_names(cuda):
    text = ctypes.c_char_p()
    cuda("cuGetErrorName", 700, ctypes.byref(text))
    assert text.value == b"CUDA_ERROR_ILLEGAL_ADDRESS"
    cuda("cuGetErrorString", 2, ctypes.byref(text))
    assert text.value == b"out of memory"
    assert cuda.code("cuGetErrorName", 12345, ctypes.byref(text)) == 1
    assert text.value is None


def _python(code, **variables):
    return python("-c", code, env=variables).stdout.split()


ASK = """
import ctypes, os
c = ctypes.CDLL(os.environ["LIBRARY"])
n = ctypes.c_int(-1)
print(c.cuDeviceGetCount(ctypes.byref(n)))
print(c.cuInit(0), c.cuDeviceGetCount(ctypes.byref(n)), n.value)
print(c.cuDriverGetVersion(ctypes.byref(n)), n.value)
name = ctypes.create_string_buffer(64)
c.cuDeviceGetName(name, 64, 1)
print(name.value.decode().replace(" ", "_"), hasattr(c, "cuMemPoolCreate"), hasattr(c, "cuMemPoolTrimTo"))
"""


def test_the_environment(cuda, built):
    variables = {"LIBRARY": str(built("cuda"))}
    assert _python(ASK, **variables) == ["3", "0", "0", "2", "0", "13000", "Stand-in_GPU_1", "True", "True"]
    variables = {
        "LIBRARY": str(built("cuda", ("cuMemPoolCreate",))),
        "STANDIN_DEVICES": "3",
        "STANDIN_VERSION": "12040",
    }
    assert _python(ASK, **variables) == ["3", "0", "0", "3", "0", "12040", "Stand-in_GPU_1", "False", "True"]
    assert _python(ASK, LIBRARY=variables["LIBRARY"], STANDIN_DEVICES="0")[1] == "100"


def test_a_process_may_end_with_work_in_flight(built):
    code = """
import ctypes, os
c = ctypes.CDLL(os.environ["LIBRARY"])
context, word = ctypes.c_void_p(), ctypes.c_void_p()
assert not c.cuInit(0) and not c.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) and not c.cuCtxSetCurrent(context)
assert not c.cuMemHostAlloc(ctypes.byref(word), ctypes.c_size_t(4), 0)
assert not c.cuStreamWaitValue32_v2(None, word, 1, 0)
print("over")
"""
    assert _python(code, LIBRARY=str(built("cuda"))) == ["over"]


@pytest.mark.parametrize("which", ["cuda", "hip"])
def test_the_environment_for_launchpath(built, which):
    built("cuda")
    variables = environment(which, devices=1, nvrtc="/there")
    assert variables["STANDIN_DEVICES"] == "1"
    assert [variables[f"LAUNCHPATH_{name}_LIBRARY"] != "none" for name in ("CUDA", "HIP")] == [
        which == "cuda",
        which == "hip",
    ]
    assert variables["LAUNCHPATH_NVRTC_LIBRARY" if which == "cuda" else "HIP_FORWARD_NVRTC"] == "/there"
