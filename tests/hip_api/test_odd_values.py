"""Values of another kind: structs, handles, addresses and buffers where functions take something else end in a code."""

import ctypes

import numpy as np
import pytest

from launchpath.hip._types import readable

from .calls import fails, ok

INVALID = "hipErrorInvalidValue"
NOWHERE = (1, -1, 8, 4096, (1 << 31) + 8, 1 << 47, 1 << 63, (1 << 64) - 8, 1 << 64)


def test_structs_of_another_kind(hip, made):
    stream, event = made(hip.hipStreamCreate()), made(hip.hipEventCreate())
    for other in (stream, event, hip.hipExtent(), hip.hipKernelNodeParams(), b"k", (ctypes.c_ubyte * 3)()):
        fails(hip.hipConfigureCall(other, hip.dim3(x=1), 0, None), INVALID)
        fails(hip.hipMallocArray(other, 4, 4, 0), INVALID)
        fails(hip.hipChooseDevice(other), INVALID)
        fails(hip.hipMemPoolCreate(other), INVALID)
    for handle in (stream, event):
        ok(hip.hipStreamSynchronize(None))
        fails(hip.hipCreateTextureObject(handle, hip.hipTextureDesc(), None), INVALID)


@pytest.mark.parametrize("place", NOWHERE)
def test_addresses_where_nothing_is(hip, graph, place):
    fails(hip.hipChooseDevice(place), INVALID)
    fails(hip.hipMalloc3D(place), INVALID)
    fails(hip.hipMemcpy3D(place), INVALID)
    fails(hip.hipCreateTextureObject(place, b"k", None), INVALID)
    fails(hip.hipLaunchHostFunc(None, place, None), INVALID)
    fails(hip.hipUserObjectCreate(None, place, 1, 1), INVALID)
    fails(hip.hipHostRegister(place, 100, 0), INVALID)
    fails(hip.hipGraphAddEmptyNode(graph, place, 1), INVALID)
    fails(hip.hipGraphAddKernelNode(graph, None, 0, place), INVALID)
    fails(hip.hipGraphAddHostNode(graph, None, 0, place), INVALID)
    fails(hip.hipGraphInstantiateWithParams(graph, place), INVALID)


def test_copies_of_host_memory_that_is_not_there(hip, made):
    memory, host = made(hip.hipMalloc(64)), np.zeros(16, "u1")
    for place in NOWHERE:
        fails(hip.hipMemcpy(memory, place, 64, 1), INVALID)
        fails(hip.hipMemcpy(place, memory, 64, 2), INVALID)
    fails(hip.hipMemcpy(memory, host, 17, 1), INVALID)
    fails(hip.hipMemcpy(host, memory, 17, 2), INVALID)
    fails(hip.hipMemcpy(b"\0" * 16, memory, 16, 2), INVALID)  # which nothing may change
    host.flags.writeable = False
    fails(hip.hipMemcpy(host, memory, 16, 2), INVALID)
    ok(hip.hipMemcpy(memory, host, 16, 1))
    copied = (ctypes.c_ubyte * 16)()
    ok(hip.hipMemcpy(ctypes.addressof(copied), memory, 16, 2))
    ok(hip.hipMemcpy(memory, ctypes.addressof(copied), 16, 1))


def test_a_struct_by_its_address(hip):
    size = hip.hipExtent()
    size.width, size.height, size.depth = 16, 2, 1
    for value in (size, int(size), ctypes.c_void_p(int(size)), ctypes.string_at(int(size), size.c_sizeof())):
        pitched = ok(hip.hipMalloc3D(value))
        assert (pitched.xsize, pitched.ysize) == (16, 2)
        ok(hip.hipFree(pitched.ptr))


def test_what_a_struct_at_an_address_is_given(hip, made):
    graph, params = ok(hip.hipGraphCreate(0)), hip.hipMemAllocNodeParams(bytesize=64)
    ok(hip.hipGraphAddMemAllocNode(graph, None, 0, int(params)))
    assert int(params.dptr)
    ok(hip.hipGraphDestroy(graph))
    stream, value = made(hip.hipStreamCreate()), hip.hipLaunchAttributeValue()
    kind = hip.hipLaunchAttributeID.hipLaunchAttributeSynchronizationPolicy
    value.priority = 77
    ok(hip.hipStreamGetAttribute(stream, kind, int(value)))
    assert value.priority != 77


def test_types_that_hip_python_refuses(hip):
    """It raises TypeError before the call, for all that it cannot take for C's type."""
    for value in (1.5, "x", [1], {}, object()):
        with pytest.raises(TypeError, match="hipStreamSynchronize: stream: expected a hipStream_t, got"):
            hip.hipStreamSynchronize(value)
    for value in ("x", b"x", None, [1]):
        with pytest.raises(TypeError, match="hipMalloc: size: expected a size_t, got"):
            hip.hipMalloc(value)
    with pytest.raises(TypeError, match="hipDeviceTotalMem: device: expected a hipDevice_t, got 'x'"):
        hip.hipDeviceTotalMem("x")
    with pytest.raises(TypeError, match="expected a hipError_t, got"):
        hip.hipGetErrorName([])
    with pytest.raises(TypeError, match="argument"):
        hip.hipMalloc()


def test_numbers_that_c_does_not_hold(hip):
    for size in (-1, 1 << 64, 1 << 200):
        fails(hip.hipMalloc(size), INVALID)
    fails(hip.hipStreamSynchronize(1 << 64), "hipErrorContextIsDestroyed")
    fails(hip.hipStreamSynchronize(-1), "hipErrorContextIsDestroyed")


def test_hiprtc_iterates_no_pointers(hip):
    from launchpath import hiprtc

    pointer = ctypes.pointer(ctypes.c_int(1))
    program = hiprtc.hiprtcCreateProgram(b"", b"odd.hip", 0, None, None)[1]
    assert hiprtc.hiprtcCreateProgram(b"", b"odd.hip", 1, pointer, pointer)[0].name == "HIPRTC_ERROR_INVALID_INPUT"
    assert hiprtc.hiprtcCreateProgram(1 << 40, None, 0, None, None)[0].name == "HIPRTC_ERROR_INVALID_INPUT"
    assert hiprtc.hiprtcCompileProgram(program, 1, pointer)[0].name == "HIPRTC_ERROR_INVALID_OPTION"
    for place in (1, -1, b"", None):
        assert hiprtc.hiprtcGetProgramLog(program, place)[0].name == "HIPRTC_ERROR_INVALID_INPUT"
    hiprtc.hiprtcDestroyProgram(program)


def test_memory_is_read_and_written_where_it_is_only():
    there = (ctypes.c_ubyte * 10000)(*range(100))
    place = ctypes.addressof(there)
    assert readable.read(place, 10000) == bytes(there)
    assert readable.write(place + 5000, b"abc" * 1000)
    assert bytes(there)[5000:8000] == b"abc" * 1000
    assert readable.is_there(place, 10000, written=True)
    assert bytes(there)[:100] == bytes(range(100))
    for nowhere in (*NOWHERE, 0, -1, 1 << 70):
        assert readable.read(nowhere, 8) is None
        assert not readable.write(nowhere, b"12345678")
        assert not readable.is_there(nowhere, 8)
        assert not readable.is_code(nowhere)
    assert not readable.is_there(place, 1 << 46)
    assert readable.is_code(ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value)
