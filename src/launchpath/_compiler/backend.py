"""The SPIR-V backend's refusals: their meaning, and LLVM's text rewritten so that the backend takes it."""

from __future__ import annotations

import re
from dataclasses import replace

from .run import Outcome, assemble
from .unit import Unit

INDIRECT = "indirect call"
_PADDING = "llvm.spv.const.composite"
_BFLOAT, _BFLOAT_TYPE = "SPV_KHR_bfloat16", "bfloat"
_VARIADIC, _VARIABLE_ARGUMENTS = "SPIR-V does not support variadic functions", "...)"
_PREFETCH, _PREFETCHES = "G_PREFETCH", re.compile(r"^ *(?:tail )?call void @llvm\.prefetch\..*\n", re.MULTILINE)
_UNDEFINED = re.compile(r"(?<=[ ,{\[])undef(?=[ ,}\]])")
# The meaning of words of the backend's messages, in the source's terms.
MEANINGS = {
    _VARIADIC: "a device function that reads its variable arguments (va_start) works on no OpenCL device: pass them as "
    "parameters, or make the function a template with a parameter pack",
    INDIRECT: "virtual functions and pointers to functions are called by a choice among those of the type whose "
    "address device code takes, or whose objects it makes: there are none, or a table has part of an array beside",
}


def is_refused(outcome: Outcome) -> bool:
    """Whether the SPIR-V backend fails on what can be written otherwise."""
    parts = (_PADDING, INDIRECT, _BFLOAT, _VARIADIC, _PREFETCH)
    return any(part in message.text for message in outcome.messages for part in parts)


def repaired(unit: Unit, text: Outcome, refused: Outcome, mode: tuple[str, ...]) -> Outcome:
    """Go on from LLVM's text.

    Pointers to functions become numbers, bfloat16 becomes integers, the padding in constants is set to zero, functions
    lose variable arguments that they do not read, and nothing is prefetched.
    """
    llvm = _PREFETCHES.sub("", text.output.decode(errors="surrogateescape"))
    if any(INDIRECT in message.text for message in refused.messages):
        from .function_pointers import numbered  # noqa: PLC0415 (only some sources need it)

        with_numbers = numbered(llvm)
        if with_numbers is None:
            return refused
        llvm = with_numbers
        unit.calls_by_pointer = True
    if _BFLOAT_TYPE in llvm:
        from .bfloat import integers  # noqa: PLC0415 (only some sources need it)

        llvm = integers(llvm)
    if _VARIABLE_ARGUMENTS in llvm:
        from .variadic import without_variable_arguments  # noqa: PLC0415 (only some sources need it)

        llvm = without_variable_arguments(llvm)
    lines = [_UNDEFINED.sub("zeroinitializer", line) if line.startswith("@") else line for line in llvm.split("\n")]
    again = assemble(unit.source, "\n".join(lines).encode(errors="surrogateescape"), mode)
    if again.succeeded:
        return replace(again, messages=[*text.messages, *again.messages])
    # The first refusal has a place in the source.
    if unit.calls_by_pointer:
        return refused
    if reading := [message for message in again.messages if _VARIADIC in message.text]:
        first = [message for message in refused.messages if _VARIADIC in message.text] or reading
        return replace(refused, messages=[message._replace(text=MEANINGS[_VARIADIC]) for message in first])
    return replace(again, messages=[*text.messages, *again.messages])
