"""From sources to the binaries of CUDA and HIP devices: device code is taken out of them, for NVRTC or hipRTC."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import CompileError
from ..extraction.instances import instances
from ..extraction.parameters import variable_template
from ..extraction.unit import ParsedUnit
from ..image import Image
from ..kernels import instance, template
from ..kernels import messages as kernel_messages
from ..messages.log import Message
from ..signature import Layout
from ..source.dialect import LANGUAGES, OtherDialectError
from ..source.source import Source
from ..source.unit import NO_KERNEL
from ..stages import stage
from ..target import Target
from . import several
from .native import Native
from .native_work import NativeWork

# Instances that host code launches and that are compiled with the program; drivers take a second for a few.
_EAGER = 32


def plain(source: Source, target: Target) -> Image | None:
    """Compile a plain source, which takes no parser; None if it is not plain."""
    from ..plain.plain import read  # noqa: PLC0415

    with stage("parser"):
        native = Native(source, target)
        reading = read(native.source)
    return (
        _compiled([_work(reading.unit, [], target, False, native, set(), reading.layout)])
        if reading is not None
        else None
    )


def compile(sources: Sequence[Source], names: list[str], target: Target, alone: bool) -> Image:
    """Compile a program of one file or several.

    Raises
    ------
    CompileError
        At the sources' own lines.
    """
    with stage("parser"):
        parsed = [_parsed(source, target, len(sources) > 1) for source in sources]
    names_of_units = several.names_by_unit(names, [unit for unit, _ in parsed])
    entries: set[str] = set()
    works = [
        _work(unit, expressions, target, alone, native, entries)
        for (unit, native), expressions in zip(parsed, names_of_units, strict=True)
    ]
    return _compiled(works)


def _compiled(works: list[NativeWork]) -> Image:
    """Compile the kernels of a program."""
    units = [work.unit for work in works]
    _check_kernels(works)
    image = _by_its_own_compiler(works[0]) if len(works) == 1 else _linked(works)
    return image._replace(
        files={path: digest for unit in reversed(units) for path, digest in unit.files_read.items()},
        templates={name: parameters for unit in reversed(units) for name, parameters in unit.templates.items()},
    )


def _parsed(source: Source, target: Target, is_part: bool) -> tuple[ParsedUnit, Native]:
    """Parse a source, again if it turns out to be of the other dialect."""
    native = Native(source, target, is_part)
    try:
        return native.parse(), native
    except OtherDialectError as other:
        chosen = LANGUAGES[other.cuda]
    return _parsed(source._replace(cuda=chosen == "cuda", language=chosen), target, is_part)


def _check_kernels(works: list[NativeWork]) -> None:
    """Refuse a program that ends up without kernels, and kernels of one name in two files.

    Templates without host code are no program: their instances are compiled when they are looked up.
    """
    if not any(work.instances or work.alone for work in works):
        names = ", ".join(work.unit.source.name for work in works)
        templates = {name: parameters for work in works for name, parameters in work.unit.templates.items()}
        program = any(work.unit.program or len(work.warnings) > len(work.unit.remarks) for work in works)
        if program or not templates:
            problem = f"{names}: {template.nothing_but(templates) if templates else NO_KERNEL}"
            log = "\n".join(filter(None, (work.log() for work in works)))
            raise CompileError(f"{problem}\n{log}" if log else problem, log or problem)
    if len(works) > 1:
        several.drop_repeated_kernels(works)


def _work(
    unit: ParsedUnit, names: list[str], target: Target, alone: bool, native: Native, entries: set[str],
    layout_: Layout | None = None,
) -> NativeWork:  # fmt: skip
    """Find the requested kernels and their signatures, if they are not known from the start."""
    host: list[str] = []
    warnings = [*unit.remarks]
    with stage("launches in host code"):
        if not alone and layout_ is None:
            from ..extraction.launches.launched import launched  # noqa: PLC0415 (plain sources have no host code)

            host, more = launched(unit)
            warnings += more
    most = len(host) if unit.source.with_host else _EAGER
    if len(host) > most:
        note = f"{len(host)} instances of templates are launched; "
        note += f"those after the first {_EAGER} are compiled when they are looked up"
        warnings.append(Message(unit.source.name, 0, 0, "note", note))
    chosen = instances(unit, [*names, *host[:most]], alone, entries)
    chosen = kernel_messages.without_hidden(unit, chosen, names, warnings)
    with stage("signatures"):
        if layout_ is None:
            from ..extraction.parameters.layout import of_known  # noqa: PLC0415 (plain sources need no parser)

            unit.roots = set(re.findall(r"[A-Za-z_]\w*", " ".join(kernel.name for kernel in chosen)))
            chosen, layout_ = of_known(unit, chosen, {instance.normal(name) for name in names}, warnings)
    unit.parsed = None  # it takes memory
    work = NativeWork(unit, target, chosen, layout_, alone, warnings, native=native)
    work.check_parameters()
    return work


def _by_its_own_compiler(work: NativeWork) -> Image:
    """For CUDA and HIP devices: NVRTC or hipRTC makes the binary, and the driver keeps the globals."""
    with stage("device's compiler"):
        image = work.native.compile(work.unit, work.instances, work.layout, work.alone)
    more = variable_template.of_binary(work.unit, image.kind, image.code)
    files = work.unit.reduced(every_header=True) if more else {}
    image = image._replace(symbols=(*image.symbols, *variable_template.named(work.unit, more, files)))
    return image._replace(log=work.log(image.log))


def _linked(works: list[NativeWork]) -> Image:
    """For CUDA devices: NVRTC compiles each file of a program, and they are linked, here or by the driver."""
    with stage("device's compiler"):
        image = several.compile(works)
    return image._replace(log="\n".join(filter(None, [*(work.log() for work in works), image.log])))
