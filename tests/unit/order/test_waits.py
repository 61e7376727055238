"""Waits that a signal ends: what the handler raises comes out at once, and nothing is lost by it."""

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.simulated import Machine

LEFT_WITHIN = 0.1  # seconds from the signal


class Alarm(KeyboardInterrupt):
    pass


@contextmanager
def alarm(seconds: float = 0.02) -> Iterator[None]:
    """Raise in this thread after a while, by a signal; whatever is inside must be left for it at once."""
    rang: list[float] = []

    def ring(*_: object) -> None:
        rang.append(time.perf_counter())
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with pytest.raises(Alarm):
            yield
        left = time.perf_counter() - rang[0]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert left < LEFT_WITHIN, f"left {left:.3f} s after the handler had run"


WAITS: dict[str, Callable[[lp.Stream, lp.Array, lp.Event], object]] = {
    "stream": lambda stream, a, event: stream.synchronize(),
    "legacy": lambda stream, a, event: stream.device.legacy_stream.synchronize(),
    "device": lambda stream, a, event: stream.device.synchronize(),
    "event": lambda stream, a, event: event.synchronize(),
    "elapsed": lambda stream, a, event: event.elapsed_time(event),
    "array": lambda stream, a, event: a.to_numpy(stream),
    "copy": lambda stream, a, event: a.copy_to(np.zeros(16, np.uint32), stream),
}


@pytest.mark.parametrize("wait", WAITS)
def test_a_wait_is_left_at_once(machine: Machine, wait: str) -> None:
    machine.machine.background()
    (stream,) = machine.streams(("blocking",))
    (a,) = arrays(machine, 1)
    with stream.hold():
        a.fill(7, stream)
        event = stream.record(timing=True) if wait == "elapsed" else stream.record()
        started = time.perf_counter()
        with alarm():
            WAITS[wait](stream, a, event)
        assert time.perf_counter() - started < 1
    machine.device.synchronize()
    assert event.query()
    assert (a.to_numpy(stream) == 7).all()
    event = lp.Event()  # its driver event goes
    gc.collect()


def test_other_threads_run_meanwhile(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    held = stream.hold()
    ran: list[float] = []
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            ran.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        with alarm(0.2):
            stream.synchronize()
    finally:
        done.set()
        thread.join()
        held.release()
    assert len(ran) > 5


def test_a_handler_that_returns_lets_the_wait_go_on(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    held = stream.hold()
    before = signal.signal(signal.SIGALRM, lambda *_: held.release())
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        stream.synchronize()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert stream.query()


@pytest.mark.machine(check=False)
def test_a_failure_is_reported_by_the_next_synchronize(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    """The wait that was left learns of it, and must not keep it to itself."""
    machine.machine.background()
    with stream.hold():
        machine.machine.fail_command(0, 1, 2)  # behind the hold, which is a marker
        array.fill(7, stream)
        with alarm():
            stream.synchronize()
    until = time.perf_counter() + 5
    while time.perf_counter() < until and not stream.submitted[1] >= stream.submitted[0]:
        time.sleep(0.001)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    stream.synchronize()


def test_host_memory_stays_while_a_copy_may_write_to_it(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    (a,) = arrays(machine, 1)
    with stream.hold():
        a.fill(9, stream)
        with alarm():
            a.to_numpy(stream)  # the array that it would have given is the library's to write to
        gc.collect()
        out = np.zeros(16, np.uint32)
        with alarm():
            a.copy_to(out, stream)
    stream.synchronize()
    assert (out == 9).all()
    machine.device.synchronize()


def test_without_a_thread_the_wait_happens_all_the_same(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    """And with slices switched off."""
    machine.machine.background()
    before = _core.set_wait_in_slices(False)
    try:
        array.fill(1, stream)
        stream.synchronize()
    finally:
        _core.set_wait_in_slices(before)
    assert stream.query()
