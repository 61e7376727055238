"""Arrays: typed device memory, and its parts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._listed import Listed
from launchpath._memory import element
from launchpath._memory.allocate import LARGEST
from launchpath._memory.transfer import Transfer
from launchpath._shown import as_bool, described, shown
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import Shape


class Array(Transfer, Listed):
    """A C-contiguous array in device memory.

    `empty`, `zeros` and `asarray` create it. Slices along the first axis share the memory. Dropping an array, or
    `free`, is safe at any time: the memory is reused only when all work submitted before is complete.

    Attributes
    ----------
    shape : tuple of int
        Elements along each axis.
    dtype : numpy.dtype
        Element type.
    nbytes : int
        Bytes of the elements.
    device : Device
        The device that has the memory.
    pointer : int
        Device address. Reading it does not wait for work on any stream.

    Notes
    -----
    A method that reads the elements without a stream (`to_numpy`, `copy_to` into host memory, ``numpy.asarray``,
    DLPack) waits for the device's work on all its streams. With a stream, it waits for that stream only. A method that
    writes (`copy_from`, `fill`, `copy_to` into an array) is a command of a stream, as a launch is: it does not wait for
    other streams.
    """

    _of_core = ("shape", "dtype", "nbytes", "device", "pointer")
    _owner = ""  # what the memory belongs to, if that is not this array and its slices

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return int(self.shape[0])

    def __eq__(self, other: object) -> bool:
        raise TypeError(
            "an array on a device cannot be compared: compare the results of to_numpy(), or use `a is b` for the same "
            "array"
        )

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError(
            "an array on a device has no truth value: use the result of to_numpy(), `a is not None`, or `a.size`"
        )

    def free(self) -> None:
        """Free the memory once all work submitted so far is complete; the array and its slices cannot be used again.

        Raises
        ------
        ArgumentValueError
            It is a part of an array, or the memory belongs to a program.
        BufferError
            Another library still uses the memory, by DLPack.
        """
        if self._owner:
            raise ArgumentValueError(
                f"expected an array that owns its memory, got memory of {self._owner}, which cannot be freed alone"
            )
        if self.nbytes != self.allocation.size:
            raise ArgumentValueError(
                f"expected a whole array, got a part with {self.nbytes} of {self.allocation.size} "
                "bytes: free the whole array"
            )
        if self.allocation.loans:
            raise BufferError(
                f"another library uses the memory of the array of shape {self.shape}, {self.dtype}: "
                "drop the objects made of it by DLPack, or drop the array instead of freeing it"
            )
        self.allocation.free()

    def __getitem__(self, key: SupportsIndex | slice) -> Array:
        """Part of the array along the first axis, sharing its memory: ``a[2]``, ``a[10:20]``."""
        length = len(self)
        row = self.nbytes // length if length else 0
        if isinstance(key, slice):
            start, stop, step = key.indices(length)
            if step != 1:
                raise ArgumentValueError(f"expected a contiguous slice, with step 1, got step {step}")
            rows = max(0, stop - start)
            return self._part(start * row, rows * row, (rows, *self.shape[1:]))
        index = _core.whole_number(key)
        if index is None:
            raise TypeError(f"expected an int or a slice along the first axis, got {described(key)}")
        if not -length <= index < length:
            raise IndexError(f"index {shown(index)} of an array of {length}")
        return self._part(index % length * row, row, self.shape[1:])

    def reshape(self, *shape: Shape) -> Array:
        """Return the same memory with another shape of the same size; a single axis may be -1."""
        given = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        wanted = [extent for extent in map(_core.whole_number, given) if extent is not None and -1 <= extent <= LARGEST]
        if len(wanted) != len(given):
            raise ArgumentValueError(f"expected a shape of ints, with -1 at most once, got {shown(given)}")
        try:
            new = np.lib.stride_tricks.as_strided(np.empty(()), self.shape, (0,) * self.ndim).reshape(wanted).shape
        except ValueError as error:
            raise ArgumentValueError(
                f"an array of shape {self.shape} cannot have the shape {shown(given)}: {error}"
            ) from error
        return self._part(0, self.nbytes, new)

    def _part(self, offset: int, nbytes: int, shape: tuple[int, ...]) -> Array:
        self._check_lives()
        part = Array(self.allocation, self.device, self.dtype, self.dtype_code, shape, self.offset + offset, nbytes)
        if self._owner:
            part._owner = self._owner
        return part

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is not None and not as_bool(copy, "`copy`"):
            raise ValueError("a device array becomes a NumPy array by copying; numpy.from_dlpack shares CPU memory")
        kind = self.dtype if dtype is None else element.as_dtype(dtype)
        return self.to_numpy().astype(kind, copy=False)

    def __repr__(self) -> str:
        return f"<Array {self.shape} {self.dtype} on {self.device.name!r}>"


_core.register_array(Array)
