"""Current streams: what `with stream:` and `with device:` make of a thread, whatever ends it."""

import gc
import threading
import weakref

import pytest

import launchpath as lp
from launchpath import _core
from launchpath._streams.follower import Follower
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.threads import apart


class Following(Follower):
    def __init__(self, stream: lp.Stream) -> None:
        self.stream = stream

    def current_device(self) -> lp.Device:
        return self.stream.device

    def current_stream(self, device: lp.Device) -> lp.Stream:
        return self.stream


def test_the_innermost_says_where_work_goes(machine: Machine) -> None:
    outer, inner = machine.streams(("blocking", "nonblocking"))
    with outer:
        with inner:
            assert lp.current_stream() is inner
            with machine.device:
                assert lp.current_stream() is machine.device.legacy_stream
        assert lp.current_stream() is outer
    assert _core.entered() == []


def test_what_is_entered_is_kept(machine: Machine) -> None:
    """The thread owns it: nothing else need hold a stream that is current."""
    stream = lp.Stream(device=machine.device)
    gone = weakref.ref(stream)
    stream.__enter__()
    del stream
    gc.collect()
    assert lp.current_stream() is gone()
    (a,) = arrays(machine, 1)
    machine.kernel()[1, 1](a, a, 16, 0)
    lp.current_stream().__exit__()
    gc.collect()
    assert gone() is None


def test_blocks_that_interleave_leave_their_own(machine: Machine) -> None:
    first, second = machine.streams(("blocking", "nonblocking"))
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert lp.current_stream() is second
    second.__exit__()
    assert _core.entered() == []


def test_leaving_what_was_not_entered_is_refused(machine: Machine) -> None:
    (stream,) = machine.streams(("blocking",))
    with pytest.raises(lp.LaunchpathError, match="left on a thread that did not enter it"):
        stream.__exit__()
    with stream, pytest.raises(lp.LaunchpathError, match="did not enter it"):
        machine.device.__exit__()


def test_a_thread_that_ends_lets_go_of_what_it_entered(machine: Machine) -> None:
    """Finalizers that run as a thread ends find a stream that lives, or none."""
    kinds: list[type] = []
    gone: list[weakref.ref[lp.Stream]] = []
    local = threading.local()

    class Last:
        def __init__(self, device: lp.Device) -> None:
            self.device = device

        def __del__(self) -> None:
            with self.device:
                kinds.append(type(lp.current_stream()))
            stream = _core.current_stream()
            kinds.append(lp.Stream if stream is None else type(stream))

    def work(early: bool) -> None:
        if early:
            local.last = Last(machine.device)
        stream = lp.Stream(device=machine.device)
        gone.append(weakref.ref(stream))
        stream.__enter__()
        if not early:
            local.last = Last(machine.device)

    for early in (False, True) * 5:
        apart(work, early)
    assert kinds == [lp.Stream] * 20
    gc.collect()
    assert [stream() for stream in gone] == [None] * 10


def test_a_follower_stands_behind_every_with(machine: Machine) -> None:
    first, two = machine.streams(("nonblocking", "blocking"))
    follower, second = Following(first), Following(two)
    follower.start()
    try:
        assert lp.current_stream() is first
        with two:
            assert lp.current_stream() is two
        with machine.device:
            assert lp.current_stream() is first
        second.start()  # in the place of the first
        assert lp.current_stream() is two
        follower.stop()
        assert lp.current_stream() is two
    finally:
        second.stop()
    assert _core.entered() == []
    with follower:
        assert lp.current_stream() is first
    assert _core.entered() == []
