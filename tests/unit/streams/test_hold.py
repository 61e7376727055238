"""The holds of each thread: they are counted from `Stream.hold` until they are released or dropped, by any thread."""

import queue
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import launchpath as lp
from launchpath._core import Hold, count_holds
from tests.simulated import Machine
from tests.threads import at_once


@pytest.fixture(autouse=True)
def balanced(machine: Machine) -> None:
    """A hold that a test leaves would be another test's."""
    assert count_holds() == 0


def test_a_hold_is_its_threads_until_it_is_released(stream: lp.Stream) -> None:
    with stream.hold() as hold:
        assert count_holds() == count_holds(threading.get_ident()) == 1
        with stream.hold():
            assert count_holds() == 2
        assert count_holds() == 1
        hold.release()
        assert count_holds() == 0
        hold.release()
    assert count_holds() == 0


def test_a_hold_that_is_dropped_is_nobodys(stream: lp.Stream) -> None:
    hold = stream.hold()
    del hold
    assert count_holds() == 0


@pytest.mark.parametrize("call", ["user_event", "marker"])
def test_a_hold_that_fails_is_nobodys(machine: Machine, stream: lp.Stream, call: str) -> None:
    machine.machine.fail(call)
    with pytest.raises(lp.DriverError, match=call):
        stream.hold()
    assert count_holds() == 0


def test_a_host_function_is_no_threads_hold(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    counts: list[int] = []
    stream.host_function(lambda: counts.append(count_holds()))
    stream.synchronize()
    assert counts == [0]


@pytest.mark.parametrize("order", ["first", "middle", "last"])
def test_each_place_in_the_list_can_be_left_first(stream: lp.Stream, order: str) -> None:
    holds = [stream.hold() for _ in range(3)]
    holds.pop(("first", "middle", "last").index(order)).release()
    for left in (2, 1, 0):
        assert count_holds() == left
        if holds:
            holds.pop(0).release()


@pytest.mark.parametrize("seed", range(5))
def test_threads_take_release_and_drop_holds_in_any_order(machine: Machine, seed: int) -> None:
    """A hold is that of the thread that took it, whichever thread ends it, and however."""
    chance, streams = random.Random(seed), machine.streams(("legacy", "blocking", "nonblocking"))
    threads = [ThreadPoolExecutor(1) for _ in range(3)]
    idents = [thread.submit(threading.get_ident).result() for thread in threads]
    holds: list[tuple[int, list[Hold]]] = []  # thread, and a list of one, so that another thread can drop it
    for turn in range(120):
        owner, other = chance.randrange(3), threads[chance.randrange(3)]
        if chance.random() < (0.6 if turn < 60 else 0.3) or not holds:
            holds.append((owner, [threads[owner].submit(chance.choice(streams).hold).result()]))
        elif chance.random() < 0.5:
            other.submit(lambda hold: hold.pop().release(), holds.pop(chance.randrange(len(holds)))[1]).result()
        else:
            other.submit(list.clear, holds.pop(chance.randrange(len(holds)))[1]).result()
        for thread, ident in enumerate(idents):
            assert count_holds(ident) == sum(owner == thread for owner, _ in holds)
        assert count_holds() == len(holds)
    for thread in threads:
        thread.shutdown()
    assert count_holds() == len(holds), "a hold outlives its thread"
    holds.clear()
    assert count_holds() == 0


def test_threads_at_once(machine: Machine) -> None:
    """Each takes holds, and ends those of others."""
    streams = machine.streams(("nonblocking",) * 4)
    passed: queue.SimpleQueue[Hold] = queue.SimpleQueue()

    def work(number: int) -> None:
        for turn in range(100):
            passed.put(streams[number].hold())
            hold = passed.get()
            if turn % 2:
                hold.release()
            del hold

    at_once(work, range(4))
    assert count_holds() == 0
