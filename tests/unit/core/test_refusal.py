"""What cannot be meant is refused, and not passed over."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._environment import DEPENDENT, dependent, switch
from tests.fixtures import arrays
from tests.simulated import Machine


def test_an_array_is_neither_compared_nor_true(machine: Machine) -> None:
    a, b = arrays(machine, 2)
    for compare in (lambda: a == b, lambda: a != b, lambda: a == a, lambda: a == 3, lambda: 3 in a):  # noqa: PLR0124
        with pytest.raises(TypeError, match="cannot be compared"):
            compare()
    with pytest.raises(TypeError, match="has no truth value"):
        assert a
    assert len({a, b, a}) == 2


def test_a_part_of_an_array_is_not_freed_by_itself(machine: Machine) -> None:
    (a,) = arrays(machine, 1)
    for part in (a[2:4], a[0], a[:0], a[1:]):
        with pytest.raises(lp.ArgumentValueError, match="expected a whole array, got a part"):
            part.free()
    a.fill(1)
    a.reshape(4, 4).free()  # all of it
    with pytest.raises(lp.FreedError):
        a.fill(1)


@pytest.mark.parametrize("which", ["", " ", 1.0, True, None, b"pocl", [0], np.bool_(True), np.array([1])])
def test_what_names_no_device(which: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected the index of a device, or words, got "):
        lp.device(which)


@pytest.mark.parametrize("which", ["--3", "-1", -1, "²", 10**30, "9" * 30, "no such", "é\ud800"])
def test_a_device_that_is_not_there(which: Any) -> None:
    with pytest.raises(lp.NoDeviceError, match="no device "):
        lp.device(which)


def test_an_event_without_timing_gets_none(stream: lp.Stream) -> None:
    with pytest.raises(lp.ArgumentValueError, match=r"Event\(timing=True\)"):
        stream.record(lp.Event(), timing=True)
    timed = lp.Event(timing=True)
    assert stream.record(timed, timing=True) is timed
    with pytest.raises(TypeError, match="expected a launchpath event"):
        stream.record("event")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["high", 1.0, None, np.array([1]), True])
def test_what_is_no_priority(machine: Machine, wrong: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="stream's priority, an int"):
        lp.Stream(priority=wrong, device=machine.device)
    assert lp.Stream(priority=-(10**30), device=machine.device).priority == -2


def test_a_device_in_the_place_of_blocking(machine: Machine) -> None:
    for wrong in (machine.device, "cuda", None, 2):
        with pytest.raises(lp.ArgumentValueError, match="`blocking`: expected True or False"):
            lp.Stream(wrong, device=machine.device)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["1GB", 1e9, -1, True, np.array([1])])
def test_what_is_no_memory_limit(machine: Machine, wrong: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected a memory limit"):
        machine.device.set_memory_limit(wrong)
    machine.device.set_memory_limit(np.int64(1 << 20))  # type: ignore[arg-type]
    machine.device.set_memory_limit(None)


@pytest.mark.parametrize("wrong", [1.0, "4", True, (2, None), (np.array([1]),), [2, "3"]])
def test_what_is_no_shape(machine: Machine, wrong: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected a shape, an int or a tuple of ints"):
        lp.empty(wrong, device=machine.device)


@pytest.mark.parametrize("shape", [2**63, (10**5000,), (2**32, 2**32), (0, 2**62, 4), (0, 10**30)])
def test_what_no_address_can_count(machine: Machine, shape: Any) -> None:
    with pytest.raises(lp.OutOfMemoryError):
        lp.empty(shape, device=machine.device)


def test_more_axes_than_numpy_has(machine: Machine) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected a shape that NumPy can have, got 100 axes"):
        lp.empty((1,) * 100, device=machine.device)


@pytest.mark.parametrize("size", [2**62 + 1, 2**63, 2**64 - 1])
def test_the_pool_gives_up_on_any_size(machine: Machine, size: int) -> None:
    with pytest.raises(lp.OutOfMemoryError):
        machine.device.pool.allocate(size)


@pytest.mark.parametrize("wrong", [None, "1.5", np.datetime64("2020"), 1e39, 1j, 10**400, [1.0], "é"])
def test_what_is_no_element(machine: Machine, wrong: Any) -> None:
    with pytest.raises(
        lp.ArgumentValueError, match=r"expected a (value of|number for) float32|expected a single value"
    ):
        lp.zeros(4, "float32", machine.device).fill(wrong)


@pytest.mark.parametrize("wrong", [["1", "2"], [None, 1.0], np.array(["2020"] * 2, "M8[D]")])
def test_what_is_no_data(machine: Machine, wrong: Any) -> None:
    with pytest.raises(lp.ArgumentValueError):
        lp.zeros(2, "float32", machine.device).copy_from(wrong)


def test_fractions_are_numbers(machine: Machine) -> None:
    a = lp.zeros(2, "float32", machine.device)
    a.copy_from([Fraction(1, 2), 1])
    assert a.to_numpy().tolist() == [0.5, 1]


@pytest.mark.parametrize("key", [True, 1.0, "a", np.array([1]), [1], (0, "a")])
def test_what_is_no_index(machine: Machine, key: Any) -> None:
    with pytest.raises(TypeError, match="expected an int, a slice"):
        arrays(machine, 1)[0][key]


@pytest.mark.parametrize("shape", [(None,), (2**70, 1), ("4", 4), (3, 5), (-1, -1), (np.array([4, 4]),)])
def test_what_is_no_new_shape(machine: Machine, shape: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="shape"):
        arrays(machine, 1)[0].reshape(*shape)


@pytest.mark.parametrize(("offset", "nbytes"), [(2**64 - 8, 64), (64, 64), (0, 60), (2**64 - 1, 0)])
def test_an_array_outside_its_allocation(machine: Machine, array: lp.Array, offset: int, nbytes: int) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected bytes within|expected the size of"):
        lp.Array(array.allocation, machine.device, np.dtype("u4"), 6, (16,), offset, nbytes)


def test_an_array_of_another_devices_memory() -> None:
    with Machine(2) as machine:
        (a,) = arrays(machine, 1)
        with pytest.raises(lp.ArgumentValueError, match="the allocation is not of 'Simulated 1'"):
            lp.Array(a.allocation, machine.devices[1], np.dtype("u4"), 6, (16,), 0, 64)
        del a


def test_a_devices_legacy_stream_stays(machine: Machine) -> None:
    with pytest.raises(lp.ArgumentValueError, match="only legacy default stream"):
        machine.device.set_legacy(machine.streams(("nonblocking",))[0])


def test_device_pointers_are_values() -> None:
    a = lp.DevicePointer(16)
    assert a == lp.DevicePointer(16) != lp.DevicePointer(17)
    assert len({a, lp.DevicePointer(16)}) == 1
    assert pickle.loads(pickle.dumps(a)) == a


def test_a_value_whose_repr_fails_hides_no_message(machine: Machine) -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError

    with pytest.raises(lp.SignatureError, match="got the Odd <Odd without a repr>"):
        machine.kernel()[1, 1, Odd()]  # type: ignore[index]
    with pytest.raises(lp.ArgumentValueError, match="expected a number from"):
        machine.kernel()[1, 1](None, None, 10**5000, 1)


def test_an_argument_that_frees_another_is_too_late(machine: Machine) -> None:
    (a,) = arrays(machine, 1)

    class Freeing(np.ndarray):
        def __getitem__(self, key: Any) -> Any:
            a.free()
            return np.uint32(1)

    with pytest.raises(lp.FreedError):
        machine.kernel()[1, 1](a, None, np.array(1, "u4").view(Freeing), 1)
    assert machine.machine.calls["launch"] == 0


@pytest.mark.parametrize(
    ("text", "on"), [("", None), ("0", False), ("1", True), ("No", False), ("yes", True), (" on ", True)]
)
def test_a_switch(text: str, on: bool | None) -> None:
    for default in (False, True):
        assert switch("X", default, {"X": text}) is (default if on is None else on)
    assert switch("X", True, {}) is True


@pytest.mark.parametrize("text", ["maybe", "2", "-1", "true false"])
def test_what_is_no_switch(text: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=f"X: expected 0 .* or 1 .*, got '{text}'"):
        switch("X", environment={"X": text})


def test_a_number_as_an_int() -> None:
    for number in (5, np.int8(5), np.array(5)):
        assert _core.whole_number(number) == 5
    for wrong in (True, 1.0, "1", None, np.array([1]), np.bool_(True), Fraction(1)):
        assert _core.whole_number(wrong) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("", "on"), ("1", "on"), ("on", "on"), ("0", "off"), ("off", "off"), ("wait", "wait"), (" Trigger ", "trigger")],
)
def test_how_dependent_launches_are_wanted(text: str, wanted: str) -> None:
    assert dependent({DEPENDENT: text}) == wanted
    assert dependent({}) == "on"


def test_how_dependent_launches_cannot_be_wanted() -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected 0, 1, 'wait' or 'trigger', got 'early'"):
        dependent({DEPENDENT: "early"})
