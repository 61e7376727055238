"""CUPTI as the source of a trace's times, on an NVIDIA GPU: `pytest tests/gpu/real/cupti.py`.

Everything is skipped where there is no CUDA device or no CUPTI.
"""

import itertools
import threading
import time

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._drivers import cupti
from launchpath._trace import format
from tests.random.traces import check
from tests.threads import at_once
from tests.tracing.raw import read

from .short_traces import Submitters

SOURCE = r"""
extern "C" __global__ void add(int *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] += 1; }
extern "C" __global__ void spin(long long cycles) { long long end = clock64() + cycles; while (clock64() < end) {} }
extern "C" __global__ void k0() {}
extern "C" __global__ void k1() {}
extern "C" __global__ void k2() {}
extern "C" __global__ void k3() {}
"""
N = 1 << 16


@pytest.fixture(scope="module", autouse=True)
def loaded(device):
    if device.info["driver"] != "cuda":
        pytest.skip("no CUDA device")
    reason = cupti.load(device.info["driver_version"])
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(SOURCE, device=device, dependent=False)  # so that no two overlap


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "run.lptrace")


def checked(path, source="cupti"):
    """Read a trace in which nothing is missing: each command that ran has its times, in the order of its stream."""
    raw = read(path)
    assert raw.meta["times"] == {"0": source}
    ran = [pair for pair in raw.commands() if not pair[0]["flags"] & (format.KEPT_BACK | format.FAILED)]
    times = raw.times()
    assert len(times) == len(ran)
    for name in ("untimed", "unfinished", "failed_times", "dropped", "not_understood"):
        assert raw.counters[name] == 0, name
    slack = _slack(raw)
    placed = lp.read_trace(path).dispatches()[0]
    for number in np.unique(placed["stream"]):
        mine = placed["stream"] == number
        order = np.argsort(placed["number"][mine], kind="stable")
        start, end = placed["started"][mine][order], placed["ended"][mine][order]
        assert (start <= end).all()
        assert (start[1:] >= end[:-1] - slack).all()
    summary = lp.read_trace(path).summary()
    print("moved:", summary.counts.get("clamped", 0), "by at most", summary.correction, "ns of", len(ran))
    assert summary.correction < 50_000
    return raw, ran, times


def _slack(raw):
    """Nanoseconds by which times of one stream may overlap: those of copies and fills are by events."""
    return 1000 + 2 * int(raw.slots(format.DEVICE_CLOCK)["error"].max(initial=0))


def test_every_command_has_times(device, program, stream, path):
    device_array, other = lp.zeros(N, "int32", device), lp.zeros(N, "int32", device)
    pinned = lp.pinned_empty(N, "int32", device)
    pageable, wide = np.zeros(N, "int32"), lp.zeros(N, "complex128", device)
    rows = lp.zeros((64, 256), "int32", device)
    device.synchronize()
    with lp.trace(path, cupti=True):
        for _ in range(5):
            program["add"][N // 256, 256, stream](device_array, N)
            device_array.copy_from(pinned, stream)
            device_array.copy_from(pageable, stream)
            device_array.copy_to(pinned, stream)
            device_array.copy_to(pageable, stream)
            other.copy_from(device_array, stream)
            for array, value in (
                (device_array, 0),
                (device_array, 7),
                (other.view("int8"), 3),
                (other.view("int16"), 259),
            ):
                array.fill(value, stream)
            wide.fill(1 + 2j, stream)
            other.view("float64").fill(1.5, stream)
            rows.copy_from(np.ones((64, 512), "int32")[:, :256], stream)
            program["k0"][1, 32, device.legacy_stream]()
        device.synchronize()
    raw, ran, _ = checked(path)
    kinds = {int(detail["command"]) for _, detail in ran}
    assert {format.LAUNCH, format.COPY, format.FILL} <= kinds
    assert len(raw.dispatches()) >= 10


def test_times_are_those_of_events(program, stream, path):
    spin = program["spin"][1, 1, stream]
    spin(1000)
    stream.synchronize()
    took = {}
    for which in (True, False):
        with lp.trace(path, cupti=which):
            for _ in range(20):
                spin(2_000_000)
            stream.synchronize()
        _, _, times = checked(path, "cupti" if which else "events")
        took[which] = np.median([int(slot["ended"]) - int(slot["started"]) for slot in times.values()])
    print("a kernel of 2,000,000 cycles:", took)
    assert 0.95 < took[True] / took[False] < 1.02


@pytest.mark.parametrize("before", [True, False])
def test_commands_of_steps_go_singly(device, program, stream, path, before):
    """Also of those that were graphs before the trace, or with copies and fills in them."""
    array, other, step = lp.zeros(N, "int32", device), lp.zeros(N, "int32", device), lp.Step()
    add = program["add"][N // 256, 256, stream]

    def run():
        with step:
            for i in range(20):
                add(array, N)
                if i % 5 == 0:
                    other.copy_from(array, stream)
                    array.fill(i, stream)

    device.synchronize()  # so that no run waits for the arrays' zeros: markers are nodes too
    for _ in range(4 if before else 0):
        run()
    stream.synchronize()
    graphs = step.report().graph_runs
    with lp.trace(path, cupti=True):
        for _ in range(256):
            run()
        stream.synchronize()
    assert step.report().graph_runs == graphs
    raw, ran, times = checked(path)
    assert len(ran) == 256 * 28
    launches = [pair for pair in ran if pair[1]["command"] == format.LAUNCH]
    assert len(launches) == 5120
    by_run = {}
    for command, detail in ran:
        by_run.setdefault(int(detail["run"]), []).append((int(detail["node"]), times[int(command["correlation"])]))
    print({run: sorted(node for node, _ in nodes) for run, nodes in by_run.items() if len(nodes) != 28})
    for nodes in by_run.values():
        nodes.sort(key=lambda pair: pair[0])
        assert [node for node, _ in nodes] == list(range(28))
        assert all(int(a["ended"]) <= int(b["started"]) + _slack(raw) for (_, a), (_, b) in itertools.pairwise(nodes))


def test_dependent_launches_are_shown_as_they_ran(device, stream, path):
    if not device.dependent_launches:
        pytest.skip("the device has none")
    add, array = lp.compile(SOURCE, device=device).add[N // 256, 256, stream], lp.zeros(N, "int32", device)
    stream.synchronize()
    before = device.driver_device.dependent_launches
    with lp.trace(path, cupti=True):
        for _ in range(1000):
            add(array, N)
        stream.synchronize()
    assert device.driver_device.dependent_launches - before >= 990
    table = lp.read_trace(path).dispatches()[0]
    order = np.argsort(table["number"], kind="stable")
    begun, start, end = (table[name][order] for name in ("driver_begin", "started", "ended"))
    assert len(start) == 1000
    assert (begun <= start).all()
    assert (start <= end).all()
    assert (start[1:] >= start[:-1] - 1000).all()
    assert (end[1:] >= end[:-1] - 1000).all()
    print("overlap:", int((start[1:] < end[:-1]).sum()), "of 999")


def test_frozen_steps_of_2000_launches_run_300_times(device, program, stream, path):
    array = lp.zeros(16, "int32", device)
    add = program["add"][1, 16, stream]
    step = lp.Step()
    with step:
        for _ in range(2000):
            add(array, 16)
    frozen = step.freeze()
    frozen.launch()
    stream.synchronize()
    with lp.trace(path, cupti=True) as trace:
        for _ in range(300):
            frozen.launch()
        stream.synchronize()
    raw = read(path)
    assert len(raw.dispatches()) == 600_000
    assert len(raw.times()) == 600_000
    assert trace.counts["unfinished"] == trace.counts["untimed"] == 0


def test_threads_on_their_own_streams_and_on_a_shared_stream(device, program, stream, path):
    def work(number):
        mine = lp.Stream(blocking=False, device=device)
        for i in range(3000):
            which = (number + i) % 4
            program[f"k{which}"][which + 1, 32 * (number + 1), stream if i % 3 else mine]()
            if i % 500 == 0:
                mine.synchronize()
        mine.synchronize()

    with lp.trace(path, cupti=True):
        at_once(work, range(8))
        stream.synchronize()
    _, ran, _ = checked(path)
    assert len(ran) == 24_000


def test_torch_in_the_same_streams(device, torch, program, path):
    side = torch.cuda.Stream()
    tensor = torch.zeros(1024, device="cuda")
    torch.cuda.synchronize()
    with lp.trace(path, cupti=True):
        for i in range(300):
            with torch.cuda.stream(side):
                tensor += 1
            tensor.mul_(1.0)
            program[f"k{i % 4}"][1, 32, side]()
            program[f"k{i % 4}"][1, 32, device.legacy_stream]()
        torch.cuda.synchronize()
    raw, ran, _ = checked(path)
    assert len(ran) == 600
    assert {raw.name(command) for command, _ in ran} == {"k0", "k1", "k2", "k3"}


def test_a_profiler_of_torchs_comes_later(device, torch, program, stream, path):
    """It is told that CUPTI is taken, and takes the records all the same: then there are no times, and that is counted."""
    with lp.trace(path, cupti=True) as trace:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]):
            torch.ones(10, device="cuda").add_(1)
            program["k0"][1, 32, stream]()
            device.synchronize()
        program["k1"][1, 32, stream]()
        stream.synchronize()
        trace.stop(0.5)
    counts = trace.counts
    assert len(read(path).times()) + counts["unfinished"] + counts["untimed"] == 2


def test_a_profiler_of_torchs_comes_first(device, torch, program, stream, path):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        torch.ones(10, device="cuda").add_(1)
        with lp.trace(path, cupti=True):
            program["k0"][1, 32, stream]()
            stream.synchronize()
        torch.cuda.synchronize()
    raw = read(path)
    print("under torch's profiler:", raw.meta["times"], len(profile.events()))
    assert len(raw.times()) == 1


def test_pauses_and_many_traces(program, stream, path):
    launch = program["k0"][1, 32, stream]
    direct = _core.calls_driver_directly(stream)
    for _ in range(10):
        with lp.trace(path, cupti=True) as trace:
            for _ in range(5):
                launch()
                trace.pause()
                launch()
                trace.resume()
                launch()
            stream.synchronize()
        assert _core.calls_driver_directly(stream) == direct
        _, ran, _ = checked(path)
        assert len(ran) == 10


def test_a_stream_that_waits_for_the_host(program, stream, path):
    launch = program["k0"][1, 32, stream]
    with lp.trace(path, cupti=True) as trace:
        launch()
        stream.synchronize()
        held = stream.hold()
        launch()
        trace.stop(0.2)
        held.release()
    stream.synchronize()
    assert trace.counts["unfinished"] == 1
    assert len(read(path).times()) == 1
    with lp.trace(path, cupti=True):
        launch()
        stream.synchronize()
    checked(path)


def test_few_timing_objects(program, stream, path):
    launch = program["k0"][1, 32, stream]
    with lp.trace(path, timing_objects=64, cupti=True) as trace:
        for _ in range(5000):
            launch()
        stream.synchronize()
    checked(path)
    assert trace.counts["timing_most"] <= 64


def test_a_million_launches_without_a_wait(program, stream, path):
    launch = program["k0"][1, 32, stream]
    with lp.trace(path, cupti=True) as trace:
        for _ in range(1_000_000):
            launch()
        stream.synchronize()
    assert trace.counts["timing_most"] <= 4096
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
    assert trace.counts["timing_created"] <= 4096


def test_traces_come_and_go_beside_steps(device, program, path):
    """Attached and detached again and again while threads submit graphs and launches: their results are right."""
    end, counts = threading.Event(), [0] * 4
    arrays = [lp.zeros(N, "int32", device) for _ in counts]
    streams = [lp.Stream(blocking=False, device=device) for _ in counts]
    device.synchronize()

    def work(i):
        add, step = program["add"][N // 256, 256, streams[i]], lp.Step()
        while not end.is_set():
            with step:
                for _ in range(10):
                    add(arrays[i], N)
            add(arrays[i], N)
            counts[i] += 11
            if counts[i] % 110 == 0:
                streams[i].synchronize()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(counts))]
    for thread in threads:
        thread.start()
    try:
        for _ in range(60):
            with lp.trace(path, cupti=True) as trace:
                time.sleep(0.02)
                trace.pause()
                time.sleep(0.01)
                trace.resume()
                time.sleep(0.02)
            assert check(read(path)) == ""
            time.sleep(0.02)
    finally:
        end.set()
        for thread in threads:
            thread.join()
    assert [set(array.to_numpy(streams[i])) for i, array in enumerate(arrays)] == [{count} for count in counts]


def test_threads_that_copy_and_fill_on_the_same_streams(device, path):
    """With records of copies and fills CUPTI 13 crashed such programs within seconds: see docs/tracing.md."""
    with Submitters(device, "copies", 3):
        for _ in range(200):
            with lp.trace(path, cupti=True, ring=1024, timing_objects=64) as trace:
                time.sleep(0.001)
                trace.stop(0.02)
            assert check(read(path), 3) == ""
