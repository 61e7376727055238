"""Programs of several files for CUDA devices: NVRTC compiles each by itself, and they are linked, as by nvcc's -rdc."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...errors import CompileError
from .. import parts
from ..extraction.instances import declared
from ..extraction.parameters import variable_template
from ..image import Image, Symbol
from ..kernels import instance
from ..kernels.dynamic_shared import has_dynamic_shared
from ..kernels.variable import Variable, bytes_of
from ..signature import Layout
from .build import Built
from .library import linker
from .reach import reached
from .shared import by_ptx
from .text.tail import symbol

if TYPE_CHECKING:
    from ..binary import relocatable
    from ..extraction.unit import ParsedUnit
    from .native import Native
    from .native_work import NativeWork


class _Part(NamedTuple):
    """A compiled file."""

    work: NativeWork
    native: Native
    built: Built
    names: list[relocatable.Name]  # the names that its binary defines and uses
    others: dict[str, str]  # new names for its own variables whose names another file has too

    @property
    def file(self) -> str:
        """Its name in messages."""
        return self.work.unit.source.name

    @property
    def code(self) -> bytes:
        """The binary with those names."""
        from ..binary import relocatable  # noqa: PLC0415 (it brings a reader of ELF files, which is slow to import)

        return relocatable.renamed(self.built.kind, self.built.code, self.others, self.file)

    @property
    def variables(self) -> dict[str, relocatable.Name]:
        """The variables that it defines, by their names in the linked program."""
        return {self.entry(name.name): name for name in self.names if name.is_variable and name.is_defined}

    def entry(self, name: str) -> str:
        """The name in the linked program for a name of this file."""
        return self.others.get(name, name)


def compile(works: list[NativeWork]) -> Image:
    """Compile the files of a program and link them.

    Parameters
    ----------
    works : list of Work
        Each with the device's compiler for it.

    Returns
    -------
    Image
        With code, if nvJitLink is there; else with parts that the driver links.

    Raises
    ------
    CompileError
        With the compiler's messages at the source's own lines, also for names that no file, or several files, define.
    """
    compiled = _compiled(works)
    _check_names(works, compiled)
    # A kernel may use it by a function of another file.
    dynamic = any(has_dynamic_shared(work.unit.reduced()) for work in works)
    kernels = tuple(
        (part.entry(part.built.names[instance.expression]), replace(signature, dynamic_shared=dynamic))
        for part in compiled
        for instance, signature in part.work.kernels
    )
    kernels = by_ptx(kernels, [part.built.ptx for part in compiled])
    log = "\n".join(filter(None, (part.built.log for part in compiled)))
    image = Image(compiled[0].built.kind, b"", kernels, tuple(_symbols(compiled)), log=log)
    chosen = _linker(compiled[0])
    if chosen is None:
        is_text = image.kind == "ptx"
        return image._replace(kind="cubin", parts=tuple((part.file, part.code, is_text) for part in compiled))
    lines = works[0].unit.source.options.line_info is not False
    try:
        code = chosen.link([(part.file, part.code) for part in compiled], works[0].target.architecture, lines)
    except CompileError as error:
        files = ", ".join(part.file for part in compiled)
        raise CompileError(f"{files} do not link:\n{error}", error.log) from None
    return image._replace(code=code)


def _compiled(works: list[NativeWork]) -> list[_Part]:
    from ..binary import relocatable  # noqa: PLC0415 (it brings a reader of ELF files, which is slow to import)

    compiled: list[_Part] = []
    units = [work.unit for work in works]
    instances = [instance for work in works for instance in work.instances]
    for work in works:
        native, layout = work.native, work.layout
        has_device_code = any(piece.device for file in work.unit.files.values() for piece in file.pieces)
        if native is None or not (work.instances or has_device_code):
            continue  # host code alone
        variables = [*layout.variables] if not work.alone else reached(units, instances, layout.variables)
        built = native.build(work.unit, work.instances, layout, variables)
        names = relocatable.names(built.kind, built.code, work.unit.source.name)
        compiled.append(_Part(work, native, built, names, {}))
    seen = {name.name for part in compiled for name in part.names if name.linkage != "local"}
    for number, part in enumerate(compiled):
        local_names = [name.name for name in part.names if name.is_variable and name.linkage == "local"]
        part.others.update({name: f"__lp_{number}_{name}" for name in local_names if name in seen})
        seen.update(local_names)
    return compiled


def _check_names(works: list[NativeWork], compiled: list[_Part]) -> None:
    """Refuse names that several files define, which nvJitLink reports on standard error only, or that no file defines.

    Raises
    ------
    CompileError
    """
    defined: set[str] = set()
    twice: set[str] = set()
    for part in compiled:
        global_names = {name.name for name in part.names if name.is_defined and name.linkage == "global"}
        twice |= global_names & defined
        defined |= global_names
    if twice:
        raise parts.defined_twice([work.unit for work in works], sorted(twice))
    defined |= {name.name for part in compiled for name in part.names if name.is_defined and name.linkage == "weak"}
    uses = (
        (part.work, name.name)
        for part in compiled
        for name in part.names
        if not name.is_defined and name.name not in defined
    )  # fmt: skip
    if (error := parts.undefined(uses)) is not None:
        raise error


def _symbols(compiled: list[_Part]) -> Iterator[Symbol]:
    """The program's variables: a file may declare a variable that another defines; see `parts.names` for the names."""
    defined: dict[str, relocatable.Name] = {}
    for part in compiled:
        for entry, variable in part.variables.items():
            defined.setdefault(entry, variable)
    layouts = [part.work.layout for part in compiled]
    owners: dict[str, tuple[str, str]] = {}  # the file, and the name in the source
    for part in compiled:
        for name in part.work.layout.variables:
            entry = part.entry(part.built.names.get(symbol(name), ""))
            if entry in defined:
                owners.setdefault(entry, (part.file, name))
    all_names = [name for _, name in owners.values()]
    for entry, (file, name) in owners.items():
        size, (dtype, shape, pointee) = _type(name, defined[entry].size, layouts)
        is_own = defined[entry].linkage == "local" and all_names.count(name) > 1
        yield Symbol(f"{file}:{name}" if is_own else name, 0, size, dtype, shape, entry, pointee)
    yield from _of_templates(compiled, defined.keys() - owners.keys(), defined)


def _type(name: str, size: int, layouts: Iterable[Layout]) -> tuple[int, Variable]:
    """The size and the type of a variable: a file may declare an array without its size."""
    kinds = [layout.variables[name] for layout in layouts if name in layout.variables]
    size = size or max((bytes_of(kind.dtype, kind.shape) for kind in kinds), default=0)
    fitting = (kind for kind in kinds if bytes_of(kind.dtype, kind.shape) == size)
    return size, next(fitting, Variable("uint8", (size,)))


def _of_templates(
    compiled: list[_Part], entries: Iterable[str], defined: dict[str, relocatable.Name]
) -> Iterator[Symbol]:
    """The instances of templates of variables."""
    left = [Symbol(entry, 0, defined[entry].size, entry=entry) for entry in sorted(entries)]
    for part in compiled:
        unit = part.work.unit
        files = unit.reduced(every_header=True) if unit.variable_templates and left else {}
        for variable in variable_template.named(unit, left, files):
            if variable.name != variable.entry:
                yield variable
                left = [other for other in left if other.entry != variable.entry]


def _linker(part: _Part) -> linker.Linker | None:
    """nvJitLink, if it is there and takes the compiler's cubins; PTX is for devices that neither knows."""
    if part.built.kind != "cubin":
        return None
    library = part.native.library
    path = linker.choose(library.file)
    chosen = linker.load(path) if path else None
    return chosen if chosen is not None and chosen.version >= library.version else None


def shared_out(names: list[str], units: list[ParsedUnit]) -> list[list[str]]:
    """Say which of the name expressions each unit is asked for: the first that has the template.

    Raises
    ------
    CompileError
        None has it.
    """
    if len(units) == 1:
        return [names]
    names_of_units: list[list[str]] = [[] for _ in units]
    for name in names:
        number = next((i for i, unit in enumerate(units) if declared(unit, name) is not None), None)
        if number is None:
            kernels = ", ".join(dict.fromkeys(kernel for unit in units for kernel in unit.kernels))
            files = ", ".join(unit.source.name for unit in units)
            raise CompileError(f"no kernel {name!r} in {files}; they have {kernels or 'none'}")
        names_of_units[number].append(name)
    return names_of_units


def choose(works: list[NativeWork]) -> None:
    """Let each kernel come from a single file: all files that include a header have its kernels.

    Raises
    ------
    CompileError
        Two files have different kernels of a name.
    """
    first: dict[str, tuple[NativeWork, instance.Instance]] = {}
    for work in works:
        numbers = []
        for number, kernel in enumerate(work.instances):
            other, same = first.setdefault(instance.normal(kernel.name), (work, kernel))
            if same is kernel:
                numbers.append(number)
            elif (same.declaration.path, same.declaration.line) != (kernel.declaration.path, kernel.declaration.line):
                raise parts.twice_of(kernel.name, [parts.place_of(other, same), parts.place_of(work, kernel)])
        work.instances = [work.instances[number] for number in numbers]
        work.layout.signatures[:] = [work.layout.signatures[number] for number in numbers]
        work.layout.types[:] = [work.layout.types[number] for number in numbers]
