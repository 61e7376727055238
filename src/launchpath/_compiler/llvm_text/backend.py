"""The SPIR-V backend's refusals: their meaning, and LLVM's text rewritten so that the backend takes it."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable
from dataclasses import replace

from ..clang.run import Outcome, assemble
from ..messages.log import Message
from ..source.unit import Unit
from .rewritings.table import (
    ADDRESS_TABLES,
    ALL,
    EMPTY_ASSEMBLY,
    FIRST,
    FUNCTION_POINTERS,
    INDIRECT,
    PADDING,
    PLAIN,
    VARIABLE_ARGUMENTS,
)

_HEADER = 20  # bytes of a SPIR-V module before its instructions, of which those that declare capabilities come first
_TO_TEXT = {"-emit-obj": "-emit-llvm"}
_COPIED = b"__const."
VARIADIC = VARIABLE_ARGUMENTS.refusals[0]
_READS_ARGUMENTS = "G_VAARG"  # where such a function returns nothing, or a struct
# Clang's messages about inline assembly, and about functions that are a device's instructions by their assembly names.
ASSEMBLY = re.compile("|".join([*EMPTY_ASSEMBLY.refusals, "Broken module found"]))
_READING = (
    "a device function that reads its variable arguments (va_start) works on no OpenCL device: pass them as "
    "parameters, or make the function a template with a parameter pack"
)
# The meaning of words of the backend's messages, in the source's terms.
MEANINGS = {
    VARIADIC: _READING,
    _READS_ARGUMENTS: _READING,
    "::sync_of_grid()": "sync() of a thread_group that is a grid: no device here runs the threads of a whole grid at "
    "once, as grid.sync() needs",
    "::sync_of_tile()": "sync() of a thread_group that is a tile: tiles of a block need sub-groups, which this device "
    "does not have; platforms that take SPIR-V have them, such as Intel's OpenCL",
    INDIRECT: "virtual functions and pointers to functions are called by a choice among those of the type whose "
    "address device code takes, or whose objects it makes: no function of this type is among them",
}


def translated(
    unit: Unit, assembled: Callable[[], Outcome], text: Callable[[], Outcome], mode: tuple[str, ...]
) -> Outcome:
    """Run Clang; where its backend fails or does not do what is meant, go on from LLVM's text.

    Parameters
    ----------
    unit : Unit
    assembled, text : callable
        Run Clang: to SPIR-V, and to LLVM's text.
    mode : tuple of str
        Clang's arguments that make SPIR-V of LLVM's text.
    """
    outcome = _without_pointers(assembled())
    if not _shares(outcome) if outcome.succeeded else not _is_refused(outcome):
        return outcome
    llvm = text()
    return _repaired(unit, llvm, outcome, mode) if llvm.succeeded else outcome


def _without_pointers(outcome: Outcome) -> Outcome:
    """Refuse a module with addresses of functions: devices take calls by name only."""
    if not outcome.succeeded or not _declares_pointers(outcome.output):
        return outcome
    return replace(outcome, succeeded=False, messages=[*outcome.messages, Message("", 0, 0, "error", INDIRECT)])


def _declares_pointers(module: bytes) -> bool:
    """Whether a SPIR-V module declares the capability of function pointers."""
    from ..spirv.enumerants import Capability  # noqa: PLC0415 (while Clang works)
    from ..spirv.opcodes import Op  # noqa: PLC0415

    declares = 2 << 16 | Op.Capability  # the first of the two words of such an instruction
    for offset in range(_HEADER, len(module) - 7, 8):
        opcode, capability = struct.unpack_from("<II", module, offset)
        if opcode != declares:
            return False
        if capability == Capability.FunctionPointersINTEL:
            return True
    return False


def _has_pointers(outcome: Outcome) -> bool:
    """Whether a module was refused because of addresses of functions."""
    return FUNCTION_POINTERS.is_called_for(outcome.messages)


def _shares(outcome: Outcome) -> bool:
    """Whether constants that are copied hold addresses of shared variables: they are others in each block."""
    if _COPIED not in outcome.output or not ADDRESS_TABLES.is_on:
        return False
    from ..spirv.globals.initial import holds_shared  # noqa: PLC0415 (only some sources need it)

    return holds_shared(outcome.output)


def _is_refused(outcome: Outcome) -> bool:
    """Whether the SPIR-V backend fails on what can be written otherwise."""
    return any(rewriting.is_called_for(outcome.messages) for rewriting in ALL)


def may_be_rewritten(texts: Iterable[bytes]) -> bool:
    """Whether sources may have what the backend must not have as it is: LLVM's text is looked at first."""
    texts = [*texts]
    return any(rewriting.comes_first(texts) for rewriting in ALL)


def rewritten(unit: Unit, text: Outcome, mode: tuple[str, ...]) -> Outcome | None:
    """Go on from LLVM's text where the backend must not have it as it is; None if it may."""
    changed = corrected(text)
    if (outcome := in_cycles(unit, changed or text, mode)) is not None or changed is None:
        return outcome
    return from_text(unit, changed, mode)


def from_text(unit: Unit, text: Outcome, mode: tuple[str, ...], *further: str) -> Outcome:
    """Go on from LLVM's text; `further` has more arguments for Clang."""

    def assembled() -> Outcome:
        outcome = assemble(unit.source, text.output, (*mode, *further))
        return replace(outcome, messages=[*text.messages, *outcome.messages]) if outcome.succeeded else outcome

    return translated(unit, assembled, lambda: text, mode)


def in_cycles(unit: Unit, text: Outcome, mode: tuple[str, ...]) -> Outcome | None:
    """Go on from LLVM's text if it has variables that begin with each other's addresses; None if it has none."""
    from .rewritings.address_tables import has_cycles  # noqa: PLC0415 (only some sources need it)

    if not ADDRESS_TABLES.is_on or not text.succeeded or not has_cycles(_decoded(text)):
        return None
    return _repaired(unit, text, replace(text, succeeded=False), mode)


def corrected(text: Outcome) -> Outcome | None:
    """Rewrite what cannot wait for a message of the backend's; None if there is nothing of it."""
    if not text.succeeded:
        return None
    llvm = changed = _decoded(text)
    for rewriting in FIRST:
        changed = rewriting.applied(changed)
    return None if changed == llvm else replace(text, output=_encoded(changed))


def _repaired(unit: Unit, text: Outcome, refused: Outcome, mode: tuple[str, ...]) -> Outcome:
    """Go on from LLVM's text, with all rewritings that it needs."""
    llvm = _decoded(text)
    if _has_pointers(refused):
        from .rewritings.function_pointers import numbered  # noqa: PLC0415 (only some sources need it)

        with_numbers = numbered(llvm)
        if with_numbers is None:
            return refused
        llvm = with_numbers
        unit.takes_addresses = True
    for rewriting in PLAIN:
        llvm = rewriting.applied(llvm)
    again = _without_pointers(_assembled(unit, llvm, mode, llvm == _decoded(text)))
    if _has_pointers(again) and not _has_pointers(refused):
        return _repaired(unit, text, again, mode)
    if again.succeeded:
        return replace(again, messages=[*text.messages, *again.messages])
    # The first refusal has a place in the source.
    if unit.takes_addresses:
        return refused
    if reading := [message for message in again.messages if VARIADIC in message.text]:
        first = [message for message in refused.messages if VARIADIC in message.text] or reading
        return replace(refused, messages=[message._replace(text=MEANINGS[VARIADIC]) for message in first])
    return replace(again, messages=[*text.messages, *again.messages])


def _assembled(unit: Unit, llvm: str, mode: tuple[str, ...], is_optimized: bool) -> Outcome:
    """Make SPIR-V of LLVM's text, with its tables of addresses apart, if it has such."""
    from .rewritings.address_tables import SharedAddressError, has_tables, placed_apart  # noqa: PLC0415 (only some sources need it)

    if not ADDRESS_TABLES.is_on or not has_tables(llvm):
        return assemble(unit.source, _encoded(PADDING.applied(llvm)), mode)
    if not is_optimized:
        to_text = [_TO_TEXT.get(word, word) for word in mode]
        again = assemble(unit.source, _encoded(llvm), to_text)
        if not again.succeeded:
            return again
        llvm = _decoded(again)
    try:
        apart = placed_apart(llvm)
    except SharedAddressError as error:
        return Outcome(False, b"", [Message("", 0, 0, "error", str(error))])
    # The optimizer would take the numbers in the tables for addresses.
    outcome = assemble(unit.source, _encoded(PADDING.applied(apart.text)), (*mode, "-disable-llvm-passes"))
    if outcome.succeeded and apart.is_lost(outcome.output):
        return Outcome(False, b"", [Message("", 0, 0, "error", "a table of addresses cannot be kept for this device")])
    return outcome


def _decoded(text: Outcome) -> str:
    return text.output.decode(errors="surrogateescape")


def _encoded(llvm: str) -> bytes:
    return llvm.encode(errors="surrogateescape")
