"""Results: the values that launches of `Kernel.returning` return, and the memory for their copies."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._listed import is_listed
from launchpath._memory.array import Array
from launchpath._memory.element import as_dtype
from launchpath._memory.host_memory import Pinned
from launchpath._shown import as_bool, described, shown
from launchpath.errors import DriverError

if TYPE_CHECKING:
    from launchpath._streams.device import Device
    from launchpath._streams.event import Event
    from launchpath._streams.stream import Stream

ALIGN = 16  # bytes, of each value on the device
_STRIDE = 64  # bytes: pieces of pinned memory share no cache line
_SLAB = 64 << 10  # bytes of pinned memory taken at once, if not even one piece is larger
_KEEP = 4 << 20  # bytes of pinned pieces that wait for their next use here; others go to the device's pool


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a result."""

    name: str  # the parameter's
    index: int  # where it stands among the kernel's parameters
    dtype: np.dtype[Any]  # the element type that the parameter points to
    shape: tuple[int, ...]  # ``()`` for one value
    # where it is in the memory of the kernel's results
    offset: int
    nbytes: int


class DevicePiece:
    """Device memory for the results of one launch: `pointer`, and an array for each of them, by parameter."""

    __slots__ = ("arrays", "pointer")

    def __init__(self, allocation: _core.Allocation, device: Device, fields: tuple[Field, ...]) -> None:
        self.pointer = allocation.pointer
        self.arrays = [
            (
                field.index,
                Array(
                    allocation,
                    device,
                    field.dtype,
                    _core.dtype_code(field.dtype.name),
                    field.shape,
                    field.offset,
                    field.nbytes,
                ),
            )
            for field in sorted(fields, key=lambda field: field.index)
        ]


class PinnedPiece(NamedTuple):
    """Pinned memory for the results of one launch, as NumPy sees it.

    A tuple, all through: a loan that the cycle collector drops gives it back, and what the collector found with the
    loan it clears. Of a tuple there is nothing to clear, and arrays of NumPy's it does not see.
    """

    pointer: int
    views: tuple[npt.NDArray[Any], ...]

    @classmethod
    def of(cls, pointer: int, memory: npt.NDArray[np.uint8], fields: tuple[Field, ...]) -> PinnedPiece:
        """Give the piece that begins at an address."""
        views = (
            memory[field.offset : field.offset + field.nbytes].view(field.dtype).reshape(field.shape)
            for field in fields
        )
        return cls(pointer, tuple(views))

    def values(self) -> list[npt.NDArray[Any]]:
        """Copy what is there."""
        return [view.copy() for view in self.views]


class ResultMemory:
    """The memory that a kernel's results come through on one stream.

    Each launch has a piece on the device to itself from before it is submitted until the copy behind it is; the next
    launch may then write there, as the stream is in order. So threads need no lock, and one thread uses one piece. What
    a copy writes to in pinned memory belongs to a `Result` until that has been read. One that is dropped before may
    still be written to: it is used again once all that its stream had been given by then is known to be complete.

    The lists are deques because a loan's end, which may come within any of these calls, only appends to them.
    """

    def __init__(self, fields: tuple[Field, ...], device: Device) -> None:
        self.fields, self.device = fields, device
        self.size = max(field.offset + field.nbytes for field in fields)
        self.reading = threading.Lock()  # a result is read by one thread, whose piece may be used again thereafter
        self._stride = -(-self.size // _STRIDE) * _STRIDE
        self._keep = max(2, _KEEP // self._stride)
        self._allocated = 0
        self._on_device: deque[DevicePiece] = deque()
        self._free: deque[PinnedPiece] = deque()
        self._dropped: deque[tuple[int, PinnedPiece]] = (
            deque()
        )  # with the number of a command that comes after the copy

    def take_on_device(self, stream: Stream) -> DevicePiece:
        """Give memory that later commands of the stream may write."""
        try:
            return self._on_device.pop()
        except IndexError:
            allocation = self.device.pool.allocate(self.size, stream, _core.DEVICE)
            return DevicePiece(allocation, self.device, self.fields)

    def give_on_device(self, piece: DevicePiece) -> None:
        """Take it back from a launch whose copy was submitted."""
        self._on_device.append(piece)

    def lend(self, stream: Stream) -> _core.PinnedLoan:
        """Lend memory that nothing writes any more, for a copy on the stream."""
        return _core.PinnedLoan(self._unused(stream), stream, self._free, self._dropped, self._keep)

    def _unused(self, stream: Stream) -> PinnedPiece:
        try:
            return self._free.pop()
        except IndexError:
            pass
        try:
            number, piece = self._dropped.popleft()
        except IndexError:
            return self._more()
        if number <= stream.submitted[1]:
            return piece
        self._dropped.appendleft((number, piece))
        return self._more()

    def _more(self) -> PinnedPiece:
        """Get pinned memory, twice as much each time: one allocation costs the driver a page at least."""
        count = max(1, min(self._allocated, _SLAB // self._stride))
        memory = Pinned(self.device, count * self._stride)
        pieces = [
            PinnedPiece.of(memory.address + start, memory.bytes[start : start + self.size], self.fields)
            for start in range(0, count * self._stride, self._stride)
        ]
        self._allocated += count
        self._free.extend(pieces[1:])
        return pieces[0]


class Result:
    """The values that a launch of `Kernel.returning` returns. Reading them waits; the launch does not.

    ``get()``, ``item()``, ``float()``, ``int()``, ``bool()``, a format (``f"{result:.2f}"``), use as an index and
    `numpy.asarray` wait for the launch and its copy, not for later work of the stream. If another call has already
    waited for them, the driver is not asked. Several results are attributes by their parameters' names,
    ``result[name]`` or ``result[i]``, and can be unpacked. Any thread may read; dropping a result unread is fine at any
    time.

    Raises
    ------
    AsynchronousError
        When it is read: the kernel, or earlier work of its stream, failed while it ran.
    DriverError
        When it is read: the launch was accepted, but not the copy of its results.
    """

    __slots__ = ("__weakref__", "_error", "_event", "_loan", "_memory", "_values")

    def __init__(self, memory: ResultMemory, loan: _core.PinnedLoan | None, event: Event | None) -> None:
        if not isinstance(memory, ResultMemory):
            raise TypeError("use launches of Kernel.returning to create results")
        self._memory, self._loan, self._event = memory, loan, event
        self._values: list[Any] | None = None
        self._error: DriverError | None = None

    @classmethod
    def _failed(cls, memory: ResultMemory, error: DriverError) -> Result:
        """Give the result of a launch that was accepted, but not the copy behind it: reading raises that error."""
        result = cls(memory, None, None)
        result._error = error
        return result

    @property
    def done(self) -> bool:
        """Whether reading will not wait. Never blocks.

        Raises
        ------
        AsynchronousError
            A command failed before it.
        """
        event = self._event
        return event is None or event.query()

    def get(self) -> Any:
        """Return the value; waits if it is not ready.

        Returns
        -------
        NumPy scalar, numpy.ndarray, or tuple of them
            A scalar for a result without a shape, a new array for a result with a shape; if several parameters are
            returned, a tuple of these in the order of their names. The same objects each time.
        """
        values = self._read()
        return tuple(values) if len(values) > 1 else values[0]

    def _read(self) -> list[Any]:
        values = self._values
        if values is not None:
            return values
        if self._error is not None:
            raise self._error
        event = self._event
        if event is not None:
            event.synchronize()
        with self._memory.reading:
            loan = self._loan
            if loan is not None:
                self._values = [value if value.ndim else value[()] for value in loan.piece.values()]
                self._event = self._loan = None
                loan.end()
        assert self._values is not None
        return self._values

    # -- one result

    def _single(self, use: str) -> Any:
        """Give the value of a single result, for what takes one."""
        fields = self._memory.fields
        if len(fields) > 1:
            names = ", ".join(field.name for field in fields)
            raise TypeError(
                f"{use} takes a single value, the result has {names}: select a value, as in result.{fields[0].name}"
            )
        return self._read()[0]

    def _element(self, use: str) -> Any:
        value = self._single(use)
        if value.size != 1:
            name = self._memory.fields[0].name
            raise TypeError(f"{use} takes a single value, {name} has {value.size}: result.get() gives the array")
        return value.item()

    def __float__(self) -> float:
        return float(self._element("float()"))

    def __int__(self) -> int:
        return int(self._element("int()"))

    def __index__(self) -> int:
        value = self._element("an index")
        if type(value) is not int:
            field = self._memory.fields[0]
            raise TypeError(f"expected an int as an index, got {field.name}, which is {field.dtype}")
        return value

    def item(self) -> Any:
        """Return the value as Python's own number; waits if it is not ready.

        Returns
        -------
        int, float or bool
            Of a result with a single value, as in ``numpy.ndarray.item``.
        """
        return self._element("item()")

    def __format__(self, spec: str) -> str:
        return format(self._element(f"the format {spec!r}"), spec) if spec else str(self)

    def __bool__(self) -> bool:
        return bool(self._element("bool()"))

    def __eq__(self, other: object) -> bool:
        raise TypeError("a result cannot be compared: compare the value of float(), int() or get()")

    __hash__ = object.__hash__

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        value = np.asarray(self._single("numpy.asarray"))
        kind = value.dtype if dtype is None else as_dtype(dtype)
        must_copy = None if copy is None else as_bool(copy, "`copy`")
        if must_copy or kind != value.dtype:
            if must_copy is False:
                raise ValueError(f"{value.dtype} cannot become {kind} without a copy")
            return np.array(value, kind)
        return value

    # -- several

    def __len__(self) -> int:
        return len(self._several())

    def __iter__(self) -> Iterator[Any]:
        self._several()
        return iter(self._read())

    def __getitem__(self, key: str | int) -> Any:
        if isinstance(key, str):
            for i, field in enumerate(self._memory.fields):
                if field.name == key:
                    return self._read()[i]
            raise KeyError(f"the result has {', '.join(field.name for field in self._memory.fields)}, not {shown(key)}")
        fields = self._several()
        number = _core.whole_number(key)
        if number is None:
            raise TypeError(f"expected the name or the number of a result, got {described(key)}")
        if not -len(fields) <= number < len(fields):
            raise IndexError(f"result {shown(number)} of {len(fields)}")
        return self._read()[number]

    def _several(self) -> tuple[Field, ...]:
        fields = self._memory.fields
        if len(fields) == 1:
            raise TypeError(f"the launch returns {fields[0].name} only: index the value of result.get()")
        return fields

    def __getattr__(self, name: str) -> Any:
        # Only for what the class has not: a parameter called `get` or `done` goes by result["done"].
        if not name.startswith("__"):
            for i, field in enumerate(object.__getattribute__(self, "_memory").fields):
                if field.name == name:
                    return self._read()[i]
        raise AttributeError(f"a result has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*filter(is_listed, super().__dir__()), *(field.name for field in self._memory.fields)]

    def __repr__(self) -> str:
        fields, values = self._memory.fields, self._values
        if values is None:
            return f"<Result {', '.join(field.name for field in fields)}, not read>"
        shown = [
            f"{field.name}={value.item()!r}" if not field.shape else f"{field.name}: {field.dtype} {field.shape}"
            for field, value in zip(fields, values, strict=True)
        ]
        return f"<Result {', '.join(shown)}>"

    def __reduce__(self) -> Any:
        raise TypeError("a Result belongs to this process: pickle or copy the value of result.get()")


_core.register_result(Result)
