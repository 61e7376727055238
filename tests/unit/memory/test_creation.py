"""Functions that create arrays: shapes, dtypes, values, and where the arrays are."""

from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.simulated import Machine


@pytest.fixture(autouse=True)
def current(machine: Machine) -> Any:
    with machine.device:
        yield


@pytest.mark.parametrize(
    ("create", "expected"),
    [
        (lambda: lp.ones((2, 3)), np.ones((2, 3), "f4")),
        (lambda: lp.ones(3, "int8"), np.ones(3, "i1")),
        (lambda: lp.ones(2, [("x", "f4"), ("n", "i4")]), np.ones(2, [("x", "f4"), ("n", "i4")])),
        (lambda: lp.ones(2, "(3,)u2"), np.ones(2, "(3,)u2")),
        (lambda: lp.full((2, 2), 7), np.full((2, 2), 7)),
        (lambda: lp.full(3, 2.5), np.full(3, 2.5)),
        (lambda: lp.full((), True), np.full((), True)),
        (lambda: lp.full(3, 2, "float32"), np.full(3, 2, "f4")),
        (lambda: lp.full((2, 3), [1, 2, 3]), np.full((2, 3), [1, 2, 3])),
        (lambda: lp.full((0, 3), 1), np.full((0, 3), 1)),
        (lambda: lp.full(2, "ab", "U2"), np.full(2, "ab")),
        (lambda: lp.full(3, lp.asarray([1, 2, 3], "u2")), np.array([1, 2, 3], "u2")),
        (lambda: lp.arange(5), np.arange(5)),
        (lambda: lp.arange(1, 6, 2), np.arange(1, 6, 2)),
        (lambda: lp.arange(0.0, 1.0, 0.25), np.arange(0.0, 1.0, 0.25)),
        (lambda: lp.arange(3, dtype="u1"), np.arange(3, dtype="u1")),
        (lambda: lp.arange(3, step=2), np.arange(0, 3, 2)),
        (lambda: lp.arange(3, 0), np.arange(3, 0)),
        (lambda: lp.zeros_like(np.ones((2, 3), "u2")), np.zeros((2, 3), "u2")),
        (lambda: lp.zeros_like([1.5, 2]), np.zeros(2)),
        (lambda: lp.ones_like(lp.zeros(3, "c8")), np.ones(3, "c8")),
        (lambda: lp.full_like(lp.zeros(3, "u1"), 9), np.full(3, 9, "u1")),
        (lambda: lp.full_like(lp.zeros(3, "u1"), -9, "i2", shape=(2, 2)), np.full((2, 2), -9, "i2")),
    ],
)
def test_values(create: Any, expected: np.ndarray[Any, Any]) -> None:
    array = create()
    assert (array.shape, array.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(array.to_numpy(), expected)


def test_from_a_shape_alone_float32_and_from_data_as_numpys() -> None:
    assert {create(3).dtype.name for create in (lp.empty, lp.zeros, lp.ones)} == {"float32"}
    assert lp.full(3, 1.0).dtype == lp.arange(3.0).dtype == lp.asarray([1.0]).dtype == "float64"
    empty = lp.empty_like(lp.zeros((2, 3), "u2"))
    assert (empty.shape, empty.dtype) == ((2, 3), "u2")


@pytest.mark.parametrize(
    ("create", "message"),
    [
        (lambda: lp.full(3, 300, "u1"), "expected a value of uint8, 0 to 255, got 300"),
        (lambda: lp.full(3, 1.5, "i4"), "expected a value of int32, got 1.5: .*fractional part"),
        (lambda: lp.full(3, 2**70), "without Python objects"),
        (lambda: lp.full(3, None), "without Python objects"),
        (lambda: lp.full(3, [1, 2]), r"expected values of shape \(3,\), or .*, got shape \(2,\)"),
        (lambda: lp.ones(3, None), "expected a dtype, got None"),
        (
            lambda: lp.empty(3, 4),
            r"expected a data type, got the int 4: pass a shape of several extents as a tuple, \(3, 4\)",
        ),
        (lambda: lp.zeros(3, np.int64(4)), "expected a data type, got the int64 .*4.*: pass a shape"),
        (lambda: lp.empty(3, (4,)), r"expected a NumPy dtype, got the tuple \(4,\)"),
        (lambda: lp.full(3, None, "f4"), "expected a number for float32, got None"),
        (lambda: lp.arange(0, 3, 0), "expected a range of numbers, got the int 0, the int 3, the int 0"),
        (lambda: lp.arange("3"), "expected a range of numbers"),  # type: ignore[arg-type]
        (lambda: lp.full_like(lp.zeros(3, "u1"), -1), "expected a value of uint8"),
        (lambda: lp.full(3, lp.zeros(3, "u1"), "u2"), "expected an array of uint16, .*astype"),
    ],
)
def test_refused(create: Any, message: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=message):
        create()


def test_a_range_that_the_device_cannot_hold_is_not_computed_first(machine: Machine) -> None:
    machine.device.set_memory_limit(1 << 24)
    for stop in (1 << 40, 1e15, 2**70):
        with pytest.raises(lp.OutOfMemoryError):
            lp.arange(stop)
    array = lp.arange(1.0, 1 << 21, dtype="u4")
    assert (array.size, array[-1].item()) == ((1 << 21) - 1, (1 << 21) - 1)
    with pytest.raises(lp.ArgumentValueError):
        lp.arange(float("inf"))


@pytest.mark.machine(devices=2)
def test_where_they_are(machine: Machine) -> None:
    here, there = machine.devices
    far = lp.Stream(device=there)
    like = lp.zeros(3, "u2", there)
    assert lp.empty_like(like).device is lp.zeros_like(like).device is lp.full_like(like, 1).device is there
    assert lp.empty_like(like, device=here).device is lp.empty_like(np.zeros(3)).device is here
    assert lp.empty_like(lp.zeros(3), stream=far).device is there
    assert lp.ones(3, stream=far).device is lp.full(3, 1, stream=far).device is lp.arange(3, stream=far).device is there
    assert lp.asarray(like, "f8").device is there
    far.synchronize()


def test_they_are_in_the_order_of_their_stream(stream: lp.Stream) -> None:
    for array in (
        lp.ones(16, "u4", stream=stream),
        lp.full(16, 1, "u4", stream=stream),
        lp.ones_like(np.zeros(16, "u4"), stream=stream),
        lp.full_like(np.zeros(16, "u4"), 1, stream=stream),
    ):
        assert array.to_numpy(stream).tolist() == [1] * 16
    assert lp.zeros_like(np.zeros(16, "u4"), stream=stream).to_numpy(stream).tolist() == [0] * 16
    assert lp.arange(16, stream=stream).to_numpy(stream).tolist() == list(range(16))


def test_functions_of_other_libraries_are_refused_with_what_to_use() -> None:
    for name, instead in (("array", "asarray"), ("linspace", "numpy.linspace"), ("tensor", "asarray")):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}': use .*{instead}"):
            getattr(lp, name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'$"):
        _ = lp.nothing  # type: ignore[attr-defined]
