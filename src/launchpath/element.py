"""Elements: host data as what an array's dtype can hold, or an error."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath import _core


def element(value: Any, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Give `value` as one element of `dtype`, if it is one."""
    given = np.asarray(value)
    if given.shape != dtype.shape:
        raise ArgumentValueError(f"one value is wanted, not {value!r}")
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if given.dtype.kind not in "iubO" or not limits.min <= int(value) <= limits.max:
            raise ArgumentValueError(f"{value!r} is not a value of {dtype}")
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError) as error:
        raise ArgumentValueError(f"{value!r} is not a value of {dtype}") from error


def as_bytes(array: _core.ArrayBase, source: Any) -> npt.NDArray[Any] | None:
    """The bytes of what is copied without a look at them: bytes, and structs; None if it is neither."""
    if isinstance(source, (bytes, bytearray, ctypes.Structure, ctypes.Union)):
        data = bytes(source)
    elif isinstance(source, (np.ndarray, np.void)) and source.dtype.kind == "V" and array.dtype == np.uint8:
        data = source.tobytes()
    else:
        return None
    if len(data) != array.nbytes:
        given = f"{type(source).__name__} of {len(data)}"
        raise ArgumentValueError(f"{array.nbytes} bytes are wanted, for {array.shape} of {array.dtype}, given {given}")
    return np.frombuffer(data, np.uint8)


def converted(source: Any, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Give host data in a dtype, if that can hold it."""
    given = np.asarray(source)
    kind = given.dtype.kind
    if kind in "fc" and dtype.kind in "iub":
        hint = "; as bytes they are copied as they are: data.tobytes()" if dtype == np.uint8 else ""
        raise ArgumentValueError(f"copying {given.dtype} into {dtype} would lose what is behind the point{hint}")
    if kind == "c" and dtype.kind == "f":
        raise ArgumentValueError(f"copying {given.dtype} into {dtype} would lose the imaginary parts")
    try:
        if dtype.kind in "iub" and kind in "iuO" and given.dtype != dtype and given.size:
            low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
            for value in (given.min(), given.max()):
                if not low <= value <= high:
                    raise ArgumentValueError(f"{value} is not a value of {dtype}, which takes {low} to {high}")
        return np.asarray(given, dtype, order="C")
    except ArgumentValueError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentValueError(f"copying {given.dtype} into {dtype}: {error}") from error
