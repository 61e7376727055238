"""From sources that Clang reads whole to SPIR-V, for OpenCL devices."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import CompileError
from .. import parts
from ..clang import frontend
from ..clang.run import Outcome, assemble
from ..kernels import template
from ..kernels.instance import normal, without_arguments
from ..llvm_text import backend, build
from ..source.dialect import LANGUAGES, OtherDialectError
from ..source.source import Source
from ..source.unit import NO_KERNEL
from ..target import Target
from .program import Whole
from .reading.rounds import is_program


def read(sources: Sequence[Source], names: list[str], target: Target, alone: bool) -> list[Whole]:
    """Read the files of a program, and choose the kernels to compile.

    Raises
    ------
    CompileError
        At the sources' own lines.
    """
    if len(sources) == 1:
        files = [_read(Whole(sources[0], target, alone), names)]
        files[0].choose(set())
    else:
        files = [Whole(source, target, alone, str(number)) for number, source in enumerate(sources)]
        files = [
            _read(whole, names_of_file) for whole, names_of_file in zip(files, _shared_out(names, files), strict=True)
        ]
        entries: set[str] = set()
        places: dict[str, tuple[str, int]] = {}
        for whole in files:
            whole.choose(entries, places)
            places |= {normal(each.name): (each.declaration.path, each.declaration.line) for each in whole.instances}
    if not alone and not any(whole.instances for whole in files):
        _refuse_empty(files)
    return files


def _refuse_empty(files: list[Whole]) -> None:
    """Refuse a program without kernels.

    Templates without host code are no program: their instances are compiled when they are looked up.
    """
    templates = {name: parameters for whole in files for name, parameters in whole.templates.items()}
    if templates and not any(is_program(whole.files) for whole in files):
        return
    for whole in files:
        whole.refuse_tolerated()
    names = ", ".join(whole.source.name for whole in files)
    problem = f"{names}: {template.nothing_but(templates) if templates else NO_KERNEL}"
    raise CompileError(problem, problem)


def to_spirv(files: list[Whole], target: Target) -> tuple[bytes, str]:
    """Make a module of the kernels of a program's files; give the compiler's warnings too.

    Raises
    ------
    CompileError
        At the sources' own lines.
    """
    first = files[0]
    if len(files) == 1:
        outcome = first.optimized(first.module(), first.files.originals)
        if not outcome.succeeded:
            raise first.explained(outcome)
        return outcome.output, first.log(outcome.messages)
    modules = []
    for whole in files:
        bitcode = assemble(whole.source, whole.module().output, frontend.BITCODE)
        if not bitcode.succeeded:
            raise whole.explained(bitcode)
        modules.append(bitcode.output)
    texts = [text for whole in files for text in whole.files.originals.values()]
    outcome = build.linked(first.unit, modules, target, is_plain=not backend.may_be_rewritten(texts))
    if not outcome.succeeded:
        raise _not_linked(files, outcome)
    return outcome.output, "\n".join(filter(None, [whole.log(()) for whole in files]))


def _not_linked(files: list[Whole], outcome: Outcome) -> CompileError:
    if twice := parts.twice(outcome.messages):
        return parts.defined_twice([whole.unit for whole in files], twice)
    log = build.rendered(files[0].unit, [], outcome.messages, errors=True)
    together = ", ".join(whole.source.name for whole in files)
    return CompileError(f"{together} do not compile together:\n{log}", log)


def _read(whole: Whole, names: list[str]) -> Whole:
    """Read a source, again if it turns out to be of the other dialect."""
    try:
        whole.read(names)
        return whole
    except OtherDialectError as other:
        chosen = LANGUAGES[other.cuda]
    source = whole.source._replace(cuda=chosen == "cuda", language=chosen)
    return _read(Whole(source, whole.target, whole.alone, whole.part), names)


def _shared_out(names: list[str], files: list[Whole]) -> list[list[str]]:
    """Say which of the names each file is asked for: the first that has the kernel."""
    names_of_files: list[list[str]] = [[] for _ in files]
    for name in names:
        plain = without_arguments(name).partition("(")[0].strip().removeprefix("::")
        number = next((index for index, whole in enumerate(files) if plain in whole.declared), None)
        if number is None:
            kernels = ", ".join(dict.fromkeys(kernel for whole in files for kernel in whole.declared))
            named = ", ".join(whole.source.name for whole in files)
            raise CompileError(f"no kernel {name!r} in {named}; they have {kernels or 'none'}")
        names_of_files[number].append(name)
    return names_of_files
