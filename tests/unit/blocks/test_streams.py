"""Whose an argument block is, on the simulated driver: each stream's, device's and kernel's own, whatever threads do."""

import gc
from collections import Counter

import pytest

import launchpath as lp
from tests.simulated import Machine
from tests.threads import apart, at_once
from tests.unit.support.blocks import SIZE, Keeper
from tests.unit.support.streams import KINDS, each

stream = each(*KINDS, "per-thread")


def test_two_streams_share_a_kernel_and_no_block(machine: Machine) -> None:
    """One stream's launch is held back while the other's uploads other arguments."""
    keeper = Keeper(machine)
    first, other = lp.Stream(blocking=False, device=machine.device), lp.Stream(blocking=False, device=machine.device)
    with first.hold():
        keeper.kernel[1, 1, first](*keeper.arguments(1))
        for value in 2, 3, 4, 5, 6, 7:
            keeper.kernel[1, 1, other](*keeper.arguments(value))
        other.synchronize()
    first.synchronize()
    assert keeper.seen == keeper.expected(2, 3, 4, 5, 6, 7, 1)


@pytest.mark.parametrize("plain", [True, False])
def test_the_current_stream_has_its_own_block(machine: Machine, plain: bool) -> None:
    keeper = Keeper(machine, plain=plain)
    streams = [lp.Stream(blocking=False, device=machine.device) for _ in range(3)]
    launch = keeper.kernel[1, 1]
    for _ in range(2):
        for stream in streams:
            with stream:
                launch(*keeper.arguments(1))
    machine.device.synchronize()
    assert keeper.seen == keeper.expected(*[1] * 6)
    counts = keeper.kernel.argument_counts()
    assert (counts["uploads"], counts["skipped"], counts["slots"]) == (3, 3, 3)


@pytest.mark.machine(devices=2)
def test_each_device_has_its_own(machine: Machine) -> None:
    keepers = [Keeper(machine, device=device) for device in machine.devices]
    streams = [lp.Stream(blocking=False, device=device) for device in machine.devices]
    with streams[0].hold():
        for value in 1, 2, 1:
            for keeper, stream in zip(keepers, streams, strict=True):
                keeper.kernel[1, 1, stream](*keeper.arguments(value))
        streams[1].synchronize()
        assert [keeper.seen for keeper in keepers] == [[], keepers[1].expected(1, 2, 1)]
    streams[0].synchronize()
    assert keepers[0].seen == keepers[0].expected(1, 2, 1)
    for keeper in keepers:
        assert keeper.kernel.argument_counts()["uploads"] == 2
        keeper.kernel = None


def test_a_thread_may_end_before_its_launch(machine: Machine) -> None:
    """Its default stream goes with it, and the block with that."""
    keeper, holds = Keeper(machine), []

    def work() -> None:
        stream = machine.device.per_thread_stream
        holds.append(stream.hold())
        for value in 1, 2, 1:
            keeper.kernel[1, 1, stream](*keeper.arguments(value))

    apart(work)
    gc.collect()
    others = [lp.empty(SIZE + 16, "uint8", machine.device) for _ in range(20)]
    for other in others:
        other.fill(255, machine.streams(("nonblocking",))[0])
    holds.pop().release()
    machine.device.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 1)
    del others, other


def test_threads_share_a_kernel_and_a_stream(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    keeper = Keeper(machine, size=256)
    launch = keeper.kernel[1, 1, stream]

    def work(first: int) -> None:
        for turn in range(60):
            launch(*keeper.arguments(first + turn % 3))

    at_once(work, range(0, 40, 10))
    stream.synchronize()
    wanted = Counter(
        {value: 20 for first in range(0, 40, 10) for value in keeper.expected(first, first + 1, first + 2)}
    )
    assert Counter(keeper.seen) == wanted
