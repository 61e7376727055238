"""Frozen steps: a run's commands, launched again with what they use."""

import gc

import numpy as np
import pytest

import launchpath as lp

N = 64


@pytest.fixture
def step():
    return lp.Step()


def test_the_last_run_is_launched_again(device, program, nonblocking, step):
    array = lp.zeros(N, "int32", device, nonblocking)
    for value in (1, 10):
        with step:
            for _ in range(6):
                program.add[1, N, nonblocking](array, value, N)
    frozen = step.freeze()
    for _ in range(3):
        frozen.launch()
    assert array.to_numpy(nonblocking).tolist() == [6 * 1 + 6 * 10 * 4] * N
    assert frozen.report().runs == 3


def test_streams_of_a_frozen_step_wait_for_each_other(device, program, nonblocking, side, step):
    first, second = lp.zeros(N, "int32", device, nonblocking), lp.zeros(N, "int32", device, nonblocking)
    side.wait(nonblocking.record())
    device.synchronize()
    with step:
        program.add[1, N, nonblocking](first, 1, N)
        side.wait(nonblocking.record())
        second.copy_from(first, side)
        program.add[1, N, side](second, 5, N)
        nonblocking.wait(side.record())
        program.add[1, N, nonblocking](first, 2, N)
    frozen = step.freeze()
    with nonblocking.hold():
        for _ in range(4):
            frozen.launch()
    assert first.to_numpy(nonblocking).tolist() == [15] * N
    assert second.to_numpy(side).tolist() == [3 * 4 + 1 + 5] * N


def test_it_keeps_arrays_kernels_and_streams(device, step):
    program = lp.compile("__global__ void count(int* at) { *at += 1; }", device=device)
    stream, at, copied = lp.Stream(device=device), lp.zeros(1, "int32", device), lp.zeros(1, "int32", device)
    device.synchronize()
    with step:
        program.count[1, 1, stream](at)
        copied.copy_from(at, stream)
    frozen = step.freeze()
    before = device.memory_info()["arrays"]
    del stream, at, program, step
    gc.collect()
    others = [lp.full(1, 7, "int32", device) for _ in range(8)]  # would take the array's place
    frozen.launch()
    device.synchronize()
    assert copied.to_numpy()[0] == 2
    assert [int(other.to_numpy()[0]) for other in others] == [7] * 8
    assert device.memory_info()["arrays"] == before + 8
    del frozen
    gc.collect()
    assert device.memory_info()["arrays"] == before + 7


def test_an_array_that_is_freed_stays_for_the_frozen_step(device, program, nonblocking, step):
    array, copied = lp.zeros(N, "int32", device, nonblocking), lp.zeros(N, "int32", device, nonblocking)
    with step:
        program.add[1, N, nonblocking](array, 1, N)
        copied.copy_from(array, nonblocking)
    frozen = step.freeze()
    array.free()
    frozen.launch()
    assert copied.to_numpy(nonblocking).tolist() == [2] * N


def test_it_is_launched_in_a_step(device, program, nonblocking, step):
    array = lp.zeros(N, "int32", device, nonblocking)
    with step:
        program.add[1, N, nonblocking](array, 1, N)
    frozen, outer = step.freeze(), lp.Step()
    for _ in range(3):
        with outer:
            program.add[1, N, nonblocking](array, 100, N)
            frozen.launch()
    assert array.to_numpy(nonblocking).tolist() == [304] * N
    assert outer.report().commands == 6


def nothing(device, stream, step):
    pass


def is_entered(device, stream, step):
    with step:
        step.freeze()


def reads_a_result(device, stream, step):
    array = lp.zeros(N, "int32", device, stream)
    with step:
        array.fill(1, stream)
        array.to_numpy(stream)


def uses_memory_that_was_freed(device, stream, step):
    with step:
        lp.zeros(N, "int32", device, stream)


def memory_is_anothers_by_now(device, stream, step):
    with step:
        lp.zeros(N, "int32", device, stream)
    step.others = [lp.zeros(N, "int32", device, stream) for _ in range(4)]


def waits_for_work_of_before(device, stream, step):
    array, event = lp.zeros(N, "int32", device, stream), lp.Event()
    stream.synchronize()
    other = lp.Stream(blocking=False, device=device)
    with other.hold():
        other.record(event)
        with step:
            stream.wait(event)
            array.fill(1, stream)
        step.freeze()


def fails(device, stream, step):
    try:
        with step:
            raise KeyError
    except KeyError:
        pass


REFUSED = {
    nothing: "run it once",
    is_entered: "freeze it when it was left",
    reads_a_result: "parts of it went to the driver before",
    uses_memory_that_was_freed: "freed since: keep the array until the step is frozen",
    memory_is_anothers_by_now: "freed since: keep the array until the step is frozen",
    waits_for_work_of_before: "recorded before them",
    fails: "run it again",
}


class Noted(lp.Step):
    """A step that keeps what a test wants kept."""

    others: object


@pytest.mark.parametrize("run", REFUSED, ids=lambda run: run.__name__)
def test_what_cannot_be_kept_is_refused(device, nonblocking, run):
    step = Noted()
    with pytest.raises(lp.LaunchpathError, match=REFUSED[run]):
        run(device, nonblocking, step)
        step.freeze()


def test_ordinary_host_memory_is_refused(device, nonblocking, step):
    array = lp.zeros(1 << 20, "uint8", device, nonblocking)
    with step:
        array.copy_from(np.ones(1 << 20, "uint8"), nonblocking)
    with pytest.raises(lp.LaunchpathError, match="host memory|went to the driver"):
        step.freeze()


def test_only_freeze_makes_a_frozen_step():
    with pytest.raises(TypeError, match=r"step\.freeze"):
        lp.FrozenStep()
