"""Kernels that start while the one before ends, in a trace: what overlaps is shown as it is."""

import pytest
from click.testing import CliRunner

import launchpath as lp
from launchpath._cli import main
from tests.trace.test_perfetto import parse

from .expect import all_known, calls_of, rows

N = 20

pytestmark = pytest.mark.leaves("modules")


@pytest.fixture
def traced(gpu, cupti, path):
    """The path of a trace with launches of a kernel that waits at its entry, each of which takes a while."""
    kernel = gpu.waiting("wait_us")[1, 1, gpu.stream()]
    gpu.device.synchronize()
    gpu.forget_calls()
    with lp.trace(path, cupti=True):
        for _ in range(N):
            kernel(300)
        all_known()
        gpu.device.synchronize()
    assert calls_of(gpu, "cuLaunchKernel", "cuLaunchKernelEx") == ["cuLaunchKernel"] + ["cuLaunchKernelEx"] * (N - 1)
    return path


def test_launches_under_a_profiler_are_dependent_and_overlap(cupti, traced):
    table = rows(traced)
    assert len(table["started"]) == N
    assert table["timed"].all()
    assert (table["driver_begin"] <= table["started"]).all()
    assert (table["started"] <= table["ended"]).all()
    assert sum(table["started"][1:] < table["ended"][:-1]) >= N // 2, "the next kernel starts with the one before"
    records = {record.end - record.start for record in cupti.complete_records()}
    assert {int(end - start) for start, end in zip(table["started"], table["ended"], strict=True)} == records


def test_the_report_and_perfetto_have_all_of_each(traced, tmp_path):
    table = rows(traced)
    took = sorted(int(end - start) for start, end in zip(table["started"], table["ended"], strict=True))
    done = CliRunner().invoke(main, ["report", str(traced), "--perfetto", str(tmp_path / "out.pftrace")])
    assert done.exit_code == 0, done.output
    drawn = parse(tmp_path / "out.pftrace").of("kernel")
    assert sorted(each.end - each.begin for each in drawn) == took


def test_timing_by_events_keeps_launches_apart(gpu, path):
    """Between two launches there are events then, so that neither is dependent."""
    kernel = gpu.waiting("nothing")[1, 1, gpu.stream()]
    gpu.forget_calls()
    with lp.trace(path):
        for _ in range(4):
            kernel()
        all_known()
    assert calls_of(gpu, "cuLaunchKernel", "cuLaunchKernelEx") == ["cuLaunchKernel"] * 4
    table = rows(path)
    assert (table["started"][1:] >= table["ended"][:-1]).all()
