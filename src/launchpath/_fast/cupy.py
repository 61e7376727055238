"""CuPy: calls of `cupy.RawKernel`, and of what `RawModule.get_function` gives."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

from launchpath import _core
from launchpath._fast import hooks as hook_checks
from launchpath._fast import rules
from launchpath._fast.capture import CaptureError, driver
from launchpath._fast.hooks import Hook
from launchpath._fast.records import RECORDS, Record, not_understood
from launchpath._fast.rules import Row
from launchpath._fast.trial import Trial, compare

VERSIONS = ((13, 6), (14, 0), (14, 1), (14, 2))
MODULE = "cupy._core.raw"
ATTRIBUTE = "_launchpath_fast"
HOOKS = (
    Hook(MODULE, "RawKernel.__call__"),
    Hook(MODULE, "RawKernel.__getstate__"),
    Hook(MODULE, "RawKernel.__setstate__"),
    Hook(MODULE, "RawKernel.kernel"),
    Hook(MODULE, "RawModule.get_function"),
    Hook("cupy.cuda", "get_current_stream"),
    Hook("cupy.cuda", "Stream"),
    Hook("cupy.cuda", "ExternalStream"),
    Hook("cupy.cuda", "MemoryPointer.ptr"),
)
_SCALARS = tuple(np.dtype(code).type for code in "bhilqBHILQefd")


class _Unfit(Exception):
    """Such launches go the original way; the text says why."""


class CupyKernel:
    """One `RawKernel`, as the core launches it: `fast`."""

    def __init__(self, kernel: Any, original: Any, library: CupyLibrary, record: Record) -> None:
        self._kernel, self._original, self._record = kernel, original, record
        own = _core.FastWatch(lambda: (None, [], []))
        self.fast = _core.FastKernel(kernel, self.otherwise, library.watch, own, library.place, ())
        record.fast = self.fast

    def otherwise(
        self, fast: _core.FastKernel, grid: None, args: tuple[Any, ...], kwargs: dict[str, Any], called: Any,
        reason: str | None, specialization: _core.FastSpecialization | None, packed: bytes | None,
    ) -> Any:  # fmt: skip
        """Launch the original way, and see what can be learned for the next launch."""
        return self._record.launch(
            lambda: self._original(self._kernel, *args, **kwargs), reason, specialization,
            lambda _: self._tried(specialization, packed, args, kwargs),
            lambda _: self._admitted(args),
        )  # fmt: skip

    def _tried(self, specialization: Any, packed: bytes | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        trial: Trial = specialization.note
        if trial.refused is not None:
            return trial.refused
        cuda: Any = sys.modules["cupy.cuda"]
        current = kwargs.get("stream")
        try:
            if driver().is_capturing(int((cuda.get_current_stream() if current is None else current).ptr)):
                return "on trial, in a capture"
        except CaptureError as error:
            trial.refused = f"its bytes cannot be compared: {error}"
            return trial.refused

        def launch(stream: int) -> None:
            captured = cuda.ExternalStream(stream)
            if current is not None:
                self._original(self._kernel, *args, **{**kwargs, "stream": captured})
                return
            with captured:
                self._original(self._kernel, *args, **kwargs)

        grid, block = ((*extents, 1, 1)[:3] for extents in args[:2])
        compare(
            driver(), self._record, specialization, packed or b"", (grid, block, kwargs.get("shared_mem", 0)), launch
        )
        return trial.refused or "on trial"

    def _admitted(self, args: tuple[Any, ...]) -> str:
        try:
            if self._kernel.__getstate__().get("enable_cooperative_groups"):
                raise _Unfit("a cooperative grid")
            specialization = self._specialization(args[2])
        except (_Unfit, CaptureError, ValueError) as error:
            return str(error)
        current = self._kernel.kernel
        self.fast.keep_only(lambda other: other.kernel is current or not other.launches)
        if not self.fast.add(len(args[2]), (), specialization):
            return "more kinds of calls than are kept"
        return "the first launch of its kind"

    def _specialization(self, values: tuple[Any, ...]) -> _core.FastSpecialization:
        function = self._kernel.kernel
        places = driver().places(int(function.ptr))
        if len(places) != len(values):
            raise _Unfit("another number of arguments than the kernel's")
        rows = [_row(value, place) for value, place in zip(values, places, strict=True)]
        size = max((offset + width for offset, width in places), default=0)
        trial = Trial(int(function.ptr), [f"number {i + 1}" for i in range(len(values))])
        return _core.FastSpecialization(function, int(function.ptr), id(function), (1, 1, 1), 0, size, rows, [], trial)


def _row(value: Any, place: tuple[int, int]) -> Row:
    """Make the rule for an argument. CuPy passes an int as an int64, of which the kernel takes its own bytes."""
    (offset, size), kind = place, type(value)
    if kind is sys.modules["cupy"].ndarray:
        if size != 8:
            raise _Unfit("an array for a parameter of a number")
        return rules.cupy_array(offset)
    if kind is int and size in (1, 2, 4, 8):
        return rules.integer(-(1 << 63), (1 << 63) - 1, 0, place)
    if kind is float and size == 8:
        return rules.real(offset, 8)
    if kind in _SCALARS and np.dtype(kind).itemsize == size:
        if not _core.fast_scalars_known([(kind(77), np.array(77, kind).tobytes())]):
            raise _Unfit("a scalar of NumPy whose value is not where launchpath expects it")
        return rules.scalar(offset, size, kind)
    raise _Unfit(f"an argument of type {kind.__module__.split('.')[0]}.{kind.__qualname__} for {size} bytes")


class CupyLibrary:
    """Puts launchpath's launch in place of CuPy's: subclasses of its classes, under the same names."""

    def __init__(self) -> None:
        self.place = _core.FastPlace()
        self.watch = _core.FastWatch(self._look)
        self._own: dict[str, Any] = {}
        self._switch = {"on": False}  # watched: kernels that exist are launchpath's objects for good
        self._ready: bool | None = None

    def patch(self, name: str) -> None:
        """Replace `RawKernel` and `RawModule` wherever CuPy has them."""
        raw: Any = sys.modules.get(MODULE)
        if raw is None or self._own:
            return
        self._own = {name: getattr(raw, name, None) for name in ("RawKernel", "RawModule")}
        if None in self._own.values():
            RECORDS.note("CuPy: RawKernel or RawModule has moved: all launches go the original way")
            return
        self._put(_subclasses(self._own["RawKernel"], self._own["RawModule"], self._find))
        self._switch["on"] = True

    def restore(self) -> None:
        """Put CuPy's own classes back. Kernels that exist launch the original way then."""
        self._switch["on"] = False
        self._put(self._own)
        self._own, self._ready = {}, None

    @staticmethod
    def _put(classes: dict[str, Any]) -> None:
        for module in (MODULE, "cupy._core", "cupy"):
            for name, value in classes.items():
                if hasattr(sys.modules.get(module), name):
                    setattr(sys.modules[module], name, value)

    def _look(self) -> tuple[str | None, list[dict[Any, Any]], list[list[Any]]]:
        return None if self._switch["on"] else "launchpath.fast was uninstalled", [self._switch], []

    def _known(self) -> bool:
        """Check the version and the hooks at the first launch, and find where arrays have their address."""
        if self._ready is None:
            cupy: Any = sys.modules["cupy"]
            text = None
            places = None
            if hook_checks.minor(cupy.__version__) not in VERSIONS:
                text = f"CuPy {cupy.__version__} is not known to this launchpath"
            elif moved := hook_checks.moved(HOOKS):
                text = f"CuPy {cupy.__version__}: {'; '.join(moved)}"
            elif (places := _array_places(cupy)) is None:
                text = f"CuPy {cupy.__version__}: its arrays do not have their address where launchpath can find it"
            if text is not None or places is None:
                RECORDS.note(f"{text}: all launches go the original way")
                self._ready = False
                return False
            _core.fast_cupy_arrays(cupy.ndarray, *places)
            _core.fast_cupy_streams(cupy.cuda.Stream, cupy.cuda.ExternalStream)
            stream = cupy.cuda.get_current_stream
            self.place.use(driver().address("cuLaunchKernel"), lambda: 0, lambda device: stream().ptr)
            self._ready = True
        return self._ready

    def _find(self, kernel: Any) -> _core.FastKernel | None:
        """Return a kernel as the core launches it; None: by CuPy alone."""
        cupy_kernel = getattr(kernel, ATTRIBUTE, None)
        if cupy_kernel is not None:
            return cupy_kernel.fast if self._own else None
        if not self._own:
            return None
        name = str(getattr(kernel, "__name__", None) or kernel.__getstate__().get("name"))
        try:
            known = self._known()
            reason = None if known else "a version that launchpath does not know"
        except CaptureError as error:
            RECORDS.note(f"CuPy: {error}: all launches go the original way")
            reason = str(error)
        except Exception as error:
            reason = not_understood(error)
        if reason is not None:
            RECORDS.count("cupy", name, reason)
            return None
        cupy_kernel = CupyKernel(kernel, self._own["RawKernel"].__call__, self, RECORDS.new("cupy", name))
        setattr(kernel, ATTRIBUTE, cupy_kernel)
        return cupy_kernel.fast


def _subclasses(kernel_class: Any, module_class: Any, find: Any) -> dict[str, Any]:
    """Make the classes that take the place of CuPy's, which are told from them by nothing but their `__call__`."""

    class RawKernel(kernel_class):  # type: ignore[misc]
        __slots__ = (ATTRIBUTE,)
        __doc__ = kernel_class.__doc__
        __call__ = _core.FastCall(kernel_class.__call__, find)

    class RawModule(module_class):  # type: ignore[misc]
        __slots__ = ()
        __doc__ = module_class.__doc__

        def get_function(self, name: str) -> Any:
            function = module_class.get_function(self, name)
            if type(function) is not kernel_class:
                return function
            own = RawKernel.__new__(RawKernel)
            own.__setstate__(function.__getstate__())
            return own

    for subclass, original in ((RawKernel, kernel_class), (RawModule, module_class)):
        subclass.__module__, subclass.__qualname__ = original.__module__, original.__qualname__  # pickles name CuPy's
    return {"RawKernel": RawKernel, "RawModule": RawModule}


def _array_places(cupy: Any) -> tuple[int, int] | None:
    """Find where an array has the object that knows its address, and where that has it; None: nowhere for sure."""
    array = cupy.empty(4, "int64")
    examples = (array, array[1:], array[2:])
    data = {_place(type(each).__mro__[-2].__basicsize__, id(each), id(each.data)) for each in examples}
    address = {_place(type(each.data).__basicsize__, id(each.data), each.data.ptr) for each in examples}
    if len(data) != 1 or len(address) != 1 or None in data | address:
        return None
    return data.pop(), address.pop()  # type: ignore[return-value]


def _place(size: int, start: int, word: int) -> int | None:
    """Find the one word of an object that is a number, in bytes; None: there is none, or several."""
    words = (ctypes.c_size_t * (size // 8)).from_address(start)
    places = [8 * i for i in range(2, size // 8) if words[i] == word]
    return places[0] if len(places) == 1 else None
