"""Scenes in processes of their own, traced by the core and by the recorder: what both see is asserted once."""

import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from launchpath._trace import format
from tests.faults.processes import end
from tests.tracing.raw import Raw, read
from tests.tracing.tracers import Tracer, on_standin

pytestmark = pytest.mark.sample(4)


def launches(raw: Raw) -> Counter[str]:
    return Counter(raw.name(command) for command, _ in raw.dispatches())


@pytest.mark.parametrize("mode", ["host", "device"])
def test_launches_have_their_kernel_grid_and_stream_in_their_order(tracer: Tracer, mode: str) -> None:
    code = """
follow = lp.compile(SOURCE).follow
with trace:
    for i in range(10):
        follow[i + 1, 2, (stream, blocking)[i % 2]](array, 0)
        spin(array, 1)
    device.synchronize()
"""
    end(tracer.begin(code, mode=mode))
    raw = read(tracer.path)
    dispatches = raw.dispatches()
    assert [raw.name(command) for command, _ in dispatches] == ["follow", "spin"] * 10
    assert [list(detail["grid"]) for _, detail in dispatches[::2]] == [[i + 1, 1, 1] for i in range(10)]
    assert [list(detail["block"]) for _, detail in dispatches[::2]] == [[2, 1, 1]] * 10
    streams = [int(command["stream"]) for command, _ in dispatches[::2]]
    assert streams == streams[:2] * 5 and len(set(streams)) == 2
    assert set(streams) <= set(map(int, raw.slots(format.STREAM)["stream"]))
    for command, _ in dispatches:
        assert command["begin"] <= command["driver_begin"] <= command["driver_end"] <= command["end"]
        assert (command["result"], command["flags"] & format.FAILED) == (0, 0)
    correlations = [int(command["correlation"]) for command, _ in raw.commands()]
    assert len(set(correlations)) == len(correlations)
    times = raw.times()
    assert raw.meta["mode"] == mode
    assert len(times) == (0 if mode == "host" else len(raw.commands()))
    for command, detail in dispatches if times else []:
        known = times[int(command["correlation"])]
        assert (known["name"], known["stream"], known["device"]) == (
            command["name"], command["stream"], detail["device"])  # fmt: skip
        assert 0 < known["started"] <= known["ended"]
        assert known["enqueued"] == command["driver_begin"]
    for first, second in pairwise([times[int(command["correlation"])] for command, _ in dispatches[1::2] if times]):
        assert first["ended"] <= second["started"]  # of one stream, in its order


def test_copies_and_fills_have_their_bytes_and_addresses(tracer: Tracer) -> None:
    code = """
other = lp.empty(5000, "int32")
with trace:
    array[:5000].fill(3, stream)
    other.copy_from(array[:5000], stream)
    stream.synchronize()
print(array.pointer, other.pointer)
"""
    first, second = map(int, end(tracer.begin(code)).split())
    raw = read(tracer.path)
    seen = [
        (int(detail["command"]), int(detail["to"]), int(detail["source"]) if detail["command"] == format.COPY else 0)
        for _, detail in raw.commands()
        if detail["bytes"] == 20000
    ]
    assert seen == [(format.FILL, first, 0), (format.COPY, second, first)]


def test_threads_are_told_apart(tracer: Tracer) -> None:
    code = """
counts = {}
def work(n):
    own = lp.compile(SOURCE).spin[1, 1, lp.Stream(blocking=False)]
    for _ in range(n):
        own(array, 1)
    counts[threading.get_native_id()] = n
    time.sleep(0.05)  # else another thread may get its number
with trace:
    threads = [threading.Thread(target=work, args=(100 * (i + 1),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    device.synchronize()
print(counts)
"""
    counts = eval(end(tracer.begin(code, mode="host", ring=64)))
    raw = read(tracer.path)
    seen = {
        thread: sum(int((part[:, 0] == format.COMMAND).sum()) for part in parts)
        for thread, parts in raw.threads.items()
    }
    assert {thread: seen.get(thread) for thread in counts} == counts
    assert launches(raw) == {"spin": 1000}


@pytest.mark.parametrize(
    ("options", "taken"), [({"include": ("^sp", "x")}, "spin"), ({"exclude": ("pin$",)}, "follow")]
)
def test_names_to_include_and_exclude(tracer: Tracer, options: dict[str, tuple[str, ...]], taken: str) -> None:
    code = """
follow = lp.compile(SOURCE).follow[1, 1, stream]
with trace:
    for i in range(20):
        spin(array, 1)
        follow(array, 1)
    device.synchronize()
"""
    end(tracer.begin(code, **options))
    raw = read(tracer.path)
    assert launches(raw) == {taken: 20}
    assert raw.counters["excluded"] == 20


@pytest.mark.parametrize("when_full", ["wait", "drop"])
def test_full_rings_wait_or_count(tracer: Tracer, when_full: str) -> None:
    code = """
with trace:
    for i in range(30000):
        spin(array, 1)
    device.synchronize()
"""
    end(tracer.begin(code, mode="host", ring=64, when_full=when_full))
    raw = read(tracer.path)
    n = len(raw.dispatches())
    # The drainer may note the time once more behind the last drain, and what it writes then stays in its ring.
    left = sum(len(part) for parts in raw.threads.values() for part in parts) - raw.counters["slots"]
    assert left in (0, 1)
    if when_full == "wait":
        assert (n, raw.counters["dropped"]) == (30000, 0)
        assert raw.counters["waits"] > 0
    else:
        assert raw.counters["dropped"] > 0
        assert 2 * n + raw.counters["dropped"] >= 60000


def test_a_period_records_nothing_else(tracer: Tracer) -> None:
    code = """
with trace:
    for i in range(3):
        for _ in range(50):
            spin(array, 1)
        device.synchronize()
        time.sleep(0.6)
"""
    end(tracer.begin(code, period="0.3:0.6:1"))
    n = len(read(tracer.path).dispatches())
    assert 50 <= n <= 100


@pytest.mark.times
def test_aligned_periods_record_the_same_seconds(tracer: Tracer) -> None:
    """Two processes that begin at different moments record what comes from multiples of 0.6 seconds on, for 0.3."""
    code = """
with trace:
    until = time.time() + 1.9
    while time.time() < until:
        spin(array, 1)
        device.synchronize()
        time.sleep(0.01)
"""
    for pause in (0, 0.35):
        time.sleep(pause)
        end(tracer.begin(code, period="@0.3:0.3:0"))
        raw = read(tracer.path)
        assert raw.meta["options"]["period"] == "@0.3:0.3:0"
        clock = raw.slots(format.HOST_CLOCK)
        ticks = np.array([int(command["begin"]) for command, _ in raw.dispatches()], float)
        first, last = clock[0], clock[-1]
        rate = (int(last["real"]) - int(first["real"])) / (int(last["ticks"]) - int(first["ticks"]))
        real = int(first["real"]) / 1e9 + (ticks - int(first["ticks"])) * rate / 1e9
        place = real % 0.6
        assert len(place) > 20
        assert (place < 0.4).mean() > 0.9, place  # the thread that ends it may be late
        assert 2 <= len(set((real // 0.6).astype(int).tolist())) <= 5


def test_a_forked_child_writes_nothing_into_its_parents_trace(tracer: Tracer) -> None:
    code = """
with trace:
    spin(array, 1)
    child = os.fork()
    if child == 0:
        try:
            spin(array, 1)
        except lp.LaunchpathError:
            pass
        os._exit(0)
    os.waitpid(child, 0)
    spin(array, 1)
    device.synchronize()
"""
    end(tracer.begin(code))
    raw = read(tracer.path)
    assert launches(raw) == {"spin": 2}
    assert raw.counters["state"] == 1
    assert [file.name for file in tracer.path.parent.glob("*.lptrace*")] == [tracer.path.name]


def test_calls_of_the_driver_are_in_their_order(tracer: Tracer) -> None:
    code = """
with trace:
    spin(array, 1)
    stream.synchronize()
    extra = lp.empty(1 << 24, "uint8")
    del extra
"""
    end(tracer.begin(code, mode="host"))
    raw = read(tracer.path)
    calls = np.sort(raw.slots(format.CALL), order="begin")
    assert (calls["begin"] <= calls["end"]).all()
    assert len(set(calls["correlation"].tolist())) == len(calls)
    assert (calls["quantity"] == 1 << 24).sum() == 1


def test_ranges_of_nvtx_are_recorded(tracer: Tracer) -> None:
    pytest.importorskip("nvtx")
    code = """
import nvtx
with trace:
    with nvtx.annotate("outer"):
        nvtx.push_range("pushed", domain="a", payload=5)
        spin(array, 1)
        nvtx.pop_range(domain="a")
        nvtx.mark("moment")
    device.synchronize()
"""
    end(tracer.begin(code))
    raw = read(tracer.path)
    ranges = {raw.names[int(slot["name"])]: slot for slot in raw.slots(format.RANGE)}
    assert set(ranges) == {"outer", "pushed"}
    assert ranges["pushed"]["payload"] == 5
    ((command, _),) = raw.dispatches()
    assert ranges["outer"]["begin"] <= ranges["pushed"]["begin"] <= command["begin"] <= ranges["pushed"]["end"]
    assert [raw.names[int(slot["name"])] for slot in raw.slots(format.MARK)] == ["moment"]


GRAPHS = """
stream, array = gpu.stream(), gpu.zeros(16)
step = lp.Step()
with trace:
    for _ in range(25):
        with step:
            for i in range(20):
                gpu.kernel("increment")[1, 16, stream](array, 16)
    stream.synchronize()
print(array.to_numpy(stream)[0], sum(call.name == "cuGraphLaunch" for call in control.calls()))
"""


@pytest.mark.parametrize("name", ["core", "recorder"])
def test_each_node_of_each_run_of_a_graph_has_a_record(path: Path, name: str) -> None:
    values, graphs = map(int, on_standin(name, path, GRAPHS, mode="host").split())
    raw = read(path)
    assert (values, launches(raw)) == (500, {"increment": 500})
    nodes = Counter(int(detail["node"]) for command, detail in raw.dispatches() if command["flags"] & format.IN_GRAPH)
    assert set(nodes.values()) == {graphs} and len(nodes) == 20
    runs = {int(detail["run"]) for command, detail in raw.dispatches() if command["flags"] & format.IN_GRAPH}
    assert len(runs) == graphs > 10
