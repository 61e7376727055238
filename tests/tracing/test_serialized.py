"""Serialized launches: one after the other, and never a hang."""

import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.threads import at_once
from tests.tracing.raw import read


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """A launch that nothing holds back ends in this time on a busy machine too."""
    before = _core.set_serial_patience(0.25)
    yield
    _core.set_serial_patience(before)


def test_no_two_kernels_run_side_by_side(machine: Machine, path: Path) -> None:
    machine.machine.background()
    streams = machine.streams(("nonblocking",) * 4)
    there, b = arrays(machine, 4), arrays(machine, 1)[0]
    kernels = [machine.kernel()[1, 1, stream] for stream in streams]

    def work(at: int) -> None:
        for _ in range(25):
            kernels[at](there[at], b, 16, 5)

    with lp.trace(path, mode="serialized") as trace:
        at_once(work, range(4))
    raw = read(path)
    times = np.sort(raw.slots(format.TIMES), order="started")
    assert len(times) == len(raw.dispatches()) == 100
    assert (times["started"][1:] >= times["ended"][:-1]).all()
    assert trace.counts["overlapped"] == 0
    # Batches of one launch: it is complete before its batch could get another.
    assert trace.counts["batches"] == 100


def test_kernels_that_wait_for_each_other_do_not_hang(machine: Machine, path: Path) -> None:
    """The first launch's stream waits for the host, which goes on only after the second launch."""
    machine.machine.background()
    first, second = machine.streams(("nonblocking", "nonblocking"))
    there, b = arrays(machine, 2), arrays(machine, 1)[0]
    kernel = machine.kernel()
    began = time.monotonic()
    with lp.trace(path, mode="serialized") as trace:
        with first.hold():
            for _ in range(3):
                kernel[1, 1, first](there[0], b, 16, 5)
            kernel[1, 1, second](there[1], b, 16, 5)
            second.synchronize()
        first.synchronize()
        kernel[1, 1, first](there[0], b, 16, 5)
    assert time.monotonic() - began < 5
    assert trace.counts["overlapped"] == 3
    assert len(read(path).times()) == 5


def test_steps_and_their_batches_beside_kernels_that_wait(machine: Machine, path: Path) -> None:
    """A step is not submitted as a batch: its launches wait for one another one by one."""
    machine.machine.background()
    first, second = machine.streams(("nonblocking", "nonblocking"))
    there, b = arrays(machine, 2), arrays(machine, 1)[0]
    kernel = machine.kernel()
    step = lp.Step()
    with lp.trace(path, mode="serialized") as trace:
        for _ in range(4):
            with first.hold(), step:
                kernel[1, 1, first](there[0], b, 16, 5)
                kernel[1, 1, second](there[1], b, 16, 5)
        first.synchronize()
        second.synchronize()
    assert trace.counts["overlapped"] == 4
    assert len(read(path).times()) == 8


def test_launches_of_steps_and_others_one_after_the_other(machine: Machine, path: Path) -> None:
    machine.machine.background()
    streams = machine.streams(("nonblocking",) * 4)
    there, b = arrays(machine, 4), arrays(machine, 1)[0]
    kernels = [machine.kernel()[1, 1, stream] for stream in streams]

    def work(at: int) -> None:
        step = lp.Step()
        for _ in range(5):
            with step:
                for own in (at, at + 1, at, at + 1):
                    kernels[own](there[own], b, 16, 5)
            kernels[at](there[at], b, 16, 5)

    with lp.trace(path, mode="serialized") as trace:
        at_once(work, (0, 2))
    times = np.sort(read(path).slots(format.TIMES), order="started")
    assert len(times) == 50
    assert (times["started"][1:] >= times["ended"][:-1]).all()
    assert trace.counts["overlapped"] == 0


@pytest.fixture
def _switches() -> Iterator[None]:
    """Let threads take turns all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_switches")
def test_a_step_and_launches_on_a_stream_that_it_shares(machine: Machine, path: Path) -> None:
    """A thread that has its turn to launch submits the other thread's step, which has commands of the stream."""
    machine.machine.background()
    shared, own = machine.streams(("nonblocking",) * 2)
    there, b = arrays(machine, 2), arrays(machine, 1)[0]
    kernels = [machine.kernel()[1, 1, stream] for stream in (shared, own)]

    def step() -> None:
        region = lp.Step()
        for _ in range(40):
            with region:
                for kernel, array in zip(kernels * 3, there * 3, strict=True):
                    kernel(array, b, 16, 5)

    def launches() -> None:
        for _ in range(120):
            kernels[0](there[0], b, 16, 5)

    with lp.trace(path, mode="serialized") as trace:
        at_once(lambda work: work(), (step, launches))
        shared.synchronize()
        own.synchronize()
    times = np.sort(read(path).slots(format.TIMES), order="started")
    assert len(times) == 40 * 6 + 120
    assert (times["started"][1:] >= times["ended"][:-1]).all()
    assert trace.counts["overlapped"] == 0


def test_copies_and_packed_launches(machine: Machine, path: Path) -> None:
    """Copies are no launches, and launches from packed bytes are as others."""
    machine.machine.background()
    streams = machine.streams(("nonblocking", "nonblocking"))
    there, b = arrays(machine, 2), arrays(machine, 1)[0]
    kernel = machine.kernel()
    with lp.trace(path, mode="serialized") as trace:
        for i in range(10):
            array = there[i % 2]
            array.fill(1, streams[i % 2])
            arguments = struct.pack("=QQII", array.pointer, b.pointer, 16, 5)
            kernel[1, 1, streams[i % 2]].packed(arguments)
    raw = read(path)
    times = raw.slots(format.TIMES)
    launches = np.sort(times[times["command"] == format.LAUNCH], order="started")
    assert len(launches) == 10
    assert (launches["started"][1:] >= launches["ended"][:-1]).all()
    assert trace.counts["overlapped"] == 0
    assert all(command["end"] > command["driver_end"] for command, _ in raw.dispatches())
