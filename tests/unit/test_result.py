"""Kernels that return values, on the simulated driver: what the driver is asked, whose memory is whose, and the errors."""

from __future__ import annotations

import copy
import gc
import operator
import pickle
import pydoc
import struct
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import result
from launchpath.compiler import Parameter, Signature
from launchpath.returning import Returning
from tests.simulated import Machine
from tests.unit.kernels import Keeper

KINDS = ["legacy", "blocking", "nonblocking"]
BINS = 4


def signature(**more: Any) -> Signature:
    parameters = (
        Parameter("total", "unsigned int *", "pointer", 8, 8, 0, "uint32"),
        Parameter("value", "int", "int32", 4, 4, 8),
        Parameter("bins", "float *", "pointer", 8, 8, 16, "float32"),
        Parameter("source", "const float *", "pointer", 8, 8, 24, "float32", True),
        Parameter("raw", "void *", "pointer", 8, 8, 32),
    )
    return Signature("tally", parameters, 40, **more)


def _tally(call: Any) -> None:
    """Add `value` to `total`, and set `bins` if there are any."""
    total, value, bins = call.args[:3]
    at = call.bytes(total, 4)
    struct.pack_into("I", at, 0, (struct.unpack_from("I", at)[0] + value) & 0xFFFFFFFF)
    if bins:
        struct.pack_into(f"{BINS}f", call.bytes(bins, 4 * BINS), 0, *(value + i for i in range(BINS)))


def _set(call: Any) -> None:
    struct.pack_into("I", call.bytes(call.args[0], 4), 0, call.args[1])


ROWS = [("pointer", 0, 8, False, 4), ("int", 8, 4, True), ("pointer", 16, 8, False, 4 * BINS)]
ROWS += [("pointer", 24, 8, True), ("pointer", 32, 8, False)]


def kernel(machine: Machine, device: lp.Device | None = None, run: Any = _tally) -> lp.Kernel:
    device = device or machine.device
    device.driver.implement("tally", run, ROWS)
    return lp.Kernel(device.driver.build("").kernel("tally"), device, signature())


def calls(machine: Machine) -> dict[str, int]:
    """Count the driver's calls since the last time, flushes and releases of what was waited for left out."""
    made = {name: n for name, n in machine.machine.calls.items() if n}
    machine.machine.reset_calls()
    for name in ("queue_flush", "event_release", "uploaded", "downloaded"):  # the last two are bytes
        made.pop(name, None)
    return made


@pytest.fixture(params=KINDS)
def stream(machine: Machine, request: pytest.FixtureRequest) -> Iterator[lp.Stream]:
    yield machine.streams(tuple(KINDS))[KINDS.index(request.param)]
    request.node.funcargs.pop("stream")  # the machine closes next


def test_a_value_comes_back(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    value = launch(7, None, None, None)
    assert isinstance(value, lp.Result)
    assert repr(value) == "<Result total, not read>"
    assert (float(value), int(value), bool(value)) == (7.0, 7, True)
    assert isinstance(value.get(), np.uint32)
    assert value.total == value["total"] == 7
    assert np.asarray(value) == 7
    assert np.asarray(value, "float64").dtype == np.float64
    assert repr(value) == "<Result total=7>"


def test_the_others_go_by_position_and_by_name(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", zero=True)[1, 1, stream]
    bins = lp.empty(BINS, "float32", machine.device)
    assert int(launch(1, bins, None, raw=None)) == 1
    assert int(launch(raw=None, source=None, bins=bins, value=2)) == 2
    np.testing.assert_array_equal(bins.to_numpy(stream), [2, 3, 4, 5])


def test_several_are_named(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", bins=(2, 2), zero=True)[1, 1, stream]
    value = launch(5, None, None)
    assert repr(value) == "<Result total, bins, not read>"
    np.testing.assert_array_equal(value.bins, [[5, 6], [7, 8]])
    assert value.total == value[0] == value["total"] == 5
    assert value[-1] is value.bins
    assert len(value) == 2
    total, bins = value
    assert (total, bins.dtype) == (5, np.float32)
    assert value.get()[1] is bins
    assert repr(value) == "<Result total=5, bins: float32 (2, 2)>"
    assert {"total", "bins", "get"} <= set(dir(value))
    with pytest.raises(TypeError, match=r"float\(\) takes one value, the result has total, bins: .* result.total"):
        float(value)
    with pytest.raises(TypeError, match="numpy.asarray takes one value"):
        np.asarray(value)
    with pytest.raises(KeyError, match="'other'"):
        value["other"]
    with pytest.raises(IndexError, match="result 2 of 2"):
        value[2]
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        value.other  # noqa: B018


def test_the_order_is_that_of_the_names(machine: Machine, stream: lp.Stream) -> None:
    value = kernel(machine).returning(bins=BINS, total=1, zero=True)[1, 1, stream](5, None, None)
    bins, total = value
    assert (bins.shape, total.shape) == ((BINS,), (1,))
    np.testing.assert_array_equal(bins, [5, 6, 7, 8])
    assert total == [5]


def test_an_array_alone(machine: Machine, stream: lp.Stream) -> None:
    value = kernel(machine).returning(bins=BINS)[1, 1, stream](lp.empty(1, "uint32", machine.device), 1, None, None)
    np.testing.assert_array_equal(np.asarray(value), [1, 2, 3, 4])
    np.testing.assert_array_equal(value.get(), [1, 2, 3, 4])
    with pytest.raises(TypeError, match="bins has 4: result.get"):
        float(value)
    with pytest.raises(TypeError, match="returns bins alone"):
        value[0]


def test_the_steady_path_is_launch_and_copy(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    assert int(launch(1, None, None, None)) == 1
    for turn in range(20):
        calls(machine)
        value = launch(turn, None, None, None)
        assert calls(machine) == {"launch": 1, "copy": 1}
        assert int(value) == turn
        assert not set(calls(machine)) - {"marker", "event_wait", "event_query"}


def test_results_held_cost_a_mark_each_and_no_wait(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    for held in ([launch(turn, None, None, None) for turn in range(50)] for _ in range(3)):
        assert [int(value) for value in held] == list(range(50))
    calls(machine)
    held = [launch(turn, None, None, None) for turn in range(50)]
    made = calls(machine)
    assert (made.pop("launch"), made.pop("copy")) == (50, 50)
    assert set(made) <= {"marker"}
    assert [int(value) for value in held] == list(range(50))
    assert not set(calls(machine)) & {"allocate", "free", "queue_finish"}


def test_what_was_read_stays_when_its_memory_is_used_again(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning(bins=BINS)[1, 1, stream]
    total = lp.zeros(1, "uint32", machine.device, stream)
    read = [launch(total, 10 * turn, None, None).get() for turn in range(4)]
    assert [array.tolist() for array in read] == [[10 * turn + i for i in range(BINS)] for turn in range(4)]


def test_held_results_take_few_allocations(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    calls(machine)
    held = [launch(turn, None, None, None) for turn in range(200)]
    assert calls(machine)["allocate"] <= 10
    assert [int(one) for one in held] == list(range(200))


@pytest.mark.parametrize("read", [False, True])
def test_of_large_ones_few_wait_for_their_next_use(machine: Machine, read: bool) -> None:
    stream = lp.Stream(blocking=False, device=machine.device)
    launch = kernel(machine, run=_set).returning("total", bins=1 << 18)[1, 1, stream]
    held = [launch(turn, None, None) for turn in range(20)]
    assert machine.device.memory_info()["in_use"] >= 20 << 20
    if read:
        assert [one.total for one in held] == list(range(20))
    held.clear()
    stream.synchronize()
    assert machine.device.memory_info()["in_use"] <= 7 << 20  # 4 MiB, and one piece on the device
    del launch


def test_zeroing_is_one_fill_more(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", bins=BINS, zero=True)[1, 1, stream]
    first = launch(3, None, None)
    first.get()
    calls(machine)
    second = launch(4, None, None)
    assert calls(machine) == {"fill": 1, "launch": 1, "copy": 1}
    assert (first.total, second.total) == (3, 4)


def test_without_zeroing_the_next_launch_goes_on(machine: Machine, stream: lp.Stream) -> None:
    of = kernel(machine)
    launch = of.returning("total")[1, 1, stream]
    before = int(launch(0, None, None, None))
    assert int(launch(2, None, None, None)) == (before + 2) & 0xFFFFFFFF


def test_reading_what_is_known_to_be_complete_asks_nobody(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    value = launch(1, None, None, None)
    stream.synchronize()
    calls(machine)
    assert value.done
    assert int(value) == 1
    assert not calls(machine)


def test_done_does_not_block_and_reading_waits_for_its_own_point(machine: Machine) -> None:
    stream = lp.Stream(blocking=False, device=machine.device)
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    with stream.hold():
        value = launch(1, None, None, None)
        assert not value.done
        assert repr(value) == "<Result total, not read>"
    later = stream.hold()
    other = launch(2, None, None, None)
    assert int(value) == 1  # while the stream is held back again
    assert value.done
    assert not other.done
    later.release()
    assert int(other) == 2


def test_one_piece_of_device_memory_serves_all_launches(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    with stream.hold():
        before = machine.device.driver.used
        held = [launch(turn, None, None, None) for turn in range(100)]
        assert machine.device.driver.used - before <= 1024
    assert [int(value) for value in held] == list(range(100))


def test_a_dropped_result_keeps_its_memory_from_others_while_it_is_written(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
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
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
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
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
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
    returning = kernel(machine, run=_set).returning("total")
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


def test_streams_have_memory_of_their_own(machine: Machine) -> None:
    one, other = lp.Stream(blocking=False, device=machine.device), lp.Stream(blocking=False, device=machine.device)
    returning = kernel(machine, run=_set).returning("total")
    with one.hold():
        first = returning[1, 1, one](1, None, None, None)
        second = [returning[1, 1, other](value, None, None, None) for value in range(5)]
        assert [int(value) for value in second] == list(range(5))
        assert not first.done
    assert int(first) == 1


def test_the_current_stream(machine: Machine) -> None:
    streams = [lp.Stream(blocking=False, device=machine.device) for _ in range(3)]
    launch = kernel(machine, run=_set).returning("total")[1, 1]
    held = [launch(9, None, None, None)]
    for value, stream in enumerate(streams):
        with stream, stream.hold():
            held.append(launch(value, None, None, None))
    assert [int(value) for value in held] == [9, 0, 1, 2]


@pytest.mark.machine(devices=2)
def test_each_device_returns_its_own(machine: Machine) -> None:
    launches = [kernel(machine, device, _set).returning("total")[1, 1] for device in machine.devices]
    held = [launch(turn, None, None, None) for turn in range(5) for launch in launches]
    assert [int(value) for value in held] == [turn for turn in range(5) for _ in launches]
    with (
        lp.Stream(blocking=False, device=machine.devices[1]),
        pytest.raises(lp.ArgumentValueError, match="stream is of"),
    ):
        launches[0](1, None, None, None)
    with pytest.raises(lp.ArgumentValueError, match="stream is of"):
        kernel(machine).returning("total")[1, 1, machine.devices[1].legacy_stream]


def test_threads_launch_and_read(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    launch, wrong = kernel(machine).returning("total", bins=BINS, zero=True)[1, 1, stream], []

    def work(first: int) -> None:
        try:
            held = []
            for turn in range(60):
                held.append((first + turn, launch(first + turn, None, None)))
                if turn % 7 == 6:
                    for value, got in held:
                        if (got.total, list(got.bins)) != (value, [value + i for i in range(BINS)]):
                            wrong.append((value, got.get()))
                    held = held[:0]
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(1000 * number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_threads_read_one_result(machine: Machine, stream: lp.Stream) -> None:
    launch, seen = kernel(machine, run=_set).returning("total")[1, 1, stream], []
    for turn in range(10):
        hold = stream.hold()
        value = launch(turn, None, None, None)
        threads = [threading.Thread(target=lambda: seen.append(int(value))) for _ in range(3)]  # noqa: B023
        for thread in threads:
            thread.start()
        threads[0].join(0.005)  # all are waiting by then
        hold.release()
        for thread in threads:
            thread.join()
        pair = launch(7, None, None, None), launch(8, None, None, None)  # its memory went back once
        assert [int(one) for one in pair] == [7, 8]
    assert seen == [turn for turn in range(10) for _ in range(3)]


class Launching(int):
    """An int that launches the same kernel while it is packed."""

    launch: Any = None
    inner: Any = None

    def __int__(self) -> int:
        self.inner = self.launch(6, None, None, None)
        return 5


def test_a_launch_within_packing_tears_nothing(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", zero=True)[1, 1, stream]
    launching = Launching(5)
    launching.launch = launch
    value = launch(launching, None, None, None)
    assert (int(value), int(launching.inner)) == (5, 6)


@pytest.mark.parametrize("call", ["fill", "launch", "copy"])
def test_a_refused_call_leaves_it_usable(machine: Machine, stream: lp.Stream, call: str) -> None:
    launch = kernel(machine).returning("total", zero=True)[1, 1, stream]
    for turn in range(3):
        machine.machine.fail(call)
        with pytest.raises(lp.DriverError):
            launch(1, None, None, None)
        assert int(launch(turn, None, None, None)) == turn


@pytest.mark.parametrize("nth", [1, 2])
def test_no_memory_for_a_result(machine: Machine, stream: lp.Stream, nth: int) -> None:
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    machine.machine.fail("allocate", nth)
    with pytest.raises(lp.LaunchpathError):
        launch(1, None, None, None)
    assert int(launch(2, None, None, None)) == 2


@pytest.mark.parametrize("synchronized", [False, True])
@pytest.mark.parametrize("number", [1, 2])
def test_reading_tells_of_a_failure_each_time(machine: Machine, number: int, synchronized: bool) -> None:
    """Of the launch, command 1, or of the copy."""
    stream = lp.Stream(blocking=False, device=machine.device)
    machine.machine.fail_command(0, 1, number)
    launch = kernel(machine, run=_set).returning("total")[1, 1, stream]
    value = launch(1, None, None, None)
    if synchronized:
        with pytest.raises(lp.AsynchronousError):
            stream.synchronize()
    for _ in range(2):
        with pytest.raises(lp.AsynchronousError):
            int(value)
    assert repr(value) == "<Result total, not read>"
    if not synchronized:
        with pytest.raises(lp.AsynchronousError):
            stream.synchronize()
    assert int(launch(2, None, None, None)) == 2


def test_arguments_by_a_block(machine: Machine, stream: lp.Stream) -> None:
    def run(call: Any) -> None:
        total, value = struct.unpack_from("Qi", call.bytes(call.args[0], 40))
        struct.pack_into("I", call.bytes(total, 4), 0, value)

    # The machine sees no pointer but the block's, so it cannot tell who touches what: the order is what is tested.
    machine.device.driver.implement("tally", run, [("pointer", 0, 8, True)])
    of = lp.Kernel(machine.device.driver.build("").kernel("tally"), machine.device, signature(block=True))
    launch = of.returning("total")[1, 1, stream]
    assert int(launch(3, None, None, None)) == 3
    calls(machine)
    value = launch(3, None, None, None)
    assert calls(machine) == {"launch": 1, "copy": 1}  # the same piece again: nothing to upload
    assert int(value) == 3
    with stream.hold():
        held = [launch(turn, None, None, None) for turn in range(10)]
    assert [int(value) for value in held] == list(range(10))


def test_the_kernel_behind_it(machine: Machine) -> None:
    of = kernel(machine)
    returning = of.returning("total", bins=2)
    assert (returning.kernel, returning.name, returning.device) == (of, "tally", machine.device)
    assert returning.signature is of.signature
    assert returning.argument_counts() == of.argument_counts()
    with pytest.raises(lp.ConfigurationError, match="tally: .* suggests no block"):
        returning.suggest_block(most=64)
    with pytest.raises(lp.ConfigurationError, match="tally: .* does not tell how many blocks"):
        returning.occupancy(64)
    assert "returning total, bins" in repr(returning)
    assert "returning total, bins" in repr(returning[1, 1])
    with pytest.raises(TypeError, match="needs a grid and a block"):
        returning(1)
    with pytest.raises(lp.ConfigurationError, match="every dimension of the block"):
        returning[1, 0]


def test_a_launch_to_keep(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=_set).returning("total").bind(grid=1, block=1, shared=0, stream=stream)
    assert [int(launch(turn, None, None, None)) for turn in range(3)] == [0, 1, 2]


def test_it_says_what_is_given_and_what_is_returned(machine: Machine) -> None:
    said = pydoc.render_doc(kernel(machine).returning("total", bins=(2, 2)))
    assert "tally(int value, const float *source, void *raw) returns total: uint32, bins: float32[2][2]" in said
    assert "value: int, 4" in said
    assert "bins: float32, (2, 2)" in said
    assert "Made by `Kernel.returning`" in pydoc.render_doc(Returning)


def test_results_are_told_in_the_order_given(machine: Machine) -> None:
    launch = kernel(machine).returning("total", "bins")[1, 1]
    with pytest.raises(lp.SignatureError, match="takes 3 arguments when it returns total, bins, given 4"):
        launch(1, None, None, None)


@pytest.mark.parametrize("shape", [1 << 62, 10**30, (1 << 31, 1 << 31)])
def test_more_than_any_device_has(machine: Machine, shape: Any) -> None:
    with pytest.raises(
        lp.OutOfMemoryError, match=r"any device has: parameter 2 \(float \*bins\) of shape .*: asked for"
    ):
        kernel(machine).returning("total", bins=shape)


def test_a_number_that_returns_is_used_as_one(machine: Machine) -> None:
    launch = kernel(machine, run=_set).returning("total")[1, 1]
    assert [10, 20, 30][launch(2, None, None, None)] == 30
    assert f"{launch(7, None, None, None):>4}" == "   7"
    assert (item := launch(7, None, None, None).item()) == 7 and type(item) is int
    assert f"{launch(7, None, None, None)}" == "<Result total, not read>"
    bins = kernel(machine).returning(bins=BINS, zero=True)[1, 1]
    one = kernel(machine).returning("bins")[1, 1]
    total = lp.empty(1, "uint32", machine.device)
    with pytest.raises(TypeError, match="an index is an int, bins is float32"):
        [][one(total, 1, None, None)]
    with pytest.raises(TypeError, match="the format '.2f' takes one value, bins has 4"):
        f"{bins(total, 1, None, None):.2f}"
    for several in (operator.index, lp.Result.item):
        with pytest.raises(TypeError, match="takes one value, bins has 4"):
            several(bins(total, 1, None, None))


@pytest.mark.parametrize(
    ("kind", "match"),
    [
        ("int32", r"wants an int, given the Result <Result total, not read>: take int\(result\), which waits"),
        ("float32", r"wants a number, given the Result .*: take float\(result\), which waits"),
        ("bool", r"wants a bool, given the Result .*: take bool\(result\), which waits"),
        (
            "pointer",
            "wants an array on the device, given the Result .*: launch the kernel that returns it with an array",
        ),
    ],
)
def test_a_result_is_no_argument(machine: Machine, kind: str, match: str) -> None:
    value = kernel(machine, run=_set).returning("total")[1, 1](7, None, None, None)
    with pytest.raises(lp.SignatureError, match=match):
        Keeper(machine, kind)(value)


def test_a_result_is_of_this_process(machine: Machine) -> None:
    value = kernel(machine, run=_set).returning("total")[1, 1](1, None, None, None)
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"result.get\(\)") as raised:
            attempt(value)
        assert type(raised.value) is TypeError


@pytest.mark.parametrize(
    ("names", "shapes", "error", "match"),
    [
        ((), {}, lp.SignatureError, r"which of the parameters\? It can return 'total', 'bins'"),
        (("other",), {}, lp.SignatureError, "has no parameter 'other'. It can return 'total', 'bins'"),
        ((3,), {}, lp.SignatureError, "has no parameter 3"),
        (("value",), {}, lp.SignatureError, r"parameter 1 \(int value\) is passed by value"),
        (("source",), {}, lp.SignatureError, r"parameter 3 \(const float \*source\) points to const"),
        (("raw",), {}, lp.SignatureError, r"parameter 4 \(void \*raw\) does not tell a type"),
        (("total", "total"), {}, lp.SignatureError, "'total' was named twice"),
        (("total",), {"total": 2}, lp.SignatureError, "'total' was named twice"),
        ((), {"bins": 0}, lp.ArgumentValueError, r"parameter 2 \(float \*bins\): a shape is an int of 1 or more"),
        ((), {"bins": -1}, lp.ArgumentValueError, "not -1"),
        ((), {"bins": (2, 0)}, lp.ArgumentValueError, r"not \(2, 0\)"),
        ((), {"bins": 2.0}, lp.ArgumentValueError, "not 2.0"),
        ((), {"bins": True}, lp.ArgumentValueError, "not True"),
        ((), {"bins": None}, lp.ArgumentValueError, "not None"),
        (("total",), {"zero": 4}, lp.ArgumentValueError, "zero is True or False, not 4"),
    ],
)
def test_what_cannot_be_returned(
    machine: Machine, names: tuple[Any, ...], shapes: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        kernel(machine).returning(*names, **shapes)


@pytest.mark.parametrize(
    ("args", "kwargs", "match"),
    [
        ((1, None, None, None), {"total": None}, "parameter 'total' is returned, so it is not given: leave it out"),
        ((1, None, None, None, None), {}, "takes 4 arguments when it returns total, given 5"),
        ((1, None), {}, "nothing was given for 'source', 'raw'"),
        ((1, None, None), {"value": 1}, "'value' was given by position and by name"),
        ((1, None, None), {"other": 1}, "has no parameter 'other'"),
        (("one", None, None, None), {}, r"parameter 1 \(int value\)"),
    ],
)
def test_wrong_arguments(machine: Machine, args: tuple[Any, ...], kwargs: dict[str, Any], match: str) -> None:
    launch = kernel(machine).returning("total")[1, 1]
    with pytest.raises(lp.SignatureError, match=match):
        launch(*args, **kwargs)
    assert "copy" not in calls(machine)
