"""Launches over a number of elements, `Kernel.over`: the grid that follows from it, and that 0 elements launch nothing."""

from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import arrays, calls
from tests.simulated import Machine
from tests.unit.support.kernels import Keeper
from tests.unit.support.tally import kernel as tally


@pytest.mark.parametrize(
    ("n", "block", "grid", "threads"),
    [
        (1, 256, (1, 1, 1), (256, 1, 1)),
        (256, 256, (1, 1, 1), (256, 1, 1)),
        (257, 256, (2, 1, 1), (256, 1, 1)),
        (np.int64(1000), 1, (1000, 1, 1), (1, 1, 1)),
        ((640, 480), (32, 8), (20, 60, 1), (32, 8, 1)),
        ((641, 481), (32, 8), (21, 61, 1), (32, 8, 1)),
        ([641, 481], 128, (6, 481, 1), (128, 1, 1)),
        ((5, 6, 7), [2, 4, 4], (3, 2, 2), (2, 4, 4)),
        (1000, (64, 1, 1), (16, 1, 1), (64, 1, 1)),
        ((1 << 31) - 1, 1, ((1 << 31) - 1, 1, 1), (1, 1, 1)),
        ((1 << 31) - 1 << 10, 1024, ((1 << 31) - 1, 1, 1), (1024, 1, 1)),
    ],
)
def test_the_grid_is_rounded_up(machine: Machine, n: Any, block: Any, grid: Any, threads: Any) -> None:
    kernel = machine.kernel()
    assert repr(kernel.over(n, block)) == repr(kernel[grid, threads]) == f"<mix[{grid}, {threads}, None, 0]>"


def test_the_driver_gets_that_grid(machine: Machine) -> None:
    keep = Keeper(machine, "int32")
    launch = keep.kernel.over(1000, stream=keep.stream)
    launch(3)
    launch(a=4)
    keep.stream.synchronize()
    assert [(call.grid, call.block, call.args) for call in keep.calls] == [
        ((4, 1, 1), (256, 1, 1), (3,)),
        ((4, 1, 1), (256, 1, 1), (4,)),
    ]


def test_it_is_what_an_index_gives(machine: Machine, stream: lp.Stream) -> None:
    kernel = machine.kernel()
    assert type(kernel.over(5)) is type(kernel[1, 1])
    a, b = arrays(machine, 2)
    kernel.over(5)(a, b, 0, 0)
    with stream:
        kernel.over(5)(a, b, 0, 0)
    kernel.over(5, stream=stream)(a, b, 0, 0)
    assert [queue for _, queue, *_ in machine.machine.log] == [0, 1, 1]


@pytest.mark.parametrize(
    ("n", "more", "message"),
    [
        (-1, {}, r"mix.over: expected the number of elements, an int of 0 or more or .* got -1$"),
        ((4, -1), {}, r"got \(4, -1\)$"),
        (1.5, {}, r"got 1.5$"),
        (True, {}, r"got True$"),
        (None, {}, r"got None$"),
        ((), {}, r"got \(\)$"),
        ((1, 2, 3, 4), {}, r"got \(1, 2, 3, 4\)$"),
        (1 << 70, {}, r"got 1180591620717411303424$"),
        (np.zeros(3), {}, r": pass the number of its elements, its size$"),
        (1 << 40, {}, r"expected a grid of at most \d+ blocks in x .*, got 4294967296 for 1099511627776 elements: let"),
        (1 << 39, {}, r"expected a grid of at most 2147483647 blocks in x .*, got 2147483648: let"),
        (8, {"block": (4, 4)}, r"a block of 1 dimension, as n has, got \(4, 4\): the threads in y would"),
        ((8, 8), {"block": (4, 4, 2)}, r"a block of 2 dimensions, as n has, .*: the threads in z would"),
        (8, {"block": 0}, r"dimensions of the block from 1"),
        (0, {"block": 4096}, r"a block of at most 1024 threads"),
        (8, {"shared": -1}, r"dynamic shared memory in bytes, an int, got -1$"),
    ],
)
def test_what_is_no_number_of_elements(machine: Machine, n: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(lp.ConfigurationError, match=message):
        machine.kernel().over(n, **more)


def test_a_stream_in_the_place_of_shared_memory(machine: Machine, stream: lp.Stream) -> None:
    with pytest.raises(lp.ConfigurationError, match="got <Stream .*: pass it as stream=$"):
        machine.kernel().over(8, 4, stream)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [0, (0, 4), (4, 0), (3, 4, 0)])
def test_no_elements_call_no_driver(machine: Machine, stream: lp.Stream, n: Any) -> None:
    a, b = arrays(machine, 2)
    launch = machine.kernel().over(n, stream=stream)
    before = stream.submitted
    calls(machine)
    launch(a, b, 0, 0)
    launch(dst=a, src=b, n=0, tag=0)
    launch(a, b, tag=0, n=0)
    launch.packed(bytes(24))
    assert calls(machine) == {}
    assert stream.submitted == before


def test_memory_that_is_awaited_is_not_awaited_for_nothing(machine: Machine) -> None:
    """A launch would let its stream wait for the stream that made the array."""
    one, other = machine.streams(("nonblocking", "nonblocking"))
    with one:
        lp.zeros(16, "uint32", machine.device)
        a = lp.empty(16, "uint32", machine.device)  # where that was, which is still to be filled
    calls(machine)
    machine.kernel().over(0, stream=other)(a, a, 0, 0)
    assert calls(machine) == {}
    machine.kernel().over(1, stream=other)(a, a, 0, 0)
    assert calls(machine) == {"launch": 1, "marker": 1}
    other.synchronize()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((1,), "expected 2 arguments, got 1: pass 'b' too"),
        ((1, 2.0, 3), "expected 2 arguments, got 3"),
        ((1.5, 2.0), r"parameter 0 \(int a\): expected an int"),
        ((1 << 40, 2.0), "expected a number from"),
    ],
)
def test_no_elements_with_wrong_arguments(machine: Machine, args: Any, message: str) -> None:
    keep = Keeper(machine, "int32", "float64")
    with pytest.raises((lp.SignatureError, lp.ArgumentValueError), match=message):
        keep.kernel.over(0)(*args)
    with pytest.raises(lp.SignatureError, match="has no parameter 'c'"):
        keep.kernel.over(0)(1, c=2.0)


def test_no_elements_with_wrong_arrays(machine: Machine) -> None:
    kernel = machine.kernel()
    (a,) = arrays(machine, 1)
    with pytest.raises(lp.SignatureError, match="expected an array of uint32, got an array of float32"):
        kernel.over(0)(a, lp.empty(4, "float32", machine.device), 0, 0)
    a.free()
    with pytest.raises(lp.FreedError):
        kernel.over(0)(a, None, 0, 0)


@pytest.mark.machine(devices=2)
def test_no_elements_on_another_device(machine: Machine) -> None:
    launch = machine.kernel().over(0)
    with (
        lp.Stream(device=machine.devices[1]),
        pytest.raises(lp.ArgumentValueError, match="got the current stream of 'Simulated 1'"),
    ):
        launch(None, None, 0, 0)


def test_a_step_leaves_launches_over_nothing_out(machine: Machine, stream: lp.Stream) -> None:
    """And is another sequence where the number is not 0: each time the results are those without a step."""
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    kernel, step = machine.kernel(), lp.Step()
    calls(machine)
    launched = []
    for n in (0, 16, 0, 0, 16, 16):
        with step:
            kernel.over(n, stream=stream)(b, a, n, 1)
        launched.append(calls(machine).get("launch", 0))
    assert launched == [0, 1, 0, 0, 1, 1]
    report = step.report()
    assert (report.runs, report.commands, report.direct) == (6, 3, 0)
    stream.synchronize()


def test_a_frozen_step_has_no_such_launch(machine: Machine, stream: lp.Stream) -> None:
    keep = Keeper(machine, "int32")
    step = lp.Step()
    with step:
        keep.kernel.over(0, stream=keep.stream)(1)
        keep.kernel.over(8, stream=keep.stream)(2)
        keep.kernel.over(0, stream=keep.stream)(3)
    frozen = step.freeze()
    frozen.launch()
    frozen.launch()
    keep.stream.synchronize()
    assert [call.args for call in keep.calls] == [(2,), (2,), (2,)]
    assert frozen.report().commands == 2


def test_a_step_of_nothing_cannot_be_frozen(machine: Machine, stream: lp.Stream) -> None:
    step = lp.Step()
    with step:
        machine.kernel().over(0, stream=stream)(None, None, 0, 0)
    with pytest.raises(lp.LaunchpathError, match="expected a last run with commands, got one without any"):
        step.freeze()


def test_a_graph_has_no_such_launch(machine: Machine) -> None:
    keep = Keeper(machine, "int32")
    keep.stream.begin_capture()
    keep.kernel.over(0, stream=keep.stream)(1)
    keep.kernel.over(300, stream=keep.stream)(2)
    graph = keep.stream.end_capture()
    assert len(graph) == 1
    graph.instantiate().launch(keep.stream)
    keep.stream.synchronize()
    assert [(call.grid, call.args) for call in keep.calls] == [((2, 1, 1), (2,))]


def test_wrapped_arrays_are_as_without_a_write(machine: Machine, stream: lp.Stream) -> None:
    values = np.arange(4, dtype="uint32")
    both = lp.InOut(values)
    machine.kernel().over(0, stream=stream)(both, lp.In(values.copy()), 0, 0)
    assert both.get().tolist() == [0, 1, 2, 3]


def test_a_kernel_that_returns_over_nothing(machine: Machine, stream: lp.Stream) -> None:
    returning = tally(machine).returning("total", zero=True)
    assert int(returning.over(0, stream=stream)(5, None, None, None)) == 0
    assert int(returning.over(1, 1, stream=stream)(5, None, None, None)) == 5


@pytest.mark.parametrize("n", [0, (0,), [3, 0]])
def test_what_no_kernel_would_write_is_not_returned(machine: Machine, n: Any) -> None:
    with pytest.raises(
        lp.ConfigurationError, match=r"over: expected at least 1 element, as the kernel writes total, got"
    ):
        tally(machine).returning("total").over(n, 1)


def test_arguments_by_a_block_are_not_uploaded_for_nothing(machine: Machine) -> None:
    keep = Keeper(machine, "int32", block=True)
    keep.kernel.over(0, stream=keep.stream)(1)
    assert keep.kernel.argument_counts()["uploads"] == 0


def test_a_launch_that_is_traced(machine: Machine, stream: lp.Stream, tmp_path: Any) -> None:
    a, b = arrays(machine, 2)
    with lp.trace(tmp_path / "a.lptrace", mode="host") as trace:
        machine.kernel().over(0, stream=stream)(a, b, 0, 0)
        machine.kernel().over(5, stream=stream)(a, b, 0, 0)
    (dispatches,) = trace.saved().dispatches()
    assert len(dispatches["started"]) == 1
