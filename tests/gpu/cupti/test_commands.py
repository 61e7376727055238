"""Commands in a trace with CUPTI: launches have their times from it, each its own, copies and fills from events."""

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._memory.copies.peer import copy_between
from tests.gpu.standin import OUT
from tests.standin.client import on_thread
from tests.standin.cupti_control import KERNEL
from tests.threads import at_once

from .expect import SOURCE, all_known, calls_of, check, events_recorded, rows, source


def test_launches(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True) as trace:
        for _ in range(100):
            launcher()
        gpu.device.synchronize()
        assert cupti.attached
    assert not cupti.attached
    assert source(path) == SOURCE
    assert len(check(path, cupti).times()) == 100
    assert calls_of(gpu, "cuLaunchKernel") == ["cuLaunchKernel"] * 100
    assert trace.counts["untimed"] == trace.counts["unfinished"] == trace.counts["failed_times"] == 0


def test_no_event_is_recorded_for_a_launch(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True):
        gpu.forget_calls()
        for _ in range(100):
            launcher()
        all_known()
        assert events_recorded(gpu) == 0
    assert len(check(path, cupti).times()) == 100


@pytest.mark.leaves("events")
def test_each_kind_of_command(gpu, cupti, peers, path):
    stream, array, other, far = gpu.stream(), gpu.zeros(64), gpu.zeros(64), gpu.zeros(64, ordinal=1)
    kernel, table, far_table = gpu.kernel("increment")[1, 16, stream], gpu.zeros(24).reshape(8, 3), far.reshape(8, 8)
    array.to_numpy(stream)
    gpu.forget_calls()
    with lp.trace(path, cupti=True):
        kernel(array, 16)
        array.fill(3, stream)
        _core.copy_rows(stream, other.pointer_on(stream), 32, array.pointer_on(stream), 16, 8, 2)
        assert copy_between(array, far, stream)
        far_table[:, 2:5] = table
        assert array.to_numpy(stream).tolist() == [3] * 64
    calls = [
        "cuLaunchKernel", "cuMemsetD32Async", "cuMemcpy2DAsync_v2", "cuMemcpyAsync", "cuMemcpy3DPeerAsync",
        "cuMemcpyAsync",
    ]  # fmt: skip
    assert calls_of(gpu, *calls) == calls
    assert [record.kind for record in cupti.complete_records(clear=False)] == [KERNEL]
    raw = check(path, cupti)
    assert [int(detail["command"]) for _, detail in raw.commands()] == [1, 3, 4, 5, 5, 2]
    assert len(raw.times()) == 6


@pytest.mark.leaves("events")
def test_copies_and_fills_of_threads_have_no_records(gpu, cupti, launcher, path):
    """Their records crashed CUPTI on a GPU when several threads submitted them: neither launchpath's nor other code's."""
    streams, arrays = [gpu.stream() for _ in range(2)], [gpu.zeros(64) for _ in range(4)]
    memory = gpu.cuda("cuMemAlloc_v2", OUT, 64)
    gpu.device.synchronize()

    def work(i):
        for n in range(30):
            stream = streams[(i + n) % 2]
            arrays[i].fill(n, stream)
            _core.fill_bytes(stream, arrays[i].pointer_on(stream), bytes(range(16)), 256)  # several calls of the driver
            arrays[i].copy_to(arrays[3 - i], stream)
            gpu.cuda("cuMemsetD8Async", memory, 1, 64, stream.handle)
            launcher()

    with lp.trace(path, cupti=True) as trace:
        at_once(work, range(2))
        gpu.device.synchronize()
        all_known()
    gpu.cuda("cuMemFree_v2", memory)
    calls = cupti.calls()
    assert {call.detail for call in calls if call.name == "cuptiActivityEnable"} == {str(KERNEL)}
    assert [record.kind for record in cupti.complete_records(clear=False)] == [KERNEL] * 60
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.commands()) == 240
    assert trace.counts["untimed"] == trace.counts["unfinished"] == trace.counts["failed_times"] == 0


@pytest.mark.leaves("events")
def test_a_fill_that_is_refused(gpu, cupti, path):
    stream, array = gpu.stream(), gpu.zeros(64)
    with lp.trace(path, cupti=True) as trace:
        gpu.control.fail("cuMemsetD32Async", 1, 3)
        with pytest.raises(lp.DriverError):
            _core.fill_bytes(stream, array.pointer_on(stream), bytes(range(16)), 256)
        array.fill(1, stream)
        stream.synchronize()
        all_known()
    assert len(check(path, cupti).times()) == 1
    assert trace.counts["unfinished"] == 0


@pytest.mark.leaves("events")
def test_copies_of_nothing_wait_for_no_times(gpu, cupti, peers, path):
    """The driver is not called for them."""
    stream, array, empty, far = gpu.stream(), gpu.zeros(16), gpu.zeros(0), gpu.zeros(0, ordinal=1)
    with lp.trace(path, cupti=True) as trace:
        _core.fill_bytes(stream, array.pointer_on(stream), b"x", 0)
        _core.copy_rows(stream, array.pointer_on(stream), 32, array.pointer_on(stream), 16, 0, 2)
        copy_between(empty, far, stream)
        empty.fill(1, stream)
        empty.to_numpy(stream)
        array.fill(1, stream)
        stream.synchronize()
        all_known()
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.commands())
    assert trace.counts["failed_times"] == trace.counts["untimed"] == trace.counts["unfinished"] == 0


def test_the_table_has_the_times_of_the_records(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True):
        for _ in range(10):
            launcher()
        gpu.device.synchronize()
    table, records = rows(path), cupti.complete_records()
    assert table["timed"].all()
    assert table["started"].tolist() == [record.start for record in records]
    assert table["ended"].tolist() == [record.end for record in records]


@pytest.mark.leaves("events")
def test_a_command_begins_after_it_was_submitted(gpu, cupti, path):
    stream, array = gpu.stream(), gpu.zeros(64)
    kernel = gpu.kernel("increment")[1, 16, stream]
    with lp.trace(path, cupti=True):
        for _ in range(50):
            kernel(array, 16)
            array.fill(3, stream)
        stream.synchronize()
    table = rows(path)
    assert len(table["started"]) == 100
    assert table["timed"].all()
    assert (table["driver_begin"] <= table["started"]).all()
    assert (table["started"] <= table["ended"]).all()


def test_other_codes_commands_do_not_disturb(gpu, stream, cupti, launcher, path):
    kernel, array = gpu.kernel("increment")[1, 16, stream], gpu.zeros(16)
    memory = gpu.cuda("cuMemAlloc_v2", OUT, 64)
    with lp.trace(path, cupti=True) as trace:
        for _ in range(50):
            gpu.cuda("cuMemsetD8Async", memory, 1, 64, stream.handle)
            kernel(array, 16)
            gpu.cuda("cuMemcpyAsync", memory, memory + 32, 32, stream.handle)
        stream.synchronize()
        all_known()
    assert len(cupti.complete_records(clear=False)) == 50
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.commands()) == 50
    assert trace.counts["unfinished"] == 0
    gpu.cuda("cuMemFree_v2", memory)


def test_a_launch_that_is_refused_has_no_times(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True) as trace:
        launcher()
        gpu.control.fail("cuLaunchKernel", 1)
        with pytest.raises(lp.DriverError):
            launcher()
        launcher()
        gpu.device.synchronize()
    raw = check(path, cupti)
    assert len(raw.commands()) == 3
    assert len(raw.times()) == 2
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0


def test_a_launch_that_takes_two_calls(gpu, cupti, launcher, path):
    """Another device's context is current: the first call is refused."""
    with lp.trace(path, cupti=True) as trace:
        launcher()
        gpu.forget_calls()
        with gpu.current(1):
            for _ in range(10):
                launcher()
        assert [call.result for call in gpu.calls("cuLaunchKernel")] == [400, 0] * 10
        gpu.device.synchronize()
    assert len(check(path, cupti).times()) == 11
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0


def test_a_launch_whose_calls_are_both_refused(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True) as trace:
        with gpu.current(1):
            gpu.control.fail("cuLaunchKernel", 700, 0)
            with pytest.raises(lp.DriverError):
                launcher()
            gpu.control.forgive()
        launcher()
        gpu.device.synchronize()
    assert len(check(path, cupti).times()) == 1
    assert trace.counts["unfinished"] == 0


def test_a_kernel_that_runs_for_a_while(gpu, stream, cupti, path):
    kernel = gpu.kernel("wait_us")[1, 1, stream]
    with lp.trace(path, cupti=True):
        for _ in range(3):
            kernel(2000)
        stream.synchronize()
    table = rows(path)
    assert (np.asarray(table["ended"] - table["started"]) >= 2_000_000).all()


def test_numbers_of_calls_may_wrap_around(gpu, cupti, launcher, path):
    cupti.number(2**32 - 50)
    with lp.trace(path, cupti=True):
        for _ in range(100):
            launcher()
        gpu.device.synchronize()
    assert len(check(path, cupti).times()) == 100


def test_threads_without_a_context(gpu, cupti, launcher, path):
    """A thread without a context of its own: its first launch takes two calls."""
    with lp.trace(path, cupti=True) as trace:
        threads = [on_thread(lambda: [launcher() for _ in range(20)]) for _ in range(2)]
        for thread in threads:
            thread.join()
        gpu.device.synchronize()
    assert len(check(path, cupti).times()) == 40
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0


def test_a_summary(gpu, cupti, path):
    kernel = gpu.kernel("wait_us")[1, 1, gpu.stream()]
    with lp.trace(path, cupti=True) as trace:
        for _ in range(5):
            kernel(1000)
        gpu.device.synchronize()
    text = str(trace.summary())
    assert "wait_us" in text
    assert "no relation" not in text
