"""The memory of argument blocks on the simulated driver: what is staged, its bound, and what is given back."""

import gc

import pytest

import launchpath as lp
from tests.simulated import Machine
from tests.unit.support.blocks import SIZE, Keeper
from tests.unit.support.streams import KINDS, each

stream = each(*KINDS, "per-thread")


def test_what_is_staged_stays_until_it_is_uploaded(machine: Machine, stream: lp.Stream) -> None:
    """A stream that is held back: none of many uploads reads what a later one wrote."""
    keeper = Keeper(machine)
    with stream.hold():
        for value in range(40):
            keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))
    assert keeper.kernel.argument_counts()["waits"] == 0


def test_who_never_synchronizes_needs_little_staging_memory(machine: Machine, stream: lp.Stream) -> None:
    """Markers among the uploads tell how far the device is."""
    keeper = Keeper(machine)
    for value in range(200):
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
        machine.machine.run()
    counts = keeper.kernel.argument_counts()
    assert (counts["slots"], counts["waits"]) == (4, 0)
    assert counts["growths"] <= counts["slots"] + 4
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(200))


def test_staging_is_bounded_then_the_oldest_is_waited_for(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    keeper = Keeper(machine, size=256 << 10)
    for value in range(40):
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))
    assert keeper.kernel.argument_counts()["growths"] <= 4 + 16


def test_more_than_the_bound_on_a_stream_that_is_held_back(machine: Machine, stream: lp.Stream) -> None:
    """Whoever launches holds it: the wait for the oldest upload ends, and the memory grows by the bound."""
    keeper = Keeper(machine, size=256 << 10)
    with stream.hold():
        for value in range(40):
            keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))
    assert keeper.kernel.argument_counts()["waits"] == 2
    for value in range(40):
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
        stream.synchronize()
    assert keeper.kernel.argument_counts()["waits"] == 2


@pytest.mark.parametrize("nth", range(1, 5))
def test_no_memory_for_a_block(machine: Machine, stream: lp.Stream, nth: int) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    machine.machine.fail("allocate", nth)
    for value in 1, 2, 3:
        try:
            launch(*keeper.arguments(value))
        except lp.LaunchpathError:
            launch(*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 3)


def test_a_dropped_stream_gives_its_block_back(machine: Machine) -> None:
    keeper = Keeper(machine)
    before = machine.device.memory_info()["in_use"]
    stream = lp.Stream(blocking=False, device=machine.device)
    hold = stream.hold()
    keeper.kernel[1, 1, stream](*keeper.arguments(1))
    assert machine.device.memory_info()["in_use"] > before
    del stream
    gc.collect()
    others = [lp.empty(SIZE * 2, "uint8", machine.device) for _ in range(20)]  # they must not get the block's memory
    for other in others:
        other.fill(255)
    hold.release()
    machine.device.synchronize()
    del others, other, hold
    assert keeper.seen == keeper.expected(1)
    assert machine.device.memory_info()["in_use"] == before


def test_a_dropped_kernel_gives_its_blocks_back(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    with stream.hold():
        keeper.kernel[1, 1, stream](*keeper.arguments(1))
        seen, expected = keeper.seen, keeper.expected(1)
        keeper.kernel = None
        gc.collect()
        others = [lp.empty(SIZE * 2, "uint8", machine.device) for _ in range(20)]
    machine.device.synchronize()
    assert seen == expected
    del others


def test_a_kernel_that_is_dropped_needs_no_collector(machine: Machine, stream: lp.Stream) -> None:
    keeper, before = Keeper(machine), machine.device.memory_info()["in_use"]
    gc.disable()
    try:
        keeper.kernel[1, 1, stream](*keeper.arguments(1))
        stream.synchronize()
        keeper.kernel = None
        assert machine.device.memory_info()["in_use"] == before
    finally:
        gc.enable()


def test_a_hundred_kernels_of_256_bytes_take_less_than_128_kib(machine: Machine, stream: lp.Stream) -> None:
    before = machine.device.memory_info()["in_use"]
    keepers = [Keeper(machine, size=236) for _ in range(100)]
    assert keepers[0].signature.size == 248
    for keeper in keepers:
        keeper.kernel[1, 1, stream](*keeper.arguments(1))
    stream.synchronize()
    assert machine.device.memory_info()["in_use"] - before <= 128 << 10
