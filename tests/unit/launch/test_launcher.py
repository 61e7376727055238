"""Launchers: a kernel with its configuration, kept and called."""

import gc
import sys
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.threads import apart
from tests.unit.support.kernels import Keeper


def test_a_launcher_is_kept_and_called_again(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    b.fill(0, stream)
    launch = machine.kernel()[1, 1, stream]
    expected = 0
    for tag in range(5):
        launch(b, a, 16, tag)
        expected = _core.simulated_mix(expected, 1, tag)
    np.testing.assert_array_equal(b.to_numpy(stream), np.full(16, expected, np.uint32))
    assert launch(b, a, 0, 0) is None


def test_arguments_by_name(machine: Machine) -> None:
    keep = Keeper(machine, "int32", "float64", "uint8")
    for got in (keep(1, 2.5, 3), keep(a=1, b=2.5, c=3), keep(c=3, b=2.5, a=1), keep(1, c=3, b=2.5), keep(1, 2.5, c=3)):
        assert got == (1, 2.5, 3)


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((1, 2.5), {}, r"keep\(int a, double b, unsigned char c\): expected 3 arguments, got 2: pass 'c' too$"),
        ((1, 2.5, 3, 4), {}, "expected 3 arguments, got 4$"),
        ((), {}, "expected 3 arguments, got 0: pass 'a', 'b', 'c' too$"),
        ((1,), {"b": 2.5}, "missing arguments for 'c'"),
        ((), {"c": 3}, "missing arguments for 'a', 'b'"),
        ((1, 2.5, 3), {"d": 4}, "has no parameter 'd'"),
        ((1, 2.5), {"b": 2.5}, "parameter 'b' was passed by position and by name"),
        ((1, 2.5, 3, 4), {"c": 3}, "expected 3 arguments, got 5$"),
    ],
)
def test_arguments_that_do_not_fit_the_signature(machine: Machine, args: Any, kwargs: Any, message: str) -> None:
    keep = Keeper(machine, "int32", "float64", "uint8")
    with pytest.raises(lp.SignatureError, match=message):
        keep(*args, **kwargs)
    assert machine.machine.calls["launch"] == 0
    assert keep(1, 2.5, 3) == (1, 2.5, 3)


def test_signature_errors_are_type_errors_and_values_value_errors(machine: Machine) -> None:
    keep = Keeper(machine, "int8")
    with pytest.raises(TypeError):
        keep()
    with pytest.raises(TypeError):
        keep("x")
    with pytest.raises(
        ValueError, match="expected a number from -128 to 127, got 1000: .* declare the parameter as int"
    ):
        keep(1000)


def test_a_kernel_without_parameters(machine: Machine) -> None:
    keep = Keeper(machine)
    assert keep() == ()
    with pytest.raises(lp.SignatureError, match=r"keep\(\): expected 0 arguments, got 1$"):
        keep(1)


def test_a_bad_argument_submits_nothing(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    before = stream.submitted
    launch = machine.kernel()[1, 1, stream]
    with pytest.raises(lp.SignatureError, match=r"parameter 3 \(unsigned int tag\): expected an int"):
        launch(a, b, 1, None)
    assert stream.submitted == before


def test_no_stream_means_the_current_stream_at_the_call(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    launch = machine.kernel()[1, 1]
    launch(a, b, 0, 0)
    with stream:
        launch(a, b, 0, 0)
        machine.kernel()[1, 1, None](a, b, 0, 0)
        machine.kernel()[1, 1, machine.device.legacy_stream](a, b, 0, 0)
    launch(a, b, 0, 0)
    assert [queue for _, queue, *_ in machine.machine.log] == [0, 1, 1, 0, 0]


@pytest.mark.machine(devices=2)
def test_the_current_stream_of_another_device(machine: Machine) -> None:
    launch = machine.kernel()[1, 1]
    a, b = arrays(machine, 2)
    with (
        lp.Stream(device=machine.devices[1]),
        pytest.raises(
            lp.ArgumentValueError, match="got the current stream of 'Simulated 1': launch outside its `with`"
        ),
    ):
        launch(a, b, 0, 0)


def test_the_current_stream_is_the_threads_own(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    launch = machine.kernel()[1, 1]
    with stream:
        apart(launch, a, b, 0, 0)
    assert [queue for _, queue, *_ in machine.machine.log] == [0]


def test_a_launcher_keeps_its_stream_and_kernel(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    launch = machine.kernel()[1, 1, stream]
    machine.kept.clear()
    del stream
    gc.collect()
    launch(a, b, 0, 0)
    assert not machine.machine.queues[1].released


def test_it_says_what_it_is(machine: Machine) -> None:
    assert repr(machine.kernel()[2, (3, 4)]) == "<mix[(2, 1, 1), (3, 4, 1), None, 0]>"


def test_a_launch_allocates_nothing(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    launch = machine.kernel()[1, 1, stream]
    launch(a, b, 16, 1)
    before = sys.getallocatedblocks()
    for _ in range(100):
        launch(a, b, 16, 1)
    assert sys.getallocatedblocks() - before < 10


def test_a_launch_keeps_no_reference(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    number = 10**6 + 7
    before = [sys.getrefcount(value) for value in (a, b, number, stream)]
    launch = machine.kernel()[1, 1, stream]
    for _ in range(100):
        launch(a, b, 16, number)
        launch(dst=a, src=b, n=16, tag=number)
        with pytest.raises(lp.SignatureError):
            launch(a, b, number, "x")
    del launch
    gc.collect()
    assert [sys.getrefcount(value) for value in (a, b, number, stream)] == before
