"""Parsing a source for its kernels."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..errors import CompileError
from . import clang
from .facts import Unit
from .log import Message, render
from .text import tokens
from .walk import Walk

# Headers that this package's own prelude stands for, or that mean nothing on a device.
_INCLUDE = re.compile(
    rb"""^([ \t]*\#[ \t]*include[ \t]*[<"](?:
    hip/[\w/.]+ | cuda[\w/]*\.h | device_[\w/]+\.h | math_\w+\.h | vector_\w+\.h
    | (?:std(?:int|def|io|lib|bool)|math|float|limits|string|assert)\.h
    | c(?:std(?:int|def|io|lib)|math|float|limits|string|assert))[>"])""",
    re.MULTILINE | re.VERBOSE,
)

__all__ = ["Unit", "parse"]


def blank_includes(source: bytes) -> bytes:
    """`source` with the includes of known headers replaced by spaces, so that every offset stays."""
    if b"include" not in source:
        return source
    return _INCLUDE.sub(lambda match: b" " * len(match[1]), source)


def parse(source: str, name: str = "<source>", defines: Mapping[str, str | None] | None = None) -> Unit:
    """Parse HIP/CUDA C++ source for its kernels.

    Parameters
    ----------
    source : str
        The text. Includes of HIP's and CUDA's runtime and of C's own headers are tolerated, and do nothing.
    name : str
        The file's name in messages.
    defines : mapping of str to str or None
        Macros, as a compiler's ``-D``; None defines the name as 1.

    Returns
    -------
    Unit
        Its ``signatures`` are the kernels'; `to_opencl` takes the unit.

    Raises
    ------
    CompileError
        At the source's own lines: if it does not parse, has no ``__global__`` function, or a kernel's
        parameter has no known type. What is wrong inside a function is left to the device's compiler.

    Notes
    -----
    May be called from any thread; threads take turns.
    """
    macros = dict(defines or {})
    original = source.encode()
    text = blank_includes(original)
    identifiers = frozenset(token.text.decode() for token in tokens(text) if token.kind == "name")
    unit = Unit(text, original, name, macros, identifiers)
    flags = tuple(f"-D{macro}={'1' if value is None else value}" for macro, value in macros.items())
    with clang.lock:
        parsed = clang.translation_unit(text, flags)
        errors = list(clang.errors(parsed))
        if own := _own_types(errors):
            parsed = clang.translation_unit(text, (*flags, *own))
            errors = list(clang.errors(parsed))
        if any(error.fatal or not error.category.startswith("Semantic") for error in errors):
            raise _refused(unit, errors)
        walk = Walk(unit)
        walk.run(parsed)
        heads = walk.heads
    bad = [
        error
        for error in errors
        # Clang takes a kernel that does not return void for no kernel.
        if "kernel function" in error.message or any(start <= error.offset <= end for start, end in heads)
    ]
    if bad or (errors and not unit.kernels):
        raise _refused(unit, bad or errors)
    if not unit.kernels:
        raise CompileError(f"{name}: no __global__ function, so no kernel, is defined (templates do not count)")
    return unit


def _own_types(errors: list[clang.Diagnostic]) -> tuple[str, ...]:
    """Make flags that leave out of our prelude the types (float4, dim3) that the source has itself."""
    messages = [error.message for error in errors]
    ambiguous = [message for message in messages if re.match("reference to '.*' is ambiguous", message)]
    flags = {"-D__lpi_no_dim3" if "'dim3'" in message else "-D__lpi_no_vectors" for message in ambiguous}
    return tuple(sorted(flags))


def _refused(unit: Unit, errors: list[clang.Diagnostic]) -> CompileError:
    messages = [Message(unit.name, error.line, error.column, "error", error.message) for error in errors[:20]]
    log = render(messages, unit.lines)
    return CompileError(log, log)
