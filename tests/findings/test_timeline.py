"""Timelines: files of given slots, and what is read of them."""

from pathlib import Path
from typing import Any

import numpy
import pytest

from launchpath._findings.timeline.building import read_timeline
from launchpath._findings.timeline.roles import Role, Scope, role_of, scope_of
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace import format
from tests.trace.builder import FACTS, Builder, api, call, clocks, command, range_, slot, times

SITE = format.SITE_NAMES + 1
NAMES = {1: "integrate", format.RANGE_NAMES + 1: "step", SITE: "/home/me/simulate.py:41 step"}


def evidence(correlation: int, **fields: Any) -> bytes:
    return slot(format.EVIDENCE, correlation=correlation, **fields)


def read(path: Path, *slots: bytes, **meta: Any) -> Timeline:
    builder = Builder().meta(**{**FACTS, **meta}).names(NAMES)
    builder.slots(*clocks(), *slots).write(path / "a.lptrace")
    return read_timeline(path / "a.lptrace")


def test_a_launch_has_its_times_on_the_host_and_on_the_device(tmp_path: Path) -> None:
    timeline = read(tmp_path, command(7, 2000, (2100, 2900), 3000, waited=50), times(7, 2100, 5000, 6000))
    ops, works = timeline.ops, timeline.works
    assert (ops.begin[0], ops.end[0], ops.driver[0], ops.waited[0]) == (2000, 3000, 800, 50)
    assert (ops.role[0], timeline.names[ops.name[0]], timeline.names[ops.function[0]]) == (
        Role.LAUNCH,
        "integrate",
        "cuLaunchKernel",
    )
    assert (ops.blocks[0], ops.size[0]) == (4, 256)
    assert (works.begin[0], works.end[0], works.op[0], works.role[0]) == (5000, 6000, 0, Role.LAUNCH)
    assert (ops.work[0], ops.works[0], timeline.untimed) == (0, 1, 0)


def test_calls_inside_others_hand_their_evidence_on(tmp_path: Path) -> None:
    slots = [
        api(0, 2000, 9000, correlation=1),
        call(3, 2500, 8500, correlation=2, stream=4),
        evidence(2, site=SITE, event=99),
        call(3, 9000, 9500, correlation=3),
    ]
    timeline = read(tmp_path, *slots)
    ops = timeline.ops
    assert ops.depth.tolist() == [0, 1, 0]
    assert [timeline.names[name] for name in ops.name] == [
        "Stream.synchronize",
        "cuStreamSynchronize",
        "cuStreamSynchronize",
    ]
    assert (ops.stream[0], ops.event[0], timeline.site(int(ops.site[0]))) == (4, 99, NAMES[SITE])
    assert ops.scope.tolist() == [Scope.STREAM] * 3
    assert ops.site[2] == 0


def test_calls_of_threads_are_not_inside_one_another(tmp_path: Path) -> None:
    builder = Builder().meta(**FACTS).slots(*clocks(), call(3, 2000, 9000), thread=11)
    builder.slots(call(3, 3000, 4000), ring=1, thread=12).write(tmp_path / "a.lptrace")
    timeline = read_timeline(tmp_path / "a.lptrace")
    assert timeline.ops.depth.tolist() == [0, 0]
    assert timeline.threads == [11, 12]
    assert timeline.thread_names == ["MainThread", "thread 12"]


def test_a_run_of_a_graph_is_a_single_call_with_several_works(tmp_path: Path) -> None:
    flags = format.TIMED | format.IN_GRAPH | format.IN_STEP
    slots = []
    for run, begin in ((1, 2000), (2, 12000)):
        for node in range(3):
            number = 10 * run + node
            slots.append(
                command(number, begin, (begin + 10, begin + 900), begin + 1000, flags=flags, step=5, node=node, run=run)
            )
            slots.append(times(number, begin + 10, begin + 1000 * node + 2000, begin + 1000 * node + 2500))
    timeline = read(tmp_path, *slots)
    ops, works = timeline.ops, timeline.works
    assert ops.role.tolist() == [Role.GRAPH] * 2
    assert (ops.work.tolist(), ops.works.tolist()) == ([0, 3], [3, 3])
    assert works.op.tolist() == [0, 0, 0, 1, 1, 1]
    assert works.node.tolist() == [0, 1, 2] * 2
    assert {timeline.names[name] for name in works.name} == {"integrate"}
    assert numpy.diff(works.begin[:3]).tolist() == [1000, 1000]


def test_what_a_step_keeps_back_has_no_work(tmp_path: Path) -> None:
    timeline = read(tmp_path, command(7, 2000, (0, 0), 3000, flags=format.KEPT_BACK))
    assert timeline.ops.role.tolist() == [Role.DEFERRED]
    assert (timeline.ops.driver[0], timeline.ops.work[0], len(timeline.works)) == (0, -1, 0)


def test_evidence_of_a_command_with_many_events(tmp_path: Path) -> None:
    slots = [
        command(7, 2000, (2100, 2900), 3000, command=format.COPY, bytes=64, flags=format.HOST_TO_DEVICE),
        evidence(7, site=SITE, content=123, flags=format.CONTENT | format.PINNED, wait=1, wait_too=2),
        evidence(7, wait=3, wait_too=4),
        evidence(7, wait=5),
        evidence(99, wait=6),  # of a record that was lost
    ]
    timeline = read(tmp_path, *slots, findings=True)
    ops = timeline.ops
    assert timeline.evidence
    assert (ops.role[0], ops.direction[0], ops.size[0], ops.content[0]) == (Role.COPY, 1, 64, 123)
    assert ops.flags[0] == format.CONTENT | format.PINNED
    assert (ops.wait[0], ops.wait_too[0]) == (1, 2)
    assert sorted(timeline.more_waits[1].tolist()) == [3, 4, 5]
    assert set(timeline.more_waits[0].tolist()) == {7}


def test_a_copy_that_waits_inside_is_blocking(tmp_path: Path) -> None:
    slots = [command(7, 2000, (2100, 8900), 9000, command=format.COPY, bytes=64), call(3, 3000, 8000, correlation=8)]
    timeline = read(tmp_path, *slots)
    assert timeline.ops.flags.tolist() == [format.BLOCKING, 0]


def test_a_marker_that_only_waits_makes_its_stream_wait(tmp_path: Path) -> None:
    facts = {"entries": ["cuEventRecord"]}
    slots = [
        call(0, 2000, 3000, correlation=1),
        evidence(1, wait=5),
        call(0, 4000, 5000, correlation=2),
        evidence(2, event=6),
    ]
    timeline = read(tmp_path, *slots, **facts)
    assert timeline.ops.role.tolist() == [Role.ORDER, Role.RECORD]


def test_commands_without_times_are_counted(tmp_path: Path) -> None:
    timeline = read(
        tmp_path,
        command(7, 2000, (2100, 2900), 3000),
        command(8, 4000, (4100, 4900), 5000, result=1, flags=format.FAILED),
    )
    assert timeline.untimed == 1
    assert timeline.ops.failed.tolist() == [False, True]


def test_ranges_looks_and_delays(tmp_path: Path) -> None:
    looks = slot(format.THREAD, begin=3 * 2000, end=3 * 9000, processor=1000, runnable=500, process=6000, switches=2)
    delays = slot(format.DELAYS, target=1, number=4, begin=3 * 2000, end=3 * 9000, delay=1000, delays=50, repetitions=8)
    timeline = read(tmp_path, call(3, 2000, 3000), range_(format.RANGE_NAMES + 1, 2000, 4000, depth=1), looks, delays)
    assert timeline.names[timeline.ranges.name[0]] == "step"
    assert (timeline.ranges.begin[0], timeline.ranges.end[0], timeline.ranges.thread[0], timeline.ranges.depth[0]) == (
        2000,
        4000,
        0,
        1,
    )
    assert (timeline.looks.processor[0], timeline.looks.runnable[0], timeline.looks.thread[0]) == (1000, 500, 0)
    assert (timeline.delays["begin"][0], timeline.delays["end"][0], timeline.delays["delay"][0]) == (2000, 9000, 1000)


def test_an_empty_file(tmp_path: Path) -> None:
    timeline = read(tmp_path)
    assert (len(timeline.ops), len(timeline.works), timeline.begin, timeline.end, timeline.threads) == (0, 0, 0, 0, [])


@pytest.mark.parametrize(
    ("name", "role", "scope"),
    [
        ("cuLaunchKernel", Role.LAUNCH, Scope.NOTHING),
        ("clEnqueueNDRangeKernel", Role.LAUNCH, Scope.NOTHING),
        ("hipMemcpyAsync", Role.COPY, Scope.NOTHING),
        ("cuGraphLaunch", Role.GRAPH, Scope.NOTHING),
        ("Step.submit", Role.GRAPH, Scope.NOTHING),
        ("cuEventRecord", Role.RECORD, Scope.NOTHING),
        ("cuStreamWaitEvent", Role.ORDER, Scope.NOTHING),
        ("clEnqueueBarrierWithWaitList", Role.ORDER, Scope.NOTHING),
        ("cuCtxSynchronize", Role.SYNCHRONIZE, Scope.DEVICE),
        ("Device.synchronize", Role.SYNCHRONIZE, Scope.DEVICE),
        ("clFinish", Role.SYNCHRONIZE, Scope.STREAM),
        ("hipStreamSynchronize", Role.SYNCHRONIZE, Scope.STREAM),
        ("clWaitForEvents", Role.SYNCHRONIZE, Scope.EVENT),
        ("cuEventQuery", Role.QUERY, Scope.NOTHING),
        ("cuMemAlloc_v2", Role.ALLOCATE, Scope.NOTHING),
        ("cuMemFree_v2", Role.FREE, Scope.NOTHING),
        ("clReleaseMemObject", Role.FREE, Scope.NOTHING),
        ("clBuildProgram", Role.LOAD, Scope.NOTHING),
        ("cuModuleLoadData", Role.LOAD, Scope.NOTHING),
        ("clFlush", Role.FLUSH, Scope.NOTHING),
        ("cuDeviceGetName", Role.OTHER, Scope.NOTHING),
    ],
)
def test_functions_have_their_role(name: str, role: Role, scope: Scope) -> None:
    assert (role_of(name), scope_of(name)) == (role, scope)
