"""Equal uploads: the same bytes to the same place, with nothing written there in between."""

import pytest

from launchpath._findings.facts.equal_uploads import facts
from launchpath._findings.simulation.edits import Before, Remove, Together
from launchpath._trace.format import CONTENT, PAGEABLE
from tests.findings.loops import DOWN, REPETITIONS, UP, Loop, launch, upload
from tests.findings.timelines import Calls


def test_the_same_bytes_are_sent_in_each_repetition() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000)
        launch(calls, begin + 200_000, [(begin + 210_000, begin + 900_000)])

    [found] = facts(Loop().region(body))
    assert found.kind == "equal-uploads"
    assert found.sentence.startswith(
        "The upload at simulate.py:57 sends the same 1 MiB 19 times (100 us each): 2.0 ms of "
    )
    assert found.sites == ["simulate.py:57 step"]
    assert isinstance(found.edit, Remove)
    assert len(found.edit.rows) == found.count == REPETITIONS - 1
    assert "no kernel may write" in found.mend


@pytest.mark.parametrize(("event", "gone"), [(0xE0, True), (0xE8, False)], ids=["its own", "another one"])
def test_the_wait_of_the_upload_goes_with_it(event: int, gone: bool) -> None:
    """A library that copies and waits does both at the line of the copy."""

    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 200_000, [(begin + 210_000, begin + 900_000)], event=0xE8)
        upload(calls, begin + 910_000, long=50_000, event=0xE0)
        end, site = begin + 961_000, "simulate.py:57 step"
        calls.call("synchronize event", end, end + 2000, stream=1, waits=(event,), site=site)

    [found] = facts(Loop().region(body))
    if gone:
        assert isinstance(found.edit, Together)
        removed, before = found.edit.edits
        assert isinstance(removed, Remove) and isinstance(before, Before)
        assert len(removed.rows) == 2 * len(before.rows) == 2 * found.count
    else:
        assert isinstance(found.edit, Remove) and len(found.edit.rows) == found.count


def test_reading_the_bytes_for_the_trace_is_no_part_of_the_upload() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        calls.call("query", begin, begin + 900)  # so that there is no time for it before the call
        upload(calls, begin + 1000, arguments=40_000)
        calls.rows[-1]["_works"] = [(begin + 60_000, begin + 101_000)]
        launch(calls, begin + 200_000, [(begin + 210_000, begin + 900_000)])

    [found] = facts(Loop().region(body))
    assert "(60 us each)" in found.sentence


def test_what_changes_is_not_equal() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000, content=number)
        launch(calls, begin + 200_000, [])

    assert facts(Loop().region(body)) == []


@pytest.mark.parametrize(("changes", "named"), [(30, True), (3, False)])
def test_nine_of_ten_are_enough(changes: int, named: bool) -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000, content=number // changes)
        launch(calls, begin + 200_000, [])

    found = facts(Loop(90).region(body))
    assert bool(found) == named
    if named:
        assert "when it has changed" in found[0].mend
        assert found[0].count == 87


WRITES = {
    "a fill": ("fill", {"to": 0x10000, "size": 1 << 20}),
    "a fill of a part": ("fill", {"to": 0x10000 + 400, "size": 4}),
    "a copy to its end": ("copy", {"to": 0x10000 + (1 << 20) - 4, "size": 64, "direction": 3}),
    "a copy that begins before": ("copy", {"to": 0x10000 - 60, "size": 64, "direction": 3}),
    "a copy to somewhere": ("copy", {"to": 0, "size": 64, "direction": 0}),
    "another upload": ("copy", {"to": 0x10000, "size": 1 << 20, "direction": UP, "content": 8, "flags": CONTENT}),
}
NO_WRITES = {
    "a fill before it": ("fill", {"to": 0x10000 - 64, "size": 64}),
    "a fill behind it": ("fill", {"to": 0x10000 + (1 << 20), "size": 64}),
    "a read": ("copy", {"to": 0x10000, "source": 0x10000, "size": 64, "direction": DOWN}),
    "advice": ("cuMemPrefetchAsync", {"to": 0, "size": 64}),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("thread", [0, 1])
def test_a_write_in_between_makes_it_needed(write: str, thread: int) -> None:
    what, columns = WRITES[write]

    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000)
        launch(calls, begin + 200_000, [])
        calls.call(what, begin + 500_000, begin + 501_000, stream=2, thread=thread, **columns)

    assert facts(Loop().region(body)) == []


@pytest.mark.parametrize("other", NO_WRITES)
def test_what_writes_elsewhere_does_not(other: str) -> None:
    what, columns = NO_WRITES[other]

    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000)
        launch(calls, begin + 200_000, [])
        calls.call(what, begin + 500_000, begin + 501_000, stream=2, **columns)

    assert len(facts(Loop().region(body))) == 1


def test_two_arrays_of_one_line_are_told_apart() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000, content=number)
        upload(calls, begin + 200_000, to=0x500000, content=9)
        launch(calls, begin + 400_000, [])

    [found] = facts(Loop().region(body))
    assert found.count == REPETITIONS - 1


def test_two_places_of_a_buffer_are_not_one() -> None:
    """The recorder knows buffers of OpenCL by their handles, and puts the place into the hash."""

    def body(calls: Calls, number: int, begin: int) -> None:
        for part in range(2):
            at = begin + 1000 + 200_000 * part
            calls.call(
                "clEnqueueWriteBuffer", at, at + 100_000, direction=UP, to=0x5000, size=64, content=part, flags=CONTENT,
                stream=1, role=2,
            )  # fmt: skip
        launch(calls, begin + 500_000, [])

    assert facts(Loop(driver="opencl").region(body)) == []


def test_buffers_of_opencl_do_not_overlap() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        for part in range(2):
            at = begin + 1000 + 200_000 * part
            calls.call(
                "clEnqueueWriteBuffer", at, at + 100_000, direction=UP, to=0x5000 + 512 * part, size=4096, content=part,
                flags=CONTENT, stream=1, role=2,
            )  # fmt: skip
        launch(calls, begin + 500_000, [])

    assert [found.count for found in facts(Loop(driver="opencl").region(body))] == [19, 19]


@pytest.mark.parametrize("changes", [True, False])
def test_pieces_of_an_array_that_is_sent_in_pieces(changes: bool) -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        for piece in range(3):
            upload(
                calls, begin + 1000 + 150_000 * piece, to=0x10000 + (piece << 20), flags=CONTENT | PAGEABLE,
                content=number if changes and piece == 0 else piece + 100,
            )  # fmt: skip
        launch(calls, begin + 600_000, [])

    found = facts(Loop(own=True).region(body))
    assert [each.count for each in found] == ([] if changes else [3 * (REPETITIONS - 1)])


def test_memory_that_is_made_for_each_upload() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        calls.call("allocate", begin + 100, begin + 500, size=1 << 20)
        upload(calls, begin + 1000, to=0x10000 + (number % 2 << 24))
        launch(calls, begin + 200_000, [])
        calls.call("free", begin + 300_000, begin + 300_100, size=1 << 20)

    assert len(facts(Loop().region(body))) == 1


def test_cheap_uploads_are_not_spoken_of() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000, long=900)
        launch(calls, begin + 200_000, [])

    assert facts(Loop().region(body)) == []


@pytest.mark.parametrize("missing", ["evidence", "content"])
def test_nothing_is_said_without_hashes(missing: str) -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000, **({"flags": 0} if missing == "content" else {}))
        launch(calls, begin + 200_000, [])

    assert facts(Loop(evidence=missing != "evidence").region(body)) == []


def test_failed_uploads_have_sent_nothing() -> None:
    def body(calls: Calls, number: int, begin: int) -> None:
        upload(calls, begin + 1000, failed=number % 2 == 0)
        launch(calls, begin + 200_000, [])

    assert facts(Loop().region(body)) == []
