"""Files for Perfetto, parsed with Perfetto's own description of them."""

import functools
import operator
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from launchpath._trace.dispatches import dispatches
from launchpath._trace.format import CALL, IN_GRAPH, IN_STEP, KEPT_BACK, MARK, RANGE_BEGIN, TIMED
from launchpath._trace.formats.perfetto import write_perfetto
from launchpath._trace.formats.perfetto.slices import BEGIN, END, INSTANT, events
from launchpath._trace.summaries.summarize import summarize
from tests.trace.builder import FACTS, Builder, api, call, clocks, command, range_, slot, stream, times
from tests.trace.program import write

protos = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")


@dataclass
class Slice:
    name: str
    category: str
    begin: int
    end: int
    depth: int
    annotations: dict[str, Any]
    flows: list[int]
    ends: list[int]


@dataclass
class Parsed:
    """A file whose invariants hold."""

    tracks: dict[int, Any] = field(default_factory=dict)
    slices: dict[int, list[Slice]] = field(default_factory=lambda: defaultdict(list))
    instants: dict[int, list[Slice]] = field(default_factory=lambda: defaultdict(list))
    clocks: list[dict[int, int]] = field(default_factory=list)

    def of(self, category: str) -> list[Slice]:
        return [each for row in self.slices.values() for each in row if each.category == category]

    def under(self, name: str) -> list[list[Slice]]:
        return [row for track, row in self.slices.items() if self.tracks[track].name == name]


def parse(path: Path) -> Parsed:
    """Parse a file, and check what must hold in every file."""
    trace = protos.Trace()
    trace.ParseFromString(path.read_bytes())
    parsed, names = Parsed(), defaultdict(dict)
    stacks: dict[int, list[Slice]] = defaultdict(list)
    last: dict[int, int] = {}
    cleared: set[int] = set()
    for packet in trace.packet:
        sequence = packet.trusted_packet_sequence_id
        assert sequence
        if packet.sequence_flags & 1:
            cleared.add(sequence)
            assert packet.trace_packet_defaults.timestamp_clock_id == protos.BUILTIN_CLOCK_MONOTONIC
        for kind in ("event_names", "event_categories", "debug_annotation_names", "debug_annotation_string_values"):
            for interned in getattr(packet.interned_data, kind):
                assert (kind, interned.iid) not in names[sequence]
                text = interned.str.decode() if kind == "debug_annotation_string_values" else interned.name
                names[sequence][kind, interned.iid] = text
        if packet.HasField("clock_snapshot"):
            assert packet.clock_snapshot.primary_trace_clock == protos.BUILTIN_CLOCK_MONOTONIC
            parsed.clocks.append({clock.clock_id: clock.timestamp for clock in packet.clock_snapshot.clocks})
        if packet.HasField("track_descriptor"):
            described = packet.track_descriptor
            assert described.uuid not in parsed.tracks
            assert not described.parent_uuid or described.parent_uuid in parsed.tracks
            parsed.tracks[described.uuid] = described
        if packet.HasField("track_event"):
            assert packet.sequence_flags & 2 and sequence in cleared and not packet.timestamp_clock_id
            _event(parsed, packet, names[sequence], stacks, last)
    assert not any(stacks.values())
    flows = Counter(flow for row in parsed.slices.values() for each in row for flow in each.flows)
    ends = Counter(flow for row in parsed.slices.values() for each in row for flow in each.ends)
    assert set(flows.values()) <= {1} and flows == ends
    return parsed


def _event(parsed: Parsed, packet: Any, names: dict, stacks: dict[int, list[Slice]], last: dict[int, int]) -> None:
    event, track = packet.track_event, packet.track_event.track_uuid
    assert track in parsed.tracks
    assert packet.timestamp >= last.get(track, 0)
    last[track] = packet.timestamp
    if event.type == event.TYPE_SLICE_END:
        stacks[track].pop().end = packet.timestamp
        return
    values = {
        names["debug_annotation_names", each.name_iid]: names["debug_annotation_string_values", each.string_value_iid]
        if each.HasField("string_value_iid")
        else each.uint_value
        for each in event.debug_annotations
    }
    each = Slice(
        names["event_names", event.name_iid], names["event_categories", event.category_iids[0]], packet.timestamp, 0,
        len(stacks[track]), values, list(event.flow_ids), list(event.terminating_flow_ids),
    )  # fmt: skip
    if event.type == event.TYPE_INSTANT:
        parsed.instants[track].append(each)
        return
    assert event.type == event.TYPE_SLICE_BEGIN
    parsed.slices[track].append(each)
    stacks[track].append(each)


def converted(built: Builder, tmp_path: Path) -> Parsed:
    write_perfetto([built.write(tmp_path / "t")], tmp_path / "p")
    return parse(tmp_path / "p")


@pytest.mark.parametrize("seed", range(3))
def test_everything_is_in_the_file(tmp_path: Path, seed: int) -> None:
    write(tmp_path / "t", seed)
    write_perfetto([tmp_path / "t"], tmp_path / "p")
    parsed, table, summary = parse(tmp_path / "p"), dispatches(tmp_path / "t"), summarize(tmp_path / "t")
    timed = table["timed"]
    on_device = {each.annotations["correlation"]: each for each in parsed.of("kernel") + parsed.of("copy")}
    assert sorted(on_device) == sorted(table["correlation"][timed].tolist())
    for place in numpy.flatnonzero(timed).tolist():
        each = on_device[table["correlation"][place]]
        assert (each.begin, each.end) == (table["started"][place], table["ended"][place])
        assert each.name == (table["name"][place] or table["command"][place])
        assert each.annotations["enqueue to start (ns)"] == each.begin - table["driver_begin"][place]
    assert len(parsed.of("range")) == summary.ranges.total().calls
    total = summary.driver_calls.total()
    graphs = {
        (t, b)
        for t, b in zip(table["thread"][table["in_graph"]], table["driver_begin"][table["in_graph"]], strict=True)
    }
    assert len(parsed.of("driver")) == total.calls + total.failed + len(graphs)
    flows = [each.flows for each in parsed.of("driver") if each.flows]
    assert sorted(functools.reduce(operator.iadd, flows, [])) == sorted(table["correlation"][timed].tolist())


def test_calls_nest(tmp_path: Path) -> None:
    slots = [
        *clocks(),
        api(1, 10, 100),
        command(1, 20, (30, 40), 50, bytes=0),
        call(4, 60, 90, quantity=512),
        api(0, 100, 120),
        call(3, 100, 120),
    ]
    parsed = converted(Builder().meta(**FACTS).names({1: "saxpy"}).slots(*slots, times(1, 30, 60, 70)), tmp_path)
    (row,) = [row for track, row in parsed.slices.items() if parsed.tracks[track].HasField("thread")]
    assert [(each.name, each.depth, each.begin, each.end) for each in row] == [
        ("empty", 0, 10, 100),
        ("launch saxpy", 1, 20, 50),
        ("cuLaunchKernel", 2, 30, 40),
        ("allocate", 1, 60, 90),
        ("Stream.synchronize", 0, 100, 120),
        ("cuStreamSynchronize", 1, 100, 120),
    ]
    assert row[3].annotations == {"bytes": 512}


def test_kernels_have_their_facts(tmp_path: Path) -> None:
    launch = command(
        9,
        20,
        (30, 40),
        50,
        grid=(3, 2, 1),
        shared=64,
        step=4,
        node=0,
        run=2,
        external=8,
        flags=TIMED | IN_STEP,
        stream=6,
    )
    slots = [*clocks(), stream(6, type=2), launch, times(9, 30, 60, 70, stream=6)]
    parsed = converted(Builder().meta(**FACTS).names({1: "saxpy"}).slots(*slots), tmp_path)
    ((kernel,),) = parsed.under("stream 6 (nonblocking)")
    assert kernel.annotations == {
        "correlation": 9, "external": 8, "shared": 64, "step": 4, "node": 0, "run": 2, "grid": "3, 2, 1",
        "block": "64, 1, 1", "enqueue to start (ns)": 30,
    }  # fmt: skip
    (submit,) = parsed.of("driver")
    assert submit.flows == kernel.ends


def test_tracks_of_processes_threads_and_devices(tmp_path: Path) -> None:
    slots = [*clocks(), command(1, 20, (30, 40), 50), times(1, 30, 60, 70)]
    facts = {**FACTS, "process": {**FACTS["process"], "argv": ["python", "simulate.py"], "rank": 3}}
    parsed = converted(Builder().meta(**facts).slots(*slots), tmp_path)
    process, thread, device, row = parsed.tracks.values()
    assert (process.process.pid, process.process.process_name) == (100, "rank 3: python simulate.py")
    assert (thread.thread.pid, thread.thread.tid, thread.thread.thread_name) == (100, 11, "MainThread")
    assert (device.name, device.parent_uuid) == ("GPU 0", process.uuid)
    assert (row.name, row.parent_uuid) == ("stream 1", device.uuid)
    assert parsed.clocks == [{3: 1000, 1: 1_700_000_000_000_001_000}]


def test_slices_that_overlap_are_on_lanes(tmp_path: Path) -> None:
    kernels = [(100, 200), (150, 250), (160, 170), (200, 300), (250, 260)]
    slots = [command(n, 5, (6, 7), 8) for n in range(1, 6)] + [times(n + 1, 6, *each) for n, each in enumerate(kernels)]
    parsed = converted(Builder().slots(*clocks(), *slots), tmp_path)
    rows = [[(each.begin, each.end) for each in row] for row in parsed.under("stream 1")]
    assert rows == [[(100, 200), (200, 300)], [(150, 250), (250, 260)], [(160, 170)]]
    assert all(each.depth == 0 for row in parsed.under("stream 1") for each in row)


def test_ranges_are_on_a_track_of_their_own(tmp_path: Path) -> None:
    built = Builder().meta(**FACTS).names({1: "outer", 2: "inner", 3: "solver"})
    slots = [call(4, 15, 90), range_(2, 20, 80, depth=1, domain=3, payload=7), range_(1, 10, 100)]
    # The last two overlap with others: they began and ended in any order.
    slots += [slot(MARK, name=2, begin=50 * 3), range_(2, 90, 200), range_(1, 30, 0, RANGE_BEGIN, correlation=77)]
    parsed = converted(built.slots(*clocks(), *slots), tmp_path)
    rows = {tuple((each.name, each.begin, each.end, each.depth) for each in row) for row in parsed.under("ranges")}
    assert rows == {(("outer", 10, 100, 0), ("inner", 20, 80, 1)), (("outer", 30, 200, 0), ("inner", 90, 200, 1))}
    ((mark,),) = parsed.instants.values()
    assert (mark.name, mark.begin, mark.category) == ("inner", 50, "mark")
    annotations = [each.annotations for each in parsed.of("range")]
    assert {"payload": 7, "domain": "solver"} in annotations and {
        "open": "not ended when the records end"
    } in annotations


@pytest.mark.parametrize("recorded", [False, True])
def test_a_graph_is_a_single_call_with_flows_to_all_its_kernels(tmp_path: Path, recorded: bool) -> None:
    facts = {
        **FACTS,
        "entries": [*FACTS["entries"], "graph_run"],
        "library_names": {"cuda": {"graph_run": "cuGraphLaunch"}},
    }
    flags = TIMED | IN_STEP | IN_GRAPH
    slots = [command(n, 95, (100, 200), 205, flags=flags, step=1, node=n) for n in range(1, 5)]
    slots += [command(n, 295, (300, 400), 405, flags=flags, step=1, node=n, run=1) for n in range(5, 9)]
    slots += [slot(CALL, entry=6, begin=begin * 3, end=(begin + 100) * 3) for begin in (100, 300)] if recorded else []
    rows = [times(n, 100 if n < 5 else 300, 200 * (n // 5) + 210 + n, 200 * (n // 5) + 211 + n) for n in range(1, 9)]
    parsed = converted(Builder().meta(**facts).slots(*clocks(), *slots, *rows), tmp_path)
    runs = parsed.of("driver")
    assert [(run.name, run.begin, run.end, len(run.flows)) for run in runs] == [
        ("cuGraphLaunch", 100, 200, 4),
        ("cuGraphLaunch", 300, 400, 4),
    ]
    assert len(parsed.of("kernel")) == 8


def test_launches_that_a_step_keeps_back_are_calls_without_a_flow(tmp_path: Path) -> None:
    parsed = converted(
        Builder().names({1: "saxpy"}).slots(*clocks(), command(1, 10, (0, 0), 20, flags=KEPT_BACK)), tmp_path
    )
    assert [each.name for each in parsed.of("launchpath")] == ["launch saxpy"] and not parsed.of("driver")


def test_several_processes(tmp_path: Path) -> None:
    for number, host in enumerate(["a", "a", "b"]):
        write(tmp_path / f"{number}", number, process={"pid": 7, "rank": number, "host": host})
    seen = []
    write_perfetto(
        [tmp_path / f"{number}" for number in range(3)], tmp_path / "p", lambda done, total: seen.append(done <= total)
    )
    parsed = parse(tmp_path / "p")
    assert len({track.process.pid for track in parsed.tracks.values() if track.HasField("process")}) == 3
    assert all(seen)


def test_clocks_of_other_hosts_are_moved(tmp_path: Path) -> None:
    paths = []
    for number, (host, ahead) in enumerate([("a", 0), ("b", 500)]):
        anchors = [slot(6, ticks=time, monotonic=time, real=time + 10**18 + ahead) for time in (0, 10**9)]
        facts = {**FACTS, "process": {"pid": number + 1, "host": host}}
        paths.append(
            Builder().meta(**facts).slots(*anchors, slot(CALL, begin=100, end=200)).write(tmp_path / f"{number}")
        )
    write_perfetto(paths, tmp_path / "p")
    assert [(each.begin, each.end) for each in parse(tmp_path / "p").of("driver")] == [(100, 200), (600, 700)]


def test_an_empty_trace(tmp_path: Path) -> None:
    parsed = converted(Builder(), tmp_path)
    assert [track.HasField("process") for track in parsed.tracks.values()] == [True]


@given(
    slices=st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20), st.integers(0, 3), st.booleans()), max_size=30),
    nest=st.booleans(),
)
def test_lanes(slices: list[tuple[int, int, int, bool]], nest: bool) -> None:
    instant = numpy.array([each[3] for each in slices], bool)
    begin = numpy.array([each[0] for each in slices], "i8")
    end = begin + numpy.where(instant, 0, numpy.array([each[1] for each in slices], "i8"))
    order = numpy.array([each[2] for each in slices]) if nest else None
    stacks: dict[int, list[int]] = defaultdict(list)
    last: dict[int, int] = defaultdict(int)
    seen: Counter[tuple[int, int]] = Counter()
    for event in events(begin, end, order, instant):
        assert event.time >= last[event.lane]
        last[event.lane] = event.time
        seen[event.type, event.place] += 1
        if event.type == BEGIN:
            assert event.time == begin[event.place] and (nest or not stacks[event.lane])
            stacks[event.lane].append(event.place)
        elif event.type == END:
            assert stacks[event.lane].pop() == event.place and event.time == end[event.place]
    expected = Counter((INSTANT, place) for place in numpy.flatnonzero(instant).tolist())
    expected.update((kind, place) for place in numpy.flatnonzero(~instant).tolist() for kind in (BEGIN, END))
    assert seen == expected and not any(stacks.values())
