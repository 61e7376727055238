"""Errors: each thread has its last one, until it asks for it."""

from tests.threads import apart

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


def test_the_last_error_stays_after_calls_that_succeed_or_are_not_ready(hip, made):
    stream, event = made(hip.hipStreamCreate()), made(hip.hipEventCreate())
    other = made(hip.hipEventCreate())
    memory = made(hip.hipMalloc(64))
    from launchpath.hip._streams.streams import stream_of

    fails(hip.hipSetDevice(1000), "hipErrorInvalidDevice")
    with stream_of(stream).hold():
        ok(hip.hipMemsetAsync(memory, 0, 64, stream))
        for each in (event, other):
            ok(hip.hipEventRecord(each, stream))
        fails(hip.hipStreamQuery(stream), "hipErrorNotReady")
        assert hip.hipExtGetLastError()[0].name == "hipErrorNotReady"  # the code of the last function, whatever it is
        assert hip.hipExtGetLastError()[0].name == "hipSuccess"
        for result in (hip.hipStreamQuery_spt(stream), hip.hipEventQuery(event), hip.hipEventElapsedTime(event, other)):
            fails(result, "hipErrorNotReady")
            assert hip.hipPeekAtLastError()[0].name == "hipErrorInvalidDevice"
    ok(hip.hipStreamSynchronize(stream))
    assert hip.hipGetLastError()[0].name == "hipErrorInvalidDevice"
    assert hip.hipPeekAtLastError()[0].name == "hipSuccess"


def test_a_new_error_replaces_the_last_error(hip):
    fails(hip.hipSetDevice(1000), "hipErrorInvalidDevice")
    fails(hip.hipInit(1), "hipErrorInvalidValue")
    assert hip.hipGetLastError()[0].name == "hipErrorInvalidValue"
    assert hip.hipGetLastError()[0].name == "hipSuccess"


def test_errors_of_launches_are_last_errors_too(hip):
    fails(hip.hipModuleLaunchKernel(12345, 1, 1, 1, 1, 1, 1), "hipErrorInvalidHandle")
    assert hip.hipExtGetLastError()[0].name == "hipErrorInvalidHandle"
    assert hip.hipPeekAtLastError()[0].name == "hipErrorInvalidHandle"
    assert hip.hipGetLastError()[0].name == "hipErrorInvalidHandle"
    assert hip.hipExtGetLastError()[0].name == "hipSuccess"


def test_not_ready_is_no_error(hip, device, made):
    stream = made(hip.hipStreamCreate())
    from launchpath.hip._streams.streams import stream_of

    with stream_of(stream).hold():
        ok(hip.hipMemsetAsync(memory := ok(hip.hipMalloc(64)), 0, 64, stream))
        fails(hip.hipStreamQuery(stream), "hipErrorNotReady")
    assert hip.hipGetLastError()[0].name == "hipSuccess"
    ok(hip.hipStreamSynchronize(stream))
    ok(hip.hipStreamQuery(stream))
    ok(hip.hipFree(memory))


def test_each_thread_has_its_own(hip):
    fails(hip.hipSetDevice(-1), "hipErrorInvalidDevice")
    assert apart(lambda: hip.hipPeekAtLastError()[0].name) == "hipSuccess"
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


def test_every_code_has_its_name_and_a_text(hip):
    for error in hip.hipError_t:
        assert ok(hip.hipGetErrorName(error)) == ok(hip.hipDrvGetErrorName(error)) == error.name.encode()
        text = ok(hip.hipGetErrorString(error))
        assert text == ok(hip.hipDrvGetErrorString(int(error)))
        assert b"hipError" not in text, "a text in words, of _error_texts.py"
    known = {ok(hip.hipGetErrorString(error)) for error in hip.hipError_t}
    assert len(known) > 70
