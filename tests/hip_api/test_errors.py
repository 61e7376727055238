"""Errors: each thread has its last one, until it asks for it."""

from __future__ import annotations

import threading

from .calls import fails, ok


def test_the_last_error_stays_until_it_is_asked_for(hip):
    fails(hip.hipMalloc(1 << 60), "hipErrorOutOfMemory")
    ok(hip.hipMemGetInfo())
    assert hip.hipPeekAtLastError()[0].name == "hipErrorOutOfMemory"
    assert hip.hipGetLastError()[0].name == "hipErrorOutOfMemory"
    assert hip.hipGetLastError()[0].name == "hipSuccess"


def test_the_code_of_the_last_function(hip):
    fails(hip.hipSetDevice(1000), "hipErrorInvalidDevice")
    assert hip.hipExtGetLastError()[0].name == "hipErrorInvalidDevice"
    ok(hip.hipDeviceSynchronize())
    assert hip.hipExtGetLastError()[0].name == "hipSuccess"


def test_not_ready_is_no_error(hip, device):
    stream = ok(hip.hipStreamCreate())
    from launchpath.hip._streams import stream_of

    with stream_of(stream).hold():
        ok(hip.hipMemsetAsync(memory := ok(hip.hipMalloc(64)), 0, 64, stream))
        fails(hip.hipStreamQuery(stream), "hipErrorNotReady")
    assert hip.hipGetLastError()[0].name == "hipSuccess"
    ok(hip.hipStreamSynchronize(stream))
    ok(hip.hipStreamQuery(stream))
    ok(hip.hipFree(memory))
    ok(hip.hipStreamDestroy(stream))


def test_each_thread_has_its_own(hip):
    fails(hip.hipSetDevice(-1), "hipErrorInvalidDevice")
    seen = []
    thread = threading.Thread(target=lambda: seen.append(hip.hipPeekAtLastError()[0].name))
    thread.start()
    thread.join()
    assert seen == ["hipSuccess"]
    assert hip.hipPeekAtLastError()[0].name == "hipErrorInvalidDevice"


def test_the_reason_names_what_was_wrong(hip):
    hip.hipSetDevice(1000)
    assert "expected a device from 0 to" in hip.reason()
    assert "got 1000" in hip.reason()


def test_names_and_texts(hip):
    errors = hip.hipError_t
    assert ok(hip.hipGetErrorName(errors.hipErrorInvalidValue)) == b"hipErrorInvalidValue"
    assert ok(hip.hipGetErrorName(errors.hipSuccess)) == b"hipSuccess"
    assert ok(hip.hipGetErrorString(errors.hipErrorInvalidValue)) == b"invalid argument"
    assert ok(hip.hipDrvGetErrorName(errors.hipErrorNoDevice)) == b"hipErrorNoDevice"
    assert ok(hip.hipDrvGetErrorString(errors.hipSuccess)) == b"no error"
    assert ok(hip.hipGetErrorString(123456)) == b"unknown error"
    assert ok(hip.hipGetErrorName(123456)) == b"hipErrorUnknown"
    fails(hip.hipDrvGetErrorName(123456), "hipErrorInvalidValue")
    assert all(ok(hip.hipGetErrorString(error)) for error in errors)
