"""Host arrays as arguments: In, Out and InOut give a NumPy array memory on the device for launches to use."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._listed import Listed
from launchpath._memory import host_memory
from launchpath._memory.array import Array
from launchpath._memory.element import as_dtype
from launchpath._memory.staged_place import StagedPlace, ThreadPlaces, place_on
from launchpath._shown import as_bool, shown
from launchpath._tracebacks import boundary
from launchpath.errors import ArgumentValueError, AsynchronousError, LaunchpathError, SignatureError

if TYPE_CHECKING:
    from launchpath._compiler.signature import Parameter
    from launchpath._streams.device import Device
    from launchpath._streams.stream import Stream


class _Staged(_core.StagedBase, Listed):
    """What In, Out and InOut share.

    Attributes
    ----------
    array : numpy.ndarray
        The host array that was passed.
    """

    __slots__ = ("__weakref__", "_array", "_bytes", "_dtype")
    if not TYPE_CHECKING:
        __setattr__ = object.__setattr__  # launches set some, and the slots refuse all others

    def __init__(self, array: npt.NDArray[Any]) -> None:
        _check_array(self, array)
        self._array = array
        self._dtype = array.dtype.name
        plain = np.asarray(array)  # a matrix stays one of two axes
        self._bytes = plain.reshape(-1).view(np.uint8) if array.nbytes else np.empty(0, np.uint8)

    @property
    def array(self) -> npt.NDArray[Any]:
        return self._array

    def _check(self, kernel: _core.KernelBase, index: int) -> None:
        """Hold the array against the parameter that it is given for."""
        pointee = kernel.signature.parameters[index].pointee
        if pointee is not None and pointee != self._dtype:
            raise SignatureError(
                f"{_where(kernel, index)}: expected an array of {pointee}, got {_name(self)} of {self.array.dtype}: "
                f"wrap an array of {pointee}"
            )

    def __bool__(self) -> bool:
        raise TypeError(f"{_name(self)} has no truth value: use the array that it wraps")

    def __reduce__(self) -> Any:
        raise TypeError(f"{_name(self)} has memory on a device: pickle or copy its host array")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.array.shape} {self.array.dtype}>"


class In(_Staged):
    """A host array that a kernel reads, as an argument: ``kernel[grid, block](lp.In(a), ...)``.

    Each launch takes the array's bytes at the call, so the host may change them at once afterwards, and copies them to
    the device in the order of the launch's stream, asynchronously. Values that the kernel writes to it are lost.

    Keep it and use it again: then a launch costs a single copy, and does not allocate, free or wait for memory. At most
    4 MiB of pinned memory, or two copies of the array if that is more, hold values before their upload. At the limit,
    the call waits for the oldest upload; if the stream is held back, the limit is raised.

    Parameters
    ----------
    array : numpy.ndarray
        C-contiguous, in the machine's byte order, of the parameter's dtype. It is kept, and read at each launch.

    Attributes
    ----------
    array : numpy.ndarray
        The host array that was passed.

    Raises
    ------
    ArgumentValueError
        It is not such an array. The launch checks the parameter and raises `SignatureError`: for another dtype, or for
        a pointer without const, because values that the kernel writes would be lost. If the kernel's library does not
        report const (a binary without a signature, Triton, Numba), const is not checked.

    Notes
    -----
    Any thread may use it. Each thread has its own device memory in it, so that no upload overwrites values that another
    thread's launch is about to read. Launches of a thread on several streams share this memory, and run one after the
    other.
    """

    __slots__ = ("_thread_places",)

    def __init__(self, array: npt.NDArray[Any]) -> None:
        """Wrap an array."""
        super().__init__(array)
        self._thread_places = ThreadPlaces()

    def _stage(self, stream: Stream, kernel: _core.KernelBase, index: int) -> int:
        """Upload for a launch that comes next on the stream; the core calls this. Returns the device's address."""
        self._check(kernel, index)
        parameter = kernel.signature.parameters[index]
        if not parameter.const and _tells_const(kernel, parameter):
            raise SignatureError(
                f"{_where(kernel, index)} is not const, so the kernel may write to it, and launchpath.In would lose "
                "the result: use launchpath.InOut, or declare the parameter const if the kernel only reads it (of a "
                "loaded kernel: in the `signatures` of launchpath.load)"
            )
        host_memory.refuse_capture(stream)
        place = place_on(stream, self._thread_places.by_device, self._bytes.size)
        place.move_to(stream)
        place.upload(self._bytes)
        return place.address


class _Returned(_Staged):
    """What Out and InOut share: the device's values come back when they are read."""

    __slots__ = ("_before", "_failure", "_last", "_lock", "_places")

    def __init__(self, array: npt.NDArray[Any]) -> None:
        super().__init__(array)
        self._lock = threading.Lock()
        self._places: dict[Device, StagedPlace] = {}
        self._last: StagedPlace | None = None  # where the newest values are, if `_launched`
        self._launched = False  # a launch that was staged may have been refused after that
        self._before = 0  # number of the last command before that launch
        self._failure: AsynchronousError | None = None  # of a launch before it, whose values it went on with

    def _has_values(self) -> bool:
        """Tell whether a device has newer values than the host."""
        return self._last is not None and self._launched

    def _known_failure(self) -> AsynchronousError | None:
        """Tell what is known to have failed of that launch or behind it, though a synchronize may have told of it."""
        if self._failure is None and self._last is not None:
            self._failure = self._last.stream.failure(self._before)
        return self._failure

    def _lend(self, place: StagedPlace, stream: Stream, has_values: bool) -> int:
        """Note that a launch on a stream comes next."""
        host_memory.refuse_capture(
            stream,
            f"results of a kernel in {_name(self)}",
            "Pass the kernel an array, and read that when the graph has run",
        )
        self._failure = self._known_failure() if has_values else None
        place.move_to(stream)
        self._last, self._launched, self._before = place, has_values, stream.submitted[0]
        return place.address

    def _fetch(self) -> None:
        """Bring the device's values to the host, if it has newer ones."""
        place = self._last
        if place is None or not self._launched:
            return
        if self._left_out():
            self._last = None
            raise LaunchpathError(
                "the driver refused a command of the step that the launch was in, so the launch may not have been "
                "submitted: the host array is unchanged; launch again"
            )
        try:
            failure = self._known_failure()
            if failure is not None:
                raise failure
            place.download(self._bytes)
        except AsynchronousError:
            self._last = None  # there are none: the next launch begins from the host's again
            raise
        self._last = None

    def _check(self, kernel: _core.KernelBase, index: int) -> None:
        if kernel.signature.parameters[index].const:
            raise SignatureError(
                f"{_where(kernel, index)} is const, so the kernel writes no result: expected launchpath.In, got "
                f"{_name(self)}: use launchpath.In"
            )
        super()._check(kernel, index)

    def get(self) -> npt.NDArray[Any]:
        """Return the host array, with the values of the last launch.

        After a launch it is downloaded once, and this call waits for that launch only. Otherwise there is no download.

        Returns
        -------
        numpy.ndarray
            The array that was wrapped: its shape and dtype do not change.

        Raises
        ------
        AsynchronousError
            The launch, or work before it, failed. The host array is unchanged.
        """
        with self._lock:
            self._fetch()
        return self.array

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        must_copy = None if copy is None else as_bool(copy, "`copy`")
        host = self.get()
        kind = host.dtype if dtype is None else as_dtype(dtype)
        if kind != host.dtype:
            if must_copy is False:
                raise ValueError(f"an array of {host.dtype} becomes an array of {kind} by copying")
            return host.astype(kind)
        return host.copy() if must_copy else host


class Out(_Returned):
    """A host array that a kernel fills, as an argument: ``kernel[grid, block](y, ...)``, and then ``y.get()``.

    There is no upload: elements that no kernel writes have undefined values afterwards (`InOut` keeps them). A launch
    is asynchronous; its values are downloaded when they are first read, by `get` or ``numpy.asarray``. Launches may
    follow each other on any streams: each launch runs after the previous launch, and reads its values.

    Parameters
    ----------
    array : numpy.ndarray
        C-contiguous, writable, in the machine's byte order, of the parameter's dtype. It is kept, and written by `get`.

    Attributes
    ----------
    array : numpy.ndarray
        The host array that was passed; it has old values until `get`.

    Raises
    ------
    ArgumentValueError
        It is not such an array. The launch checks the parameter and raises `SignatureError`: for another dtype, or for
        a parameter that is const.

    Notes
    -----
    The caller orders launches of several threads with the same Out, as for an `Array`. On another device the values
    start anew: those of the previous device are dropped.
    """

    __slots__ = ()

    def __init__(self, array: npt.NDArray[Any]) -> None:
        """Wrap an array."""
        super().__init__(array)

    def _stage(self, stream: Stream, kernel: _core.KernelBase, index: int) -> int:
        """Give memory to a launch that comes next on the stream; the core calls this. Returns the device's address."""
        self._check(kernel, index)
        with self._lock:
            place = place_on(stream, self._places, self._bytes.size)
            return self._lend(place, stream, place is self._last and self._has_values())


class InOut(_Returned):
    """A host array that a kernel changes, as an argument: uploaded as for `In`, downloaded by `get` as for `Out`.

    The host's values are uploaded at the first launch, and at the first launch after each `get` or ``numpy.asarray``,
    which give the array to the host. Between a launch and `get` the newest values are on the device: further launches
    use those, and the host's writes to the array are lost.

    Parameters
    ----------
    array : numpy.ndarray
        C-contiguous, writable, in the machine's byte order, of the parameter's dtype. It is kept, read at such
        launches, and written by `get`.

    Attributes
    ----------
    array : numpy.ndarray
        The host array that was passed; it has old values until `get`.

    Raises
    ------
    ArgumentValueError
        It is not such an array. The launch checks the parameter and raises `SignatureError`: for another dtype, or for
        a parameter that is const.

    Notes
    -----
    The caller orders launches of several threads with the same InOut, as for an `Array`. A launch on another device
    first downloads the values, which blocks, and then uploads them there.
    """

    __slots__ = ()

    def __init__(self, array: npt.NDArray[Any]) -> None:
        """Wrap an array."""
        super().__init__(array)

    def _stage(self, stream: Stream, kernel: _core.KernelBase, index: int) -> int:
        """Upload if the host has had the values; the core calls this. Returns the device's address."""
        self._check(kernel, index)
        with self._lock:
            place = place_on(stream, self._places, self._bytes.size)
            if place is not self._last:
                self._fetch()
            has_values = self._has_values()
            address = self._lend(place, stream, has_values)
            if not has_values:
                self._last = None  # until the upload is submitted
                place.upload(self._bytes)
                self._last = place
            return address


def _tells_const(kernel: _core.KernelBase, parameter: Parameter) -> bool:
    """Tell whether a parameter without const was declared so, or is one whose declaration nobody knows."""
    untold = parameter.ctype == "void *" and parameter.name.startswith("arg")  # as binaries have it
    return not untold and kernel.signature.tells_const


def _where(kernel: _core.KernelBase, index: int) -> str:
    return f"{kernel.name}: parameter {index} ({kernel.signature.parameters[index]})"


def _name(staged: _Staged) -> str:
    return f"launchpath.{type(staged).__name__}"


def _check_array(staged: _Staged, array: Any) -> None:
    """Refuse what cannot be copied to a device, or back from it, as it is."""
    name = _name(staged)
    if isinstance(array, Array):
        raise ArgumentValueError(f"{name}: expected a NumPy array, got {shown(array)}: pass it without the wrapper")
    if not isinstance(array, np.ndarray):
        raise ArgumentValueError(
            f"{name}: expected a NumPy array, got a {type(array).__name__}: create an array with numpy.asarray, and "
            "keep it"
        )
    if isinstance(array, np.ma.MaskedArray):
        raise ArgumentValueError(f"{name}: expected an array without a mask, got a masked array: pass its data")
    if array.dtype.hasobject:
        raise ArgumentValueError(
            f"{name}: expected a dtype without Python objects, got {array.dtype}: a device cannot use them"
        )
    if not array.dtype.isnative:
        raise ArgumentValueError(
            f"{name}: expected this machine's byte order, got {array.dtype}: "
            "convert it with astype(dtype.newbyteorder('='))"
        )
    if not array.flags.c_contiguous:
        raise ArgumentValueError(
            f"{name}: expected a C-contiguous array, got shape {array.shape} with strides {array.strides}: "
            "make it contiguous with numpy.ascontiguousarray"
        )
    if isinstance(staged, _Returned) and not array.flags.writeable:
        raise ArgumentValueError(
            f"{name}: expected a writeable array for results, got a read-only array: use launchpath.In"
        )


for _kind in (In, Out, InOut):  # launches call it: its errors end at their line
    setattr(_kind, "_stage", boundary(_kind._stage))  # noqa: B010 (type checkers would want a method)
