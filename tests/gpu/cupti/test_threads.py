"""Threads that launch at the same time: each record belongs to its own command, in whatever order they come."""

import threading

import pytest

import launchpath as lp
from tests.gpu.standin import OUT, image
from tests.sample import amount
from tests.threads import at_once

from .expect import all_known, check

THREADS, LAUNCHES = 8, 150
SCHEDULES = [{}, {"records": 3, "newest_first": 1}, {"records": 5, "at_flush": 1, "newest_first": 1}]


@pytest.fixture
def kernels(gpu, cupti):
    """A kernel of its own name for each thread."""
    program = gpu.load(image(*(f"own{i} nothing 0" for i in range(THREADS))))
    yield [gpu.adapt(program, f"own{i}") for i in range(THREADS)]


def options(cupti, schedule):
    for name, value in schedule.items():
        cupti.option(name, value)


@pytest.mark.leaves("modules")
@pytest.mark.parametrize("schedule", SCHEDULES, ids=repr)
@pytest.mark.parametrize("shared", [False, True], ids=["own streams", "one stream"])
def test_each_record_belongs_to_its_own_command(gpu, cupti, kernels, path, schedule, shared):
    common = gpu.stream()
    streams = [common if shared else gpu.stream() for _ in range(THREADS)]
    options(cupti, schedule)
    gpu.forget_calls()

    def work(i):
        for n in range(LAUNCHES):
            kernels[i][1 + (n * 7 + i) % 1000, 1, streams[i]]()

    with lp.trace(path, cupti=True) as trace:
        at_once(work, range(THREADS))
        gpu.device.synchronize()
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.dispatches()) == THREADS * LAUNCHES
    by_name = {}
    for command, detail in raw.dispatches():
        by_name.setdefault(raw.name(command), []).append(int(detail["grid"][0]))
    assert by_name == {f"own{i}": [1 + (n * 7 + i) % 1000 for n in range(LAUNCHES)] for i in range(THREADS)}
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0


@pytest.mark.leaves("modules")
def test_threads_with_steps_and_launches(gpu, cupti, kernels, path):
    streams, steps = [gpu.stream() for _ in range(4)], [lp.Step() for _ in range(4)]
    options(cupti, {"records": 7, "newest_first": 1})

    def run(i):
        with steps[i]:
            for _ in range(10):
                kernels[i][1, 1, streams[i]]()

    for i in range(4):
        for _ in range(3):
            run(i)

    def work(i):
        for n in range(20):
            if i < 4:
                run(i)
            else:
                for _ in range(5):
                    kernels[i][1 + n, 1, streams[i - 4]]()

    with lp.trace(path, cupti=True) as trace:
        at_once(work, range(THREADS))
        gpu.device.synchronize()
    assert len(check(path, cupti).times()) == 4 * 20 * 10 + 4 * 20 * 5
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0


@pytest.mark.leaves("modules")
def test_threads_launch_while_cupti_comes_and_goes(gpu, cupti, kernels, path):
    """A trace begins, pauses, goes on and ends beside launches: a command that has times has its own."""
    end, counts = threading.Event(), [0] * 4
    streams = [gpu.stream() for _ in range(4)]

    def work(i):
        while not end.is_set():
            kernels[i][1 + i, 1, streams[i]]()
            counts[i] += 1
            if counts[i] % 50 == 0:
                streams[i].synchronize()

    def trace():
        try:
            for _ in range(6):
                cupti.reset()
                with lp.trace(path, cupti=True) as trace:
                    for _ in range(3):
                        before = sum(counts)
                        while sum(counts) < before + 100:
                            end.wait(0.001)
                        trace.pause()
                        trace.resume()
                    end.wait(0.005)
                raw = check(path, cupti)
                assert trace.counts["unfinished"] == 0
                assert len(raw.times()) + trace.counts["untimed"] >= len(raw.dispatches()) > 200
        finally:
            end.set()

    at_once(lambda i: trace() if i == 4 else work(i), range(5))
    gpu.device.synchronize()
    assert not cupti.attached


def test_many_threads_that_launch_once(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True):
        for _ in range(5):
            at_once(lambda _: launcher(), range(THREADS))
        gpu.device.synchronize()
        all_known()
    assert len(check(path, cupti).times()) == 5 * THREADS


def test_it_is_detached_beside_other_calls(gpu, cupti, launcher, path):
    """It is detached within a call of any thread that asks for its context."""
    end = threading.Event()

    def ask():
        while not end.is_set():
            gpu.bare("cuCtxGetCurrent", OUT)

    def trace():
        try:
            for _ in range(20):
                cupti.reset()
                with lp.trace(path, cupti=True) as trace:
                    for _ in range(20):
                        launcher()
                assert not cupti.attached
                assert len(check(path, cupti).times()) == 20
                assert trace.counts["unfinished"] == 0
        finally:
            end.set()

    gpu.control.record(False)
    try:
        at_once(lambda i: ask() if i else trace(), range(4))
    finally:
        gpu.control.record(True)


@pytest.mark.leaves("events")
def test_traces_end_while_threads_leave_steps(gpu, cupti, path):
    """Without patience, and with records that never come: no timing object is lost, nor in use twice."""
    end = threading.Event()

    def work():
        stream, step = gpu.stream(), lp.Step()
        kernel = gpu.kernel("nothing")[1, 1, stream]
        while not end.is_set():
            with step:
                for _ in range(40):
                    kernel()
        stream.synchronize()

    threads = [threading.Thread(target=work) for _ in range(3)]
    gpu.control.record(False)
    for thread in threads:
        thread.start()
    try:
        for _ in range(amount(20, 150)):
            trace = lp.trace(path, cupti=True, ring=256).start()
            cupti.option("lose", 20)
            trace.stop(0)
    finally:
        end.set()
        for thread in threads:
            thread.join()
        gpu.control.record(True)
    all_known()
