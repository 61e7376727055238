"""Fills with a number of Python's, which the core writes itself: the same bytes as NumPy's, or the way with all checks."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine

INTS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ("float32", "float64")
OTHERS = ("bool", "float16", "complex64", ">i4")
EDGES = sorted(
    {sign * (1 << bits) + near for bits in (0, 7, 8, 15, 16, 31, 32, 63, 64) for sign in (-1, 1) for near in (-1, 0, 1)}
)
EXACT = {"float32": 1 << 24, "float64": 1 << 53}


@pytest.mark.parametrize("dtype", INTS)
def test_an_int_is_written_if_the_dtype_holds_it(machine: Machine, dtype: str) -> None:
    array, limits = lp.zeros(5, dtype, machine.device), np.iinfo(dtype)
    for value in EDGES:
        plain = limits.min <= value <= limits.max and value < 1 << 63
        assert _core.fill_plain(array, value, None) == plain, value
        if limits.min <= value <= limits.max:
            array.fill(value)
            assert array.to_numpy().tolist() == [value] * 5
        else:
            with pytest.raises(lp.ArgumentValueError, match="expected a value of"):
                array.fill(value)
    assert not _core.fill_plain(array, 1.0, None)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "value", [0.1, -0.0, 1e-46, 5e-324, 1e38, 3.4028235677973366e38, float("inf"), -float("inf"), float("nan")]
)
def test_a_float_is_rounded_as_by_numpy(machine: Machine, dtype: str, value: float) -> None:
    array = lp.zeros(5, dtype, machine.device)
    with np.errstate(over="ignore"):
        expected = np.full(5, value).astype(dtype)
    too_large = np.isfinite(value) and not np.isfinite(expected).all()
    assert _core.fill_plain(array, value, None) == (not too_large)
    if too_large:
        with pytest.raises(lp.ArgumentValueError, match="it is too large"):
            array.fill(value)
    else:
        assert array.to_numpy().tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", FLOATS)
def test_an_int_that_a_float_does_not_hold_is_rounded_once(machine: Machine, dtype: str) -> None:
    array, limit = lp.zeros(5, dtype, machine.device), EXACT[dtype]
    for value in (limit, -limit, limit + 1, -limit - 1, (1 << 62) + 1):
        assert _core.fill_plain(array, value, None) == (abs(value) <= limit)
        array.fill(value)
        assert_array_equal(array.to_numpy(), np.full(5, value).astype(dtype))


@pytest.mark.parametrize("dtype", OTHERS)
def test_other_dtypes_are_left_to_python(machine: Machine, dtype: str) -> None:
    array = lp.zeros(5, dtype, machine.device)
    assert not _core.fill_plain(array, 1, None)
    array.fill(1)
    assert_array_equal(array.to_numpy(), np.ones(5, dtype))


@pytest.mark.parametrize("value", [True, np.float32(1), np.int64(1), "1", None, [1]])
def test_other_values_are_left_to_python(machine: Machine, value: object) -> None:
    assert not _core.fill_plain(lp.zeros(5, "int32", machine.device), value, None)
    assert not _core.fill_plain(lp.zeros(5, "float32", machine.device), value, None)
