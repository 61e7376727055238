"""Summaries, against sums that plain Python makes of what the builder was given."""

import json
from pathlib import Path
from statistics import pstdev

import pytest

from launchpath._report import Tally
from launchpath._trace.files.file import TraceFile
from launchpath._trace.format import COPY, COPY_PEER, FAILED, KEPT_BACK, LAUNCH, MARK, RANGE_BEGIN, TIMED
from launchpath._trace.summaries import summarize as summarize_module
from launchpath._trace.summaries.summarize import summarize
from tests.trace.builder import (
    EPOCH,
    FACTS,
    Builder,
    api,
    call,
    clocks,
    command,
    device_clock,
    range_,
    slot,
    stream,
    times,
)
from tests.trace.program import Expected, Sum, write

TABLES = ("calls", "driver_calls", "kernels", "traffic", "ranges")


def rows(tally: Tally) -> dict[str, tuple[int, ...]]:
    return {each.name: (each.calls, each.failed, each.total, each.shortest, each.longest) for each in tally}


def expected_rows(sums: dict[str, Sum]) -> dict[str, tuple[int, ...]]:
    return {name: each.row() for name, each in sums.items()}


@pytest.mark.parametrize("seed", range(5))
def test_the_sums_are_those_of_the_slots(tmp_path: Path, seed: int) -> None:
    expected = write(tmp_path / "t", seed)
    summary = summarize(tmp_path / "t")
    for name in TABLES:
        assert rows(getattr(summary, name)) == expected_rows(getattr(expected, name)), name
    assert summary.traffic_bytes == {name: expected.bytes[name] for name in expected.traffic}
    host = {
        name: [each.launches, each.launchpath, each.driver, each.waiting, each.started, each.delay]
        for name, each in summary.host_times.items()
    }
    assert host == {name: values for name, values in expected.host.items() if name}
    gaps = expected.gaps()
    assert rows(summary.after_synchronizing) == {"GPU 0": (len(gaps), 0, sum(gaps), min(gaps), max(gaps))}
    assert sum(summary.counts.values()) == summary.counts["clamped"] > 0


def test_small_chunks_have_the_same_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "t", 7)
    whole = summarize(tmp_path / "t").as_json()
    chunks = TraceFile.chunks
    monkeypatch.setattr(TraceFile, "chunks", lambda self, size, by_file=False: chunks(self, 17, by_file))
    parts = summarize(tmp_path / "t").as_json()
    assert _rounded(parts) == _rounded(whole)


def _rounded(value: object) -> object:
    """Sums of squares are floats: their last digits depend on the order."""
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 6) if isinstance(value, float) else value


def test_deviation(tmp_path: Path) -> None:
    expected = write(tmp_path / "t", 3)
    summary = summarize(tmp_path / "t")
    for name, each in expected.kernels.items():
        assert summary.kernels[name].deviation == pytest.approx(pstdev(each.times))


def test_failed_calls_are_left_out_of_the_times(tmp_path: Path) -> None:
    built = Builder().meta(**FACTS).names({1: "saxpy"})
    built.slots(*clocks(), call(4, 0, 10), call(4, 0, 10**6, flags=FAILED, result=2), call(5, 0, 10**6, flags=FAILED))
    path = built.write(tmp_path / "t")
    assert rows(summarize(path).driver_calls) == {"allocate": (1, 1, 10, 10, 10), "event_wait": (0, 1, 0, 0, 0)}
    total = str(summarize(path)).splitlines()[-1].split()
    assert total[0] == "Total" and total[-1] == "2"


def test_launches_that_a_step_keeps_back(tmp_path: Path) -> None:
    """Recording them takes time of the host. They are run by other commands."""
    kept = command(1, 1000, (0, 0), 1100, flags=KEPT_BACK)
    built = (
        Builder()
        .meta(**FACTS)
        .names({1: "saxpy"})
        .slots(*clocks(), kept, command(2, 2000, (2010, 2050), 2070, flags=4))
    )
    summary = summarize(built.write(tmp_path / "t"))
    assert rows(summary.driver_calls) == {"cuLaunchKernel": (1, 0, 40, 40, 40)}
    assert rows(summary.calls) == {"launch": (1, 0, 100, 100, 100)}
    assert summary.host_times["saxpy"].as_json() == {
        "launches": 1, "us_launchpath": 0.13, "us_driver": 0.04, "us_waiting": 0.0, "us_enqueue_to_start": None,
    }  # fmt: skip


def test_a_trace_without_times_of_the_device(tmp_path: Path) -> None:
    built = Builder().meta(**{**FACTS, "mode": "host"}).names({1: "saxpy"})
    summary = summarize(built.slots(*clocks(), command(1, 10, (20, 30), 40, flags=0)).write(tmp_path / "t"))
    assert (len(summary.kernels), summary.host_times["saxpy"].launches, summary.counts["without_times"]) == (0, 1, 0)
    assert "mode: host" in str(summary) and "saxpy |        1" in str(summary)


def test_what_a_process_says_of_its_trace_is_shown(tmp_path: Path) -> None:
    for left, shown in (("rocprofiler-sdk refused start_context", True), (5, False), (None, False)):
        built = Builder().meta(**{**FACTS, "hip": {"left": left}})
        text = str(summarize(built.slots(*clocks()).write(tmp_path / "t")))
        assert (f"HIP's functions are not recorded: {left}" in text) == shown


def test_commands_whose_times_are_missing(tmp_path: Path) -> None:
    built = Builder(state=0).slots(*clocks(), *(command(n, 10, (20, 30), 40) for n in range(5)), times(2, 20, 50, 60))
    assert summarize(built.write(tmp_path / "t")).counts["without_times"] == 4


def test_copies_between_devices(tmp_path: Path) -> None:
    peer = command(1, 10, (20, 30), 40, command=COPY_PEER, bytes=5, name=0)
    lost = times(2, 20, 60, 90, command=COPY, name=0)  # its command is not in the file
    summary = summarize(
        Builder().slots(*clocks(), peer, times(1, 20, 30, 50, command=COPY_PEER), lost).write(tmp_path / "t")
    )
    assert rows(summary.traffic) == {"device to device": (1, 0, 20, 20, 20), "copy": (1, 0, 30, 30, 30)}
    assert summary.traffic_bytes == {"device to device": 5, "copy": 0}


def test_a_kernel_belongs_to_the_last_synchronization_before_it(tmp_path: Path) -> None:
    built = Builder().meta(**FACTS).names({1: "saxpy"})
    slots = [*clocks(), device_clock(1000, 1), device_clock(10**9, 1)]
    slots += [api(0, 2000, 3000), call(3, 2000, 2990), call(3, 2000, 9000), call(3, 2000, 2500, device=1)]
    slots += [call(5, 0, 3200), call(4, 0, 3300), call(5, 0, 3300, flags=FAILED)]
    slots += [times(1, 2600, 3300, 3400), times(2, 2600, 3350, 3400), times(3, 0, 2700, 2800, device=1)]
    summary = summarize(built.slots(*slots).write(tmp_path / "t"))
    assert rows(summary.after_synchronizing) == {"GPU 0": (1, 0, 100, 100, 100), "device 1": (1, 0, 200, 200, 200)}


def test_counts_of_the_header(tmp_path: Path) -> None:
    counters = {
        "dropped": 3, "untimed": 4, "unfinished": 5, "failed_times": 6, "excluded": 7, "overlapped": 8, "state": 2,
    }  # fmt: skip
    text = str(summarize(Builder(**counters).slots(*clocks()).write(tmp_path / "t")))
    for line in (
        "slots dropped (no room in their ring, or no memory for a ring): 3",
        "commands without times: no timing object was free, or nothing tells them: 4",
        "commands that were not complete when the trace ended: 5",
        "commands whose times the library did not give: 6",
        "launches excluded by name: 7",
        "serialized launches that did not wait for the launch before them: 8",
        "files that could not be written to their end: 1",
    ):
        assert line in text.splitlines()
    assert "lost" not in text


def test_a_complete_trace_has_no_such_counts(tmp_path: Path) -> None:
    lines = str(summarize(Builder().slots(*clocks()).write(tmp_path / "t"))).splitlines()
    assert lines[1:] == ["nothing was recorded: no call, range or mark"]


def test_the_header(tmp_path: Path) -> None:
    built = Builder().meta(**FACTS).slots(*clocks(), stream(1), stream(2), call(0, 1000, 2000))
    built.slots(call(0, 3000, 5000), slot(MARK, begin=4000), ring=1, thread=12).slots(
        times(1, 0, 0, 0, flags=1), ring=2, thread=13
    )
    summary = summarize(built.write(tmp_path / "t"))
    lines = str(summary).splitlines()
    assert lines[:2] == ["1 host, 1 process, 2 threads, 1 device, 1 stream; 4.00us; mode: device", "1 mark"]
    assert (summary.begin, summary.end) == (EPOCH + 1000, EPOCH + 5000)


def test_devices_and_streams_without_commands_are_not_counted(tmp_path: Path) -> None:
    facts = FACTS | {"devices": FACTS["devices"] * 3}
    commands = [command(i, 10 * i, (10 * i, 10 * i + 5), 10 * i + 9, device=1, stream=2 * i) for i in (1, 2)]
    streams = [stream(number, number % 3) for number in range(1, 7)]
    built = Builder().meta(**facts).slots(*clocks(), *streams, *commands)
    (process,) = summarize(built.write(tmp_path / "t")).processes
    assert (process["devices"], process["streams"]) == (1, 2)


def test_totals_count_no_time_twice(tmp_path: Path) -> None:
    """A call within a call, and a range within a range, are in the time of the outer one."""
    facts = FACTS | {"api": ["Stream.synchronize", "Device.synchronize"]}
    calls = [
        api(0, 100, 300, parent=7),
        api(0, 400, 900, parent=7),
        api(1, 50, 1050, correlation=7),
        api(0, 2000, 2100),
    ]
    ranges = [range_(6, 10, 60, depth=1), range_(5, 0, 100), range_(5, 200, 250), range_(6, 300, 310)]
    built = Builder().meta(**facts).names({5: "outer", 6: "inner"})
    built.slots(*clocks(), *calls, call(3, 110, 290, parent=7), *ranges)
    summary = summarize(built.write(tmp_path / "t"))
    stream_, device = summary.calls["Stream.synchronize"], summary.calls["Device.synchronize"]
    assert (stream_.total, stream_.nested, stream_.outermost) == (800, 700, 100)
    assert (device.total, device.outermost) == (1000, 1000)
    assert (summary.calls.total().outermost, summary.driver_calls.total().outermost) == (1100, 180)
    assert (summary.ranges.total().outermost, summary.ranges["inner"].total) == (160, 60)
    text = str(summary).splitlines()
    totals = [[cell.strip() for cell in line.split("|")] for line in text if line.strip().startswith("Total")]
    assert [cells[1] for cells in totals] == ["1.10us", "180.00ns", "180.00ns", "160.00ns"]
    nested = [cells for cells in totals if cells[0] == "Total (outermost)"]
    assert [cells[1] for cells in nested] == ["1.10us", "160.00ns"]
    assert all(not cells[4] for cells in nested) and all(cells[4] for cells in totals if cells not in nested)
    shares = [line.split("|")[2].strip() for line in text if line.startswith("Device.synchronize") or "Total" in line]
    assert shares == ["90.91%", "100.00%", "100.00%", "100.00%", "100.00%"]
    rows_ = {row["name"]: row for row in summary.as_json()["calls"]}
    assert (rows_["Stream.synchronize"]["us"], rows_["Stream.synchronize"]["us_nested"]) == (0.8, 0.7)


def test_ranges_that_did_not_end(tmp_path: Path) -> None:
    built = (
        Builder(state=0)
        .names({5: "step"})
        .slots(*clocks(), range_(5, 10, 0, RANGE_BEGIN), range_(5, 20, 0, RANGE_BEGIN), range_(5, 20, 30))
    )
    summary = summarize(built.write(tmp_path / "t"))
    assert (rows(summary.ranges), summary.counts["open_ranges"]) == ({"step": (1, 0, 10, 10, 10)}, 1)


def test_names_that_the_file_does_not_have(tmp_path: Path) -> None:
    slots = [
        *clocks(),
        api(3, 0, 1),
        call(9, 0, 1, device=70),
        command(1, 0, (1, 2), 3, name=77),
        times(1, 1, 2, 3, name=1 << 31),
    ]
    text = str(summarize(Builder().slots(*slots).write(tmp_path / "t")))
    for name in ("(call 3 of launchpath)", "(call 9)", "launch", "(name 77)", "(name 2147483648)"):
        assert f"{name} " in text


def test_several_processes(tmp_path: Path) -> None:
    sums: list[Expected] = []
    places = [("node0", 0), ("node0", 1), ("node1", 2)]
    for host, rank in places:
        process = {"pid": 100 + rank, "rank": rank, "host": host}
        sums.append(write(tmp_path / f"{rank}", rank, process=process))
    seen = []
    summary = summarize([tmp_path / str(rank) for _, rank in places], lambda done, total: seen.append((done, total)))
    for name in TABLES:
        merged: dict[str, Sum] = {}
        for each in sums:
            for key, part in getattr(each, name).items():
                whole = merged.setdefault(key, Sum())
                whole.times += part.times
                whole.failed += part.failed
        assert rows(getattr(summary, name)) == expected_rows(merged), name
    assert str(summary).startswith("2 hosts, 3 processes, 9 threads, 3 devices, 3 streams; ")
    assert [process["rank"] for process in summary.processes] == [0, 1, 2]
    assert all(done <= total for done, total in seen) and sum(done == total for done, total in seen) == 3


def test_json_and_html(tmp_path: Path) -> None:
    write(tmp_path / "t", 1)
    summary = summarize(tmp_path / "t")
    data = json.loads(json.dumps(summary.as_json()))
    assert [row["name"] for row in data["kernels"]] == [each.name for each in summary.kernels.by_time()]
    assert data["kernels"][0]["host"]["launches"] > 0 and data["traffic"][0]["bytes"] > 0
    page = summary._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 10
    assert "ns::reduce&lt;float&gt;" in page and "<float>" not in page
    assert repr(summary).startswith("<Summary: 1 process")


def test_the_api_is_launchpath_and_the_driver(tmp_path: Path) -> None:
    write(tmp_path / "t", 1)
    summary = summarize(tmp_path / "t")
    assert {**rows(summary.calls), **rows(summary.driver_calls)} == rows(summary.api)


def test_tables_as_text(tmp_path: Path) -> None:
    write(tmp_path / "t", 1)
    text = str(summarize(tmp_path / "t"))
    heads = [line for line in text.splitlines() if "Time(%)" in line]
    assert all("Average" in head and "Max" in head for head in heads) and len(heads) == 6
    assert [head.rstrip().endswith("Failed") for head in heads] == [True, True, True, True, False, False]
    assert heads[4].replace(" ", "").endswith("|Bytes|GB/s")


def test_a_data_frame(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    write(tmp_path / "t", 1)
    summary = summarize(tmp_path / "t")
    frame = summary.to_pandas()
    kernels = frame[frame["table"] == "kernels"].set_index("name")
    assert kernels.loc["saxpy", "us"] == summary.kernels["saxpy"].total / 1e3
    assert set(frame["table"]) == {*TABLES, "after_synchronizing"}


def test_reading_needs_neither_core_nor_formats() -> None:
    source = Path(summarize_module.__file__).parent
    texts = [file.read_text() for file in source.rglob("*.py")]
    assert texts and not any("launchpath._core" in text or "launchpath._drivers" in text for text in texts)


def test_constants() -> None:
    assert (LAUNCH, TIMED) == (1, 8)
