"""Kernels that take arrays of another device: asked for once, ordered and freed as others."""

import gc

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.unit.memory.peers import N, Pair, pair

__all__ = ["pair"]


def test_a_device_reaches_itself(pair: Pair) -> None:
    assert pair.first.can_access_peer(pair.first)
    pair.first.enable_peer(pair.first)


def test_a_kernel_takes_no_array_of_a_peer_before_that_was_asked_for(pair: Pair) -> None:
    near, far = pair.arrays
    kernel = pair.machine.kernel()
    with pytest.raises(lp.ArgumentValueError, match=r"device\.enable_peer\(array\.device\) once; or copy it there"):
        kernel[1, 1](near, far, N, 1)
    assert pair.first.can_access_peer(pair.second)
    pair.first.enable_peer(pair.second)
    pair.first.enable_peer(pair.second)
    assert pair.machine.machine.calls["peer_enable"] == 1
    far.fill(3)
    pair.second.synchronize()
    kernel[1, 1](near, far, N, 1)
    assert pair.read(0) == [_core.simulated_mix(0, 3, 1)] * N
    with pytest.raises(lp.ArgumentValueError, match="enable_peer"):
        pair.machine.kernel(device=pair.second)[1, 1](near, far, N, 1)


def test_copies_do_not_ask_for_it(pair: Pair) -> None:
    """What is an error does not depend on what ran before."""
    near, far = pair.arrays
    assert lp._memory.copies.peer.copy_between(near, far, None)
    with pytest.raises(lp.ArgumentValueError, match="enable_peer"):
        pair.machine.kernel()[1, 1](near, far, N, 1)


def test_arrays_of_peers_are_checked_as_others(pair: Pair) -> None:
    pair.first.enable_peer(pair.second)
    near, kernel = pair.arrays[0], pair.machine.kernel()
    with pytest.raises(
        lp.SignatureError, match="expected an array of uint32, got an array of int16: create an array with"
    ):
        kernel[1, 1](near, lp.zeros(N, "int16", pair.second), N, 1)
    far = lp.zeros(N, "uint32", pair.second)
    far.free()
    with pytest.raises(lp.FreedError):
        kernel[1, 1](near, far, N, 1)


def test_a_refusal_of_the_driver_is_reported(pair: Pair) -> None:
    pair.machine.machine.fail("peer_enable", 1, -9001)
    with pytest.raises(lp.DriverError, match="peer_enable"):
        pair.first.enable_peer(pair.second)
    pair.first.enable_peer(pair.second)


def test_memory_that_a_peers_kernel_uses_is_not_freed(pair: Pair) -> None:
    pair.first.enable_peer(pair.second)
    kernel, stream = pair.machine.kernel(), pair.stream("nonblocking", pair.first)
    near, far = pair.arrays[0], lp.zeros(1000, "uint32", pair.second)
    pair.second.synchronize()
    with stream.hold():
        kernel[1, 1, stream](near, far, N, 1)
        del far
        gc.collect()
        pair.second.trim_memory()
        assert pair.second.memory_info()["waiting"] >= 4000
    stream.synchronize()
    pair.second.trim_memory()
    assert pair.second.memory_info()["waiting"] == 0


def test_an_array_of_memory_that_is_still_in_use(pair: Pair) -> None:
    """It was made in the order of a stream of its own device: the launching stream waits for what that memory awaits."""
    pair.first.enable_peer(pair.second)
    stream = pair.stream("nonblocking", pair.second)
    before = lp.empty(4 * N, "uint8", stream=stream)
    before.fill(1, stream)
    del before
    far = lp.empty(N, "uint32", stream=stream)
    kernel = pair.machine.kernel()
    kernel[1, 1](far, pair.arrays[0], N, 1)
    pair.first.synchronize()


def test_reading_without_a_stream_waits_for_peers(pair: Pair) -> None:
    """A kernel of the one device writes memory of the other, which a reader of that knows nothing of."""
    pair.first.enable_peer(pair.second)
    near, far = pair.arrays
    stream = pair.stream("nonblocking", pair.first)
    pair.machine.kernel()[1, 1, stream](far, near, N, 5)
    assert far.to_numpy().tolist() == [_core.simulated_mix(0, 0, 5)] * N
    pair.machine.kernel()[1, 1, stream](far, near, N, 6)
    assert not np.array_equal(np.asarray(far), np.full(N, _core.simulated_mix(0, 0, 5)))
