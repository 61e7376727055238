"""Memory in steps: made and freed there, short, pinned, copied."""

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import arrays
from tests.simulated import Machine

MIB = 1 << 20


def test_arrays_that_are_freed_in_a_step(machine: Machine) -> None:
    """What is recorded goes on using their memory; the next arrays get it only in the order of their stream."""
    nonblocking, blocking = machine.streams(("nonblocking", "blocking"))
    (out,) = arrays(machine, 1)
    mix, step = machine.kernel(), lp.Step()
    for turn in range(4):
        with step:
            for stream in (nonblocking, blocking, None):
                first, second = (lp.empty(16, "uint32", machine.device, stream) for _ in range(2))
                first.fill(turn, stream)
                second.fill(turn, stream)
                mix[1, 1, stream](second, first, 16, 1)
                first.free()
                with pytest.raises(lp.FreedError):
                    first.fill(1, stream)
                del first, second
                lp.full(16, 9, "uint32", machine.device, stream=nonblocking)
            out.fill(turn, blocking)
        machine.device.synchronize()
    assert out.to_numpy().tolist() == [3] * 16


def test_memory_that_is_short_is_waited_for(machine: Machine) -> None:
    """What is recorded is submitted before the wait: otherwise no memory would ever become free."""
    streams = machine.streams(("nonblocking", "blocking"))
    machine.machine.background()
    machine.device.set_memory_limit(4 * MIB)
    step = lp.Step()
    with step:
        for i in range(40):
            array = lp.empty(MIB, "uint8", machine.device)
            array.fill(i, streams[i % 2])
            del array
    assert step.report().early
    machine.device.synchronize()
    machine.device.set_memory_limit(None)


def test_trimming_in_a_step(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    machine.machine.background()
    with lp.Step():
        for value in range(3):
            lp.full(1000, value, "uint32", machine.device, stream=stream)
            machine.device.trim_memory()
            array.fill(value, stream)
            assert machine.device.memory_info()["arrays"] == 1
    assert array.to_numpy(stream).tolist() == [2] * 16


@pytest.mark.parametrize("n", [16, 100_000, 3_000_000], ids=["small", "large", "in pieces"])
def test_host_memory_is_taken_at_the_copy(machine: Machine, stream: lp.Stream, n: int) -> None:
    machine.machine.background()
    a, step = lp.empty(n, "uint32", machine.device), lp.Step()
    for turn in range(3):
        host = np.full(n, turn, "uint32")
        with step:
            a.copy_from(host, stream)
            host[:] = 99
        assert np.all(a.to_numpy(stream) == turn)


def test_more_copies_than_there_is_pinned_memory_for(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    kept = [lp.empty(2 * MIB, "uint8", machine.device) for _ in range(20)]
    with lp.Step() as step:
        for value, array in enumerate(kept):
            host = np.full(2 * MIB, value, "uint8")
            array.copy_from(host, stream)
            host[:] = 99
    assert [int(array.to_numpy(stream)[-1]) for array in kept] == list(range(20))
    assert step.report().commands


def test_pinned_memory(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    """It is read and written when the copy runs, as without a step: the program waits before it touches it."""
    machine.machine.background()
    source, to = (lp.pinned_empty(16, "uint32", machine.device) for _ in range(2))
    step = lp.Step()
    for turn in range(4):
        source[:] = turn
        with step:
            array.copy_from(source, stream)
            array.copy_to(to, stream)
            if turn % 2:
                stream.synchronize()
        stream.synchronize()
        assert to.tolist() == [turn] * 16


@pytest.mark.parametrize("submitted", [False, True])
def test_pinned_memory_that_is_dropped_in_the_step(machine: Machine, stream: lp.Stream, submitted: bool) -> None:
    """No other array gets its memory before the copy has run, also while the copy is only recorded.

    The machine reports a submitted copy whose source changes before it runs (`watch_sources`).
    """
    copies = arrays(machine, 3)
    with lp.Step():
        for value, copy in enumerate(copies):
            source = lp.pinned_empty(16, "uint32", machine.device)
            source[:] = value
            copy.copy_from(source, stream)
            del source
            if submitted:
                assert not stream.query()
    machine.machine.background()
    assert [copy.to_numpy(stream).tolist() for copy in copies] == [[value] * 16 for value in range(3)]


def test_managed_memory(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    step = lp.Step()
    a = lp.managed_empty(16, "uint32", machine.device)
    for turn in range(3):
        with step:
            a.fill(turn, stream)
            if turn == 1:
                assert a.host_view().tolist() == [1] * 16
        stream.synchronize()
        assert a.host_view().tolist() == [turn] * 16


def test_no_array_is_kept_by_what_was_recorded(machine: Machine, stream: lp.Stream) -> None:
    mix, step = machine.kernel()[1, 1, stream], lp.Step()
    machine.machine.background()
    before = machine.device.memory_info()["arrays"]
    for _ in range(5):
        with step:
            a, b = arrays(machine, 2)
            for _ in range(5):
                mix(a, b, 16, 1)
            del a, b
            assert machine.device.memory_info()["arrays"] == before
    machine.device.synchronize()
