"""Traces of real devices: times that make sense, for each command, however many there are."""

import time

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from tests.tracing.conftest import path
from tests.tracing.raw import read

__all__ = ["path"]

SOURCE = """
__global__ void add(float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}
namespace ns {
template <class T> __global__ void scale(T* a, T by) { a[threadIdx.x] *= by; }
}
"""


def test_commands_of_a_step_are_recorded_as_the_program_makes_them(device, kernels, nonblocking, path):
    """With the external correlation id in force then, in all runs: the first, and those that only repeat it."""
    array, stream, step = lp.zeros(64, "float32", device, nonblocking), nonblocking, lp.Step()
    add = kernels.add[1, 64, stream]
    with lp.trace(path, device=device, mode="host"):
        for run in range(6):
            with step:
                for command in range(4):
                    with lp.external_correlation_id(10 * run + command):
                        add(array, 64)
                with lp.external_correlation_id(10 * run + 4):
                    array.fill(0, stream)
        stream.synchronize()
    commands = [detail for command, detail in read(path).commands() if not command["flags"] & format.KEPT_BACK]
    seen = {(int(detail["run"]), int(detail["node"])): int(detail["external"]) for detail in commands}
    first = min(run for run, _ in seen)
    assert seen == {(first + run, node): 10 * run + node for run in range(6) for node in range(5)}


def test_every_command_has_its_times_between_those_of_the_host(device, kernels, nonblocking, path):
    array, stream = lp.zeros(4096, "float32", device, nonblocking), nonblocking
    add, scale = kernels.add[16, 256, stream], kernels["ns::scale<float>"][1, 64, stream]
    host = np.ones(4096, np.float32)
    began = time.monotonic_ns()
    with lp.trace(path, device=device) as trace:
        for _ in range(50):
            add(array, 4096)
            scale(array, 2.0)
        array.copy_from(host, stream)
        array.fill(3, stream)
        array.to_numpy(stream)
    ended = time.monotonic_ns()
    (table,) = trace.saved().dispatches()
    assert table["timed"].all()
    assert not table["failed"].any()
    assert (table["driver_begin"] <= table["started"]).all()
    assert (table["started"] <= table["ended"]).all()
    assert began <= table["begin"].min() <= table["ended"].max() <= ended + 5_000_000
    order = np.argsort(table["number"])
    assert (np.diff(table["started"][order].astype("i8")) >= 0).all()
    summary = trace.summary()
    assert summary.kernels["add"].calls == summary.kernels["ns::scale<float>"].calls == 50
    assert {"host to device", "device to host"} <= {entry.name for entry in summary.traffic}
    assert "ns::scale<float>" in str(summary)
    assert trace.counts["failed_times"] == trace.counts["untimed"] == trace.counts["unfinished"] == 0


@pytest.mark.parametrize("mode", ["host", "device"])
def test_steps_have_a_record_of_each_launch_of_each_run(device, kernels, nonblocking, path, mode):
    array = lp.zeros(4096, "float32", device, nonblocking)
    add, step = kernels.add[16, 256, nonblocking], lp.Step()
    with lp.trace(path, mode=mode):
        for _ in range(256):
            with step:
                for _ in range(20):
                    add(array, 4096)
        assert (array.to_numpy(nonblocking) == 5120).all()
    raw = read(path)
    assert len(raw.dispatches()) == 5120
    nodes = [int(detail["node"]) for _, detail in raw.dispatches()]
    assert sorted(nodes) == sorted([*range(20)] * 256)
    assert len(raw.slots(format.TIMES)[raw.slots(format.TIMES)["command"] == format.LAUNCH]) == (
        5120 if mode == "device" else 0
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("launches", [200_000, 1_000_000])
def test_launches_without_a_wait_need_no_more_timing_objects(device, kernels, nonblocking, path, launches):
    array = lp.zeros(16, "float32", device, nonblocking)
    add = kernels.add[1, 16, nonblocking]
    add(array, 16)
    nonblocking.synchronize()
    with lp.trace(path) as trace:
        for _ in range(launches):
            add(array, 16)
        nonblocking.synchronize()
    assert array.to_numpy()[0] == launches + 1
    counts = trace.counts
    assert counts["timing_most"] <= 4096
    assert counts["unfinished"] == counts["dropped"] == 0
    raw = read(path)
    launched = raw.slots(format.COMMAND)
    assert np.count_nonzero(launched["name"]) == launches
    assert len(raw.slots(format.TIMES)) + counts["untimed"] == len(launched)
    assert counts["untimed"] == 0


def test_a_stream_that_is_held_back_hangs_nothing(device, kernels, nonblocking, path):
    array = lp.zeros(16, "float32", device, nonblocking)
    add = kernels.add[1, 16, nonblocking]
    add(array, 16)
    nonblocking.synchronize()
    with lp.trace(path, timing_objects=64) as trace:
        with nonblocking.hold():
            for _ in range(300):
                add(array, 16)
        nonblocking.synchronize()
    assert array.to_numpy(nonblocking)[0] == 301
    assert trace.counts["untimed"] >= 300 - 64
    assert len(read(path).dispatches()) == 300


def test_the_first_traced_launch_takes_no_time(device, kernels, nonblocking, path):
    """Nothing is prepared at the first launch that a trace sees: there, others' tracers have hung for seconds."""
    array = lp.zeros(16, "float32", device, nonblocking)
    add = kernels.add[1, 16, nonblocking]
    add(array, 16)
    nonblocking.synchronize()
    took = []
    for _ in range(3):
        with lp.trace(path):
            began = time.perf_counter()
            add(array, 16)
            took.append(time.perf_counter() - began)
    assert min(took) < 0.01


def test_nothing_is_left_when_a_trace_has_ended(device, nonblocking, path):
    direct = _core.calls_driver_directly(nonblocking)
    with lp.trace(path):
        assert not _core.calls_driver_directly(nonblocking)
    assert _core.calls_driver_directly(nonblocking) == direct
