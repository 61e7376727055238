"""Clocks of files: the order of two times, what files say, and what reports and Perfetto's files make of it."""

import random
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest

from launchpath._trace.files.appending import append_facts
from launchpath._trace.files.file import TraceFile
from launchpath._trace.hosts.clocks import Clocks, Moment, Order
from launchpath._trace.hosts.host_clock import HostClock, joined, read
from launchpath._trace.hosts.measurement import Measurement
from launchpath._trace.process import Process
from launchpath._trace.summaries.summarize import summarize
from launchpath.errors import TraceFileError
from tests.trace.builder import EPOCH, FACTS, Builder, clocks, command, slot, times

SECOND = 10**9
HALF = 50_000


def clock(host: str, ahead: int = 0, drift: int = 0, seconds: int = 120, **more: Any) -> HostClock:
    """Give a clock that the reference's is ahead of, measured each 30 seconds; the drift is in parts of a billion."""
    draw = random.Random(host)
    points = []
    for time in range(0, seconds * SECOND, 30 * SECOND):
        true = ahead + time * drift // 10**9
        shift = draw.randrange(-HALF, HALF)
        points.append(Measurement(time, true + shift - HALF, true + shift + HALF, 2 * HALF, 16))
    facts = {
        "id": f"id of {host}",
        "host": host,
        "reference_id": "id of node0",
        "reference_host": "node0",
        "by": "tcp node0:7460",
        "measurements": points,
    }
    return HostClock(**{**facts, **more})


def reference() -> HostClock:
    return HostClock("id of node0", "node0", "id of node0", "node0", "tcp node0:7460")


def meta(host: HostClock | str, **more: Any) -> dict[str, Any]:
    if isinstance(host, str):
        return {"process": {"pid": 1, "host": host}, **more}
    return {"process": {"pid": 1, "host": host.host}, "host_clock": host.as_json(), **more}


def test_times_are_ordered_only_beyond_the_bound() -> None:
    known = Clocks([meta(reference()), meta(clock("node1", 2 * SECOND, 20_000)), meta(clock("node2", -SECOND, -7_000))])
    one, other = "id of node1", "id of node2"
    draw = random.Random(2)
    told: dict[Order, int] = dict.fromkeys(Order, 0)
    for _ in range(2000):
        here, apart = draw.randrange(1, 80 * SECOND), int(draw.gauss(0, 200_000))
        # What the reference's clock showed at both times, and what the other host's showed then.
        on_reference = here + 2 * SECOND + here * 20_000 // 10**9
        there = round((on_reference + apart + SECOND) / (1 - 7e-6))
        order = known.order(Moment(one, here), Moment(other, there))
        told[order] += 1
        assert order is not (Order.AFTER if apart > 2 else Order.BEFORE if apart < -2 else None)
        if abs(apart) > 4 * (HALF + 300 * 15) + 100:
            assert order is not Order.NOT_ORDERED
    assert min(told.values()) > 100


def test_the_reference_and_a_host_are_ordered_by_the_hosts_bound_alone() -> None:
    known = Clocks([meta(reference()), meta(clock("node1", 1000))])
    (bound,) = known.on_reference("id of node1", numpy.array([10 * SECOND]))[1].tolist()
    stated = known.at("id of node1", 10 * SECOND)
    here = Moment("id of node1", 10 * SECOND)
    assert known.order(here, Moment("id of node0", stated + bound + 2)) is Order.BEFORE
    assert known.order(here, Moment("id of node0", stated - bound - 2)) is Order.AFTER
    assert known.order(here, Moment("id of node0", stated + bound - 2)) is Order.NOT_ORDERED


def test_times_of_one_clock_are_ordered_to_the_nanosecond() -> None:
    known = Clocks([meta("node3"), meta("node3"), meta("node4")])
    assert known.key(meta("node3")) == "host node3"
    assert known.order(Moment("host node3", 5), Moment("host node3", 6)) is Order.BEFORE
    assert known.order(Moment("host node3", 7), Moment("host node3", 6)) is Order.AFTER
    assert known.order(Moment("host node3", 6), Moment("host node3", 6)) is Order.NOT_ORDERED
    assert known.order(Moment("host node3", 0), Moment("host node4", 10**18)) is Order.NOT_ORDERED


def test_hosts_with_different_references_are_not_ordered() -> None:
    strange = clock("node9", 5, reference_id="id of node8", reference_host="node8")
    known = Clocks([meta(strange), meta(clock("node1", 5)), meta(clock("node2", 5))])
    assert (known.reference, known.reference_host) == ("id of node0", "node0")
    assert not known.is_measured("id of node9")
    assert known.order(Moment("id of node9", 0), Moment("id of node1", 10**18)) is Order.NOT_ORDERED


def test_a_file_that_says_nothing_of_its_clock_has_that_of_its_host() -> None:
    known = Clocks([meta(clock("node1")), meta("node1"), meta("node2")])
    assert known.key(meta("node1")) == "id of node1"
    assert known.key(meta("node2")) == "host node2"
    # Containers may have the same name, and clocks of their own.
    twins = Clocks([meta(clock("node1")), meta(clock("node1", id="another")), meta("node1")])
    assert twins.key(meta("node1")) == "host node1"
    assert set(twins.hosts) == {"id of node1", "another", "host node1"}


def test_the_order_of_files_does_not_matter() -> None:
    metas = [meta(reference()), meta(clock("node1", 7)), meta(clock("node2", 9, seconds=300)), meta(clock("node2", 9))]
    times = numpy.arange(0, 200 * SECOND, SECOND)
    expected = Clocks(metas).on_reference("id of node2", times)
    for seed in range(5):
        random.Random(seed).shuffle(metas)
        assert numpy.array_equal(Clocks(metas).on_reference("id of node2", times), expected)


def test_measurements_of_several_processes_of_a_host_are_joined() -> None:
    def series(begin: int, end: int, bend: int) -> list[Measurement]:
        return [Measurement(time, 0, 10, 10, 16, 0, bend) for time in range(begin, end, 10)]

    first, late, early = series(100, 200, 1), series(150, 250, 2), series(55, 130, 3)
    points = joined([late, early, first])
    assert [each.time for each in points] == sorted({each.time for each in points})
    assert points[0].time == 55 and points[-1].time == 240
    by_time = {each.time: each.bend for each in points}
    assert (by_time[110], by_time[200], by_time[210]) == (1, 2, 2)
    assert by_time[100] == 3  # the span 95 to 100 is within that of 95 to 105
    apart = joined([series(0, 50, 1), series(1000, 1020, 2)])
    assert [each.bend for each in apart if each.time == 1000] == [-1]  # nobody watched in between
    assert joined([]) == [] == joined([[]])


@pytest.mark.parametrize(
    "damage",
    [None, 5, [], {"id": ""}, {"id": 5}, {"id": "x", "measurements": [1]}, {"id": "x", "measurements": {"0": [1, 2]}},
     {"id": "x", "reference": "y", "failed": -1, "statements": {"chrony": 5}}],
)  # fmt: skip
def test_damaged_facts_are_left_out(damage: object) -> None:
    facts = read({"host_clock": damage})
    assert facts is None or (facts.id == "x" and not facts.measurements and not facts.failed and not facts.statements)
    Clocks([{"host_clock": damage}, meta(clock("node1"))])


def test_facts_are_read_as_they_were_written() -> None:
    written = clock("node1", 5, failed=2, lost=3, refused=4, failure="why", statements={"kernel": {"bound": 5}})
    assert read(meta(written)) == written


def trace(path: Path, host: HostClock | str, *, pid: int = 1, shift: int = 0, **more: Any) -> Path:
    """Write a file with a kernel that was enqueued at 2 us, and ran from 5 us; `shift` is added to nanoseconds since 1970."""
    facts = {**FACTS, **meta(host), **more}
    facts["process"] = {**facts["process"], "pid": pid, "rank": pid}
    facts["begin"] = {"monotonic": 1000, "real": EPOCH + shift + 1000}
    anchors = [
        slot(6, ticks=monotonic * 3, monotonic=monotonic, real=monotonic + EPOCH + shift)
        for monotonic in (1000, SECOND)
    ]
    rows = [command(1, 2000, (2200, 3800), 4000), times(1, 2200, 5000, 9000)]
    return Builder().meta(**facts).names({1: "saxpy"}).slots(*anchors, *clocks()[1:2], *rows).write(path)


def test_facts_are_added_to_a_file_that_has_ended(tmp_path: Path) -> None:
    path = trace(tmp_path / "t", "node1")
    before = path.read_bytes()
    assert append_facts(path, {"host_clock": clock("node1", 7).as_json()})
    assert path.read_bytes()[: len(before)] == before
    with TraceFile(path) as file:
        assert (file.unknown_blocks, file.count) == (0, 6)
        assert read(file.meta) == clock("node1", 7)
    assert not append_facts(path, {"x": 1}, lambda meta: "host_clock" not in meta)


def test_facts_are_added_behind_what_a_killed_program_left(tmp_path: Path) -> None:
    path = trace(tmp_path / "t", "node1")
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size + 5 * 4096 + 17)
    append_facts(path, {"host_clock": clock("node1", 7).as_json()})
    with TraceFile(path) as file:
        assert read(file.meta) is not None


def test_a_file_that_a_process_writes_is_left_as_it_is(tmp_path: Path) -> None:
    import fcntl

    path = trace(tmp_path / "t", "node1")
    before = path.read_bytes()
    with path.open("rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        with pytest.raises(TraceFileError, match="expected a finished trace, got one that a process writes"):
            append_facts(path, {"x": 1})
    assert path.read_bytes() == before
    with pytest.raises(TraceFileError, match="No such file"):
        append_facts(tmp_path / "none", {})


def test_a_file_that_another_command_looks_at_is_waited_for(tmp_path: Path) -> None:
    import fcntl

    path = trace(tmp_path / "t", "node1")
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        threading.Timer(0.1, lambda: fcntl.flock(other, fcntl.LOCK_UN)).start()
        assert append_facts(path, {"x": 1})


def test_another_hosts_file_is_left_to_its_command(tmp_path: Path) -> None:
    """Also while its process writes it: that is no remark of this host's command."""
    import fcntl

    path = trace(tmp_path / "t", "node1")
    with path.open("rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        assert not append_facts(path, {"x": 1}, lambda meta: Process(meta).host == "node2")


def lines(tmp_path: Path, *hosts: HostClock | str) -> list[str]:
    paths = [trace(tmp_path / f"{place}.lptrace", host, pid=place) for place, host in enumerate(hosts)]
    return [
        line
        for line in str(summarize(paths)).partition("\n\n")[0].splitlines()
        if "clock" in line or "time of day" in line
    ]


def test_the_report_says_the_bound(tmp_path: Path) -> None:
    one, two = clock("node1", 7), clock("node2", 9)
    (line,) = lines(tmp_path, reference(), one, two)
    assert line.startswith("clocks of 2 hosts: within ") and " of node0's; times of two hosts" in line
    rows = summarize([tmp_path / f"{place}.lptrace" for place in range(3)]).as_json()["processes"]
    bounds = [row["clock"]["ns_bound"] for row in rows]
    assert bounds[0] == 0
    assert HALF <= min(bounds[1:]) <= max(bounds) < 1.2 * HALF
    assert rows[1]["clock"]["measurements"] == 4


def test_the_report_names_hosts_that_were_not_measured_and_what_failed(tmp_path: Path) -> None:
    failed = clock("node1", 7, failed=3, lost=2, failure="clock of node0:7460: no answer")
    told = {"chrony": {"source": "10.0.0.1", "offset": -2000, "bound": 90_000}, "kernel": {"synchronized": False}}
    text = lines(tmp_path, failed, "node3", "node4", clock("node5", measurements=[], statements=told))
    assert text[0].startswith("clocks of 1 host: within ")
    assert "hosts whose clocks were not measured: 3 (node3, node4, node5); their times" in text[1]
    assert text[2:] == [
        "clock of node1: measurements that failed: 3; the last: clock of node0:7460: no answer",
        "clock of node1: questions without an answer: 2; answers that were refused: 0",
        "chrony on node5: the time of day is 2.00us from that of its source, 10.0.0.1, within 90.00us of UTC",
        "the kernel of node5: no daemon keeps the time of day",
    ]


def test_the_report_of_a_single_host_says_nothing_of_clocks(tmp_path: Path) -> None:
    assert lines(tmp_path, "node1", "node1") == []
    assert lines(tmp_path, clock("node1"), clock("node1")) == []
    assert len(lines(tmp_path, "node1", "node2")) == 1


def perfetto(
    tmp_path: Path, *hosts: HostClock | str, shifts: tuple[int, ...] = (0, 0, 0)
) -> tuple[list[int], list[str]]:
    """Write a file for Perfetto; give when the kernel of each process starts there, and the processes' labels."""
    from launchpath._trace.formats.perfetto import write_perfetto

    paths = [
        trace(tmp_path / f"{place}.lptrace", host, pid=place + 1, shift=shifts[place])
        for place, host in enumerate(hosts)
    ]
    write_perfetto(paths, tmp_path / "all.pftrace")
    protos = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    whole = protos.Trace()
    whole.ParseFromString((tmp_path / "all.pftrace").read_bytes())
    categories = {
        (packet.trusted_packet_sequence_id, each.iid): each.name
        for packet in whole.packet
        for each in packet.interned_data.event_categories
    }
    starts = {
        packet.trusted_packet_sequence_id: packet.timestamp
        for packet in whole.packet
        if packet.HasField("track_event")
        and packet.track_event.category_iids
        and categories[packet.trusted_packet_sequence_id, packet.track_event.category_iids[0]] == "kernel"
    }
    labels = [
        " ".join(packet.track_descriptor.process.process_labels)
        for packet in whole.packet
        if packet.HasField("track_descriptor") and packet.track_descriptor.HasField("process")
    ]
    return [starts[number] for number in sorted(starts)], labels


def test_perfettos_file_has_times_of_the_reference(tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    one, two = clock("node1", 7_000_000), clock("node2", -3000)
    known = Clocks([meta(one), meta(two)])
    starts, labels = perfetto(tmp_path, one, two, reference(), shifts=(10**9, 2 * 10**9, 0))
    assert starts == [known.at("id of node1", 5000), known.at("id of node2", 5000), 5000]
    assert labels[0].startswith("clock within 5") and labels[0].endswith("us of node0's")
    assert labels[2] == "clock of node0"


def test_hosts_that_were_not_measured_are_moved_by_the_time_of_day(tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    one = clock("node1", 7_000_000)
    moved = Clocks([meta(one)]).at("id of node1", 5000)
    measured_first, labels = perfetto(tmp_path, one, "node3", shifts=(100, 350))
    assert abs(measured_first[0] - moved) <= 1
    assert abs(measured_first[1] - measured_first[0] - 250) <= 1
    assert labels[1] == "clock of the host not measured"
    measured_last, _ = perfetto(tmp_path, "node3", one, shifts=(350, 100))
    assert abs(measured_last[1] - moved) <= 1
    assert abs(measured_last[0] - measured_last[1] - 250) <= 1


def test_parquet_has_the_clock(tmp_path: Path) -> None:
    import json

    pytest.importorskip("pyarrow")
    from launchpath._trace.formats.parquet import write_parquet

    written = clock("node1", 7)
    write_parquet([trace(tmp_path / "t", written)], tmp_path / "folder")
    import pyarrow.parquet

    schema = pyarrow.parquet.read_schema(next((tmp_path / "folder").rglob("*.parquet")))
    assert read({"host_clock": json.loads(schema.metadata[b"host_clock"])}) == written


def test_the_command_adds_its_clock_to_files_of_its_own_processes_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under mpirun all ranks write into the same folder, and the pattern of the names fits them all."""
    from launchpath._tracing.clocks.beside import ClockBeside

    monkeypatch.setattr("socket.gethostname", lambda: "node1")
    beside = ClockBeside.__new__(ClockBeside)
    beside._watch = type("Watched", (), {"facts": clock("node1", 7)})()  # type: ignore[assignment]
    hosts = {"own": ("node1", 3), "of another host": ("node2", 3), "of another rank": ("node1", 4)}
    paths = [str(trace(tmp_path / name, host, pid=rank)) for name, (host, rank) in hosts.items()]
    has_one = trace(tmp_path / "has one", clock("node1", 9), pid=3)
    assert beside.note([*paths, str(has_one)], {"SLURM_PROCID": "3"}) == []
    noted = [path for path in paths if "host_clock" in TraceFile(path).meta]
    assert noted == paths[:1]
    assert read(TraceFile(has_one).meta) == clock("node1", 9)
    (remark,) = beside.note([str(tmp_path / "none")], {})
    assert remark.startswith("the clock of this host is not in a trace: ")
    assert beside.note(paths, {}) == [] and "host_clock" in TraceFile(paths[2]).meta


def test_processes_of_a_single_host_are_not_moved(tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    assert perfetto(tmp_path, clock("node1", 7_000_000), "node1") == ([5000, 5000], ["", ""])
