"""The image for a device from Clang's SPIR-V: passes over it, OpenCL C for devices that need that, and the symbols."""

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

_HIGHEST_OPTIMIZATION = 3  # the level at which nothing is left out to save time

# PoCL keeps the variables of all threads of a block on one stack of 8 MiB, does not say how many fit, and dies if they
# do not: a parameter of 64 KiB that a kernel writes to is such a variable. Half of it is left for everything else.
_POCL_STACK_BYTES = 4 << 20


def adapted(works: list[Work[Any]], data: bytes, log: str) -> Image:
    """Make the image that a device loads from the SPIR-V that Clang wrote.

    Parameters
    ----------
    works : list of Work
        One for each file of the program. They get the warnings that are found here.
    data : bytes
        Clang's SPIR-V of the whole program.
    log : str
        Clang's messages.

    Returns
    -------
    Image
        With SPIR-V, or with OpenCL C for a device that takes no SPIR-V.

    Raises
    ------
    CompileError
        A kernel calls a function that nothing defines, or the device's language cannot express the program.
    """
    from .spirv.entry_points import rename  # noqa: PLC0415 (they are imported while Clang runs)
    from .spirv.prepare import prepare  # noqa: PLC0415

    first, target = works[0], works[0].target
    is_cpu, takes_spirv = _is_cpu(target), target.form == SPIRV
    work_kernels = [(work, *kernel) for work in works for kernel in work.kernels]
    block_alignments = {instance.entry: signature.align for _, instance, signature in work_kernels if signature.block}
    with stage("passes over SPIR-V"):
        prepared = prepare(
            data, early_returns=is_cpu, structured=target.form == "clc", spaces=takes_spirv,
            flat=is_cpu and takes_spirv, blocks=block_alignments, contracted=first.unit.source.options.fmad,
            bounds=target.bounds,
            vectorized=first.unit.source.options.optimization == _HIGHEST_OPTIMIZATION,
        )  # fmt: skip
    kernels = tuple(
        (instance, _completed_signature(work, prepared, instance, signature))
        for work, instance, signature in work_kernels
    )
    new_names = entry_names([instance.name for instance, _ in kernels], target.takes_identifiers)
    entries = {instance.entry: new_names[instance.name] for instance, _ in kernels}
    rename(prepared.module, entries)
    if prepared.scalar:
        scalar_names = [instance.name for instance, _ in kernels if instance.entry in prepared.scalar]
        first.warnings.append(kernel_messages.not_vectorized(first.unit, scalar_names))
    for work in works:
        work.warnings += unfenced(work.unit)
    result_warnings = [f"{first.unit.source.name}: warning: {text}" for text in prepared.warnings]
    messages = [*(work.log() for work in works), log, *result_warnings]
    variables = prepared.globals
    return Image(
        kind="spirv" if takes_spirv else "source",
        code=_code(prepared, target, first.unit.source.name),
        kernels=tuple((entries[instance.entry], signature) for instance, signature in kernels),
        functions={
            entries[instance.entry]: instance.function
            for instance, _ in kernels
            if first.unit.source.with_host and instance.function
        },
        symbols=_symbols(works, variables.symbols),
        initial=variables.image[: variables.initialized],
        globals_size=variables.size,
        relocations=tuple(variables.relocations),
        users=frozenset(entries[entry] for entry, facts in prepared.kernels.items() if facts.globals),
        log="\n".join(filter(None, messages)),
        checks=_checked_accesses(works, prepared) if target.bounds else None,
    )


def _is_cpu(target: Target) -> bool:
    """Whether the device is a CPU, which has one flat address space."""
    return "__LP_FLAT__" in target.macros


def _checked_accesses(works: list[Work[Any]], prepared: Prepared) -> tuple[CheckedAccess, ...]:
    """Give the checked accesses with their places in the user's files; places in other files are left out."""
    unit_places = works[0].unit.accesses
    accesses = []
    for check in prepared.checks:
        places = unit_places[check.place] if 0 <= check.place < len(unit_places) else ()
        user_places = [
            (file_name, place.line, place.column)
            for place in places
            if (file_name := _user_file_name(works, place.path))
        ]
        accesses.append(CheckedAccess(check.kind, check.size, check.memory, tuple(user_places)))
    return tuple(accesses)


def _user_file_name(works: list[Work[Any]], path: str) -> str:
    """Give the name of a file of the user's, as messages have it; empty for any other file."""
    return next((work.unit.name_of(path) for work in works if path in work.unit.files), "")


def _completed_signature(work: Work[Any], prepared: Prepared, kernel: Instance, signature: Signature) -> Signature:
    """Complete a kernel's signature with what only the SPIR-V shows.

    That is its shared memory, whether it needs warps, and how many threads a block may have. Warnings are added to the
    kernel's work.

    Raises
    ------
    CompileError
        The kernel calls a function that no file defines.
    """
    is_cpu, takes_spirv = _is_cpu(work.target), work.target.form == SPIRV
    facts = prepared.kernels[kernel.entry]
    if facts.undefined:
        raise kernel_messages.undefined(work.unit, kernel, facts.undefined)
    needs_lockstep = kernel.entry in prepared.in_step  # it relies on the lanes of a warp running in step
    if needs_lockstep and is_cpu and not takes_spirv:
        work.warnings.append(kernel_messages.no_step(work.unit, kernel))
    needs_warps = (facts.subgroups or needs_lockstep) and takes_spirv
    max_threads = signature.max_threads
    thread_bytes = prepared.private.get(kernel.entry, 0)
    if thread_bytes and work.target.form == "clc" and is_cpu:
        fitting_threads = max(1, _POCL_STACK_BYTES // thread_bytes)
        max_threads = min(fitting_threads, max_threads) if max_threads else fitting_threads
    return replace(
        signature, shared=facts.shared, dynamic_shared=facts.dynamic_shared, warps=needs_warps, max_threads=max_threads,
        dynamic_variable=facts.dynamic_variable,
    )  # fmt: skip


def _code(prepared: Prepared, target: Target, name: str) -> bytes:
    """Give the program as the device takes it; `name` is the source's, for errors."""
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
    """Give the program's variables their names in the source, and their types.

    Variables of launchpath's own headers are left out. A file may declare an array without its size, so the type is
    from a declaration that has the size of the SPIR-V.
    """
    typed: list[Symbol] = []
    for symbol, linked_name, program_name in parts.names(works, symbols):
        source_name = next((work.symbols[linked_name] for work in works if linked_name in work.symbols), "")
        if not source_name:
            continue
        layouts = [work.layout for work in works]
        declarations = [layout.variables[source_name] for layout in layouts if source_name in layout.variables]
        complete = (each for each in declarations if variable.bytes_of(each.dtype, each.shape) == symbol.size)
        dtype, shape, pointee = next(complete, variable.Variable("uint8", (symbol.size,)))
        # For a static variable of several files `program_name` has the file's name before the linked name.
        name = program_name.removesuffix(linked_name) + source_name
        typed.append(Symbol(name, symbol.offset, symbol.size, dtype, shape, pointee=pointee))
    return tuple(typed)
