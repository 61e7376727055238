"""Compile a source to the form that a device's driver builds."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import CompileError
from . import build, instance, kernel_messages, parts, plain, template, types, variable_template
from .dialect import LANGUAGES, OtherDialectError
from .entry_name import entry_names
from .image import CheckedAccess, Image, Symbol
from .instance import Instance
from .log import Message
from .options import refuse
from .signature import Layout, Parameter, Signature
from .source import Source
from .stages import stage
from .target import HIP, NATIVE, SIMULATED, SPIRV, Target
from .unfenced import unfenced
from .unit import NO_KERNEL, Unit, parse, refused

if TYPE_CHECKING:
    from .rtc.native import Native
    from .spirv import globals as blocks
    from .spirv.prepare import Prepared

_HIGHEST = 3  # the level of optimization at which nothing is left out to save time

# Instances that host code launches and that are compiled with the program; drivers take a second for a few.
_EAGER = 32

# PoCL keeps the variables of all threads of a block on one stack of 8 MiB, does not say how many fit, and dies if they
# do not: a parameter of 64 KiB that a kernel writes to is such a variable. Half of it is left for everything else.
_STACK = 4 << 20


@dataclass(slots=True)
class Work:
    """What is known of a source's kernels once it has been parsed.

    Attributes
    ----------
    unit : Unit
    target : Target
    instances : list of Instance
        The kernels to compile.
    layout : Layout
        What they take.
    alone : bool
        They join a program that is there.
    warnings : list of Message
    native : Native or None
        The device's own compiler, where that makes the code.
    """

    unit: Unit
    target: Target
    instances: list[Instance]
    layout: Layout
    alone: bool
    warnings: list[Message]
    native: Native | None

    @property
    def kernels(self) -> list[tuple[Instance, Signature]]:
        """The kernels with what they take."""
        return list(zip(self.instances, self.layout.signatures, strict=True))

    def laid_out_again(self) -> Layout:
        """Find what the kernels take once more: the unit gives another text now."""
        from .layout import layout  # noqa: PLC0415 (plain sources need no parser)

        self.layout = layout(self.unit, self.instances, self.unit.reduced(every_header=True))
        self.check_parameters()
        return self.layout

    def check_parameters(self) -> None:
        """Refuse parameters of types that are the host's, and choose how a launch passes the others."""
        unit = self.unit
        for kernel, signature in self.kernels:
            for problem in filter(None, map(_host_parameter, signature.parameters)):
                raise refused(unit, [kernel_messages.at(unit, kernel, "error", f"kernel '{kernel.name}': {problem}")])
        self.layout.signatures[:] = [
            replace(signature, block=_limited(signature, self.target, self.native))
            for signature in self.layout.signatures
        ]

    def log(self, *more: str) -> str:
        """Give the warnings at the source's own lines, and what compilers and passes said besides."""
        remarks = [build.rendered(self.unit, self.instances, [warning]) for warning in self.warnings]
        return "\n".join([*remarks, *filter(None, more)])


def compile(
    source: Source, names: Iterable[str], target: Target, alone: bool = False, others: Sequence[Source] = ()
) -> Image:
    """Compile a source, or the several of a program.

    Parameters
    ----------
    source : Source
    names : iterable of str
        Name expressions of templates wanted, besides those that the source itself launches.
    target : Target
    alone : bool
        Leave out every kernel that `names` does not name.
    others : sequence of Source
        Further files of the program: each may use the device functions and variables of all.

    Returns
    -------
    Image
        Code for the target, its kernels' entry points with what they take, and the device globals.

    Raises
    ------
    CompileError
        At the source's own lines.
    """
    if others and target.form == HIP:
        raise CompileError(parts.refusal([source, *others]))
    if target.form not in NATIVE:
        refuse(source.options, target)
    names = [*names]
    if not (names or alone or others or target.bounds):
        with suppress(CompileError):  # it comes again, with all that the parser says
            if (image := _plain(source, target)) is not None:
                return image
    with stage("parser"):
        parsed = [_parsed(part, target, bool(others)) for part in (source, *others)]
    units = [unit for unit, _ in parsed]
    asked = parts.shared_out(names, units)
    entries: set[str] = set()
    works = [
        _work(unit, wanted, target, alone, native, entries)
        for (unit, native), wanted in zip(parsed, asked, strict=True)
    ]
    return _compiled(source, names, target, alone, works)


def _plain(source: Source, target: Target) -> Image | None:
    """Compile a plain source, which takes no parser; None if it is not plain."""
    with stage("parser"):
        native = _native(source, target, False) if target.form in NATIVE else None
        read = plain.read(source if native is None else native.source)
    if read is None:
        return None
    work = _work(read.unit, [], target, False, native, set(), read.layout)
    return _compiled(source, [], target, False, [work])


def _compiled(source: Source, names: list[str], target: Target, alone: bool, works: list[Work]) -> Image:
    """Compile the kernels of a program."""
    units = [work.unit for work in works]
    _check_kernels(works)
    if target.form == SIMULATED:
        image = _simulated(works)
    elif works[0].native is not None:
        image = _by_its_own_compiler(works[0], works[0].native) if len(works) == 1 else _linked(works)
    else:
        image = _by_clang(works)
    if alone and image.globals_size and any(unit.takes_addresses for unit in units):
        # Pointers that the program's other kernels have stored may be to functions that are not in this module.
        raise CompileError(
            f"{source.name}: expected instances that were requested when compiling, since its device code takes "
            f"addresses of functions: names={names}"
        )
    return image._replace(
        files={path: digest for unit in reversed(units) for path, digest in unit.files_read.items()},
        templates={name: of for unit in reversed(units) for name, of in unit.templates.items()},
    )


def _parsed(source: Source, target: Target, is_part: bool) -> tuple[Unit, Native | None]:
    """Parse a source, again if it turns out to be of the other dialect."""
    native = _native(source, target, is_part) if target.form in NATIVE else None
    try:
        return parse(source, is_part) if native is None else native.parse(), native
    except OtherDialectError as other:
        chosen = LANGUAGES[other.cuda]
    return _parsed(source._replace(cuda=chosen == "cuda", language=chosen), target, is_part)


def _check_kernels(works: list[Work]) -> None:
    """Refuse a program that ends up without kernels, and kernels of one name in two files.

    Templates without host code are no program: their instances are compiled when they are looked up.
    """
    if not any(work.instances or work.alone for work in works):
        names = ", ".join(work.unit.source.name for work in works)
        templates = {name: of for work in works for name, of in work.unit.templates.items()}
        program = any(work.unit.program or len(work.warnings) > len(work.unit.remarks) for work in works)
        if program or not templates:
            problem = f"{names}: {template.nothing_but(templates) if templates else NO_KERNEL}"
            log = "\n".join(filter(None, (work.log() for work in works)))
            raise CompileError(f"{problem}\n{log}" if log else problem, log or problem)
    if len(works) > 1:
        parts.choose(works)


def _work(
    unit: Unit, asked: list[str], target: Target, alone: bool, native: Native | None, entries: set[str],
    layout_: Layout | None = None,
) -> Work:  # fmt: skip
    """Find the requested kernels and their signatures, if they are not known from the start."""
    host: list[str] = []
    warnings = [*unit.remarks]
    with stage("launches in host code"):
        if not alone and layout_ is None:
            from .launched import launched  # noqa: PLC0415 (plain sources have no host code)

            host, more = launched(unit)
            warnings += more
    if len(host) > _EAGER:
        note = f"{len(host)} instances of templates are launched; "
        note += f"those after the first {_EAGER} are compiled when they are looked up"
        warnings.append(Message(unit.source.name, 0, 0, "note", note))
    chosen = instance.instances(unit, [*asked, *host[:_EAGER]], alone, entries)
    if native is not None:
        chosen = kernel_messages.without_hidden(unit, chosen, asked, warnings)
    with stage("signatures"):
        if layout_ is None:
            from .layout import of_known  # noqa: PLC0415 (plain sources need no parser)

            unit.roots = set(re.findall(r"[A-Za-z_]\w*", " ".join(kernel.name for kernel in chosen)))
            chosen, layout_ = of_known(unit, chosen, {instance.normal(name) for name in asked}, warnings)
    unit.parsed = None  # it takes memory
    work = Work(unit, target, chosen, layout_, alone, warnings, native)
    work.check_parameters()
    return work


def _host_parameter(parameter: Parameter) -> str:
    """Say why a parameter of a kernel cannot have its type; empty if nothing speaks against it."""
    if "std::" not in parameter.ctype:
        return ""
    from .hints import host_parameter  # noqa: PLC0415 (most sources need no hints, nor the time of their patterns)

    return host_parameter(parameter.ctype)


def _simulated(works: list[Work]) -> Image:
    """For the simulated device, whose kernels are Python functions of the same names: the source as it is."""
    kernels = tuple((kernel.name, signature) for work in works for kernel, signature in work.kernels)
    return Image(SIMULATED, b"\n".join(work.unit.source.text for work in works), kernels)


def _by_its_own_compiler(work: Work, native: Native) -> Image:
    """For CUDA and HIP devices: NVRTC or hipRTC makes the binary, and the driver keeps the globals."""
    with stage("device's compiler"):
        image = native.compile(work.unit, work.instances, work.layout, work.alone)
    more = variable_template.of_binary(work.unit, image.kind, image.code)
    files = work.unit.reduced(every_header=True) if more else {}
    image = image._replace(symbols=(*image.symbols, *variable_template.named(work.unit, more, files)))
    return image._replace(log=work.log(image.log))


def _linked(works: list[Work]) -> Image:
    """For CUDA devices: NVRTC compiles each file of a program, and they are linked, here or by the driver."""
    from .rtc import several  # noqa: PLC0415 (only some platforms need it)

    with stage("device's compiler"):
        image = several.compile(works)
    return image._replace(log="\n".join(filter(None, [*(work.log() for work in works), image.log])))


def _by_clang(works: list[Work]) -> Image:
    """For OpenCL devices: Clang makes SPIR-V, passes adapt it to the runtimes; some devices get OpenCL C."""
    first, target = works[0], works[0].target
    # The passes are not needed until Clang has ended, which is another process.
    passes = threading.Thread(target=import_module, args=(f"{__package__}.spirv.prepare",), daemon=True)
    passes.start()
    with stage("Clang"):
        if len(works) == 1:
            data, log = build.to_spirv(first.unit, first.instances, first.layout, target, first.laid_out_again)
        else:
            data, log = parts.to_spirv(works)
    return _adapted(works, data, log)


def _adapted(works: list[Work], data: bytes, log: str) -> Image:
    """Make of Clang's SPIR-V what the device takes."""
    from .spirv.entry_points import rename  # noqa: PLC0415 (they are imported while Clang runs)
    from .spirv.prepare import prepare  # noqa: PLC0415

    first, target = works[0], works[0].target
    cpu, takes_spirv = "__LP_FLAT__" in target.macros, target.form == SPIRV
    every = [(work, *kernel) for work in works for kernel in work.kernels]
    aligned = {instance.entry: signature.align for _, instance, signature in every if signature.block}
    with stage("passes over SPIR-V"):
        prepared = prepare(
            data, early_returns=cpu, structured=target.form == "clc", spaces=takes_spirv, flat=cpu and takes_spirv,
            blocks=aligned, contracted=first.unit.source.options.fmad, bounds=target.bounds,
            vectorized=first.unit.source.options.optimization == _HIGHEST,
        )  # fmt: skip
    kernels = tuple((instance, _known(work, prepared, instance, signature)) for work, instance, signature in every)
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


def _checked(works: list[Work], prepared: Prepared) -> tuple[CheckedAccess, ...]:
    """Give the checked accesses with their places in the user's files."""
    places = works[0].unit.accesses
    checked = []
    for check in prepared.checks:
        there = places[check.place] if 0 <= check.place < len(places) else ()
        own = [(name, place.line, place.column) for place in there if (name := _own_file(works, place.path))]
        checked.append(CheckedAccess(check.kind, check.size, check.memory, tuple(own)))
    return tuple(checked)


def _own_file(works: list[Work], path: str) -> str:
    """Give the name of a file of the user's; empty for any other."""
    return next((work.unit.name_of(path) for work in works if path in work.unit.files), "")


def _known(work: Work, prepared: Prepared, kernel: Instance, signature: Signature) -> Signature:
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


def _limited(signature: Signature, target: Target, native: Native | None) -> bool:
    """Whether a kernel's arguments are more than a launch takes, and come as the address of a block."""
    if native is not None:
        return 0 < native.parameter_bytes < signature.end
    return 0 < target.parameter_bytes < signature.size


def _native(source: Source, target: Target, is_part: bool) -> Native:
    from .rtc.native import Native  # noqa: PLC0415 (only some platforms need it)

    return Native(source, target, is_part)


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


def _symbols(works: list[Work], symbols: Iterable[blocks.Symbol]) -> tuple[Symbol, ...]:
    """The symbols with their types."""
    typed: list[Symbol] = []
    for symbol, name, in_program in parts.names(works, symbols):
        kinds = [work.layout.variables[name] for work in works if name in work.layout.variables]
        # A file may declare an array without its size, and the parser may see a class that is another for the compiler.
        kinds = [kind for kind in kinds if types.bytes_of(kind.dtype, kind.shape) == symbol.size]
        dtype, shape, pointee = kinds[0] if kinds else types.Variable("uint8", (symbol.size,))
        typed.append(Symbol(in_program, symbol.offset, symbol.size, dtype, shape, pointee=pointee))
    for work in works:
        files = work.unit.reduced(every_header=True) if work.unit.variable_templates else {}
        typed = [*variable_template.named(work.unit, typed, files)]
    return tuple(typed)
