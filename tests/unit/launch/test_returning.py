"""Kernels that return values, on the simulated driver: what they take, what the driver is asked, and what is refused."""

import pydoc
import struct
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._programs.returning import Returning
from tests.fixtures import calls
from tests.simulated import Machine
from tests.threads import at_once
from tests.unit.support.streams import KINDS, each
from tests.unit.support.tally import BINS, kernel, put, signature

stream = each(*KINDS)


def test_the_others_go_by_position_and_by_name(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", zero=True)[1, 1, stream]
    bins = lp.empty(BINS, "float32", machine.device)
    assert int(launch(1, bins, None, raw=None)) == 1
    assert int(launch(raw=None, source=None, bins=bins, value=2)) == 2
    np.testing.assert_array_equal(bins.to_numpy(stream), [2, 3, 4, 5])


def test_the_order_is_that_of_the_names(machine: Machine, stream: lp.Stream) -> None:
    value = kernel(machine).returning(bins=BINS, total=1, zero=True)[1, 1, stream](5, None, None)
    bins, total = value
    assert (bins.shape, total.shape) == ((BINS,), (1,))
    np.testing.assert_array_equal(bins, [5, 6, 7, 8])
    assert total == [5]


def test_the_steady_path_is_launch_and_copy(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    assert int(launch(1, None, None, None)) == 1
    for turn in range(20):
        calls(machine)
        value = launch(turn, None, None, None)
        assert calls(machine) == {"launch": 1, "copy": 1}
        assert int(value) == turn
        assert not set(calls(machine)) - {"marker", "event_wait", "event_query"}


def test_zeroing_is_an_additional_fill(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", bins=BINS, zero=True)[1, 1, stream]
    first = launch(3, None, None)
    first.get()
    calls(machine)
    second = launch(4, None, None)
    assert calls(machine) == {"fill": 1, "launch": 1, "copy": 1}
    assert (first.total, second.total) == (3, 4)


def test_results_start_with_what_they_are_given(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", bins=BINS, initial={"total": 7, "bins": -0.5})[1, 1, stream]
    launch(3, None, None).get()
    calls(machine)
    assert launch(3, None, None).total == 10
    assert calls(machine)["fill"] == 2


def test_a_start_for_all_results_and_for_some(machine: Machine, stream: lp.Stream) -> None:
    both = kernel(machine).returning("total", bins=BINS, initial=2)
    assert both.initial == {"total": 2, "bins": 2.0} and both.initial["bins"].dtype == np.float32
    assert both[1, 1, stream](1, None, None).total == 3
    some = kernel(machine).returning("total", bins=BINS, initial={"total": 2})
    assert some[1, 1, stream](1, None, None).total == 3
    with pytest.raises(lp.ConfigurationError, match="as the kernel writes bins, got 0.*or initial="):
        some.over(0, stream=stream)
    total, bins = both.over(0, stream=stream)(1, None, None)
    assert (total, bins.tolist()) == (2, [2] * BINS)


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        (0.5, "initial: total: .*uint32.*fractional part"),
        (float("inf"), 'use numpy.iinfo\\("uint32"\\).max'),
        (-1, "initial: total: .*expected a value of uint32, 0 to 4294967295, got -1"),
        ("0", "initial: total: expected a number for uint32"),
        ([1, 2], "initial: total: expected a single value"),
        ({"bin": 0}, "expected values for total, bins, got one for 'bin', which is not returned"),
        ({"bins": 1e300}, "initial: bins: .*too large"),
    ],
)
def test_a_start_that_is_none_of_the_type(machine: Machine, initial: Any, message: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=message):
        kernel(machine).returning("total", bins=BINS, initial=initial)


def test_two_starts(machine: Machine) -> None:
    with pytest.raises(lp.ArgumentValueError, match="zero=True or initial=..., got both"):
        kernel(machine).returning("total", zero=True, initial=0)


def test_without_zeroing_the_next_launch_goes_on(machine: Machine, stream: lp.Stream) -> None:
    of = kernel(machine)
    launch = of.returning("total")[1, 1, stream]
    before = int(launch(0, None, None, None))
    assert int(launch(2, None, None, None)) == (before + 2) & 0xFFFFFFFF


def test_the_current_stream(machine: Machine) -> None:
    streams = [lp.Stream(blocking=False, device=machine.device) for _ in range(3)]
    launch = kernel(machine, run=put).returning("total")[1, 1]
    held = [launch(9, None, None, None)]
    for value, stream in enumerate(streams):
        with stream, stream.hold():
            held.append(launch(value, None, None, None))
    assert [int(value) for value in held] == [9, 0, 1, 2]


@pytest.mark.machine(devices=2)
def test_each_device_returns_its_own(machine: Machine) -> None:
    launches = [kernel(machine, device, put).returning("total")[1, 1] for device in machine.devices]
    held = [launch(turn, None, None, None) for turn in range(5) for launch in launches]
    assert [int(value) for value in held] == [turn for turn in range(5) for _ in launches]
    with (
        lp.Stream(blocking=False, device=machine.devices[1]),
        pytest.raises(lp.ArgumentValueError, match="expected a stream of .*, got (a|the current) stream of"),
    ):
        launches[0](1, None, None, None)
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of .*, got (a|the current) stream of"):
        kernel(machine).returning("total")[1, 1, machine.devices[1].legacy_stream]


def test_threads_launch_and_read(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    launch, wrong = kernel(machine).returning("total", bins=BINS, zero=True)[1, 1, stream], []

    def work(first: int) -> None:
        held = []
        for turn in range(60):
            held.append((first + turn, launch(first + turn, None, None)))
            if turn % 7 == 6:
                for value, got in held:
                    if (got.total, list(got.bins)) != (value, [value + i for i in range(BINS)]):
                        wrong.append((value, got.get()))
                held = held[:0]

    at_once(lambda number: work(1000 * number), range(1, 5))
    assert not wrong


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


def test_a_refused_copy_is_reported_by_the_result(machine: Machine, stream: lp.Stream) -> None:
    """The launch was accepted: were it to raise, whoever launches again would have it twice."""
    launch = kernel(machine).returning("total", zero=True)[1, 1, stream]
    machine.machine.fail("copy")
    result = launch(1, None, None, None)
    assert machine.machine.calls["launch"] == 1
    assert result.done
    for _ in range(2):
        with pytest.raises(lp.DriverError, match="copy failed"):
            result.get()
    assert int(launch(2, None, None, None)) == 2


@pytest.mark.parametrize("call", ["fill", "launch"])
def test_a_refused_call_leaves_it_usable(machine: Machine, stream: lp.Stream, call: str) -> None:
    launch = kernel(machine).returning("total", zero=True)[1, 1, stream]
    for turn in range(3):
        machine.machine.fail(call)
        with pytest.raises(lp.DriverError):
            launch(1, None, None, None)
        assert int(launch(turn, None, None, None)) == turn


def test_arguments_by_a_block(machine: Machine, stream: lp.Stream) -> None:
    def run(call: Any) -> None:
        total, value = struct.unpack_from("Qi", call.bytes(call.args[0], 40))
        struct.pack_into("I", call.bytes(total, 4), 0, value)

    # The machine sees no pointer but the block's, so it cannot tell who touches what: the order is what is tested.
    machine.device.driver_device.implement("tally", run, [("pointer", 0, 8, True)])
    of = lp.Kernel(machine.device.driver_device.build("").kernel("tally"), machine.device, signature(block=True))
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
    with pytest.raises(lp.ConfigurationError, match="tally: .* does not suggest a block"):
        returning.suggest_block(most=64)
    with pytest.raises(lp.ConfigurationError, match="tally: .* does not report how many blocks"):
        returning.occupancy(64)
    assert "returning total, bins" in repr(returning)
    assert "returning total, bins" in repr(returning[1, 1])
    with pytest.raises(TypeError, match="expected a grid and a block"):
        returning(1)
    with pytest.raises(lp.ConfigurationError, match="expected dimensions of the block"):
        returning[1, 0]


def test_a_launch_to_keep(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=put).returning("total").bind(grid=1, block=1, shared=0, stream=stream)
    assert [int(launch(turn, None, None, None)) for turn in range(3)] == [0, 1, 2]


def test_its_text_names_parameters_and_results(machine: Machine) -> None:
    text = pydoc.render_doc(kernel(machine).returning("total", bins=(2, 2)))
    assert "tally(int value, const float *source, void *raw) returns total: uint32, bins: float32[2][2]" in text
    assert "value: int, 4" in text
    assert "bins: float32, (2, 2)" in text
    assert "Made by `Kernel.returning`" in pydoc.render_doc(Returning)


def test_results_are_listed_in_the_order_of_the_call(machine: Machine) -> None:
    launch = kernel(machine).returning("total", "bins")[1, 1]
    with pytest.raises(lp.SignatureError, match="expected 3 arguments when it returns total, bins, got 4"):
        launch(1, None, None, None)


@pytest.mark.parametrize("shape", [1 << 62, 10**30, (1 << 31, 1 << 31)])
def test_more_than_any_device_has(machine: Machine, shape: Any) -> None:
    with pytest.raises(
        lp.OutOfMemoryError, match=r"any device has: parameter 2 \(float \*bins\) of shape .*: asked for"
    ):
        kernel(machine).returning("total", bins=shape)


@pytest.mark.parametrize(
    ("names", "shapes", "error", "match"),
    [
        ((), {}, lp.SignatureError, r"expected the names of parameters, got none. It can return 'total', 'bins'"),
        (("other",), {}, lp.SignatureError, "has no parameter 'other'. It can return 'total', 'bins'"),
        ((3,), {}, lp.SignatureError, "expected the name of a parameter, a str, got 3"),
        (("value",), {}, lp.SignatureError, r"parameter 1 \(int value\) is passed by value"),
        (("source",), {}, lp.SignatureError, r"parameter 3 \(const float \*source\) points to const"),
        (("raw",), {}, lp.SignatureError, r"parameter 4 \(void \*raw\) has no element type"),
        (("total", "total"), {}, lp.SignatureError, "'total' was named twice"),
        (("total",), {"total": 2}, lp.SignatureError, "'total' was named twice"),
        (
            (),
            {"bins": 0},
            lp.ArgumentValueError,
            r"parameter 2 \(float \*bins\): expected a shape, an int of 1 or more",
        ),
        ((), {"bins": -1}, lp.ArgumentValueError, "got -1"),
        ((), {"bins": (2, 0)}, lp.ArgumentValueError, r"got \(2, 0\)"),
        ((), {"bins": 2.0}, lp.ArgumentValueError, "got 2.0"),
        ((), {"bins": True}, lp.ArgumentValueError, "got True"),
        ((), {"bins": None}, lp.ArgumentValueError, "got None"),
        (("total",), {"zero": 4}, lp.ArgumentValueError, "zero: expected True or False, got 4"),
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
        ((1, None, None, None), {"total": None}, "parameter 'total' is returned, so it is not an argument: omit it"),
        ((1, None, None, None, None), {}, "expected 4 arguments when it returns total, got 5"),
        ((1, None), {}, "missing arguments for 'source', 'raw'"),
        ((1, None, None), {"value": 1}, "'value' was passed by position and by name"),
        ((1, None, None), {"other": 1}, "has no parameter 'other'"),
        (("one", None, None, None), {}, r"parameter 1 \(int value\)"),
    ],
)
def test_wrong_arguments(machine: Machine, args: tuple[Any, ...], kwargs: dict[str, Any], match: str) -> None:
    launch = kernel(machine).returning("total")[1, 1]
    with pytest.raises(lp.SignatureError, match=match):
        launch(*args, **kwargs)
    assert "copy" not in calls(machine)


def test_a_run_with_results_cannot_be_frozen(machine: Machine, stream: lp.Stream) -> None:
    """Later results use their memory again, which a frozen step would write to."""
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    bins, step = lp.empty(BINS, "float32", machine.device), lp.Step()
    with step:
        launch(1, None, None, None)
    with pytest.raises(lp.LaunchpathError, match=r"without results of kernel\.returning\(\), got one with them"):
        step.freeze()
    with step:
        bins.fill(1, stream)
    step.freeze().launch()
