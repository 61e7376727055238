"""From a source to what a device's driver builds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..errors import CompileError
from ..image import Symbol
from . import build, instance, launched
from .instance import Instance
from .layout import Layout, layout
from .log import Message
from .signature import Signature
from .source import Source
from .spirv import globals as blocks
from .spirv.prepare import Prepared, prepare
from .target import NATIVE, NO_STEP, SIMULATED, SPIRV, Target
from .unit import Unit, parse, refused

if TYPE_CHECKING:
    from .rtc.native import Native

# Instances that host code launches and that are compiled with the program; drivers take a second for a few.
_EAGER = 32

# PoCL keeps the variables of all threads of a block on one stack of 8 MiB, does not say how many fit, and dies if they
# do not: a parameter of 64 KiB that a kernel writes to is such a variable. Half of it is left for everything else.
_STACK = 4 << 20


@dataclass(slots=True)
class Compiled:
    """What compiling gave.

    Attributes
    ----------
    kernels : list of (str, Signature)
        Each kernel's entry point, and what it takes. Its name is the signature's.
    code : bytes or str
        SPIR-V, OpenCL C, or the device's own binary; empty for the simulated device.
    kind : str
        What the code is, as `Image.kind` has it.
    symbols : list of Symbol
        Device globals, by place in the block that the program's globals live in.
    image : bytes
        That block's first content; what follows it, up to `globals_size`, is zeros.
    globals_size : int
    relocations : list of (int, int)
        Where in it an address within the block is wanted, and which offset.
    users : frozenset of str
        The entry points that take the block's address.
    log : str
        Warnings, at the source's own lines.
    files : dict of str to (str or None)
        See `Unit.files_read`.
    """

    kernels: list[tuple[str, Signature]]
    code: bytes | str = b""
    kind: str = ""
    symbols: list[Symbol] = field(default_factory=list)
    image: bytes = b""
    globals_size: int = 0
    relocations: list[tuple[int, int]] = field(default_factory=list)
    users: frozenset[str] = frozenset()
    log: str = ""
    files: dict[str, str | None] = field(default_factory=dict)


def compile(source: Source, names: Iterable[str], target: Target, alone: bool = False) -> Compiled:
    """Compile a source.

    Parameters
    ----------
    source : Source
    names : iterable of str
        Name expressions of templates wanted, besides those that the source itself launches.
    target : Target
    alone : bool
        Leave out every kernel that `names` does not name.

    Raises
    ------
    CompileError
        At the source's own lines.
    """
    native = _native(source, target) if target.form in NATIVE else None
    unit = parse(source) if native is None else native.parse()
    asked = [*names]
    host, warnings = ([], []) if alone else launched.launched(unit)
    if len(host) > _EAGER:
        said = f"{len(host)} instances of templates are launched; "
        said += f"those after the first {_EAGER} are compiled when they are looked up"
        warnings.append(Message(source.name, 0, 0, "note", said))
    chosen = instance.instances(unit, [*asked, *host[:_EAGER]], alone)
    unit.roots = set(re.findall(r"[A-Za-z_]\w*", " ".join(one.name for one in chosen)))
    chosen, found = _layout(unit, chosen, {instance.normal(name) for name in asked}, warnings)
    if warnings and not chosen:
        problem = f"no kernel of {source.name} can be compiled; ask for instances of its templates with names=[...]"
        log = "\n".join(build.rendered(unit, chosen, [warning]) for warning in warnings)
        raise CompileError(f"{problem}:\n{log}", log)
    found.signatures[:] = [replace(one, block=_limited(one, target, native)) for one in found.signatures]
    signatures = found.signatures
    if target.form == SIMULATED:
        kernels = [(one.name, signature) for one, signature in zip(chosen, signatures, strict=True)]
        return Compiled(kernels, source.text.decode(), SIMULATED, files=unit.files_read)
    if native is not None:
        built = native.compile(unit, chosen, found, alone)
        remarks = [build.rendered(unit, chosen, [warning]) for warning in warnings]
        log = "\n".join([*remarks, *filter(None, [built.log])])
        return Compiled(built.kernels, built.code, built.kind, built.symbols, log=log, files=unit.files_read)
    data, log = build.to_spirv(unit, chosen, found, target)
    cpu, takes_spirv = "__LP_FLAT__" in target.macros, target.form == SPIRV
    blocks = {one.entry: signature.align for one, signature in zip(chosen, signatures, strict=True) if signature.block}
    prepared = prepare(data, early_returns=cpu, spaces=takes_spirv, flat=cpu and takes_spirv, blocks=blocks)
    kernels = []
    for one, signature in zip(chosen, signatures, strict=True):
        facts = prepared.kernels[one.entry]
        if facts.undefined:
            raise _undefined(unit, one, facts.undefined)
        in_step = one.entry in prepared.in_step
        if in_step and cpu and not takes_spirv:
            warnings.append(_no_step(unit, one))
        warps = (facts.subgroups or in_step) and takes_spirv
        most = signature.max_threads
        if (private := prepared.private.get(one.entry, 0)) and target.form == "clc" and cpu:
            most = min(max(1, _STACK // private), most or _STACK)
        known = replace(signature, shared=facts.shared, dynamic_shared=facts.dynamic_shared, warps=warps)
        kernels.append((one.entry, replace(known, max_threads=most)))
    remarks = [build.rendered(unit, chosen, [warning]) for warning in warnings]
    ended = [f"{source.name}: warning: {text}" for text in prepared.warnings]
    return Compiled(
        kernels,
        _code(prepared, target, source.name),
        "spirv" if target.form == SPIRV else "source",
        _symbols(prepared.globals.symbols, found.variables),
        prepared.globals.image[: prepared.globals.initialized],
        prepared.globals.size,
        [*prepared.globals.relocations],
        frozenset(entry for entry, facts in prepared.kernels.items() if facts.globals),
        "\n".join([*remarks, *filter(None, [log]), *ended]),
        unit.files_read,
    )


def _limited(signature: Signature, target: Target, native: Native | None) -> bool:
    """Whether a kernel's arguments are more than a launch takes, and come as the address of a block."""
    if native is not None:
        return 0 < native.parameter_bytes < signature.end
    return 0 < target.parameter_bytes < signature.size


def _native(source: Source, target: Target) -> Native:
    from .rtc.native import Native  # noqa: PLC0415 (only some platforms need it)

    return Native(source, target)


_ALLOCATION = re.compile(r"_Z[nd][wal]|malloc$|free$|calloc$|realloc$")


def _undefined(unit: Unit, one: Instance, names: Iterable[str]) -> CompileError:
    """The error for what a kernel uses and nothing defines."""
    at = one.declaration
    memory = "memory allocation (new, delete, malloc, free)"
    found = sorted(memory if _ALLOCATION.match(name) else name for name in names)
    text = f"kernel '{one.name}' uses {', '.join(dict.fromkeys(found))}, which kernels do not have here"
    return refused(unit, [Message(unit.name_of(at.path), at.line, at.column, "error", text)])


def _no_step(unit: Unit, one: Instance) -> Message:
    """The warning for a kernel that counts on lanes which run in step, where none do."""
    at = one.declaration
    text = f"kernel '{one.name}': {NO_STEP}: put __syncthreads() between, or use a device with sub-groups"
    return Message(unit.name_of(at.path), at.line, at.column, "warning", text)


def _code(prepared: Prepared, target: Target, name: str) -> bytes | str:
    if target.form == SPIRV:
        return prepared.encode()
    from . import opencl_c  # noqa: PLC0415 (only some platforms need it)

    try:
        return opencl_c.write(prepared.module, target.form, target.extensions)
    except CompileError as error:
        error.args = (f"{name}: {error}",)
        raise


def _layout(
    unit: Unit, chosen: list[Instance], asked: set[str], warnings: list[Message]
) -> tuple[list[Instance], Layout]:
    """Find the signatures; an instance that host code launches with types that have no name here is left out."""
    files = unit.reduced()
    try:
        return chosen, layout(unit, chosen, files)
    except CompileError:
        files = unit.reduced(every_header=True)
        with suppress(CompileError):
            return chosen, layout(unit, chosen, files)
        kept: list[Instance] = []
        for one in chosen:
            try:
                layout(unit, [one], files)
            except CompileError as error:
                if not one.declaration.template or instance.normal(one.name) in asked:
                    raise
                at = one.declaration
                text = f"kernel '{one.name}' is left out: {str(error).splitlines()[0]}"
                warnings.append(Message(unit.name_of(at.path), at.line, at.column, "warning", text))
            else:
                kept.append(one)
        return kept, layout(unit, kept, files)


def _symbols(symbols: Iterable[blocks.Symbol], variables: dict[str, tuple[str, tuple[int, ...]]]) -> list[Symbol]:
    """The symbols with their types."""
    made = []
    for one in symbols:
        dtype, shape = variables.get(one.name, ("uint8", (one.size,)))
        made.append(Symbol(one.name, one.offset, one.size, dtype, shape))
    return made
