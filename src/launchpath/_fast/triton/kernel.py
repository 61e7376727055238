"""A kernel of Triton: whether its launches may be made here, and the original way for all others."""

from __future__ import annotations

import sys
import types
from typing import Any

from launchpath import _core
from launchpath._fast.capture import CaptureError, driver
from launchpath._fast.records import Record
from launchpath._fast.trial import Trial, compare
from launchpath._fast.triton.admission import RUN_NAMES, admit
from launchpath._fast.triton.specializing import Unfit, is_constant
from launchpath._fast.triton.surroundings import Looked, Surroundings

_CHANGED = "a used global has changed"
_CONSTEXPR = ("triton.language.core", "constexpr")


class TritonKernel:
    """One `JITFunction`, as the core launches it: `fast`."""

    def __init__(self, function: Any, original: Any, surroundings: Surroundings, record: Record) -> None:
        self._function, self._original, self._surroundings, self._record = function, original, surroundings, record
        names = tuple(parameter.name for parameter in function.params)
        self._own = _core.FastWatch(self._look)
        self.fast = _core.FastKernel(function, self.otherwise, surroundings.watch, self._own, surroundings.place, names)
        self.fast.note = self
        record.fast = self.fast

    def __reduce__(self) -> Any:
        return types.NoneType, ()  # what is pickled with the kernel

    def _look(self) -> Looked:
        function = self._function
        attributes = vars(function)
        dicts = [attributes, function.device_caches, function.used_global_vals]
        hooks = function.pre_run_hooks
        self.fast.keep_only(self._is_current)
        for place in {specialization.place for specialization in self.fast.specializations()}:
            dicts.append(function.device_caches.get(place)[0])
        if "run" in attributes or "__getitem__" in attributes:
            return "the kernel's own run was replaced", dicts, [hooks]
        if hooks:
            return "pre_run_hooks", dicts, [hooks]
        return self._globals(), dicts, [hooks]

    def _is_current(self, specialization: _core.FastSpecialization) -> bool:
        """Whether Triton would launch the same kernel still."""
        caches = self._function.device_caches.get(specialization.place)
        trial: Trial = specialization.note
        if (
            caches is not None
            and caches[0].get(trial.key) is specialization.kernel
            and self._function.debug is trial.debug
        ):
            return True
        self._record.note_dropped(specialization)
        return False

    def _globals(self) -> str | None:
        """Compare the globals that the kernel uses, as Triton does at each launch, and note the objects."""
        rows = []
        for (name, _), (value, names) in self._function.used_global_vals.items():
            present = names.get(name, _core)  # which is no kernel's global
            if present is not value and present != value:
                return _CHANGED
            inner = present.value if (type(present).__module__, type(present).__qualname__) == _CONSTEXPR else present
            if not is_constant(inner) and not isinstance(inner, type):
                return f"a used global of type {type(inner).__name__}"
            rows.append((names, name, present))
        self.fast.globals = tuple(rows)
        return None

    def otherwise(
        self, fast: _core.FastKernel, grid: _core.FastGrid | None, args: tuple[Any, ...], kwargs: dict[str, Any],
        called: Any, reason: str | None, specialization: _core.FastSpecialization | None, packed: bytes | None,
    ) -> Any:  # fmt: skip
        """Launch the original way, and see what can be learned for the next launch."""
        asked = called
        if called is NotImplemented:
            asked = grid.grid if grid is not None else kwargs.get("grid")
        again = kwargs if called is NotImplemented or grid is not None else {**kwargs, "grid": called}
        bare = {name: value for name, value in kwargs.items() if grid is not None or name not in RUN_NAMES}

        def original() -> Any:
            _core.fast_enter()
            try:
                if grid is not None:
                    return self._original(self._function, *args, grid=asked, warmup=False, **again)
                return self._original(self._function, *args, **again)
            finally:
                _core.fast_leave()

        return self._record.launch(
            original, reason, specialization,
            lambda result: self._tried(specialization, packed, result, args, bare, asked),
            lambda result: self._admitted(result, grid, tuple(kwargs), args, bare, kwargs),
        )  # fmt: skip

    def _tried(
        self, specialization: Any, packed: bytes | None, result: Any, args: Any, kwargs: dict[str, Any], grid: Any
    ) -> str:
        """Compare a launch on trial with the original's."""
        trial: Trial = specialization.note
        if trial.refused is not None:
            return trial.refused
        if specialization.state:
            return self._own.refresh() or "a used global was replaced by an equal one"
        if result is not specialization.kernel or packed is None:
            self.fast.keep_only(lambda other: other is not specialization)
            return "Triton launched another kernel than before"
        place = specialization.place
        bound, _, _ = self._function.device_caches[place][-1](*args, **kwargs)
        values = list(bound.values())
        extents = tuple(grid(bound)) if callable(grid) else tuple(grid)
        extents = (*extents, 1, 1)[:3]
        if 0 in extents:
            return "an empty grid while on trial"
        try:
            if driver().is_capturing(self._surroundings.place.now()[1]):
                return "on trial, in a capture"
        except CaptureError as error:
            trial.refused = f"its bytes cannot be compared: {error}"
            return trial.refused

        def launch(stream: int) -> None:
            result._run(*extents, stream, result.function, result.packed_metadata, None, None, None, *values)

        block = (result.metadata.num_warps * result.metadata.target.warp_size, 1, 1)
        compare(driver(), self._record, specialization, packed, (extents, block, result.metadata.shared), launch)
        return trial.refused or "on trial"

    def _admitted(
        self, result: Any, grid: Any, names: tuple[str, ...], args: tuple[Any, ...], bare: dict[str, Any], kwargs: Any
    ) -> str:
        """Make a specialization of a launch that was none yet; says why it went the original way."""
        compiled = sys.modules["triton.compiler.compiler"].CompiledKernel
        if self._surroundings.watch.check() is not None:
            return str(self._surroundings.watch.reason)
        if grid is None and kwargs.get("warmup") is not False:
            return "a warm-up"
        if type(result) is not compiled or not result.function:
            return "a kernel that is being compiled"
        try:
            device = self._surroundings.place.now()[0]
            specialization = admit(self._function, result, device, names, args, bare)
        except (Unfit, ValueError) as error:
            return str(error)
        run = {} if grid is not None else {f"{name}_at": len(args) + names.index(name) for name in RUN_NAMES}
        if not self.fast.add(len(args), names, specialization, **run):
            return "more kinds of calls than are kept"
        self._own.refresh()
        return "the first launch of its kind"
