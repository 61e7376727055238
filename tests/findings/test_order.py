"""The order of works, and waits of streams that order nothing."""

from typing import Any

import pytest

from launchpath._findings.facts.needless_order import facts
from launchpath._findings.ordering.order import Order
from launchpath._findings.simulation.edits import Remove
from tests.findings.loops import REPETITIONS, Loop, download, launch
from tests.findings.timelines import Calls

X, Y, Z, W = 0x10000, 0x20000, 0x30000, 0x40000
EVENT = 0xE0
SITE = "simulate.py:44 step"


def pairs(calls: Calls) -> list[tuple[int, int]]:
    """Give who waits for what, as begins of the calls."""
    timeline = calls.timeline()
    edges = Order(timeline).edges
    begin = timeline.ops.begin - 1_000_000_000
    return [
        (int(begin[waiter]), int(begin[maker]) if maker >= 0 else -1)
        for waiter, maker in zip(edges.waiter.tolist(), edges.maker.tolist(), strict=True)
    ]


def test_the_last_record_of_a_handle_counts() -> None:
    calls = Calls()
    for begin in (100, 300, 500):
        calls.call("record", begin, begin + 50, stream=1, event=EVENT)
    calls.call("order", 350, 360, stream=2, waits=(EVENT,), thread=1)
    calls.call("order", 550, 560, stream=2, waits=(EVENT, 0xE1), thread=1)
    assert sorted(pairs(calls)) == [(350, 300), (550, -1), (550, 500)]


def test_further_waits_are_waits_too() -> None:
    calls = Calls()
    for number in range(5):
        calls.call("record", 100 * number, 100 * number + 50, stream=number + 1, event=EVENT + number)
    calls.call("launch", 900, 950, stream=9, waits=tuple(EVENT + number for number in range(5)))
    assert sorted(pairs(calls)) == [(900, 100 * number) for number in range(5)]


def test_a_marker_that_is_made_inside_of_the_call_comes_before_it() -> None:
    """launchpath makes markers while it launches; the launch's row has the marker's event too."""
    calls = Calls()
    calls.call("record", 100, 150, stream=1, event=EVENT)
    calls.call("launch", 300, 400, stream=2, waits=(EVENT,), event=EVENT)
    calls.call("record", 310, 320, stream=1, event=EVENT)
    assert pairs(calls) == [(300, 310)]


def test_a_handle_that_nobody_records_is_not_known() -> None:
    calls = Calls()
    calls.call("order", 100, 150, stream=2, waits=(EVENT,))
    calls.call("record", 200, 250, stream=1, event=EVENT)
    assert pairs(calls) == [(100, -1)]


def implied(how: str, evidence: bool = True) -> list[Any]:
    """Find waits of a loop, of which one is there in some way."""

    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 1000, [(begin + 5000, begin + 300_000)], uses=(X,))
        calls.call("record", begin + 5000, begin + 6000, stream=1, event=EVENT, site="simulate.py:43 step")
        if how == "twice":
            calls.call("order", begin + 7000, begin + 9000, stream=2, waits=(EVENT,), site="simulate.py:40 step")
        if how == "through another":
            calls.call("order", begin + 7000, begin + 7500, stream=3, waits=(EVENT,), site="simulate.py:40 step")
            calls.call("record", begin + 7500, begin + 8000, stream=3, event=EVENT + 1)
            calls.call("order", begin + 8000, begin + 8500, stream=2, waits=(EVENT + 1,), site="simulate.py:41 step")
        if how == "recorded again":
            calls.call("order", begin + 7000, begin + 7500, stream=2, waits=(EVENT,), site="simulate.py:40 step")
            launch(calls, begin + 9000, [(begin + 310_000, begin + 500_000)], uses=(X,))
            calls.call("record", begin + 13_000, begin + 14_000, stream=1, event=EVENT)
        if how == "seen complete":
            calls.call("synchronize event", begin + 9000, begin + 310_000, waits=(EVENT,), stream=1)
        if how == "seen complete by another thread":
            calls.call("synchronize event", begin + 9000, begin + 310_000, waits=(EVENT,), stream=1, thread=1)
        at = begin + 320_000
        stream = 1 if how == "same stream" else 2
        calls.call("order", at, at + 60_000, stream=stream, waits=(EVENT,), site=SITE)
        launch(calls, at + 70_000, [(begin + 505_000, begin + 800_000)], stream=stream, uses=(X, Y))

    return facts(Loop(evidence=evidence).region(body))


@pytest.mark.parametrize("how", ["twice", "through another", "same stream", "seen complete"])
def test_a_wait_for_what_is_in_order_already(how: str) -> None:
    [found] = implied(how)
    assert found.sentence.startswith(
        "The wait at simulate.py:44 orders nothing, for what it waits for is in order already"
    )
    assert isinstance(found.edit, Remove)
    assert len(found.edit.rows) == REPETITIONS
    assert found.sites == [SITE]


@pytest.mark.parametrize("how", ["plain", "recorded again", "seen complete by another thread"])
def test_a_wait_that_is_needed(how: str) -> None:
    assert implied(how) == []


def test_nothing_is_said_without_events() -> None:
    assert implied("twice", evidence=False) == []


def barriers(own: bool, overlap: bool, waits: bool) -> list[Any]:
    def body(calls: Calls, number: int, begin: int) -> None:
        for k in range(1 if waits else 2):
            at = begin + 1000 + 100_000 * k
            launch(calls, at, [(at + 5000, at + (200_000 if overlap else 50_000))], uses=(X,))
            calls.call(
                "clEnqueueBarrierWithWaitList", at + 4000, at + 50_000, stream=1, site=SITE, event=EVENT if waits else 0
            )
        if waits:
            launch(calls, begin + 500_000, [], stream=2, waits=(EVENT,), uses=(X,))

    return facts(Loop(driver="opencl", own=own).region(body))


def test_a_barrier_in_a_queue_that_is_in_order() -> None:
    [found] = barriers(False, False, False)
    assert found.sentence.startswith("The wait at simulate.py:44 orders nothing, for its queue is in order: 2 calls")
    assert "out of order" in found.mend


@pytest.mark.parametrize(
    ("own", "overlap", "waits"), [(True, False, False), (False, True, False), (False, False, True)]
)
def test_barriers_that_do_something(own: bool, overlap: bool, waits: bool) -> None:
    assert barriers(own, overlap, waits) == []


def parts(
    how: str = "", first: tuple[int, ...] = (X, Y), second: tuple[int, ...] = (Z, W), **options: Any
) -> list[Any]:
    """Find waits of a loop with two parts on two streams, of which one waits for the other."""

    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 1000, [(begin + 5000, begin + 405_000)], stream=1, uses=first)
        if how == "a download before":
            download(calls, begin + 5000, [(begin + 406_000, begin + 407_000)], stream=1, source=X)
        if how == "waited for by a launch":
            calls.call("clEnqueueMarkerWithWaitList", begin + 8000, begin + 9000, stream=1, event=EVENT, site=SITE)
        else:
            calls.call("record", begin + 8000, begin + 9000, stream=1, event=EVENT)
            calls.call("order", begin + 10_000, begin + 11_000, stream=2, waits=(EVENT,), site=SITE)
        launch(
            calls, begin + 12_000, [(begin + 407_500, begin + 807_000)], stream=2, uses=second, name="second",
            waits=(EVENT,) if how == "waited for by a launch" else (),
        )  # fmt: skip
        if how == "a third stream":
            calls.call("record", begin + 16_000, begin + 17_000, stream=2, event=EVENT + 1)
            calls.call("order", begin + 18_000, begin + 19_000, stream=3, waits=(EVENT + 1,))
            launch(calls, begin + 20_000, [(begin + 808_000, begin + 809_000)], stream=3, uses=(X,), name="third")
        if how == "the next repetition":
            launch(calls, begin + 22_000, [(begin + 808_000, begin + 809_000)], stream=2, uses=(X,), name="third")
        for stream, source in ((1, X), (2, Z)):
            at = begin + 810_000 + 50_000 * stream
            download(
                calls, at, [(at + 1000, at + 2000)], stream=stream, source=source, flags=4, site="simulate.py:7 step"
            )

    return facts(Loop(**options).region(body))


def test_a_wait_between_parts_that_share_nothing() -> None:
    [found] = parts()
    assert found.sentence == (
        "The wait at simulate.py:44 holds a stream back 393 us a repetition for another one,"
        " and the commands of the two share no argument."
    )
    assert isinstance(found.edit, Remove)
    assert len(found.edit.rows) == REPETITIONS
    assert "parts of the same array" in found.mend


def test_what_a_launch_waits_for_is_left_out() -> None:
    [found] = parts("waited for by a launch")
    assert found.sites == [SITE]
    assert len(found.edit.rows) == REPETITIONS


@pytest.mark.parametrize("how", ["a download before", "a third stream", "the next repetition"])
def test_a_wait_on_which_something_relies(how: str) -> None:
    assert parts(how) == []


@pytest.mark.parametrize("second", [(X, W), (Z, Y), ()])
def test_parts_that_share_an_argument_or_may_do_so(second: tuple[int, ...]) -> None:
    assert parts(second=second) == []
