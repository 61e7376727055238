"""A kernel of Numba: whether its launches may be made here, and the original way for all others."""

from __future__ import annotations

import contextlib
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any

from launchpath import _core
from launchpath._fast.capture import CaptureError, driver
from launchpath._fast.numba.arguments import Layout, Unfit, row
from launchpath._fast.numba.surroundings import Looked, Surroundings
from launchpath._fast.records import Record
from launchpath._fast.trial import Trial, compare

_SEVERAL = "several launches in one"
_noted = threading.local()  # `launches`: where this thread's launches by Numba itself are noted


@contextlib.contextmanager
def noting(launches: list[Any]) -> Iterator[None]:
    """Have the kernels noted that this thread launches by Numba itself meanwhile."""
    before, _noted.launches = getattr(_noted, "launches", None), launches
    try:
        yield
    finally:
        _noted.launches = before


def note_launch(kernel: Any) -> bool:
    """Note a launch by Numba itself. False: it is one that nobody counts."""
    launches = getattr(_noted, "launches", None)
    if launches is None:
        return False
    launches.append(kernel)
    return True


class NumbaKernel:
    """One dispatcher, as the core launches it: `fast`."""

    def __init__(self, dispatcher: Any, original: Any, surroundings: Surroundings, record: Record) -> None:
        self._dispatcher, self._original, self._surroundings, self._record = dispatcher, original, surroundings, record
        code = dispatcher.py_func.__code__
        self._names = code.co_varnames[: code.co_argcount]
        self._own = _core.FastWatch(self._look)
        self.fast = _core.FastKernel(
            dispatcher, self.otherwise, surroundings.watch, self._own, surroundings.place, self._names
        )
        record.fast = self.fast

    def __reduce__(self) -> Any:
        return types.NoneType, ()  # what is pickled with the kernel

    def _look(self) -> Looked:
        dispatcher = self._dispatcher
        dicts = [vars(dispatcher), dispatcher.overloads, dispatcher.targetoptions]
        self.fast.keep_only(self._is_current)
        if dispatcher.extensions:
            return "extensions", dicts, []
        if getattr(dispatcher, "_launch_config_sensitive", False):
            return "a kernel that depends on its configuration", dicts, []
        return None, dicts, []

    def _is_current(self, specialization: _core.FastSpecialization) -> bool:
        # Another overload may be a better match for the same arguments: what is known now is known for these alone.
        trial: Trial = specialization.note
        if tuple(map(id, self._dispatcher.overloads.values())) == trial.key:
            return True
        self._record.note_dropped(specialization)
        return False

    def whole(self, key: Any, configured: Any) -> _core.FastGrid | None:
        """Make a configuration of what Numba gave for a subscript, None: nothing yet. It refuses what is none."""
        if configured is None:
            configured = self._original(self._dispatcher, key)
        module: Any = sys.modules["numba.cuda.dispatcher"]
        if type(configured) is not module._LaunchConfiguration:
            return None
        try:
            handle = int(configured.stream.handle)
            config = (configured.griddim, configured.blockdim, int(configured.sharedmem), handle, _written(key))
            return _core.FastGrid(self.fast, key, config, configured)
        except (AttributeError, OverflowError, TypeError, ValueError) as error:
            self._record.count(f"a configuration that launchpath does not read: {type(error).__name__}")
            return None

    def otherwise(
        self, fast: _core.FastKernel, grid: _core.FastGrid, args: tuple[Any, ...], kwargs: dict[str, Any], called: Any,
        reason: str | None, specialization: _core.FastSpecialization | None, packed: bytes | None,
    ) -> Any:  # fmt: skip
        """Launch the original way, and see what can be learned for the next launch."""
        launches: list[Any] = []

        def original() -> Any:
            with noting(launches):
                return grid.original(*args, **kwargs)

        return self._record.launch(
            original, reason, specialization,
            lambda _: self._tried(specialization, packed, launches, grid, args),
            lambda _: self._admitted(launches, grid, args, kwargs),
        )  # fmt: skip

    def _tried(
        self,
        specialization: Any,
        packed: bytes | None,
        launches: list[Any],
        grid: _core.FastGrid,
        args: tuple[Any, ...],
    ) -> str:
        """Compare a launch on trial with the original's."""
        if len(launches) != 1:
            return _SEVERAL
        (kernel,) = launches
        trial: Trial = specialization.note
        configured = grid.original
        if trial.refused is not None:
            return trial.refused
        if kernel is not specialization.kernel or packed is None:
            self.fast.keep_only(lambda other: other is not specialization)
            return "Numba launched another kernel than before"
        try:
            if driver().is_capturing(int(configured.stream.handle)):
                return "on trial, in a capture"
        except CaptureError as error:
            trial.refused = f"its bytes cannot be compared: {error}"
            return trial.refused
        stream_class = type(configured.stream)

        def launch(stream: int) -> None:
            with noting([]):
                kernel.launch(
                    args,
                    configured.griddim,
                    configured.blockdim,
                    stream_class.from_handle(stream),
                    configured.sharedmem,
                )

        config = (configured.griddim, configured.blockdim, int(configured.sharedmem))
        compare(driver(), self._record, specialization, packed, config, launch)
        return trial.refused or "on trial"

    def _admitted(
        self, launches: list[Any], grid: _core.FastGrid, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> str:
        """Make a specialization of a launch that was none yet; says why it went the original way."""
        if len(launches) != 1:
            return _SEVERAL
        (kernel,) = launches
        module: Any = sys.modules["numba.cuda.dispatcher"]
        try:
            if kwargs:
                raise Unfit("arguments by name")
            if type(kernel) is not module._Kernel or kernel not in self._dispatcher.overloads.values():
                raise Unfit("a kernel that Numba does not keep")
            if kernel.debug:
                raise Unfit("a kernel compiled for debugging")
            if kernel.cooperative:
                raise Unfit("a cooperative grid")
            if kernel.extensions:
                raise Unfit("extensions")
            if getattr(grid.original, "pre_launch_callbacks", None):
                raise Unfit("pre_launch_callbacks")
            specialization = self._specialization(kernel, args)
        except (Unfit, CaptureError, ValueError) as error:
            return str(error)
        if not self.fast.add(len(args), (), specialization):
            return "more kinds of calls than are kept"
        self._own.refresh()
        return "the first launch of its kind"

    def _specialization(self, kernel: Any, args: tuple[Any, ...]) -> _core.FastSpecialization:
        handle = kernel._codelibrary.get_cufunc().handle
        function = int(handle)
        if type(handle).__name__ == "CUkernel":
            function = driver().function_of(function)
        layout = Layout(driver().places(function))
        types = kernel.argument_types
        if len(types) != len(args):
            raise Unfit("another number of arguments than the kernel's")
        names = [*self._names, *(f"arg{i}" for i in range(len(self._names), len(args)))]
        call = [row(name, type_, value, layout) for name, type_, value in zip(names, types, args, strict=False)]
        if not layout.is_used_up():
            raise Unfit("more parameters in the compiled kernel than launchpath expects")
        trial = Trial(function, layout.names, key=tuple(map(id, self._dispatcher.overloads.values())))
        return _core.FastSpecialization(
            kernel, function, driver().context(), (1, 1, 1), 0, layout.size, call, [], trial
        )


def _written(key: Any) -> Any:
    """Return the stream as the program wrote it; None: it did not."""
    return key[2] if len(key) > 2 else None
