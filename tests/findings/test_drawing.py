"""What the drawing of a repetition has."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from launchpath._findings.drawing import _MOST, drawing
from launchpath._findings.regions.region import Region
from launchpath._findings.why import _Examination
from tests.findings.loops import Loop, download, launch, upload
from tests.findings.timelines import Calls


def body(calls: Calls, number: int, begin: int) -> None:
    upload(calls, begin + 10_000, stream=2)
    for place in range(3):
        at = begin + 200_000 + 10_000 * place
        launch(calls, at, [(at + 5000, at + 9000)], name=f"k{place}")
    calls.call("synchronize", begin + 300_000, begin + 310_000, stream=1, site="/a/simulate.py:63 step")
    calls.call("query", begin + 302_000, begin + 303_000)  # inside of the synchronize
    download(calls, begin + 400_000, [(begin + 400_500, begin + 401_500)])
    calls.call(
        "launch", begin + 500_000, begin + 503_000, thread=1, stream=3, works=[(begin + 505_000, begin + 506_000)]
    )


def drawn(region: Region, repetition: int = 5, calls: Any = (), works: Any = ()) -> dict[str, Any]:
    return drawing(region, numpy.array(calls, "i8"), numpy.array(works, "i8"), repetition)


@pytest.fixture(scope="module")
def region() -> Region:
    return Loop().region(body)


def lanes(picture: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    return {lane["name"]: lane["items"] for lane in picture["lanes"]}


def test_each_thread_and_stream_has_a_lane_threads_first(region: Region) -> None:
    picture = drawn(region)
    assert [(lane["name"], lane["kind"], lane["left_out"]) for lane in picture["lanes"]] == [
        ("MainThread", "thread", 0), ("worker 1", "thread", 0),
        ("stream 1", "stream", 0), ("stream 2", "stream", 0), ("stream 3", "stream", 0),
    ]  # fmt: skip
    assert picture["us"] == 1000.0 and picture["region"] == "step"


def test_times_are_microseconds_from_its_begin(region: Region) -> None:
    for repetition in (0, 5, 19):
        first = lanes(drawn(region, repetition))["MainThread"][0]
        assert (first["begin"], first["end"]) == (10.0, 110.0)
        work = lanes(drawn(region, repetition))["stream 1"][0]
        assert (work["name"], work["begin"], work["end"]) == ("k0", 205.0, 209.0)


def test_calls_inside_of_others_are_not_drawn(region: Region) -> None:
    items = lanes(drawn(region))["MainThread"]
    assert [item["role"] for item in items] == ["copy", "launch", "launch", "launch", "synchronize", "copy"]


def test_what_a_launch_runs_is_a_kernel(region: Region) -> None:
    of_stream = lanes(drawn(region))
    assert [item["role"] for item in of_stream["stream 1"]] == ["kernel", "kernel", "kernel", "copy"]
    assert [item["role"] for item in of_stream["stream 2"]] == ["copy"]


def test_works_have_the_source_lines_of_their_calls(region: Region) -> None:
    of_stream = lanes(drawn(region))
    assert of_stream["MainThread"][4]["site"] == "/a/simulate.py:63 step"
    assert [item["site"] for item in of_stream["stream 1"]] == ["simulate.py:60 step"] * 3 + ["simulate.py:70 step"]
    assert of_stream["stream 3"][0]["site"] == ""


def test_only_what_is_on_the_critical_path_is_marked(region: Region) -> None:
    timeline = region.timeline
    rows = numpy.arange(region.first[5], region.last[5])
    assert int(timeline.ops.work[rows[1]]) != rows[1]
    picture = drawn(region, 5, rows[1:2], rows[1:2])
    marked = [(lane["name"], item["name"]) for lane in picture["lanes"] for item in lane["items"] if item["critical"]]
    assert marked == [("MainThread", "k0"), ("stream 1", "k0")]
    assert not [
        item for lane in drawn(region, 6, rows[1:2], rows[1:2])["lanes"] for item in lane["items"] if item["critical"]
    ]


def test_the_kernels_of_a_program_that_runs_ahead_are_critical() -> None:
    calls = Calls()
    for number in range(30):
        at, begin = 10_000 * number, 5000 + 800_000 * number
        launch(calls, at, [(begin, begin + 800_000)])
    calls.call("synchronize device", 300_000, 30 * 800_000 + 6000)
    examination = _Examination(None)
    examination.add(calls.timeline())
    picture = examination.finish().timeline
    assert picture["us"] == pytest.approx(800)
    kernels = [item for item in lanes(picture)["stream 1"] if 0 <= item["begin"] < 800]
    assert [(item["name"], item["critical"]) for item in kernels] == [("kernel", True)]
    assert [item["name"] for item in lanes(picture)["MainThread"]] == ["cuCtxSynchronize"]  # at that time


def test_what_reaches_into_the_repetition_is_there() -> None:
    def long(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 10_000, [(begin + 990_000, begin + 1_010_000)])

    items = lanes(drawn(Loop().region(long)))["stream 1"]
    assert [(item["begin"], item["end"]) for item in items] == [(-10.0, 10.0), (990.0, 1010.0)]


def test_a_lane_tells_how_many_items_it_leaves_out() -> None:
    def many(calls: Calls, number: int, begin: int) -> None:
        for place in range(_MOST + 7):
            at = begin + 10_000 * place
            launch(calls, at, [(at + 3500, at + 3600)], name="k")

    picture = drawn(Loop(4, 10_000_000).region(many), 1)
    assert [(len(lane["items"]), lane["left_out"]) for lane in picture["lanes"]] == [(_MOST, 7)] * 2
