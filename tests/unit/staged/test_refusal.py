"""What In, Out and InOut do not take, and what does not take them."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.simulated import Machine
from tests.unit.support.staged import add, ints


def test_what_does_not_fit_the_parameter(machine: Machine) -> None:
    launch = add(machine)[1, 1]
    ok = lp.In(ints())
    with pytest.raises(
        lp.SignatureError, match=r"add: parameter 1 \(int \*y\): expected an array of int32, got launchpath"
    ):
        launch(ok, lp.Out(np.zeros(8, "f4")), 1, 8)
    with pytest.raises(
        lp.SignatureError, match=r"parameter 0 .*: expected .*, got launchpath.In of int64: wrap an array of"
    ):
        launch(lp.In(np.zeros(8, "i8")), None, 1, 8)
    for wrap in lp.Out, lp.InOut:
        with pytest.raises(lp.SignatureError, match=r"parameter 0 .*const int \*x.* is const.*use launchpath.In"):
            launch(wrap(np.zeros(8, "i4")), None, 1, 8)
    with pytest.raises(lp.SignatureError, match=r"parameter 2 \(int value\): expected an int, got the In"):
        launch(ok, None, ok, 8)


def test_structured_arrays_are_named_by_their_fields(machine: Machine) -> None:
    with pytest.raises(lp.SignatureError, match=r"got launchpath.In of \[\('a', '<f4'\), \('b', '<i4'\)\]: "):
        add(machine)[1, 1](lp.In(np.zeros(3, [("a", "f4"), ("b", "i4")])), None, 0, 0)


@pytest.mark.parametrize("wrap", [lp.In, lp.Out, lp.InOut])
@pytest.mark.parametrize(
    ("array", "says"),
    [
        ([1, 2], "expected a NumPy array, got a list.*numpy.asarray"),
        (np.float32(1), "expected a NumPy array"),
        (np.zeros((4, 4), "i4")[:, 1], r"strides \(16,\).*ascontiguousarray"),
        (np.zeros((4, 4), "i4", order="F"), "ascontiguousarray"),
        (np.zeros(4, ">i4"), "byte order"),
        (np.zeros(4, [("a", ">i4")]), "byte order"),
        (np.zeros(4, object), "Python objects"),
        (np.ma.masked_array(np.zeros(4, "i4"), [True] * 4), "masked"),
    ],
)
def test_what_is_no_array_for_a_device(wrap: Any, array: Any, says: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=rf"launchpath.{wrap.__name__}\b.*{says}"):
        wrap(array)


def test_read_only_is_for_in(machine: Machine) -> None:
    array = ints()
    array.flags.writeable = False
    for wrap in lp.Out, lp.InOut:
        with pytest.raises(lp.ArgumentValueError, match="read-only.*use launchpath.In"):
            wrap(array)
    y = lp.Out(np.zeros(8, "i4"))
    add(machine)[1, 1](lp.In(array), y, 1, 8)
    assert y.get().tolist() == list(range(1, 9))


def test_an_array_of_the_device_is_an_argument_as_it_is(machine: Machine) -> None:
    with pytest.raises(lp.ArgumentValueError, match="pass it without the wrapper"):
        lp.In(lp.zeros(4, device=machine.device))  # type: ignore[arg-type]


@pytest.mark.parametrize("wrap", [lp.In, lp.Out, lp.InOut])
def test_wrong_calls_name_the_class(wrap: Any) -> None:
    for args in (), ((10,), "f4"):
        with pytest.raises(TypeError, match=rf"^{wrap.__name__}\(\)"):
            wrap(*args)
    assert {name for name in dir(wrap) if not name.startswith("_")} <= {"array", "get"}


@pytest.mark.parametrize("wrap", [lp.In, lp.Out, lp.InOut])
def test_it_is_of_this_process(wrap: Any) -> None:
    argument = wrap(ints())
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=rf"launchpath.{wrap.__name__} has memory on a device: .* its host array"):
            attempt(argument)
