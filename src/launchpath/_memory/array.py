"""Arrays: typed device memory, and its parts and values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import EllipsisType, MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._listed import Listed
from launchpath._memory import element, index
from launchpath._memory.absent import refuse_absent
from launchpath._memory.allocate import LARGEST, allocate, as_kind
from launchpath._memory.assign import assign
from launchpath._memory.copies.transfer import Transfer
from launchpath._memory.text import text
from launchpath._shown import as_bool, shown
from launchpath._streams.stream_argument import wanted_stream
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import Index, Shape, StreamLike


class Array(Transfer, Listed):
    """A C-contiguous array in device memory.

    `empty`, `zeros`, `ones`, `full`, `arange`, `asarray` and those ending in ``_like`` create it. Its parts,
    ``array[2]`` or ``array[10:20]``, share the memory. Dropping an array, or `free`, is safe at any time: the memory is
    reused only when all work submitted before is complete.

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
        Device address. If earlier work still used the memory when it was allocated, reading the address waits for that
        work, and for no other.

    Notes
    -----
    What reads the elements without a stream (`to_numpy`, `copy_to` into host memory, ``numpy.asarray``, `item`,
    ``float(array)``, ``repr(array)``, DLPack) waits for the device's work on all its streams. With a stream, it waits
    for that stream only. What writes (`copy_from`, `fill`, ``array[key] = value``, `copy_to` into an array) is a
    command of a stream, as a launch is: it does not wait for other streams.

    An array does not compute: operators raise, and ``==`` and ``bool(array)`` do so too. An array can be in a set or
    a key of a dict, where it is equal to itself only. NumPy's functions take it as host data, and give host data.
    """

    _of_core = ("shape", "dtype", "nbytes", "device", "pointer", "pointer_on")
    _instead_of_setting = MappingProxyType({
        "shape": "use array.reshape(shape), which shares the memory",
        "dtype": "use array.astype(dtype), or array.view(dtype) for the same bytes",
    })  # fmt: skip
    _owner = ""  # what the memory belongs to, if that is not this array and its parts
    _pointee = ""  # of a program's pointers to data: the dtype that they point to, or "void"; see `addresses`
    # Lets NumPy's arrays and scalars leave their operators to this class, which refuses them.
    __array_priority__: ClassVar[float] = 1000.0

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

    # -- parts

    def __getitem__(self, key: Index) -> Array:
        """Part of the array, sharing its memory: ``a[2]``, ``a[10:20]``, ``a[1, 2:4]``.

        Raises
        ------
        ArgumentValueError
            The part is not contiguous in memory.
        """
        length = self.shape[0] if self.shape else 0
        if isinstance(key, slice) and self.shape:
            start, stop, step = key.indices(length)
            if step == 1:
                row = self.nbytes // length if length else 0
                rows = max(0, stop - start)
                return self._part(start * row, rows * row, (rows, *self.shape[1:]))
        elif self.shape and key is not None and not isinstance(key, (tuple, EllipsisType)):
            number = _core.whole_number(key)
            if number is not None:
                if not -length <= number < length:
                    expected = f"an index from {-length} to {length - 1}" if length else "an array that is not empty"
                    raise IndexError(f"expected {expected}, got index {shown(number)} of an array of length {length}")
                row = self.nbytes // length
                return self._part(number % length * row, row, self.shape[1:])
        itemsize = self.dtype.itemsize
        part = index.part(self.shape, itemsize, key)
        if not part.is_contiguous(itemsize):
            raise ArgumentValueError(
                f"expected a part that is contiguous in memory, got {shown(key)} of an array of shape {self.shape}: "
                "index the result of to_numpy(), or pass the whole array and the steps to a kernel. Assignment takes "
                "any part, array[::2] = values"
            )
        return self._part(part.offset, math.prod(part.shape) * itemsize, part.shape)

    def __setitem__(self, key: Index, value: Any) -> None:
        """Set a part of the array: ``a[2:4] = 3``, ``a[1] = other``, ``a[...] = host``, ``a[::2, 1] = 0``.

        It is asynchronous, in the order of the current stream (the legacy default stream, if the current stream belongs
        to another device), like `fill` and `copy_from`, and converts values as they do. Each piece of the part that is
        contiguous in memory is a command, at most 65,536; after an error or Ctrl-C between them the first are set.

        Parameters
        ----------
        key : int, slice, Ellipsis, None, or a tuple of these
            NumPy's basic indexing, steps included.
        value : scalar, array_like or Array
            Repeated to the part's shape as in NumPy. An `Array` has the same dtype, and does not overlap the part. An
            array of another device is copied as by `copy_to`, in the order of its device's current stream as well.

        Raises
        ------
        ArgumentValueError
            The dtype cannot hold the value, the shapes do not fit, or the pieces are too many.
        IndexError, TypeError
            There is no such part.
        """
        assign(self, key, value)

    def __iter__(self) -> Iterator[Array]:
        return (self[i] for i in range(len(self)))

    def reshape(self, *shape: Shape) -> Array:
        """Return the same memory with another shape of the same size; a single axis may be -1.

        Parameters
        ----------
        shape : int, or tuple or list of int
            Elements along each axis.

        Returns
        -------
        Array
            Of that shape and the same dtype.

        Raises
        ------
        ArgumentValueError
            The shape has another size, or -1 more than once.
        """
        requested = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        extents = [
            extent for extent in map(_core.whole_number, requested) if extent is not None and -1 <= extent <= LARGEST
        ]
        if len(extents) != len(requested):
            raise ArgumentValueError(f"expected a shape of ints, with -1 at most once, got {shown(requested)}")
        try:
            new = np.lib.stride_tricks.as_strided(np.empty(()), self.shape, (0,) * self.ndim).reshape(extents).shape
        except ValueError as error:
            raise ArgumentValueError(
                f"an array of shape {self.shape} cannot have the shape {shown(requested)}: {error}"
            ) from error
        return self._part(0, self.nbytes, new)

    def view(self, dtype: npt.DTypeLike) -> Array:
        """Return the same memory with another dtype, as ``numpy.ndarray.view`` does for contiguous arrays.

        Parameters
        ----------
        dtype : numpy dtype
            Of another size, it changes the last axis: 8 elements of int32 are 4 of float64, or 32 of uint8. A single
            value of int32, without axes, is 4 of uint8.

        Raises
        ------
        ArgumentValueError
            The bytes of the last axis, or the address, are not a multiple of the dtype's size.
        """
        kind = as_kind(dtype)
        try:
            # NumPy changes the size of elements in an axis only; a single value has none.
            shape = self.shape or (() if kind.itemsize == self.dtype.itemsize else (1,))
            like = index.layout(shape, self.dtype.itemsize).view(kind)
        except ValueError as error:
            raise ArgumentValueError(
                f"an array of shape {self.shape} and {self.dtype} cannot be viewed as {kind}: {error}"
            ) from error
        if self.bare_address % like.dtype.alignment:
            raise ArgumentValueError(
                f"expected an address that is a multiple of {like.dtype.alignment} bytes for {kind}, got a part that "
                f"begins at byte {self.offset} of its array: copy() it first"
            )
        return self._part(0, self.nbytes, like.shape, like.dtype)

    def _part(self, offset: int, nbytes: int, shape: tuple[int, ...], dtype: np.dtype[Any] | None = None) -> Array:
        self._check_lives()
        code = self.dtype_code if dtype is None else element.code(dtype)
        dtype = self.dtype if dtype is None else dtype
        part = Array(self.allocation, self.device, dtype, code, shape, self.offset + offset, nbytes)
        if self._owner:
            part._owner = self._owner
            part._pointee = self._pointee if dtype is self.dtype else ""
        return part

    # -- new arrays

    def copy(self, stream: StreamLike | None = None) -> Array:
        """Copy to a new array of the same device, asynchronously, in the stream's order.

        Parameters
        ----------
        stream : Stream, optional
            The current stream if it belongs to this array's device, else the legacy default stream. If passed, the new
            array's memory is in its order: see `empty`.

        Returns
        -------
        Array
            Of the same shape and dtype.
        """
        order = None if stream is None else wanted_stream(stream, self.device)
        self._check_lives()
        new = allocate(Array, self.shape, self.dtype, self.device, order)
        to = self._stream(order)
        _core.copy_bytes(to, new.address_on(to), self.address_on(to), self.nbytes, _core.WITHIN)
        return new

    def astype(self, dtype: npt.DTypeLike, *, copy: bool = True, stream: StreamLike | None = None) -> Array:
        """Convert to another dtype, in a new array of the same device.

        NumPy converts on the host, so the elements go there and back, and the call blocks; a kernel converts faster.
        The same dtype is a copy on the device, as by `copy`.

        Parameters
        ----------
        dtype : numpy dtype
            Values that it cannot hold are converted as by ``numpy.ndarray.astype``: floats lose their fractional
            parts, ints their high bits.
        copy : bool
            False: the array itself if it has that dtype.
        stream : Stream, optional
            Read and write in this stream's order. If omitted: read after all work submitted to the device, on any
            stream; write in the order of the current stream.

        Returns
        -------
        Array
            Of the same shape and of that dtype.

        Raises
        ------
        ArgumentValueError
            The dtype is not valid, or has a shape of its own.
        """
        kind = as_kind(dtype)
        always = as_bool(copy, "`copy`")
        if kind == self.dtype:
            return self.copy(stream) if always else self
        if kind.subdtype is not None:
            raise ArgumentValueError(f"expected a dtype without a shape of its own, got {kind}")
        order = None if stream is None else wanted_stream(stream, self.device)
        host = self.to_numpy(order).astype(kind)
        new = allocate(Array, self.shape, kind, self.device, order)
        new._copy_from(host, order)
        return new

    def __copy__(self) -> Array:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Array:
        return self.copy()

    def __reduce__(self) -> Any:
        raise TypeError("an array has memory on a device: pickle the result of to_numpy()")

    # -- values

    def item(self) -> Any:
        """Return the value of an array of one element as Python's own number: ``a[3].item()``. Waits as `to_numpy`.

        Returns
        -------
        int, float, complex or bool
            As ``numpy.ndarray.item``.

        Raises
        ------
        TypeError
            There is not exactly one element.
        """
        return self._element("item()")

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python's own numbers. Waits as `to_numpy`."""
        return self.to_numpy().tolist()

    def _element(self, use: str) -> Any:
        if self.size != 1:
            raise TypeError(f"{use} takes a single element, got an array of {self.size}: select one, or use to_numpy()")
        return self.to_numpy().item()

    def __float__(self) -> float:
        return float(self._element("float()"))

    def __int__(self) -> int:
        return int(self._element("int()"))

    def __complex__(self) -> complex:
        return complex(self._element("complex()"))

    def __format__(self, spec: str) -> str:
        return format(self._element(f"the format {spec!r}"), spec) if spec else str(self)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is not None and not as_bool(copy, "`copy`"):
            raise ValueError("a device array becomes a NumPy array by copying; numpy.from_dlpack shares CPU memory")
        kind = self.dtype if dtype is None else element.as_dtype(dtype)
        return self.to_numpy().astype(kind, copy=False)

    def __repr__(self) -> str:
        return text(self)

    def free(self) -> None:
        """Free the memory once all work submitted so far is complete; the array and its parts cannot be used again.

        Raises
        ------
        ArgumentValueError
            It is a part of an array, or the memory belongs to a program.
        BufferError
            Another library still uses the memory, by DLPack or `host_view`.
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
        if not self.allocation.free():
            raise BufferError(
                f"another library uses the memory of the array of shape {self.shape}, {self.dtype}: "
                "drop the objects made of it by DLPack or host_view(), or drop the array instead of freeing it"
            )


refuse_absent(Array)
_core.register_array(Array)
