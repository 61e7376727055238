"""The memory of results, on the simulated driver: whose it is, and when it is used again."""

import gc

import pytest

import launchpath as lp
from launchpath._programs import result
from tests.fixtures import calls
from tests.simulated import Machine
from tests.unit.support.streams import KINDS, each
from tests.unit.support.tally import BINS, kernel, put

stream = each(*KINDS)


def test_results_held_cost_a_mark_each_and_no_wait(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    for held in ([launch(turn, None, None, None) for turn in range(50)] for _ in range(3)):
        assert [int(value) for value in held] == list(range(50))
    calls(machine)
    held = [launch(turn, None, None, None) for turn in range(50)]
    counts = calls(machine)
    assert (counts.pop("launch"), counts.pop("copy")) == (50, 50)
    assert set(counts) <= {"marker"}
    assert [int(value) for value in held] == list(range(50))
    assert not set(calls(machine)) & {"allocate", "free", "queue_finish"}


def test_held_results_take_few_allocations(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    calls(machine)
    held = [launch(turn, None, None, None) for turn in range(200)]
    assert calls(machine)["allocate"] <= 10
    assert [int(value) for value in held] == list(range(200))


def test_what_was_read_stays_when_its_memory_is_used_again(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning(bins=BINS)[1, 1, stream]
    total = lp.zeros(1, "uint32", machine.device, stream)
    read = [launch(total, 10 * turn, None, None).get() for turn in range(4)]
    assert [array.tolist() for array in read] == [[10 * turn + i for i in range(BINS)] for turn in range(4)]


@pytest.mark.parametrize("read", [False, True])
def test_of_large_ones_few_wait_for_their_next_use(machine: Machine, read: bool) -> None:
    stream = lp.Stream(blocking=False, device=machine.device)
    launch = kernel(machine, run=put).returning("total", bins=1 << 18)[1, 1, stream]
    held = [launch(turn, None, None) for turn in range(20)]
    assert machine.device.memory_info()["in_use"] >= 20 << 20
    if read:
        assert [held_result.total for held_result in held] == list(range(20))
    held.clear()
    stream.synchronize()
    assert machine.device.memory_info()["in_use"] <= 7 << 20  # 4 MiB, and one piece on the device
    del launch


def test_a_single_piece_of_device_memory_serves_all_launches(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    with stream.hold():
        before = machine.device.driver_device.used
        held = [launch(turn, None, None, None) for turn in range(100)]
        assert machine.device.driver_device.used - before <= 1024
    assert [int(value) for value in held] == list(range(100))


def test_streams_have_memory_of_their_own(machine: Machine) -> None:
    first_stream, other = (lp.Stream(blocking=False, device=machine.device) for _ in range(2))
    returning = kernel(machine, run=put).returning("total")
    with first_stream.hold():
        first = returning[1, 1, first_stream](1, None, None, None)
        second = [returning[1, 1, other](value, None, None, None) for value in range(5)]
        assert [int(value) for value in second] == list(range(5))
        assert not first.done
    assert int(first) == 1


def test_a_dropped_result_keeps_its_memory_from_others_while_it_is_written(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    with stream.hold():
        held = []
        for turn in range(60):
            value = launch(turn, None, None, None)
            if turn % 3 == 0:
                held.append(value)
            del value
    assert [int(value) for value in held] == list(range(0, 60, 3))


def test_dropped_results_are_used_again(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    for turn in range(1500):
        launch(turn, None, None, None)
        if turn % 100 == 0:
            stream.synchronize()
    stream.synchronize()
    calls(machine)
    for turn in range(100):
        launch(turn, None, None, None)
    assert set(calls(machine)) <= {"launch", "copy", "marker", "event_query", "event_wait"}


def test_many_large_ones_dropped_go_to_the_pool(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result, "_KEEP", 0)  # two pieces then
    stream = lp.Stream(blocking=False, device=machine.device)
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    with stream.hold():
        held = [launch(turn, None, None, None) for turn in range(20)]
        del held[::2]
        more = [launch(turn, None, None, None) for turn in range(20)]
    assert [int(value) for value in held] == list(range(1, 20, 2))
    assert [int(value) for value in more] == list(range(20))


def test_a_dropped_stream_and_kernel_leave_the_result(machine: Machine) -> None:
    before = machine.device.memory_info()["in_use"]
    stream = lp.Stream(blocking=False, device=machine.device)
    hold = stream.hold()
    returning = kernel(machine, run=put).returning("total")
    value, dropped = returning[1, 1, stream](1, None, None, None), returning[1, 1, stream](2, None, None, None)
    del stream, returning, dropped
    gc.collect()
    others = [lp.empty(64, "uint8", machine.device) for _ in range(20)]
    for other in others:
        other.fill(255)
    hold.release()
    assert int(value) == 1
    machine.device.synchronize()
    del value, others, other, hold
    gc.collect()
    assert machine.device.memory_info()["in_use"] == before


@pytest.mark.parametrize("nth", [1, 2])
def test_no_memory_for_a_result(machine: Machine, stream: lp.Stream, nth: int) -> None:
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    machine.machine.fail("allocate", nth)
    with pytest.raises(lp.LaunchpathError):
        launch(1, None, None, None)
    assert int(launch(2, None, None, None)) == 2
