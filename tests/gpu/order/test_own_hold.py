"""Waits for what the waiting thread holds back, where the library keeps the rule of the legacy stream itself."""

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.standin.client import on_thread

REFUSED = "for work behind a stream that this thread holds back"
N = 16


@pytest.fixture(autouse=True)
def impatient():
    _core.set_own_hold_patience(0.1)
    yield
    _core.set_own_hold_patience(10)


def refused(gpu, held, prepare):
    """What a call raises on a thread that holds a stream back; then it works."""
    errors = []

    def scene():
        with held.hold():
            call = prepare()
            try:
                call()
            except lp.LaunchpathError as error:
                errors.append(str(error))
        call()

    thread = on_thread(scene)
    thread.join(60)
    assert not thread.is_alive(), "the call did not come back"
    gpu.device.synchronize()
    return errors


ADDRESSES = {
    "pointer": lambda array: array.pointer,
    "array interface": lambda array: array.__cuda_array_interface__,
    "DLPack": lambda array: array.__dlpack__(),
    "view": lambda array: array.host_view(),
}


@pytest.mark.parametrize("what", ADDRESSES)
def test_an_address_of_memory_that_awaits_a_held_stream(gpu, what):
    if what == "array interface" and gpu.driver == "hip":
        pytest.skip("CUDA's")
    stream = gpu.stream()
    make = lp.managed_empty if what == "view" else lp.empty

    def prepare():
        first = make(1 << 18, "int32", gpu.device, stream)
        first.fill(1, stream)
        del first  # the next array of the stream has its memory
        array = make(1 << 18, "int32", gpu.device, stream)
        return lambda: ADDRESSES[what](array)

    [error] = refused(gpu, stream, prepare)
    assert REFUSED in error


def test_the_legacy_rule_is_in_no_clock(gpu):
    """A blocking stream, the legacy stream behind it, another blocking stream behind that, and one that waits for this."""
    held, legacy, blocking, other = (gpu.stream(kind) for kind in ("blocking", "legacy", "blocking", "nonblocking"))
    arrays = [gpu.zeros() for _ in range(4)]

    def prepare():
        for stream, array in zip((held, legacy, blocking), arrays, strict=False):
            gpu.kernel("increment")[1, 16, stream](array, 16)
        other.wait(blocking.record())
        gpu.kernel("increment")[1, 16, other](arrays[3], 16)
        return waits[waiting]

    waits = {
        "legacy": legacy.synchronize,
        "blocking": blocking.synchronize,
        "other": other.synchronize,
        "event": lambda: other.record().synchronize(),
    }
    for waiting in waits:
        [error] = refused(gpu, held, prepare)
        assert REFUSED in error, waiting
    assert all((array.to_numpy() == len(waits)).all() for array in arrays)


@pytest.mark.parametrize("kind", ["nonblocking", "blocking"])
def test_a_stream_that_the_rule_does_not_name(gpu, kind):
    """It is waited for, however long its work takes: no legacy work is between a blocking stream and the one held."""
    held, other = gpu.stream("blocking"), gpu.stream(kind)

    def prepare():
        gpu.kernel("wait_us")[1, 1, other](300_000)
        return other.synchronize

    assert refused(gpu, held, prepare) == []


def test_a_result_and_a_copy(gpu, stream, array):
    target = np.zeros(N, "int32")

    def prepare():
        gpu.kernel("increment")[1, 16, stream](array, 16)
        return lambda: array.copy_to(target, stream)

    [error] = refused(gpu, stream, prepare)
    assert REFUSED in error
    assert (target == 1).all()


def test_more_launches_than_the_library_takes_of_a_stream(gpu, stream, array):
    launcher = gpu.kernel("increment")[1, 16, stream]

    def prepare():
        for _ in range(1000 - 1):  # the hold is one command
            launcher(array, 16)
        return lambda: launcher(array, 16)

    [error] = refused(gpu, stream, prepare)
    assert "for room for one more command" in error
    assert (array.to_numpy(stream) == 1000).all()
