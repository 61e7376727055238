"""From Clang's SPIR-V to what a device takes: passes over it, OpenCL C where that is wanted, and the symbols."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import CompileError
from . import parts
from .image import CheckedAccess, Image, Symbol
from .kernels import messages as kernel_messages
from .kernels import variable
from .kernels.entry_name import entry_names
from .kernels.instance import Instance
from .kernels.unfenced import unfenced
from .signature import Signature
from .stages import stage
from .target import SPIRV, Target

if TYPE_CHECKING:
    from .spirv.globals import block as blocks
    from .spirv.prepare import Prepared
    from .work import Work

_HIGHEST = 3  # the level of optimization at which nothing is left out to save time

# PoCL keeps the variables of all threads of a block on one stack of 8 MiB, does not say how many fit, and dies if they
# do not: a parameter of 64 KiB that a kernel writes to is such a variable. Half of it is left for everything else.
_STACK = 4 << 20


def adapted(works: list[Work[Any]], data: bytes, log: str) -> Image:
    """Make of Clang's SPIR-V what the device takes."""
    from .spirv.entry_points import rename  # noqa: PLC0415 (they are imported while Clang runs)
    from .spirv.prepare import prepare  # noqa: PLC0415

    first, target = works[0], works[0].target
    cpu, takes_spirv = "__LP_FLAT__" in target.macros, target.form == SPIRV
    kernels_of_works = [(work, *kernel) for work in works for kernel in work.kernels]
    aligned = {instance.entry: signature.align for _, instance, signature in kernels_of_works if signature.block}
    with stage("passes over SPIR-V"):
        prepared = prepare(
            data, early_returns=cpu, structured=target.form == "clc", spaces=takes_spirv, flat=cpu and takes_spirv,
            blocks=aligned, contracted=first.unit.source.options.fmad, bounds=target.bounds,
            vectorized=first.unit.source.options.optimization == _HIGHEST,
        )  # fmt: skip
    kernels = tuple(
        (instance, _with_facts(work, prepared, instance, signature)) for work, instance, signature in kernels_of_works
    )
    named = entry_names([instance.name for instance, _ in kernels], target.takes_identifiers)
    entries = {instance.entry: named[instance.name] for instance, _ in kernels}
    rename(prepared.module, entries)
    ended = [f"{first.unit.source.name}: warning: {text}" for text in prepared.warnings]
    if prepared.scalar:
        first.warnings.append(
            kernel_messages.not_vectorized(first.unit, [i.name for i, _ in kernels if i.entry in prepared.scalar])
        )
    for work in works:
        work.warnings += unfenced(work.unit)
    return Image(
        "spirv" if takes_spirv else "source",
        _code(prepared, target, first.unit.source.name),
        tuple((entries[instance.entry], signature) for instance, signature in kernels),
        _symbols(works, prepared.globals.symbols),
        prepared.globals.image[: prepared.globals.initialized],
        prepared.globals.size,
        tuple(prepared.globals.relocations),
        frozenset(entries[entry] for entry, facts in prepared.kernels.items() if facts.globals),
        "\n".join(filter(None, [*(work.log() for work in works), log, *ended])),
        checks=_checked(works, prepared) if target.bounds else None,
    )


def _checked(works: list[Work[Any]], prepared: Prepared) -> tuple[CheckedAccess, ...]:
    """Give the checked accesses with their places in the user's files."""
    places = works[0].unit.accesses
    checked = []
    for check in prepared.checks:
        access_places = places[check.place] if 0 <= check.place < len(places) else ()
        user_places = [
            (name, place.line, place.column) for place in access_places if (name := _own_file(works, place.path))
        ]
        checked.append(CheckedAccess(check.kind, check.size, check.memory, tuple(user_places)))
    return tuple(checked)


def _own_file(works: list[Work[Any]], path: str) -> str:
    """Give the name of a file of the user's; empty for any other."""
    return next((work.unit.name_of(path) for work in works if path in work.unit.files), "")


def _with_facts(work: Work[Any], prepared: Prepared, kernel: Instance, signature: Signature) -> Signature:
    """Add the facts that only the SPIR-V has: shared memory, warp functions, the most threads of a block."""
    cpu, takes_spirv = "__LP_FLAT__" in work.target.macros, work.target.form == SPIRV
    facts = prepared.kernels[kernel.entry]
    if facts.undefined:
        raise kernel_messages.undefined(work.unit, kernel, facts.undefined)
    in_step = kernel.entry in prepared.in_step
    if in_step and cpu and not takes_spirv:
        work.warnings.append(kernel_messages.no_step(work.unit, kernel))
    warps = (facts.subgroups or in_step) and takes_spirv
    most = signature.max_threads
    if (private := prepared.private.get(kernel.entry, 0)) and work.target.form == "clc" and cpu:
        most = min(max(1, _STACK // private), most or _STACK)
    return replace(
        signature, shared=facts.shared, dynamic_shared=facts.dynamic_shared, warps=warps, max_threads=most,
        dynamic_variable=facts.dynamic_variable,
    )  # fmt: skip


def _code(prepared: Prepared, target: Target, name: str) -> bytes:
    if target.form == SPIRV:
        return prepared.encode()
    from . import opencl_c  # noqa: PLC0415 (only some platforms need it)

    try:
        with stage("OpenCL C"):
            return opencl_c.write(prepared.module, target.form, target.extensions).encode()
    except CompileError as error:
        error.args = (f"{name}: {error}",)
        raise


def _symbols(works: list[Work[Any]], symbols: Iterable[blocks.Symbol]) -> tuple[Symbol, ...]:
    """The symbols with their names in the source, and their types."""
    typed: list[Symbol] = []
    for symbol, name, in_program in parts.names(works, symbols):
        named = next((work.symbols[name] for work in works if name in work.symbols), "")
        if not named:
            continue  # of our own headers
        kinds = [work.layout.variables[named] for work in works if named in work.layout.variables]
        # A file may declare an array without its size.
        kinds = [kind for kind in kinds if variable.bytes_of(kind.dtype, kind.shape) == symbol.size]
        dtype, shape, pointee = kinds[0] if kinds else variable.Variable("uint8", (symbol.size,))
        full = named if in_program == name else in_program.removesuffix(name) + named
        typed.append(Symbol(full, symbol.offset, symbol.size, dtype, shape, pointee=pointee))
    return tuple(typed)
