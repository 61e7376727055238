"""Threads: any of them may use any stream. No schedule may deadlock, race, lose an order or touch freed memory."""

import queue
import random
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.patience import PATIENCE
from tests.simulated import Machine
from tests.unit.support.blocks import Keeper

N = 16
SEEDS = range(4)


@pytest.fixture(autouse=True)
def switch_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def hammer(*work: Callable[[random.Random], Any], seed: int = 0) -> None:
    """Do the work of each thread at once; what one raises is raised here, and a thread that hangs is found."""
    errors: list[BaseException] = []
    start = threading.Barrier(len(work))

    def run(index: int, do: Callable[[random.Random], Any]) -> None:
        try:
            start.wait()
            do(random.Random(f"{seed}:{index}"))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=item, daemon=True) for item in enumerate(work)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads), "hung"
    if errors:
        raise errors[0]


def chain(tags: list[int]) -> list[int]:
    """What a fill of 0 and a launch for each tag leave."""
    value = 0
    for tag in tags:
        value = _core.simulated_mix(value, 0, tag)
    return [value] * N


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.machine(record=False)
def test_all_threads_on_the_same_streams(machine: Machine, seed: int) -> None:
    machine.machine.background()
    streams = machine.streams(("legacy", "blocking", "blocking", "nonblocking"))
    mix = machine.kernel()

    def work(rng: random.Random) -> None:
        stream = rng.choice(streams)
        (a,) = arrays(machine, 1)
        tags = [rng.randrange(1 << 32) for _ in range(600)]
        a.fill(0, stream)
        launch = mix[1, 1, stream]
        for tag in tags:
            launch(a, None, N, tag)
            if rng.random() < 0.02:
                rng.choice(streams).query()
            if rng.random() < 0.01:
                rng.choice(streams).synchronize()
        np.testing.assert_array_equal(a.to_numpy(stream), chain(tags))

    hammer(*[work] * 8, seed=seed)
    assert not machine.machine.reports


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.machine(record=False)
def test_legacy_and_blocking_streams_never_miss_each_others_commands(machine: Machine, seed: int) -> None:
    """AB/BA: the legacy stream waits for the blocking ones and they for it, all from different threads."""
    machine.machine.background()
    legacy, *blocking = machine.streams(("legacy", *("blocking",) * 5))
    shared = arrays(machine, 5)
    totals = arrays(machine, 3)
    for array in (*shared, *totals):
        array.fill(0, legacy)
    mix = machine.kernel()

    def write(stream: lp.Stream, array: lp.Array, rng: random.Random) -> None:
        for _ in range(600):
            array.fill(rng.randrange(1000), stream)
            if rng.random() < 0.05:
                stream.record().query()

    def read(total: lp.Array, rng: random.Random) -> None:
        for tag in range(400):
            mix[1, 1, legacy](total, rng.choice(shared), N, tag)
            if rng.random() < 0.05:
                legacy.wait(rng.choice(blocking).record())

    writers = (partial(write, *pair) for pair in zip(blocking, shared, strict=True))
    hammer(*writers, *(partial(read, total) for total in totals), seed=seed)
    machine.device.synchronize()
    assert not machine.machine.reports


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.machine(record=False, devices=2)
def test_events_go_from_thread_to_thread(machine: Machine, seed: int) -> None:
    """Each thread hands arrays that it has written to others, with an event: in one context and across two."""
    machine.machine.background()
    mail: list[queue.SimpleQueue[Any]] = [queue.SimpleQueue() for _ in range(6)]

    def work(index: int, rng: random.Random) -> None:
        device = machine.devices[index % 2]
        stream = lp.Stream(blocking=rng.random() < 0.5, device=device)
        (mine,) = arrays(machine, 1, device=device)
        for value in range(250):
            (a,) = arrays(machine, 1, device=device)
            a.fill(value, stream)
            mail[rng.randrange(6)].put((a, stream.record(), value))
            del a
            try:
                got, event, expected = mail[index].get_nowait()
            except queue.Empty:
                continue
            stream.wait(event)
            _core.copy_bytes(stream, mine.pointer, got.pointer, mine.nbytes)
            # The memory is another device's: only what has been waited for may let it go.
            done = stream.record()
            if got.device is not device:
                done.synchronize()
            del got, event
            if rng.random() < 0.2:
                np.testing.assert_array_equal(mine.to_numpy(stream), [expected] * N)

    hammer(*(partial(work, index) for index in range(6)), seed=seed)
    for box in mail:
        while not box.empty():
            box.get()
    for device in machine.devices:
        device.synchronize()
    assert not machine.machine.reports


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.machine(record=False)
def test_an_event_recorded_waited_for_and_queried_by_all(machine: Machine, seed: int) -> None:
    machine.machine.background()
    streams = machine.streams(("blocking", "nonblocking", "nonblocking", "legacy"))
    events = [lp.Event() for _ in range(3)]

    def work(rng: random.Random) -> None:
        (a,) = arrays(machine, 1)
        stream = rng.choice(streams)
        for value in range(600):
            event = rng.choice(events)
            what = rng.randrange(5)
            if what == 0:
                stream.record(event)
            elif what == 1:
                stream.wait(event)
            elif what == 2:
                event.query()
            elif what == 3 and value % 10 == 0:
                event.synchronize()
            else:
                a.fill(value, stream)
        a.fill(7, stream)
        np.testing.assert_array_equal(a.to_numpy(stream), [7] * N)

    hammer(*[work] * 8, seed=seed)
    machine.device.synchronize()
    assert not machine.machine.reports


@pytest.mark.parametrize("deep", [False, True], ids=["shallow", "deep"])
@pytest.mark.parametrize("kinds", [("nonblocking",), ("legacy", "blocking", "nonblocking")], ids=["one", "three"])
@pytest.mark.machine(record=False)
def test_arguments_in_blocks(machine: Machine, kinds: tuple[str, ...], deep: bool) -> None:
    """Kernel and streams are everybody's. On a stream that is deep nobody holds the GIL while he submits."""
    machine.machine.background()
    streams, keeper = machine.streams(kinds), Keeper(machine, size=64)
    holds = [stream.hold() for stream in streams[-1:]] if deep else []
    (a,) = arrays(machine, 1)
    for _ in range(1100 * deep):
        a.fill(1, streams[-1])

    def work(index: int, rng: random.Random) -> None:
        for turn in range(40):
            launch = keeper.kernel[1, 1, streams[-1] if deep else rng.choice(streams)]
            launch(*keeper.arguments(16 * index + turn % 8))

    hammer(*(partial(work, index) for index in range(8)))
    while holds:
        holds.pop().release()
    machine.device.synchronize()
    assert all(pair == keeper.arguments(pair[1])[:2] for pair in keeper.seen), "torn"
    wanted = [16 * index + turn % 8 for index in range(8) for turn in range(40)]
    assert sorted(value for _, value in keeper.seen) == sorted(wanted)
    counts = keeper.kernel.argument_counts()
    assert counts["slots"] <= 4 * len(streams)
    assert counts["uploads"] + counts["skipped"] == len(wanted)
    assert not machine.machine.reports


@pytest.mark.machine(record=False)
def test_all_need_a_slot_at_once(machine: Machine) -> None:
    """What one makes while another does as well is not made twice."""
    for _ in range(20):
        keeper, stream = Keeper(machine, size=64), lp.Stream(blocking=False, device=machine.device)
        launch, argument_lists = keeper.kernel[1, 1, stream], [keeper.arguments(value) for value in range(8)]

        def once(arguments: Any, _: random.Random, launch: Any = launch) -> None:
            launch(*arguments)

        hammer(*(partial(once, arguments) for arguments in argument_lists))
        stream.synchronize()
        assert sorted(value for _, value in keeper.seen) == list(range(8))
        assert all(pair == keeper.arguments(pair[1])[:2] for pair in keeper.seen), "torn"
        assert keeper.kernel.argument_counts()["slots"] <= 4
        del launch, once


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.machine(record=False)
def test_memory_comes_and_goes(machine: Machine, seed: int) -> None:
    machine.machine.background()
    streams = machine.streams(("legacy", "blocking", "nonblocking"))
    machine.device.set_memory_limit(1 << 20)

    def work(rng: random.Random) -> None:
        for value in range(400):
            stream = rng.choice(streams)
            size = rng.choice((16, 300, 5000))
            ordered = stream if rng.random() < 0.5 else None
            array = lp.empty(size, "uint32", machine.device, ordered)
            array.fill(value, stream)
            if rng.random() < 0.1:
                np.testing.assert_array_equal(array.to_numpy(stream), [value] * size)
            if rng.random() < 0.3:
                array.free()
            if rng.random() < 0.02:
                machine.device.trim_memory()
            if rng.random() < 0.05:
                assert machine.device.memory_info()["arrays"] <= 64

    hammer(*[work] * 8, seed=seed)
    machine.device.synchronize()
    assert machine.device.memory_info()["arrays"] == 0
    assert not machine.machine.reports


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.machine(record=False)
def test_streams_come_and_go_among_queries_and_synchronizes(machine: Machine, seed: int) -> None:
    machine.machine.background()
    done = threading.Event()
    busy = [4]

    def work(rng: random.Random) -> None:
        for value in range(120):
            stream = lp.Stream(blocking=rng.random() < 0.5, device=machine.device)
            (a,) = arrays(machine, 1)
            a.fill(value, stream)
            if rng.random() < 0.3:
                machine.device.legacy_stream.wait(stream.record())
            if rng.random() < 0.3:
                stream.synchronize()
        busy[0] -= 1
        if not busy[0]:
            done.set()

    def look(rng: random.Random) -> None:
        (a,) = arrays(machine, 1)
        while not done.is_set():
            rng.choice(
                (
                    machine.device.synchronize,
                    machine.device.legacy_stream.synchronize,
                    machine.device.legacy_stream.query,
                    lambda: a.fill(1),
                    machine.device.ordering_counts,
                )
            )()

    hammer(*[work] * 4, *[look] * 4, seed=seed)
    machine.device.synchronize()
    assert not machine.machine.reports


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.machine(record=False)
def test_host_functions_of_many_threads(machine: Machine, seed: int) -> None:
    machine.machine.background()
    streams = machine.streams(("legacy", "blocking", "nonblocking", "nonblocking"))
    called: list[tuple[int, int]] = []

    def work(index: int, rng: random.Random) -> None:
        stream = streams[index % 4]
        (a,) = arrays(machine, 1)
        for value in range(100):
            a.fill(value, stream)
            stream.host_function(called.append, (index, value))
            if rng.random() < 0.1:
                rng.choice(streams).query()
        stream.synchronize()

    hammer(*(partial(work, index) for index in range(8)), seed=seed)
    for index in range(8):
        assert [value for at, value in called if at == index] == list(range(100))
    assert not machine.machine.reports


@pytest.mark.machine(record=False)
def test_a_deep_stream_among_threads_is_throttled_and_not_hung(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()

    def work(rng: random.Random) -> None:
        (a,) = arrays(machine, 1)
        for value in range(3000):
            a.fill(value, stream)

    hammer(*[work] * 6)
    stream.synchronize()
    assert machine.machine.deepest < 16384
    assert not machine.machine.reports


@pytest.mark.machine(record=False)
def test_a_thousand_detached_threads_each_with_its_default_stream(machine: Machine) -> None:
    machine.machine.background()
    left = threading.Semaphore(0)
    errors: list[BaseException] = []

    def work(value: int) -> None:
        try:
            (a,) = arrays(machine, 1)
            a.fill(value, machine.device.per_thread_stream)
            if value % 10 == 0:
                np.testing.assert_array_equal(a.to_numpy(machine.device.per_thread_stream), [value] * N)
        except BaseException as error:
            errors.append(error)
        finally:
            left.release()

    threads = [threading.Thread(target=work, args=(value,), daemon=True) for value in range(1000)]
    for i in range(0, 1000, 50):
        for thread in threads[i : i + 50]:
            thread.start()
        for _ in range(50):
            assert left.acquire(timeout=PATIENCE)
    for thread in threads:
        thread.join(PATIENCE)
    assert not errors
    machine.device.synchronize()
    assert not machine.machine.reports
