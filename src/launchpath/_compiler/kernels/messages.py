"""Messages about a kernel as a whole, at its declaration."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import CompileError
from ..messages.log import Message
from ..source.unit import OTHER_FILES, Unit, refused
from ..target import NO_STEP
from .instance import Instance, normal


def undefined(unit: Unit, kernel: Instance, names: Iterable[str]) -> CompileError:
    """The error for functions and variables that a kernel uses and nothing defines."""
    from .mangled import demangled  # noqa: PLC0415 (it loads ctypes, for messages alone)

    lacking = sorted(demangled(name) or name for name in names)
    text = f"kernel '{kernel.name}' uses {', '.join(dict.fromkeys(lacking))}, which kernels do not have here"
    if "align_val_t" not in text:  # memory that is aligned to more than 16 bytes
        text += f"; if another file of the program defines it, pass all {OTHER_FILES}"
    return refused(unit, [message_at(unit, kernel, "error", text)])


def no_step(unit: Unit, kernel: Instance) -> Message:
    """The warning for a kernel that counts on lanes which run in step, where none do."""
    text = f"kernel '{kernel.name}': {NO_STEP}: put __syncthreads() between, or use a device with sub-groups"
    return message_at(unit, kernel, "warning", text)


def not_vectorized(unit: Unit, names: list[str]) -> Message:
    """The warning for kernels that are compiled in seconds, for more time of each launch."""
    kernels = f"kernel '{names[0]}'" + (f" and {len(names) - 1} others" if len(names) > 1 else "")
    text = f"{kernels}: too large to be vectorized in a short time; optimization=3 vectorizes all kernels"
    return Message(unit.source.name, 0, 0, "warning", text)


def without_hidden(
    unit: Unit, kernels: Iterable[Instance], requested: Iterable[str], warnings: list[Message]
) -> list[Instance]:
    """Leave out kernels that only their class may name, with warnings; those that the caller asks for are refused."""
    names = {*map(normal, requested)}
    visible = []
    for kernel in kernels:
        text = f"kernel '{kernel.name}' is private or protected in its class, which this device's compiler cannot "
        text += "compile: make it public"
        if not kernel.declaration.is_hidden:
            visible.append(kernel)
        elif normal(kernel.name) in names:
            raise refused(unit, [message_at(unit, kernel, "error", text)])
        else:
            warnings.append(message_at(unit, kernel, "warning", f"{text}; it is skipped"))
    return visible


def message_at(unit: Unit, kernel: Instance, level: str, text: str) -> Message:
    """A message at a kernel's declaration."""
    declared = kernel.declaration
    return Message(unit.name_of(declared.path), declared.line, declared.column, level, text)
