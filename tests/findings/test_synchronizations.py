"""Synchronizations that nothing needs, and those that wait for more than is read: and why the others are needed."""

from typing import Any

import pytest

from launchpath._findings.facts import needless_synchronize, wide_synchronize
from launchpath._findings.simulation.edits import Narrow, Return
from launchpath._trace.format import BLOCKING, PAGEABLE, PINNED
from tests.findings.loops import REPETITIONS, UP, Loop, download, launch
from tests.findings.timelines import Calls

X, Y, Z = 0x10000, 0x20000, 0x30000
SITE = "simulate.py:63 step"


def solve(calls: Calls, begin: int, **columns: Any) -> None:
    """Add two kernels, each with a synchronization; then the result is read in the same stream."""
    for k in range(2):
        at = begin + 1000 + 400_000 * k
        launch(calls, at, [(at + 5000, at + 305_000)], uses=(X, Y))
        calls.call("synchronize", at + 4000, at + 310_000, **{"stream": 1, "site": SITE, **columns})
    at = begin + 850_000
    download(calls, at, [(at + 10_000, at + 20_000)], source=X, end=at + 25_000, flags=BLOCKING)


def needless(body: Any, **options: Any) -> list[Any]:
    return needless_synchronize.facts(Loop(**options).region(body))


def test_nothing_reads_behind_it() -> None:
    [found] = needless(lambda calls, number, begin: solve(calls, begin))
    assert found.sentence == (
        "The synchronize at simulate.py:63 waits 306 us 2 times a repetition and nothing reads its result before the next one."
    )
    assert isinstance(found.edit, Return)
    assert len(found.edit.rows) == 2 * REPETITIONS
    assert found.sites == [SITE]


@pytest.mark.parametrize("what", ["synchronize device", "synchronize"])
@pytest.mark.parametrize("evidence", [True, False])
def test_it_is_named_without_evidence_too(what: str, evidence: bool) -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 1000, [(begin + 5000, begin + 305_000)])
        calls.call(what, begin + 4000, begin + 310_000, stream=1)

    [found] = needless(body, evidence=evidence)
    assert found.sentence.startswith("`cu")


def extra(what: str, at: int, **columns: Any) -> Any:
    """Give the solver with another call in each repetition."""

    def body(calls: Calls, number: int, begin: int) -> None:
        solve(calls, begin)
        calls.call(what, begin + at, begin + at + 400, **{"stream": 1, **columns})

    return body


BEHIND = 312_500  # the first synchronization, and before the next launch
BEFORE = 4_200
NEEDED = {
    "a download that it completes": ("copy", BEFORE, {"direction": 2, "size": 4}),
    "a download from another stream": ("copy", BEHIND, {"direction": 2, "size": 4, "stream": 2, "flags": BLOCKING}),
    "another thread's download": ("copy", BEHIND, {"direction": 2, "size": 4, "stream": 2, "thread": 1}),
    "a copy that may be a download": ("copy", BEFORE, {"direction": 0, "size": 4}),
    "memory that is mapped": ("clEnqueueMapBuffer", BEFORE, {}),
    "an event's time": ("cuEventElapsedTime", BEHIND, {}),
    "an OpenCL event's time": ("clGetEventProfilingInfo", BEHIND, {}),
    "memory that is freed": ("cuMemFree_v2", BEHIND, {}),
    "a function of the host": ("cuLaunchHostFunc", BEFORE, {}),
    "pinned memory that is sent": ("copy", BEFORE, {"direction": UP, "size": 4, "flags": PINNED}),
    "work of another stream behind it": ("launch", BEHIND, {"stream": 2}),
}
NOT_NEEDED = {
    "a download in its stream": ("copy", BEHIND, {"direction": 2, "size": 4, "flags": BLOCKING, "source": X}),
    "a copy on the device": ("copy", BEFORE, {"direction": 3, "size": 4}),
    "a query": ("cuEventQuery", BEHIND, {}),
    "memory that is freed later": ("cuMemFree_v2", 600_000, {}),
    "an event that is released": ("clReleaseMemObject", BEHIND, {}),
    "work of the same stream by another thread": ("launch", BEHIND, {"thread": 1}),
}


@pytest.mark.parametrize("reason", NEEDED)
def test_what_needs_it(reason: str) -> None:
    what, at, columns = NEEDED[reason]
    assert needless(extra(what, at, **columns)) == []


@pytest.mark.parametrize("other", NOT_NEEDED)
def test_what_does_not_need_it(other: str) -> None:
    what, at, columns = NOT_NEEDED[other]
    assert len(needless(extra(what, at, **columns))) == 1


@pytest.mark.parametrize(
    ("own", "flags", "named"),
    [(True, PAGEABLE, True), (True, PINNED, False), (False, PAGEABLE, False), (False, BLOCKING, True)],
)
def test_uploads_that_read_the_memory_of_the_host_until_then(own: bool, flags: int, named: bool) -> None:
    found = needless(extra("copy", BEFORE, direction=UP, size=4, flags=flags), own=own)
    assert bool(found) == named


def test_the_last_one_of_the_program_is_needed() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 1000, [(begin + 5000, begin + 305_000)])

    loop = Loop()
    loop.calls.call("synchronize", 25_000_000, 26_000_000, stream=1)
    assert needless_synchronize.facts(loop.region(body, last=False)) == []


@pytest.mark.parametrize("function", ["cuMemAllocManaged", "clSVMAlloc", "clHostMemAllocINTEL"])
def test_nothing_is_said_where_the_host_reads_shared_memory(function: str) -> None:
    loop = Loop()
    loop.calls.call(function, -2000, -1000, size=64)
    assert needless_synchronize.facts(loop.region(lambda calls, number, begin: solve(calls, begin))) == []


def test_short_ones_are_not_spoken_of() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 1000, [(begin + 2000, begin + 3000)])
        calls.call("synchronize", begin + 10_000, begin + 10_900, stream=1)

    assert needless(body) == []


def control(
    calls: Calls,
    number: int,
    begin: int,
    what: str = "synchronize device",
    reads: int = X,
    others: tuple[int, ...] = (Z,),
) -> None:
    """Add a control loop beside statistics on another stream, of which nothing is read."""
    launch(calls, begin + 1000, [(begin + 5000, begin + 705_000)], stream=2, uses=others, name="statistics")
    launch(calls, begin + 5000, [(begin + 9000, begin + 109_000)], stream=1, uses=(X, Y))
    calls.call(what, begin + 9000, begin + 710_000, stream=1, site=SITE)
    at = begin + 720_000
    download(calls, at, [(at + 10_000, at + 20_000)], source=reads, end=at + 25_000, flags=BLOCKING)


def wide(body: Any, **options: Any) -> list[Any]:
    return wide_synchronize.facts(Loop(**options).region(body))


def test_the_whole_device_is_waited_for_where_one_stream_is_read() -> None:
    [found] = wide(control)
    assert found.sentence == (
        "The synchronize at simulate.py:63 waits for the whole device, 596 us a repetition for other streams,"
        " whose results nothing reads before the next one."
    )
    assert isinstance(found.edit, Narrow)
    assert found.edit.stream == 1
    assert (found.edit.upto == -1).all()
    assert needless_synchronize.facts(Loop().region(control)) == []


def test_a_stream_that_is_waited_for_alone_is_not_wide() -> None:
    assert wide(lambda calls, number, begin: control(calls, number, begin, what="synchronize")) == []


def test_what_another_stream_has_written_is_read_through_this_one() -> None:
    assert wide(lambda calls, number, begin: control(calls, number, begin, reads=Z)) == []


def test_kernels_of_the_other_stream_use_the_same_array() -> None:
    assert wide(lambda calls, number, begin: control(calls, number, begin, others=(Z, X))) == []


def test_a_place_in_an_array_may_be_anyones() -> None:
    assert wide(lambda calls, number, begin: control(calls, number, begin, reads=X + 64)) == []


def test_both_streams_are_read() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        control(calls, number, begin)
        at = begin + 800_000
        download(calls, at, [(at + 10_000, at + 20_000)], source=Z, end=at + 25_000, flags=BLOCKING, stream=2)

    assert wide(body) == []


def behind(calls: Calls, number: int, begin: int, copies: int = 1) -> None:
    """Add a copy to the host, more work behind it in the stream, and a wait for all of that."""
    launch(calls, begin + 1000, [(begin + 5000, begin + 105_000)], uses=(X, Y))
    for k in range(copies):
        download(calls, begin + 5000 + 500 * k, [(begin + 106_000, begin + 108_000)], end=begin + 5400 + 500 * k)
    launch(calls, begin + 8000, [(begin + 110_000, begin + 810_000)], uses=(Y,), name="later")
    calls.call("synchronize", begin + 12_000, begin + 815_000, stream=1, site=SITE)


def test_an_event_behind_the_copy_is_enough() -> None:
    [found] = wide(behind)
    assert "waits for all of its stream, 702 us a repetition for what comes behind them in the stream" in found.sentence
    assert "event" in found.mend
    assert (found.edit.upto >= 0).all()


def test_a_copy_that_comes_last_needs_the_whole_stream() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        behind(calls, number, begin)
        download(calls, begin + 11_500, [(begin + 811_000, begin + 814_000)], end=begin + 11_900)

    assert wide(body) == []


@pytest.mark.parametrize("waited", [True, False])
def test_a_copy_that_an_event_has_waited_for_needs_no_later_one(waited: bool) -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        download(calls, begin + 1000, [(begin + 5000, begin + 9000)], source=X, event=70 + number, end=begin + 3000)
        if waited:
            calls.call("synchronize event", begin + 4000, begin + 10_000, waits=(70 + number,))
        launch(calls, begin + 11_000, [(begin + 15_000, begin + 405_000)])
        calls.call("synchronize device", begin + 14_000, begin + 410_000)

    assert bool(needless(body)) == waited
