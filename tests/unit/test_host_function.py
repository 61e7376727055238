"""Host functions: Python callables in stream order, on launchpath's own threads."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import arrays
from tests.simulated import Machine


def test_it_runs_after_what_came_before_and_before_what_comes_after(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    (a,) = arrays(machine, 1)
    seen = []

    def look() -> None:
        seen.append(int(machine.machine.view(a.pointer, 1, "u4")[0]))
        machine.machine.host_access(a.pointer, a.nbytes, True)

    for value in range(10):
        a.fill(value, stream)
        stream.host_function(look)
    a.fill(99, stream)
    stream.synchronize()
    assert seen == list(range(10))
    assert {report.kind for report in machine.machine.reports} <= {"host access in use"}
    machine.machine.clear()  # the host knows by the call itself, which is no wait of the driver's


def test_nothing_runs_before_its_turn(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    (a,) = arrays(machine, 1)
    called = threading.Event()
    a.fill(1, stream)
    stream.host_function(called.set)
    assert not called.wait(0.02)
    stream.synchronize()
    assert called.is_set()


def test_what_follows_waits_for_its_return(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
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


def test_arguments_are_passed_and_let_go_of(machine: Machine) -> None:
    class Thing:
        pass

    (stream,) = machine.streams(("nonblocking",))
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


def test_a_function_may_use_other_streams(machine: Machine) -> None:
    machine.machine.background()
    stream, other = machine.streams(("nonblocking",) * 2)
    (a,) = arrays(machine, 1)

    def work() -> None:
        a.fill(3, other)
        other.synchronize()

    stream.host_function(work)
    stream.synchronize()
    np.testing.assert_array_equal(a.to_numpy(other), np.full(16, 3, np.uint32))


def test_a_function_may_submit_to_its_own_stream(machine: Machine) -> None:
    machine.machine.background()
    (stream,) = machine.streams(("nonblocking",))
    done: list[int] = []

    def again(n: int) -> None:
        done.append(n)
        if n:
            stream.host_function(again, n - 1)

    stream.host_function(again, 5)
    while len(done) < 6:
        stream.synchronize()
    assert done == [5, 4, 3, 2, 1, 0]


def test_what_it_raises_comes_out_of_the_next_synchronize(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    (a,) = arrays(machine, 1)

    def fail() -> None:
        raise KeyError("lost")

    stream.host_function(fail)
    stream.host_function(fail)
    a.fill(4, stream)
    other.synchronize()
    with pytest.raises(lp.HostFunctionError, match=r"raised KeyError: 'lost' \(1 more raised after it\)") as caught:
        stream.synchronize()
    assert isinstance(caught.value.__cause__, KeyError)
    stream.synchronize()
    np.testing.assert_array_equal(a.to_numpy(stream), np.full(16, 4, np.uint32))


@pytest.mark.parametrize("function", [None, 3, "text"])
def test_it_must_be_callable(machine: Machine, function: object) -> None:
    (stream,) = machine.streams(("nonblocking",))
    with pytest.raises(TypeError, match="must be callable"):
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


def test_a_stream_may_go_while_its_function_waits(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    done = threading.Event()
    stream.host_function(done.set)
    machine.kept.clear()
    del stream
    machine.device.synchronize()
    assert done.is_set()


def test_drivers_threads_never_run_python(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    names: list[str] = []
    stream.host_function(lambda: names.append(threading.current_thread().name))
    stream.synchronize()
    assert names[0].startswith("launchpath-host-")
