"""Launchers of compiled kernels: `CompiledKernel.run`, and torch's own of what its inductor compiles with Triton.

They get a grid, a stream and arguments for a kernel that is chosen already. So rules of types are enough.
"""

from __future__ import annotations

import types
from typing import Any

from launchpath import _core
from launchpath._fast import rules
from launchpath._fast.capture import CaptureError, driver
from launchpath._fast.records import Record
from launchpath._fast.rules import Row
from launchpath._fast.trial import Trial, compare
from launchpath._fast.triton.admission import Layout, refused
from launchpath._fast.triton.specializing import BOOLS, DEVICE_TYPES, FLOATS, INTS, Unfit
from launchpath._fast.triton.surroundings import Looked, Surroundings

ANY = -1  # element type
AHEAD, HOOKS = 9, 8  # arguments of `CompiledKernel.run` before the kernel's own; where the hooks are
STATIC_AHEAD = 4
# Of torch's launcher: Triton's types by its letters.
_LETTERS = {
    "b": "i8",
    "h": "i16",
    "i": "i32",
    "l": "i64",
    "B": "u8",
    "H": "u16",
    "I": "u32",
    "K": "u64",
    "f": "fp32",
    "d": "fp64",
}


class CompiledLauncher:
    """One compiled kernel, as the core launches it: `fast`."""

    def __init__(self, kernel: Any, original: Any, surroundings: Surroundings, record: Record, ahead: int) -> None:
        self._kernel, self._original, self._record, self._ahead = kernel, original, record, ahead
        own = _core.FastWatch(self._look)
        self.fast = _core.FastKernel(kernel, self.otherwise, surroundings.watch, own, surroundings.place, ())
        record.fast = self.fast

    def __reduce__(self) -> Any:
        return types.NoneType, ()  # kernels are pickled with their attributes

    def _look(self) -> Looked:
        """Watch what the kernel was loaded as: torch unloads kernels that lost a tuning."""
        self.fast.keep_only(self._is_current)
        return None, [vars(self._kernel)], []

    def _is_current(self, specialization: _core.FastSpecialization) -> bool:
        trial: Trial = specialization.note
        if self._kernel.function == trial.function:
            return True
        self._record.note_dropped(specialization)
        return False

    def otherwise(
        self, fast: _core.FastKernel, grid: None, args: tuple[Any, ...], kwargs: dict[str, Any], called: Any,
        reason: str | None, specialization: _core.FastSpecialization | None, packed: bytes | None,
    ) -> Any:  # fmt: skip
        """Launch the original way, and see what can be learned for the next launch."""
        return self._record.launch(
            lambda: self._original(self._kernel, *args), reason, specialization,
            lambda _: self._tried(specialization, packed or b"", args),
            lambda _: self._admitted(args[self._ahead :]),
        )  # fmt: skip

    def _tried(self, specialization: Any, packed: bytes, args: tuple[Any, ...]) -> str:
        trial: Trial = specialization.note
        if trial.refused is not None:
            return trial.refused
        try:
            if driver().is_capturing(int(args[3])):
                return "on trial, in a capture"
        except CaptureError as error:
            trial.refused = f"its bytes cannot be compared: {error}"
            return trial.refused
        hooks = [None] * (self._ahead - 6) if self._ahead == AHEAD else []
        between = [*args[4:6], *hooks] if hooks else []

        def launch(stream: int) -> None:
            self._original(self._kernel, *args[:3], stream, *between, *args[self._ahead :])

        block, shared = trial.key
        compare(driver(), self._record, specialization, packed, (args[:3], block, shared), launch)
        return trial.refused or "on trial"

    def _admitted(self, values: tuple[Any, ...]) -> str:
        try:
            specialization = self._static(values) if self._ahead == STATIC_AHEAD else self._compiled(values)
        except (Unfit, CaptureError, ValueError) as error:
            return str(error)
        return (
            "the first launch of its kind"
            if self.fast.add(len(values), (), specialization)
            else "more kinds of calls than are kept"
        )

    def _compiled(self, values: tuple[Any, ...]) -> _core.FastSpecialization:
        kernel = self._kernel
        reason = refused(kernel)
        if reason is not None:
            raise Unfit(reason)
        layout = Layout(kernel)
        if len(layout.types) != len(values):
            raise Unfit("a compiled kernel with other parameters")
        rows = [
            rules.anything() if type_ == "constexpr" else row(type_, value, layout.places[name])
            for (name, type_), value in zip(layout.types.items(), values, strict=True)
        ]
        block = (kernel.metadata.num_warps * layout.warp_size, 1, 1)
        return self._specialization(rows, kernel.function, block, kernel.metadata.shared, layout.names, layout.size)

    def _static(self, values: tuple[Any, ...]) -> _core.FastSpecialization:
        kernel = self._kernel
        places = driver().places(int(kernel.function))
        scratch = int(kernel.has_global_scratch) + int(kernel.has_profile_scratch)
        if len(kernel.arg_tys) != len(values) or len(places) != len(values) + scratch:
            raise Unfit("a compiled kernel with other parameters")
        rows = [
            row("*" if letter == "O" else _LETTERS.get(letter, letter), value, place)
            for letter, value, place in zip(kernel.arg_tys, values, places, strict=False)
        ]
        size = max((offset + width for offset, width in places), default=0)
        names = [f"number {i + 1}" for i in range(len(values))]
        return self._specialization(rows, kernel.function, (kernel.num_warps * 32, 1, 1), kernel.shared, names, size)

    def _specialization(
        self, rows: list[Row], function: Any, block: tuple[int, int, int], shared: int, names: list[str], size: int
    ) -> _core.FastSpecialization:
        trial = Trial(int(function), names, key=(block, shared))
        return _core.FastSpecialization(self._kernel, int(function), 0, block, shared, size, rows, [], trial)


def row(type_: Any, value: Any, place: tuple[int, int]) -> Row:
    """Make the rule for an argument of a compiled kernel.

    Raises
    ------
    Unfit
    """
    kind, (offset, size) = type(value), place
    if isinstance(type_, str) and type_.startswith("*"):
        if kind.__module__.split(".")[0] != "torch" or not hasattr(value, "layout"):
            raise Unfit(f"an argument of type {kind.__module__.split('.')[0]}.{kind.__qualname__}")
        if _core.fast_tensor(value, value.device.type in DEVICE_TYPES) is None:
            raise Unfit(f"a tensor of class {kind.__qualname__} on {value.device.type}")
        return rules.tensor(offset, ANY)
    if kind is int and type_ in INTS and size == INTS[type_][2]:
        return rules.integer(*INTS[type_][:2], 0, place)
    if kind is bool and type_ in BOOLS and size == 1:
        return rules.boolean(offset)
    if kind is float and type_ in FLOATS and size == FLOATS[type_]:
        return rules.real(offset, size, type_ == "bf16")
    raise Unfit(f"an argument of type {kind.__qualname__} as {type_}")
