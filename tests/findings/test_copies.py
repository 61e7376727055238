"""Small, pageable and serial copies, temporaries that cross streams, and kernels that leave a device room."""

from typing import Any

import numpy
import pytest

from launchpath._findings.facts import (
    crossing_temporaries,
    pageable_copies,
    serial_copies,
    serial_streams,
    small_copies,
    small_kernels,
)
from launchpath._findings.simulation.edits import Asynchronous, Faster, Merge, Move, Together
from launchpath._trace.format import BLOCKING, CONTENT, PAGEABLE, PINNED
from tests.findings.loops import DOWN, REPETITIONS, UP, Loop, download, launch, upload
from tests.findings.timelines import Calls

X, Y, Z, W = 0x10000, 0x20000, 0x30000, 0x40000
ROW = 256


def rows(
    calls: Calls, number: int, begin: int, *, count: int = 32, size: int = ROW, each: int = 8000, between: str = "",
    byte: float = 0.0, streams: int = 1,
) -> None:  # fmt: skip
    """Add copies of rows of a table, one behind the other."""
    large = round(each + byte * (1 << 20))
    upload(calls, begin + 1000, size=1 << 20, to=0x900000, long=large if byte else 100_000, site="simulate.py:50 step")
    for k in range(count):
        at = begin + 300_000 + (each + 4000) * k
        upload(
            calls, at, to=X + size * k, size=size, long=round(each + byte * size), stream=1 + k % streams,
            site="simulate.py:57 step",
        )  # fmt: skip
        if between == "launch":
            launch(calls, at + each + 100, [], uses=(X,))
        elif between:
            calls.call(between, at + each + 100, at + each + 2000, stream=1)
    launch(calls, begin + 900_000, [])


def test_rows_of_a_table_are_copied_one_by_one() -> None:
    [found] = small_copies.facts(Loop().region(rows))
    assert found.sentence == (
        "The upload at simulate.py:57 is 32 copies of 256 B in a row, 380 us a repetition: each takes 8.0 us,"
        " mostly the fixed part."
    )
    assert isinstance(found.edit, Together)
    merge = next(edit for edit in found.edit.edits if isinstance(edit, Merge))
    assert len(merge.rows) == len(merge.group) == found.count
    assert len(set(merge.group.tolist())) == found.count / 32


@pytest.mark.parametrize("between", ["synchronize event", "allocate", "record"])
def test_waits_between_them_go_too(between: str) -> None:
    [found] = small_copies.facts(
        Loop().region(lambda calls, number, begin: rows(calls, number, begin, between=between))
    )
    assert len(found.edit.edits) == 3


@pytest.mark.parametrize(
    "options",
    [
        {"count": 3},
        {"between": "launch"},
        {"size": 512 << 10, "count": 8},
        {"streams": 2},
        {"size": 64 << 10, "byte": 0.5, "count": 8},  # the bytes take longer than the fixed part
        {"each": 100, "count": 5},  # less than can be seen
    ],
    ids=str,
)
def test_copies_that_are_few_or_large_or_not_in_a_row(options: dict[str, Any]) -> None:
    assert small_copies.facts(Loop().region(lambda calls, number, begin: rows(calls, number, begin, **options))) == []


def picture(flags: int, direction: int = UP, size: int = 8 << 20, pinned: bool = False, **columns: Any) -> Any:
    """Give the body of a loop that copies a picture."""

    def body(calls: Calls, number: int, begin: int) -> None:
        add = {"direction": direction, "stream": 1, "to": X, "source": Y, "site": "simulate.py:57 step", **columns}
        at = begin + 1000
        calls.call("copy", at, at + 400_000, flags=flags, size=size, works=[(at + 200_000, at + 400_000)], **add)
        if pinned:
            at = begin + 500_000
            add = {**add, "to": Z, "site": "simulate.py:58 step"}
            calls.call("copy", at, at + 3000, flags=PINNED, size=size, works=[(at + 3000, at + 103_000)], **add)
        launch(calls, begin + 800_000, [])

    return body


def test_a_picture_that_is_not_pinned() -> None:
    [found] = pageable_copies.facts(Loop().region(picture(PAGEABLE | BLOCKING)))
    assert found.sentence == (
        "The upload at simulate.py:57 holds the host for 400 us: its 8 MiB are in memory that is not pinned."
    )
    assert isinstance(found.edit, Asynchronous)
    assert "pinned" in found.mend


def test_pinned_copies_of_the_same_region_tell_how_fast_they_are() -> None:
    [found] = pageable_copies.facts(Loop().region(picture(PAGEABLE | BLOCKING, pinned=True)))
    assert isinstance(found.edit, Together)
    asynchronous, faster = found.edit.edits
    assert isinstance(asynchronous, Asynchronous)
    assert asynchronous.host == pytest.approx(3000)
    assert isinstance(faster, Faster)
    assert faster.work == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("flags", "options"),
    [(PINNED, {}), (0, {}), (PAGEABLE, {"size": 4096}), (PAGEABLE, {"direction": 3})],
    ids=["pinned", "unknown", "small", "on the device"],
)
def test_copies_that_pinning_does_not_help(flags: int, options: dict[str, Any]) -> None:
    assert pageable_copies.facts(Loop().region(picture(flags, **options))) == []


def test_what_need_not_be_sent_need_not_be_pinned() -> None:
    assert pageable_copies.facts(Loop().region(picture(PAGEABLE | BLOCKING | CONTENT, content=7))) == []


def test_a_download_is_not_faster_than_is_known() -> None:
    [found] = pageable_copies.facts(Loop().region(picture(PAGEABLE | BLOCKING, direction=DOWN)))
    assert found.edit is None


def pieces(*, waits: bool = False, down: bool = False, flags: int = 0) -> Any:
    """Give the body of a loop that sends a piece, transforms it, and perhaps brings it back."""

    def body(calls: Calls, number: int, begin: int) -> None:
        # The host is a repetition ahead of the device, unless it waits for it.
        device = begin + (10_000 if waits else 1_000_000)
        upload(calls, begin + 1000, long=2000, site="simulate.py:57 step", content=number)
        calls.rows[-1]["_works"] = [(device, device + 200_000)]
        launch(calls, begin + 5000, [(device + 200_000, device + 700_000)], uses=(X,))
        if down:
            download(calls, begin + 9000, [(device + 700_000, device + 900_000)], flags=flags, size=1 << 20)
        if waits:
            calls.call("synchronize", begin + 12_000, device + 950_000, stream=1)

    return body


def test_an_upload_waits_for_the_kernel_before_it() -> None:
    [found] = serial_copies.facts(Loop().region(pieces()))
    assert found.sentence.startswith("The upload at simulate.py:57 (1 copy of 1 MiB a repetition) waits for kernels")
    assert "200 us in which both could run" in found.sentence
    move, behind = found.edit.edits
    assert move.stream == 2
    assert behind.stream == 1
    assert set(behind.after.tolist()) <= set(move.rows.tolist())


def test_a_download_holds_up_the_kernels_behind_it() -> None:
    found = serial_copies.facts(Loop().region(pieces(down=True)))
    assert [each.subject for each in found] == ["The upload at simulate.py:57", "The download at simulate.py:70"]
    assert isinstance(found[1].edit, Move)


@pytest.mark.parametrize(
    ("options", "driver"),
    [({"waits": True}, "cuda"), ({"waits": True, "down": True, "flags": BLOCKING}, "cuda"), ({}, "opencl")],
    ids=["the host waits", "the host waits for the copy", "a device that runs one command at a time"],
)
def test_copies_that_cannot_overlap(options: dict[str, Any], driver: str) -> None:
    assert serial_copies.facts(Loop(driver=driver).region(pieces(**options))) == []


def robots(
    *, blocks: int = 4, second: tuple[int, ...] = (Z, W), reads: tuple[int, ...] = (X, Z), long: int = 90_000
) -> Any:
    """Give the body of a loop that simulates two robots in one stream."""

    def body(calls: Calls, number: int, begin: int) -> None:
        at = begin + 10_000
        for k in range(8):
            uses, name = ((X, Y), "first") if k % 2 == 0 else (second, "second")
            launch(calls, begin + 1000 + 4000 * k, [(at, at + long)], uses=uses, blocks=blocks, name=name)
            at += long
        for k, source in enumerate(reads):
            download(
                calls, begin + 800_000 + 60_000 * k, [(begin + 805_000 + 60_000 * k, begin + 806_000 + 60_000 * k)],
                source=source, flags=BLOCKING, end=begin + 810_000 + 60_000 * k, site=f"simulate.py:{70 + k} step",
            )  # fmt: skip

    return body


def test_two_robots_in_one_stream() -> None:
    [found] = serial_streams.facts(Loop().region(robots()))
    assert found.sentence == (
        "8 launches of `first, second` follow one another in one stream, 722 us a repetition, and are 2 groups that share"
        " no argument: the GPU has 8 units, a launch 4 blocks."
    )
    assert isinstance(found.edit, Move)
    assert found.edit.stream == 2
    assert len(found.edit.rows) == 5 * (REPETITIONS - 1)


@pytest.mark.parametrize(
    "options",
    [{"blocks": 5}, {"second": (Z, X)}, {"second": ()}, {"reads": (X, 0x77777)}, {"long": 100}],
    ids=["no room", "shared", "unknown", "a copy of unknown memory", "short"],
)
def test_kernels_that_stay_in_one_stream(options: dict[str, Any]) -> None:
    assert serial_streams.facts(Loop().region(robots(**options))) == []


def test_a_device_that_runs_one_kernel_at_a_time() -> None:
    assert serial_streams.facts(Loop(driver="opencl").region(robots())) == []


def chain(blocks: int = 2, beside: bool = False, long: int = 150_000) -> Any:
    """Give the body of a loop with a chain of kernels."""

    def body(calls: Calls, number: int, begin: int) -> None:
        for k in range(4):
            at = begin + 1000 + (long + 10_000) * k
            launch(calls, at, [(at + 5000, at + 5000 + long)], blocks=blocks, uses=(X, Y))
            if beside:
                launch(calls, at + 3500, [(at + 8000, at + long)], blocks=64, stream=2, uses=(Z,), name="other")

    return body


def test_a_chain_of_kernels_with_few_blocks() -> None:
    [found] = small_kernels.facts(Loop().region(chain()))
    assert found.sentence == (
        "`kernel` has 2 blocks for 8 units of the device, and nothing else runs beside it: 600 us a repetition."
    )
    assert isinstance(found.edit, Faster)
    assert found.edit.work == pytest.approx(0.25)
    assert found.evidence["at_most"]


@pytest.mark.parametrize(
    "options", [{"blocks": 8}, {"beside": True}, {"long": 500}], ids=["enough", "others beside", "short"]
)
def test_kernels_that_are_not_too_small(options: dict[str, Any]) -> None:
    assert small_kernels.facts(Loop().region(chain(**options))) == []


def test_a_device_whose_units_are_not_known() -> None:
    loop = Loop()
    loop.calls.facts["devices"][0].pop("units")
    assert small_kernels.facts(loop.region(chain())) == []


def temporaries(crosses: bool = True, freed: bool = True, held: bool = True, inside: bool = False) -> Any:
    """Give the body of a loop that makes memory in the order of stream 1, and uses it on stream 2."""

    def body(calls: Calls, number: int, begin: int) -> None:
        busy = 400_000 if held else 6000
        launch(calls, begin + 1000, [(begin + 5000, begin + busy)], uses=(X,))
        calls.call("allocate", begin + 5000, begin + 6000, stream=1, size=4096, site="simulate.py:30 step")
        waits = (0xE0,) if crosses else ()
        if crosses and not inside:
            calls.call("marker", begin + 7000, begin + 8000, stream=1, event=0xE0)
        at = begin + 9000
        launch(
            calls,
            at,
            [(begin + max(busy, 14_000) + 500, begin + 800_000)],
            stream=2,
            uses=(Y, Z),
            waits=waits,
            name="b",
        )
        if crosses and inside:
            calls.call("marker", at + 500, at + 1500, stream=1, event=0xE0)
        if freed:
            calls.call("free", begin + 20_000, begin + 20_500, size=4096)

    return body


@pytest.mark.parametrize("inside", [False, True])
def test_memory_that_is_made_on_one_stream_and_used_on_another(inside: bool) -> None:
    [found] = crossing_temporaries.facts(Loop(own=True).region(temporaries(inside=inside)))
    assert found.sentence == (
        "The allocation at simulate.py:30 makes a stream wait for another, 391 us a repetition in 1 use:"
        " it is used on another stream than the one in whose order it is made."
    )
    assert len(found.edit.rows) == REPETITIONS - 1


@pytest.mark.parametrize("options", [{"crosses": False}, {"freed": False}, {"held": False}], ids=str)
def test_memory_that_waits_for_nothing(options: dict[str, bool]) -> None:
    assert crossing_temporaries.facts(Loop(own=True).region(temporaries(**options))) == []


@pytest.mark.parametrize("own", [True, False])
def test_what_launchpath_does_by_itself_is_no_part_of_a_repetition(own: bool) -> None:
    """It waits for pinned memory where all is in use, which depends on how fast the device is."""
    loop = Loop(own=own)

    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 1000, [(begin + 5000, begin + 300_000)], uses=(X,))
        if number % 3 == 0:
            calls.call("clEnqueueBarrierWithWaitList", begin + 5000, begin + 6000, stream=1, event=0xE0)
            calls.call("clWaitForEvents", begin + 7000, begin + 8000, waits=(0xE0,))
        calls.call("Stream.synchronize", begin + 10_000, begin + 400_000, stream=1)

    region = loop.region(body)
    assert numpy.count_nonzero(region.typical) == (REPETITIONS - 1 if own else 13)
    assert region.aligned().shape[1] == 2
