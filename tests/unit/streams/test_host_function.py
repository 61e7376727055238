"""Host functions: Python callables in stream order, on launchpath's own threads."""

import _thread
import gc
import sys
import threading
import time
import weakref
from collections.abc import Callable

import numpy as np
import pytest

import launchpath as lp
from tests.faults.processes import bare
from tests.fixtures import arrays
from tests.simulated import Machine


def test_it_runs_after_what_came_before_and_before_what_comes_after(
    machine: Machine, stream: lp.Stream, array: lp.Array
) -> None:
    seen = []

    def look() -> None:
        seen.append(int(machine.machine.view(array.pointer, 1, "u4")[0]))
        machine.machine.host_access(array.pointer, array.nbytes, True)

    for value in range(10):
        array.fill(value, stream)
        stream.host_function(look)
    array.fill(99, stream)
    stream.synchronize()
    assert seen == list(range(10))
    assert {report.kind for report in machine.machine.reports} <= {"host access in use"}
    machine.machine.clear()  # the host knows by the call itself, which is no wait of the driver's


def test_nothing_runs_before_its_turn(stream: lp.Stream, array: lp.Array) -> None:
    called = threading.Event()
    array.fill(1, stream)
    stream.host_function(called.set)
    assert not called.wait(0.02)
    stream.synchronize()
    assert called.is_set()


def test_what_follows_waits_for_its_return(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    go, entered = threading.Event(), threading.Event()

    def wait() -> None:
        entered.set()
        go.wait(10)

    stream.host_function(wait)
    a.fill(1, stream)
    machine.machine.run()
    assert entered.wait(10)
    assert not stream.query()
    assert machine.machine.run() == 0
    b.fill(1)
    machine.device.legacy_stream.synchronize()
    go.set()
    stream.synchronize()


def test_arguments_are_passed_and_let_go_of(stream: lp.Stream) -> None:
    class Thing:
        pass

    thing = Thing()
    gone = weakref.ref(thing)
    got: list[int] = []
    stream.host_function(lambda thing, n: got.append(n), thing, 5)
    del thing
    assert gone() is not None
    stream.synchronize()
    assert got == [5]
    stream.host_function(lambda: None)
    stream.synchronize()
    gc.collect()
    assert gone() is None


def test_functions_of_different_streams_may_wait_for_each_other(machine: Machine) -> None:
    machine.machine.background()
    streams = machine.streams(("nonblocking",) * 4)
    barrier = threading.Barrier(4)
    for stream in streams:
        stream.host_function(barrier.wait, 10)
    machine.device.synchronize()
    assert not barrier.broken
    assert barrier.n_waiting == 0


def test_a_function_may_use_other_streams(machine: Machine, array: lp.Array) -> None:
    machine.machine.background()
    stream, other = machine.streams(("nonblocking",) * 2)

    def work() -> None:
        array.fill(3, other)
        other.synchronize()

    stream.host_function(work)
    stream.synchronize()
    np.testing.assert_array_equal(array.to_numpy(other), np.full(16, 3, np.uint32))


def test_a_function_may_submit_to_its_own_stream(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    done: list[int] = []

    def again(n: int) -> None:
        done.append(n)
        if n:
            stream.host_function(again, n - 1)

    stream.host_function(again, 5)
    while len(done) < 6:
        stream.synchronize()
    assert done == [5, 4, 3, 2, 1, 0]


def test_what_it_raises_comes_out_of_the_next_synchronize(machine: Machine, array: lp.Array) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)

    def fail() -> None:
        raise KeyError("lost")

    stream.host_function(fail)
    stream.host_function(fail)
    array.fill(4, stream)
    other.synchronize()
    with pytest.raises(lp.HostFunctionError, match=r"raised KeyError: 'lost' \(1 more raised after it\)") as caught:
        stream.synchronize()
    assert isinstance(caught.value.__cause__, KeyError)
    stream.synchronize()
    np.testing.assert_array_equal(array.to_numpy(stream), np.full(16, 4, np.uint32))


@pytest.mark.parametrize("function", [None, 3, "text"])
def test_it_must_be_callable(machine: Machine, stream: lp.Stream, function: object) -> None:
    with pytest.raises(TypeError, match="expected a callable"):
        stream.host_function(function)  # type: ignore[arg-type]
    assert machine.machine.calls["marker"] == 0


def test_it_counts_as_a_command_for_the_legacy_rule(machine: Machine) -> None:
    legacy, blocking = machine.streams(("legacy", "blocking"))
    a, _ = arrays(machine, 2)
    order: list[str] = []
    blocking.host_function(order.append, "blocking")
    legacy.host_function(order.append, "legacy")
    blocking.host_function(order.append, "blocking again")
    a.fill(1, blocking)
    blocking.synchronize()
    assert order == ["blocking", "legacy", "blocking again"]


def test_a_stream_may_go_while_its_function_waits(machine: Machine, stream: lp.Stream) -> None:
    done = threading.Event()
    stream.host_function(done.set)
    machine.kept.clear()
    del stream
    machine.device.synchronize()
    assert done.is_set()


def test_drivers_threads_never_run_python(stream: lp.Stream) -> None:
    names: list[str] = []
    stream.host_function(lambda: names.append(threading.current_thread().name))
    stream.synchronize()
    assert names[0].startswith("launchpath-host-")


class Unshowable(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


def test_an_exception_that_cannot_be_shown_is_reported(machine: Machine, stream: lp.Stream) -> None:
    def fail() -> None:
        raise Unshowable

    stream.host_function(fail)
    with pytest.raises(lp.HostFunctionError, match="raised Unshowable .its text cannot be shown") as caught:
        machine.device.synchronize()
    assert isinstance(caught.value.__cause__, Unshowable)
    machine.device.synchronize()


@pytest.mark.processes
def test_what_nobody_waits_for_is_reported_at_exit() -> None:
    """As well as what lies behind a stream that is gone; what a call told of is not told again."""
    output = bare("""
        import sys
        from tests.simulated import Machine
        def fail(text): raise KeyError(text)
        sys.unraisablehook = lambda what: print(what.exc_value, what.object is fail)
        machine = Machine(check=False)
        machine.machine.background()
        stream, other = machine.streams(("nonblocking", "nonblocking"))
        machine.kept.clear()
        stream.host_function(fail, "first")
        other.host_function(fail, "second")
        try: stream.synchronize()
        except lp.HostFunctionError: print("told")
        del other
        """)  # fmt: skip
    assert output.splitlines() == ["told", "'second' True"]


def test_the_oldest_error_is_reported_when_many_wait(
    machine: Machine, stream: lp.Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.machine.background()
    reported: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: reported.append(str(what.exc_value)))

    def fail(n: int) -> None:
        raise ValueError(n)

    for n in range(300):
        stream.host_function(fail, n)
    with pytest.raises(lp.HostFunctionError, match=r"ValueError: \d+ \(255 more"):
        stream.synchronize()
    until = time.monotonic() + 5
    while len(reported) < 44 and time.monotonic() < until:
        time.sleep(0.001)
    assert reported == [str(n) for n in range(44)]


def test_a_thread_that_cannot_be_started_is_reported_and_tried_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers that other tests have started serve as many streams."""
    streams = machine.streams(("nonblocking",) * 200)
    ran: list[int] = []

    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(_thread, "start_new_thread", refuse)
        with pytest.raises(RuntimeError, match="can't start"):
            for number, stream in enumerate(streams):
                stream.host_function(ran.append, number)
    machine.machine.background()
    machine.device.synchronize()
    assert sorted(ran) == list(range(number))
    for stream in streams:
        stream.host_function(ran.append, 0)
    machine.device.synchronize()
    assert len(ran) == number + 200


WAITS_FOR_ITSELF: dict[str, Callable[[Machine, list[lp.Stream], lp.Event, lp.Array], object]] = {
    "stream": lambda machine, streams, event, a: streams[0].synchronize(),
    "event": lambda machine, streams, event, a: event.synchronize(),
    "stream behind it": lambda machine, streams, event, a: streams[1].synchronize(),
    "legacy": lambda machine, streams, event, a: machine.device.legacy_stream.synchronize(),
    "device": lambda machine, streams, event, a: machine.device.synchronize(),
    "array": lambda machine, streams, event, a: a.to_numpy(streams[0]),
    "other array": lambda machine, streams, event, a: a.to_numpy(streams[1]),
}


@pytest.mark.parametrize("wait", WAITS_FOR_ITSELF)
def test_waiting_for_itself_is_refused(machine: Machine, wait: str) -> None:
    machine.machine.background()
    streams = machine.streams(("blocking", "nonblocking", "nonblocking"))
    a, b = arrays(machine, 2)
    go = threading.Event()
    raised: list[Exception] = []

    def work(event: list[lp.Event]) -> None:
        go.wait(10)
        b.fill(1, streams[2])
        streams[2].synchronize()  # nothing there waits for this function
        try:
            WAITS_FOR_ITSELF[wait](machine, streams, event[0], a)
        except lp.LaunchpathError as error:
            raised.append(error)

    event: list[lp.Event] = []
    streams[0].host_function(work, event)
    event.append(streams[0].record())
    streams[1].wait(event[0])
    a.fill(2, streams[1])
    go.set()
    machine.device.synchronize()
    assert "cannot wait for work after it" in str(raised[0])
    event.clear()


@pytest.mark.machine(total_memory=1 << 20)
def test_an_allocation_does_not_wait_for_itself(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    machine.device.set_memory_limit(1 << 16)
    a = lp.empty(1 << 15, "uint8", machine.device)
    raised: list[Exception] = []
    go = threading.Event()

    def work() -> None:
        go.wait(10)
        try:
            lp.empty(1 << 16, "uint8", machine.device)
        except lp.OutOfMemoryError as error:
            raised.append(error)

    stream.host_function(work)
    a.fill(1, stream)
    a.free()  # it waits for what comes after the function
    go.set()
    stream.synchronize()
    assert len(raised) == 1
