"""Elements: host data converted to an array's dtype, or an error."""

from __future__ import annotations

import ctypes
import numbers
from typing import Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._shown import described, shown
from launchpath.errors import ArgumentValueError

_NUMBERS = "biufc"  # kinds of dtypes


def _is_number(value: object) -> bool:
    return isinstance(value, (numbers.Number, np.bool_))


def _has_numbers(values: npt.NDArray[Any]) -> bool:
    """Whether all elements are numbers, also those that NumPy has no dtype for."""
    return values.dtype.kind in _NUMBERS or (values.dtype.kind == "O" and all(map(_is_number, values.flat)))


def as_dtype(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """Read a dtype."""
    try:
        return np.dtype(dtype)
    except (TypeError, ValueError) as error:  # of half a surrogate pair NumPy's is a UnicodeError
        raise ArgumentValueError(
            f'expected a NumPy dtype, got {described(dtype)}: pass for example "float32", "int64" or numpy.uint8'
        ) from error


def code(dtype: np.dtype[Any]) -> int:
    """Give the core's number of a dtype, by which a launch compares it with a parameter's."""
    return _core.dtype_code(dtype.name if dtype.isnative else "")


def element(value: Any, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Give `value` as one element of `dtype`, if it is one."""
    values = np.asarray(value)
    if values.shape != dtype.shape:
        raise ArgumentValueError(f"expected a single value, got {described(value)}")
    if dtype.kind in _NUMBERS and not _has_numbers(values):
        raise ArgumentValueError(f"expected a number for {dtype}, got {described(value)}")
    try:
        number = converted(values, dtype, overflows=True)  # which is refused below
    except ArgumentValueError as error:
        if str(error).startswith("expected a value"):
            raise
        raise ArgumentValueError(f"expected a value of {dtype}, got {shown(value)}: {error}") from error
    if dtype.kind in "fc" and values.dtype.kind in _NUMBERS and not np.isfinite(number) and _is_finite(values):
        raise ArgumentValueError(f"expected a value of {dtype}, got {shown(value)}: it is too large")
    return number


def _is_finite(values: npt.NDArray[Any]) -> bool:
    return values.dtype.kind == "O" or bool(np.isfinite(values).all())


def as_bytes(array: _core.ArrayBase, source: Any) -> npt.NDArray[Any] | None:
    """The bytes of what is copied without a look at them: bytes, and structs; None if it is neither."""
    if isinstance(source, (bytes, bytearray, ctypes.Structure, ctypes.Union)):
        data = bytes(source)
    elif isinstance(source, (np.ndarray, np.void)) and _is_struct_for(array.dtype, source.dtype):
        data = source.tobytes()
    else:
        return None
    if len(data) != array.nbytes:
        data_text = f"{type(source).__name__} of {len(data)}"
        raise ArgumentValueError(f"expected {array.nbytes} bytes, for {array.shape} of {array.dtype}, got {data_text}")
    return np.frombuffer(data, np.uint8)


def _is_struct_for(dtype: np.dtype[Any], struct: np.dtype[Any]) -> bool:
    """Whether the bytes of a struct are to be copied: to bytes, or if all of its fields have the dtype, to a vector."""
    if struct.kind != "V" or dtype == np.uint8 or dtype.kind == "V":
        return struct.kind == "V" and dtype == np.uint8
    fields = [field for field, *_ in (struct.fields or {}).values()]
    return bool(fields) and all(field == dtype for field in fields) and struct.itemsize == len(fields) * dtype.itemsize


def converted(source: Any, dtype: np.dtype[Any], overflows: bool = False) -> npt.NDArray[Any]:
    """Give host data in a dtype, if that can hold it; with `overflows`, floats that are too large become infinite."""
    values = np.asarray(source)
    kind = values.dtype.kind
    if kind in "fc" and dtype.kind in "iub":
        hint = "; as bytes they are copied as they are: data.tobytes()" if dtype == np.uint8 else ""
        raise ArgumentValueError(f"copying {values.dtype} into {dtype} would lose the fractional part{hint}")
    if kind == "c" and dtype.kind == "f":
        raise ArgumentValueError(f"copying {values.dtype} into {dtype} would lose the imaginary parts")
    # NumPy would read numbers out of texts, count days, and make a nan of None.
    if dtype.kind in _NUMBERS and not _has_numbers(values):
        raise ArgumentValueError(f"expected numbers to copy into {dtype}, got {values.dtype}")
    try:
        if dtype.kind in "iub" and kind in "iuO" and values.dtype != dtype and values.size:
            low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
            for value in (values.min(), values.max()):
                if not low <= value <= high:
                    raise ArgumentValueError(f"expected a value of {dtype}, {low} to {high}, got {value}")
        with np.errstate(over="ignore" if overflows else "raise"):
            return np.asarray(values, dtype, order="C")
    except ArgumentValueError:
        raise
    except FloatingPointError as error:
        raise ArgumentValueError(
            f"copying {values.dtype} into {dtype}: expected values that {dtype} can hold, got a larger one: convert "
            f'them first if infinities are meant, data.astype("{dtype}")'
        ) from error
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentValueError(f"copying {values.dtype} into {dtype}: {error}") from error
