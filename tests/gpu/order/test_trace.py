"""Traces on the stand-in: graphs stay graphs without times of the device, and each command has its own with them."""

import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from tests.standin.client import on_thread, soon
from tests.tracing.conftest import path
from tests.tracing.raw import read

__all__ = ["path"]

N = 10
LAUNCH, RUN = "cuLaunchKernel", "cuGraphLaunch"
CALLS = (LAUNCH, RUN, "cuEventCreate")


def calls(gpu):
    return gpu.counts(*CALLS)


def test_a_device_has_its_address_on_the_pci_bus(gpu, path):
    """By it the findings see that two processes share a GPU."""
    streams = [gpu.stream(ordinal=ordinal) for ordinal in range(2)]
    with lp.trace(path, mode="host"):
        for stream in streams:
            lp.zeros(1, "int32", stream=stream)
    traced = {facts["name"]: facts["pci_bus"] for facts in read(path).meta["devices"] if facts["driver"] == gpu.driver}
    assert traced == {"Stand-in GPU 0": "0000:01:00.0", "Stand-in GPU 1": "0000:02:00.0"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("runs", [60, 300])
def test_each_node_of_each_run_of_graphs_has_a_record(gpu, stream, array, path, runs):
    launcher, step = gpu.kernel("increment")[1, 16, stream], lp.Step()

    def run(change):
        with step:
            for i in range(2000):
                launcher(array, 16 if i or change else 0)

    for _ in range(3):
        run(True)
    stream.synchronize()
    with lp.trace(path, mode="host") as trace:
        calls(gpu)
        for i in range(runs):
            run(i % 2 == 0)
            if i % 50 == 0:
                stream.synchronize()
        stream.synchronize()
        counted = calls(gpu)
    assert LAUNCH not in counted
    assert counted[RUN] == runs
    raw = read(path)
    commands = [pair for pair in raw.commands() if not pair[0]["flags"] & format.KEPT_BACK]
    assert len(commands) == runs * 2000
    assert {bool(command["flags"] & format.IN_GRAPH) for command, _ in commands} == {True}
    assert {raw.name(command) for command, _ in commands[:50]} == {"increment"}
    by_run = {}
    for _, detail in commands:
        by_run.setdefault(int(detail["run"]), []).append(int(detail["node"]))
    assert len(by_run) == runs
    assert all(sorted(nodes) == list(range(2000)) for nodes in by_run.values())
    assert trace.counts["dropped"] == 0


@pytest.mark.leaves("events")
def test_with_times_each_command_goes_by_itself_and_graphs_come_back(gpu, stream, array, path):
    launcher, step = gpu.kernel("increment")[1, 16, stream], lp.Step()

    def run():
        with step:
            for _ in range(N):
                launcher(array, 16)
            array.fill(0, stream)

    for _ in range(3):
        run()
    stream.synchronize()
    direct = _core.calls_driver_directly(stream)
    calls(gpu)
    with lp.trace(path):
        for _ in range(4):
            run()
        stream.synchronize()
        assert calls(gpu)[LAUNCH] == 4 * N
    assert _core.calls_driver_directly(stream) == direct
    run()
    stream.synchronize()
    counted = calls(gpu)
    assert (counted.get(RUN), counted.get(LAUNCH)) == (1, None)
    raw = read(path)
    assert len(raw.dispatches()) == 4 * N
    times = raw.times()
    assert len(times) == 4 * (N + 1)
    nodes = [int(detail["node"]) for _, detail in raw.commands() if detail["step"] and detail["run"]]
    assert sorted(set(nodes)) == list(range(N + 1))


@pytest.mark.leaves("events")
def test_no_event_is_created_again(gpu, stream, array, path):
    launcher = gpu.kernel("increment")[1, 16, stream]
    later = 0
    with lp.trace(path) as trace:
        for batch in range(100):
            for _ in range(16):
                launcher(array, 16)
            stream.synchronize()
            while _core.trace_outstanding()[0]:
                _core.trace_wait(50)
            created = calls(gpu).get("cuEventCreate", 0)
            if batch > 1:
                later += created
        assert later <= 10  # of measurements of the clock
        assert trace.counts["timing_created"] in (0, 256)
    assert len(read(path).times()) == 1600


def test_what_is_submitted_in_the_next_trace_has_no_times_there(gpu, tmp_path):
    """A step's submission is in the library's call while its trace ends and another one begins."""
    launcher, step = gpu.kernel("nothing")[1, 1, gpu.stream()], lp.Step()

    def submit():
        with step:
            for _ in range(21):
                launcher()

    first, second = (lp.trace(tmp_path / f"{n}.lptrace", device=gpu.device) for n in range(2))
    gpu.device.synchronize()
    gpu.control.option("depth", 60)  # a launch with times is three operations of a stream
    try:
        with gpu.control.paused():
            first.start()
            thread = on_thread(submit)
            assert soon(lambda: gpu.control.pending >= 60)  # the thread waits in the call for the last launch's
            first.stop(patience=0)
            second.start()
        thread.join()
    finally:
        gpu.control.option("depth", 1024)
    gpu.device.synchronize()
    launcher()
    second.stop()
    raw = read(second.path)
    assert set(raw.times()) == {
        int(command["correlation"]) for command, _ in raw.commands() if command["flags"] & format.TIMED
    }
    assert first.counts["unfinished"] == 21
