"""Steps in traces with CUPTI: their commands go one by one, because programs with graphs went wrong with CUPTI on a GPU."""

import threading
from itertools import pairwise

import pytest

import launchpath as lp
from launchpath._trace import format
from tests.gpu.standin import OUT
from tests.standin.client import soon
from tests.threads import at_once
from tests.tracing.raw import read

from .expect import all_known, calls_of, check, clock_error

LAUNCH, RUN = "cuLaunchKernel", "cuGraphLaunch"
pytestmark = pytest.mark.leaves("events")  # copies and fills have their times from events


@pytest.fixture
def chain(gpu, cupti):
    """A function that returns a step of so many launches, a copy and a fill, as a function to call, and its stream."""

    def make(count):
        stream, array, other = gpu.stream(), gpu.zeros(64), gpu.zeros(64)
        kernels = [gpu.kernel(name)[1, 16, stream] for name in ("increment", "nothing")]
        step = lp.Step()

        def run():
            with step:
                for i in range(count):
                    kernels[0](array, 16) if i % 3 else kernels[1]()
                if count > 2:
                    array.fill(7, stream)
                    array.copy_to(other, stream)

        for _ in range(3):
            run()
        stream.synchronize()
        gpu.forget_calls()
        return run, stream

    return make


def by_run(raw):
    """Times of each run's commands, by their nodes."""
    times, runs = raw.times(), {}
    for command, detail in raw.commands():
        if not command["flags"] & format.KEPT_BACK and detail["run"]:
            slot = times.get(int(command["correlation"]))
            assert slot is None or (slot["node"], slot["step"]) == (detail["node"], detail["step"])
            runs.setdefault(int(detail["run"]), {})[int(detail["node"])] = slot
    return runs


def in_order(raw, run):
    """Check that each node of a run began after the end of the node before it."""
    nodes, error = [run[node] for node in sorted(run)], clock_error(raw)
    assert sorted(run) == list(range(len(run)))
    assert all(int(earlier["ended"]) <= int(later["started"]) + error for earlier, later in pairwise(nodes))


@pytest.mark.parametrize("options", [{}, {"records": 3}, {"records": 3, "newest_first": 1},
                                     {"records": 3, "at_flush": 1}], ids=repr)  # fmt: skip
def test_each_command_has_its_own_times(gpu, cupti, chain, path, options):
    run, stream = chain(10)
    for name, value in options.items():
        cupti.option(name, value)
    with lp.trace(path, cupti=True) as trace:
        for _ in range(20):
            run()
        stream.synchronize()
    assert calls_of(gpu, LAUNCH, RUN) == [LAUNCH] * 200
    raw = check(path, cupti)
    assert len(raw.times()) == 20 * 12
    runs = by_run(raw)
    assert len(runs) == 20
    for nodes in runs.values():
        assert len(nodes) == 12
        in_order(raw, nodes)
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0


def test_300_runs_of_200_commands_have_60000_times(gpu, cupti, chain, path):
    run, stream = chain(198)
    cupti.option("records", 50)
    gpu.control.record(False)
    try:
        with lp.trace(path, cupti=True) as trace:
            for i in range(300):
                run()
                if i % 50 == 0:
                    stream.synchronize()
            stream.synchronize()
    finally:
        gpu.control.record(True)
    assert len(cupti.complete_records(clear=False)) == 300 * 198
    raw = check(path, cupti)
    assert len(raw.times()) == 60_000
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
    runs = by_run(raw)
    assert len(runs) == 300
    in_order(raw, runs[max(runs)])


def test_steps_of_more_commands_than_there_are_timing_objects(gpu, cupti, chain, path):
    long, stream = chain(40)
    short, other = chain(20)
    with lp.trace(path, timing_objects=64, cupti=True) as trace:
        for run in (long, short):
            for _ in range(5):
                run()
        stream.synchronize()
        other.synchronize()
    times, untimed = check(path, cupti).times(), trace.counts["untimed"]
    assert len(times) + untimed == 5 * 42 + 5 * 22
    assert untimed <= 5 * (42 + 28 - 64)  # a step waits for half of them: within it a command cannot wait for an object
    assert trace.counts["timing_most"] <= 64


def test_a_step_is_a_graph_again_after_the_trace(gpu, cupti, chain, path):
    run, stream = chain(10)
    with lp.trace(path, cupti=True):
        run()
        stream.synchronize()
    assert soon(lambda: not cupti.attached)
    gpu.forget_calls()
    run()
    assert calls_of(gpu, LAUNCH, RUN) == [RUN]


def test_no_graph_runs_while_cupti_is_attached(gpu, cupti, chain, path):
    """Traces begin, pause and end beside steps of other threads."""
    end, runs = threading.Event(), [chain(10) for _ in range(3)]
    gpu.control.record(False)

    def work(i):
        run, stream = runs[i]
        while not end.is_set():
            for _ in range(5):
                run()
            stream.synchronize()

    def trace():
        try:
            for _ in range(15):
                with lp.trace(path, cupti=True) as trace:
                    end.wait(0.005)
                    trace.pause()
                    end.wait(0.001)
                    trace.resume()
                    end.wait(0.005)
                assert trace.counts["unfinished"] == 0
                end.wait(0.005)
        finally:
            end.set()

    try:
        at_once(lambda i: trace() if i == 3 else work(i), range(4))
        gpu.device.synchronize()
    finally:
        gpu.control.record(True)
    records = cupti.complete_records(clear=False)
    assert len(records) > 1000
    assert {record.node for record in records} == {0}


def test_a_graph_of_other_code(gpu, cupti, launcher, path):
    """Its records are nobody's."""
    handle = gpu.cuda("cuStreamCreate", OUT, 1)
    address = gpu.cuda("cuMemAlloc_v2", OUT, 64)
    gpu.cuda("cuStreamBeginCapture_v2", handle, 2)
    for value in range(5):
        gpu.cuda("cuMemsetD32Async", address, value, 16, handle)
    graph = gpu.cuda("cuStreamEndCapture", handle, OUT)
    executable = gpu.cuda("cuGraphInstantiateWithFlags", OUT, graph, 0)
    cupti.option("reverse", 1)
    with lp.trace(path, cupti=True) as trace:
        for _ in range(3):
            launcher()
            gpu.cuda("cuGraphLaunch", executable, handle)
        gpu.device.synchronize()
        all_known()
    assert len(cupti.complete_records(clear=False)) == 3
    assert len(check(path, cupti).times()) == 3
    assert trace.counts["unfinished"] == 0
    gpu.cuda("cuGraphExecDestroy", executable)
    gpu.cuda("cuGraphDestroy", graph)
    gpu.cuda("cuMemFree_v2", address)
    gpu.cuda("cuStreamDestroy_v2", handle)


def test_steps_and_launches_on_the_same_stream(gpu, cupti, chain, path):
    run, stream = chain(10)
    kernel = gpu.kernel("nothing")[2, 1, stream]
    cupti.option("records", 4)
    cupti.option("newest_first", 1)
    with lp.trace(path, cupti=True) as trace:
        for _ in range(20):
            kernel()
            run()
            kernel()
        stream.synchronize()
    assert len(check(path, cupti).times()) == 20 * 14
    assert trace.counts["untimed"] == 0


def test_a_lost_record_of_a_step(gpu, cupti, chain, path):
    """Its command is unfinished, and others are not."""
    run, stream = chain(10)
    cupti.option("lose", 15)  # in the second run
    trace = lp.trace(path, cupti=True).start()
    for _ in range(4):
        run()
    stream.synchronize()
    trace.stop(patience=0.2)
    assert trace.counts["unfinished"] == 1
    assert len(cupti.complete_records(clear=False)) == 39
    runs = by_run(read(path)).values()
    assert [sum(slot is not None for slot in nodes.values()) for nodes in runs] == [12, 11, 12, 12]


@pytest.mark.parametrize("frozen", [False, True])
def test_wide_fills_and_excluded_kernels_in_a_step(gpu, cupti, path, frozen):
    """A fill that needs several calls of the driver, and launches without records."""
    stream, wide, array = gpu.stream(), gpu.zeros(16, "complex128"), gpu.zeros(16)
    kernels = [gpu.kernel(name)[1, 16, stream] for name in ("increment", "nothing")]
    step = lp.Step()

    def body():
        with step:
            for _ in range(5):
                kernels[0](array, 16)
                kernels[1]()
            wide.fill(1 + 2j, stream)
            kernels[0](array, 16)

    for _ in range(3):
        body()
    run = step.freeze().launch if frozen else body
    with lp.trace(path, exclude="nothing", cupti=True) as trace:
        for _ in range(10):
            run()
        stream.synchronize()
    raw = read(path)
    commands = [command for command, _ in raw.commands() if not command["flags"] & format.KEPT_BACK]
    assert len(raw.times()) == len(commands) == 10 * 7
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
    assert trace.counts["excluded"] >= 50
    names = {(record.start, record.end): record.name for record in cupti.complete_records()}
    increments = [slot for slot in raw.times().values() if slot["command"] == format.LAUNCH]
    assert {names[int(slot["started"]), int(slot["ended"])] for slot in increments} == {"increment"}


def test_a_captured_graph(gpu, stream, array, cupti, path):
    kernel = gpu.kernel("increment")[1, 16, stream]
    stream.begin_capture()
    for _ in range(6):
        kernel(array, 16)
    executable = stream.end_capture().instantiate()
    with lp.trace(path, cupti=True) as trace:
        for _ in range(7):
            executable.launch(stream)
        stream.synchronize()
    assert len(check(path, cupti).times()) == 42
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
