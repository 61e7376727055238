"""Argument blocks when something fails or runs out, on the simulated driver: no launch reads what is not its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest

import launchpath as lp
from tests.simulated import Machine
from tests.unit.support.blocks import SIZE, Keeper, calls

# Bytes of the struct, an int and a wider one behind it: of 256 KiB 16 uploads are under way at most.
LARGE = (1 << 18) - 16


def test_an_upload_that_was_not_flushed_was_accepted(machine: Machine, stream: lp.Stream) -> None:
    """The driver has taken it, and so the launch behind it: the next synchronize tells of the flush, once."""
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    for value in 1, 2, 3, 4:
        launch(*keeper.arguments(value))
    machine.machine.fail("queue_flush")
    launch(*keeper.arguments(5))  # in the place of 1
    for value in 1, 5, 2:
        launch(*keeper.arguments(value))
    with pytest.raises(lp.DriverError, match="queue_flush"):
        stream.synchronize()
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 3, 4, 5, 1, 5, 2)


@pytest.mark.parametrize("call", ["copy", "launch", "queue_flush"])
@pytest.mark.parametrize("nth", [1, 2])
def test_refused_among_full_slots(machine: Machine, stream: lp.Stream, call: str, nth: int) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    for value in 1, 2, 3, 4:
        launch(*keeper.arguments(value))
    machine.machine.fail(call, nth)
    for value in 5, 6:
        try:
            launch(*keeper.arguments(value))
        except lp.DriverError:
            continue
    machine.machine.clear_faults()
    before = len(keeper.seen)
    for value in 1, 2, 3, 4, 5, 6, 5, 1:
        launch(*keeper.arguments(value))
    with pytest.raises(lp.DriverError) if call == "queue_flush" else nullcontext():
        stream.synchronize()
    assert keeper.seen[-8:] == keeper.expected(1, 2, 3, 4, 5, 6, 5, 1)
    assert all(record == keeper.arguments(record[1])[:2] for record in keeper.seen[before:])


def test_the_oldest_upload_is_waited_for_and_no_other(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    keeper = Keeper(machine, size=LARGE)
    launch = keeper.kernel[1, 1, stream]
    for value in range(15):
        launch(*keeper.arguments(value))
    calls(machine)
    launch(*keeper.arguments(15))
    assert keeper.kernel.argument_counts()["waits"] == 0
    assert not set(calls(machine)) & {"queue_finish", "free"}
    with release_when_waited_for(keeper, stream):
        for value in range(16, 40):
            launch(*keeper.arguments(value))
    assert not set(calls(machine)) & {"queue_finish", "free"}
    assert machine.device.memory_info()["in_use"] <= 40 * (LARGE + (LARGE >> 4)) + (4 << 20)
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))


@contextmanager
def release_when_waited_for(keeper: Keeper, stream: lp.Stream) -> Iterator[None]:
    """Hold a stream back until a launch of the keeper's has waited for an upload."""
    hold, over = stream.hold(), threading.Event()

    def release() -> None:
        while keeper.kernel.argument_counts()["waits"] == 0 and not over.wait(0.001):
            pass
        hold.release()

    thread = threading.Thread(target=release)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    assert keeper.kernel.argument_counts()["waits"] > 0


def test_a_wait_that_fails_is_reported(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine, size=LARGE)
    launch = keeper.kernel[1, 1, stream]
    for value in range(16):
        launch(*keeper.arguments(value))
    for nth in range(1, 100):  # some calls only look, and go on: how many come before a wait, other threads decide too
        machine.machine.fail("event_query", nth)
    with pytest.raises(lp.DriverError, match="event_query"):
        for value in range(16, 40):
            launch(*keeper.arguments(value))
    machine.machine.clear_faults()
    refused = value
    for value in range(refused, 40):
        launch(*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))


def test_a_failed_command_that_is_waited_for_is_reported_by_the_next_synchronize(
    machine: Machine, stream: lp.Stream
) -> None:
    machine.machine.background()
    keeper = Keeper(machine, size=LARGE)
    launch = keeper.kernel[1, 1, stream]
    with release_when_waited_for(keeper, stream):
        machine.machine.fail_command(0, 1, 3)  # the first launch, behind the hold
        for value in range(40):
            launch(*keeper.arguments(value))
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    assert keeper.seen == keeper.expected(*range(1, 40))
    launch(*keeper.arguments(39))
    stream.synchronize()
    assert keeper.seen[-1:] == keeper.expected(39)


def test_memory_that_runs_out_in_mid_launch(machine: Machine, stream: lp.Stream) -> None:
    """Deferred frees are drained, which waits for the launches that read the block: nothing of it is theirs to take."""
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    launch(*keeper.arguments(1))
    lp.empty(SIZE * 4, "uint8", machine.device).fill(255, stream)
    info = machine.device.memory_info()
    assert info["waiting"] >= SIZE * 4
    machine.device.set_memory_limit(info["in_use"] + info["waiting"])
    for value in 2, 1, 2:
        launch(*keeper.arguments(value))
    assert machine.device.memory_info()["waiting"] == 0
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 1, 2)


def test_no_memory_at_all_leaves_what_there_is(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    launch(*keeper.arguments(1))
    machine.device.set_memory_limit(machine.device.memory_info()["in_use"])
    for _ in range(3):
        with pytest.raises(lp.OutOfMemoryError):
            launch(*keeper.arguments(2))
    launch(*keeper.arguments(1))
    machine.device.set_memory_limit(None)
    launch(*keeper.arguments(2))
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 1, 2)
    assert keeper.kernel.argument_counts()["uploads"] == 2
