"""Lent memory: what it awaits is waited for, by the host and by other streams, and no hold that was placed later is."""

import gc
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import launchpath as lp
from tests.patience import PROMPT
from tests.promptly import promptly
from tests.simulated import Machine

KINDS = ("legacy", "blocking", "nonblocking")
ORDERED = ("legacy", "blocking")
MIB = 1 << 20


def lend(machine: Machine, stream: lp.Stream, *others: lp.Stream, finished: bool = False) -> lp.Array:
    """Memory that a stream's own commands, and others', may still use, which the stream gets again.

    `finished`: they are complete by then, but what foreign code may have put there is not known to be.
    """
    with stream:
        old = lp.empty(16, "uint32", machine.device)
        for value, user in enumerate((stream, *others)):
            old.fill(value, user)
        if finished:
            stream.synchronize()
        address = old.bare_address
        del old
        new = lp.empty(16, "uint32", machine.device)
    assert new.bare_address == address, "the memory was not lent"
    return new


def read(array: lp.Array) -> int:
    """The address, from a call that must not wait for a hold."""
    return int(promptly(lambda: array.pointer, "Array.pointer waits for a hold that the memory does not await"))


@pytest.mark.parametrize("finished", [False, True], ids=["busy", "finished"])
@pytest.mark.parametrize("shared", [False, True], ids=["own", "shared"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_address_is_read_while_the_lending_stream_is_held_back(
    machine: Machine, kind: str, shared: bool, finished: bool
) -> None:
    """The mark that is waited for stands for the work before the hold, also of a stream that foreign code may use."""
    (stream,) = machine.streams((kind,))
    assert not shared or stream.handle is not None
    array = lend(machine, stream, finished=finished)
    with stream.hold():
        assert read(array) == array.bare_address


@pytest.mark.parametrize("held", ORDERED)
@pytest.mark.parametrize("user", ORDERED)
@pytest.mark.parametrize("lender", ORDERED)
def test_the_address_is_read_while_a_stream_ordered_with_the_lender_is_held_back(
    machine: Machine, lender: str, user: str, held: str
) -> None:
    """The legacy stream lends what a blocking stream used, and the other way round; each may be the one held back."""
    streams = dict(zip(ORDERED, machine.streams(ORDERED), strict=True))
    array = lend(machine, streams[lender], streams[user])
    with streams[held].hold():
        assert read(array) == array.bare_address


@pytest.mark.parametrize("kind", KINDS)
def test_another_stream_uses_it_while_the_lender_is_held_back(machine: Machine, kind: str) -> None:
    stream, other = machine.streams((kind, "nonblocking"))
    array = lend(machine, stream)
    with stream.hold():
        array.fill(7, other)
        promptly(other.synchronize, "the other stream waits for the hold")
        assert array.to_numpy(other).tolist() == [7] * 16
    assert not machine.machine.reports


def test_a_mark_from_before_does_not_stand_for_later_work(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    lend(machine, stream)
    stream.hold().release()
    array = lend(machine, stream)
    array.fill(7, other)
    machine.machine.run()
    assert not machine.machine.reports


def test_while_a_stream_is_held_back_memory_is_lent_to_a_named_stream_only(machine: Machine) -> None:
    """Else a thread would wait for a hold because of an array for which it chose no stream."""
    stream, other = machine.streams(("nonblocking",) * 2)
    old = lp.empty(16, "uint32", machine.device, stream)
    old.fill(1, stream)
    address = old.bare_address
    del old
    with other.hold(), stream:
        kept = lp.empty(16, "uint32", machine.device)
        assert kept.bare_address != address
        assert lp.empty(16, "uint32", machine.device, stream).bare_address == address


@pytest.mark.parametrize("call", ["user_event", "marker"])
def test_a_hold_that_fails_does_not_end_lending(machine: Machine, stream: lp.Stream, call: str) -> None:
    machine.machine.fail(call)
    with pytest.raises(lp.DriverError, match=call):
        stream.hold()
    lend(machine, stream)


@pytest.mark.parametrize("kind", KINDS)
def test_a_host_function_uses_what_its_stream_has_lent(machine: Machine, kind: str) -> None:
    """Its own end is no part of the work that the memory awaits."""
    machine.machine.background()
    stream, other = machine.streams((kind, "nonblocking"))
    array = lend(machine, stream)
    values: list[int] = []

    def function() -> None:
        array.fill(7, other)
        values.extend(array.to_numpy(other).tolist())
        assert array.pointer == array.bare_address

    stream.host_function(function)
    promptly(machine.device.synchronize, "the host function waits for its own end")
    assert values == [7] * 16


class Allocates:
    """Its finalizer allocates; in a cycle, so that a collection runs it."""

    def __init__(self, device: lp.Device, errors: list[str]) -> None:
        self.cycle, self.device, self.errors = self, device, errors

    def __del__(self) -> None:
        try:
            lp.empty(MIB, "uint8", self.device)
        except lp.OutOfMemoryError as error:
            self.errors.append(str(error))


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Leave cycles to the pool."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collection")
def test_a_finalizer_allocates_while_the_pool_drains(machine: Machine) -> None:
    """The pool collects cycles when it runs out, and the thread that drains it must not wait for itself."""
    machine.device.set_memory_limit(MIB)
    kept = lp.empty(MIB, "uint8", machine.device)
    errors: list[str] = []
    Allocates(machine.device, errors)
    with pytest.raises(lp.OutOfMemoryError, match="limit of 1,048,576 bytes"):
        promptly(lambda: lp.empty(MIB, "uint8", machine.device), "a finalizer's allocation waits for its own thread")
    assert len(errors) == 1
    assert "limit of 1,048,576 bytes" in errors[0]
    assert kept.nbytes == MIB


@pytest.fixture
def alarm() -> Iterator[Any]:
    """Return a function that lets SIGUSR1 call a function on this thread soon; a test that hangs ends by an error."""
    timers: list[threading.Timer] = []
    before = signal.getsignal(signal.SIGUSR1)
    calls: list[Any] = []

    def handle(*_: object) -> None:
        if not calls:
            raise TimeoutError("the allocation of a signal's handler waits for its own thread")
        calls.pop()()

    def begin(function: Any) -> None:
        calls.append(function)
        signal.signal(signal.SIGUSR1, handle)
        for seconds in (0.05, PROMPT):
            timers.append(threading.Timer(seconds, signal.pthread_kill, (threading.get_ident(), signal.SIGUSR1)))
            timers[-1].start()

    yield begin
    for timer in timers:
        timer.cancel()
        timer.join()
    signal.signal(signal.SIGUSR1, before)


def test_a_signals_handler_allocates_while_the_pool_waits_for_work(machine: Machine, alarm: Any) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    machine.device.set_memory_limit(MIB)
    hold = stream.hold()
    lp.empty(MIB, "uint8", machine.device).fill(1, stream)
    errors: list[str] = []

    def handler() -> None:
        try:
            lp.empty(MIB, "uint8", machine.device, other)
        except lp.OutOfMemoryError as error:
            errors.append(str(error))
        finally:
            hold.release()

    alarm(handler)
    assert lp.empty(MIB, "uint8", machine.device, other).nbytes == MIB, "what waited for the hold is used again"
    assert len(errors) == 1
    assert "1,048,576 wait for work in flight" in errors[0]
