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
    """A compiled file of the program."""

    work: NativeWork
    native: Native
    built: Built
    binary_names: list[relocatable.Name]  # the names that the file's binary defines and uses
    # The linked program has one variable of a name. So a static variable gets a new name if another file uses its name.
    new_names: dict[str, str]

    @property
    def file(self) -> str:
        """The file's name in messages."""
        return self.work.unit.source.name

    @property
    def code(self) -> bytes:
        """The file's binary, with the new names."""
        from ..binary import relocatable  # noqa: PLC0415 (it brings a reader of ELF files, which is slow to import)

        return relocatable.renamed(self.built.kind, self.built.code, self.new_names, self.file)

    @property
    def variables(self) -> dict[str, relocatable.Name]:
        """The variables that the file defines, by their names in the linked program."""
        return {self.linked_name(name.name): name for name in self.binary_names if name.is_variable and name.is_defined}

    def linked_name(self, name: str) -> str:
        """Give the name that the linked program has for a name of this file."""
        return self.new_names.get(name, name)


def compile(works: list[NativeWork]) -> Image:
    """Compile the files of a program and link them.

    Parameters
    ----------
    works : list of NativeWork
        One for each file, with the device's compiler for it.

    Returns
    -------
    Image
        With linked code, if nvJitLink is installed. Else with a binary for each file, which the driver links.

    Raises
    ------
    CompileError
        With the compiler's messages at the source's own lines, also for names that no file, or several files, define.
    """
    program_parts = _compile_parts(works)
    _check_names(works, program_parts)
    # A kernel may reach dynamic shared memory through a function of another file.
    dynamic = any(has_dynamic_shared(work.unit.reduced()) for work in works)
    kernels = tuple(
        (part.linked_name(part.built.names[instance.expression]), replace(signature, dynamic_shared=dynamic))
        for part in program_parts
        for instance, signature in part.work.kernels
    )
    kernels = by_ptx(kernels, [part.built.ptx for part in program_parts])
    log = "\n".join(filter(None, (part.built.log for part in program_parts)))
    symbols = tuple(_variable_symbols(program_parts))
    waiting = frozenset(entry for part in program_parts for entry in part.built.waiting)
    image = Image(program_parts[0].built.kind, b"", kernels, symbols, log=log, waiting=waiting)
    nvjitlink = _linker(program_parts[0])
    if nvjitlink is None:
        is_text = image.kind == "ptx"
        return image._replace(kind="cubin", parts=tuple((part.file, part.code, is_text) for part in program_parts))
    has_lines = works[0].unit.source.options.line_info is not False
    binaries = [(part.file, part.code) for part in program_parts]
    try:
        code = nvjitlink.link(binaries, works[0].target.architecture, has_lines)
    except CompileError as error:
        files = ", ".join(file for file, _ in binaries)
        raise CompileError(f"{files} do not link:\n{error}", error.log) from None
    return image._replace(code=code)


def _compile_parts(works: list[NativeWork]) -> list[_Part]:
    """Compile each file that has device code, and choose new names for static variables where files share a name."""
    from ..binary import relocatable  # noqa: PLC0415 (it brings a reader of ELF files, which is slow to import)

    program_parts: list[_Part] = []
    units = [work.unit for work in works]
    instances = [instance for work in works for instance in work.instances]
    for work in works:
        native, layout = work.native, work.layout
        has_device_code = any(piece.device for file in work.unit.files.values() for piece in file.pieces)
        if native is None or not (work.instances or has_device_code):
            continue  # the file has host code only
        variables = [*layout.variables] if not work.alone else reached(units, instances, layout.variables)
        built = native.build(work.unit, work.instances, layout, variables)
        binary_names = relocatable.names(built.kind, built.code, work.unit.source.name)
        program_parts.append(_Part(work, native, built, binary_names, {}))
    used_names = {name.name for part in program_parts for name in part.binary_names if name.linkage != "local"}
    for number, part in enumerate(program_parts):
        static_names = [name.name for name in part.binary_names if name.is_variable and name.linkage == "local"]
        part.new_names.update({name: f"__lp_{number}_{name}" for name in static_names if name in used_names})
        used_names.update(static_names)
    return program_parts


def _check_names(works: list[NativeWork], program_parts: list[_Part]) -> None:
    """Refuse names that several files define, which nvJitLink reports on standard error only, or that no file defines.

    Raises
    ------
    CompileError
    """
    defined_names: set[str] = set()
    duplicate_names: set[str] = set()
    for part in program_parts:
        global_names = {name.name for name in part.binary_names if name.is_defined and name.linkage == "global"}
        duplicate_names |= global_names & defined_names
        defined_names |= global_names
    if duplicate_names:
        raise parts.defined_twice([work.unit for work in works], sorted(duplicate_names))
    for part in program_parts:
        defined_names |= {name.name for name in part.binary_names if name.is_defined and name.linkage == "weak"}
    uses = (
        (part.work, name.name)
        for part in program_parts
        for name in part.binary_names
        if not name.is_defined and name.name not in defined_names
    )  # fmt: skip
    if (error := parts.undefined(uses)) is not None:
        raise error


def _variable_symbols(program_parts: list[_Part]) -> Iterator[Symbol]:
    """Give the program's ``__device__`` and ``__constant__`` variables, each once.

    A file may declare a variable that another file defines. The size comes from the binary that defines the variable,
    the type from a file whose declaration has that size. Static variables that share a name have their file's name
    before theirs, ``a.cu:counter``, as `parts.names` has them for OpenCL devices.
    """
    definitions: dict[str, relocatable.Name] = {}
    for part in program_parts:
        for linked_name, variable in part.variables.items():
            definitions.setdefault(linked_name, variable)
    layouts = [part.work.layout for part in program_parts]
    origins: dict[str, tuple[str, str]] = {}  # by the name in the linked program: a file, and the name in its source
    for part in program_parts:
        for source_name in part.work.layout.variables:
            linked_name = part.linked_name(part.built.names.get(symbol(source_name), ""))
            if linked_name in definitions:
                origins.setdefault(linked_name, (part.file, source_name))
    source_names = [source_name for _, source_name in origins.values()]
    for linked_name, (file, source_name) in origins.items():
        definition = definitions[linked_name]
        size, (dtype, shape, pointee) = _size_and_type(source_name, definition.size, layouts)
        needs_file = definition.linkage == "local" and source_names.count(source_name) > 1
        name = f"{file}:{source_name}" if needs_file else source_name
        yield Symbol(name, 0, size, dtype, shape, linked_name, pointee)
    unnamed = sorted(definitions.keys() - origins.keys())
    yield from _template_instances(
        program_parts,
        [Symbol(linked_name, 0, definitions[linked_name].size, entry=linked_name) for linked_name in unnamed],
    )


def _size_and_type(name: str, binary_size: int, layouts: Iterable[Layout]) -> tuple[int, Variable]:
    """Give the size and the type of a variable, from the files that declare it.

    Parameters
    ----------
    name : str
        The variable's name in the source.
    binary_size : int
        Bytes, as the binary has them; 0 where it does not say. Then the largest declaration counts, because a file may
        declare an array without its size.
    layouts : iterable of Layout
        Those of all files.
    """
    declarations = [layout.variables[name] for layout in layouts if name in layout.variables]
    size = binary_size or max((bytes_of(each.dtype, each.shape) for each in declarations), default=0)
    complete = (each for each in declarations if bytes_of(each.dtype, each.shape) == size)
    return size, next(complete, Variable("uint8", (size,)))


def _template_instances(program_parts: list[_Part], unnamed: list[Symbol]) -> Iterator[Symbol]:
    """Find the variables that are instances of templates, such as ``mask<float>``.

    Parameters
    ----------
    program_parts : list of _Part
    unnamed : list of Symbol
        The variables that have no name in a source so far. Those that are no instance of a file's template are left
        out: they are not the program's.

    Yields
    ------
    Symbol
        With the name and the type that the first file with the template gives.
    """
    for part in program_parts:
        unit = part.work.unit
        files = unit.reduced(every_header=True) if unit.variable_templates and unnamed else {}
        for variable in variable_template.named(unit, unnamed, files):
            if variable.name != variable.entry:
                yield variable
                unnamed = [other for other in unnamed if other.entry != variable.entry]


def _linker(part: _Part) -> linker.Linker | None:
    """Give nvJitLink, if it is installed and takes the compiler's cubins.

    There is none for PTX: the device is then too new for nvJitLink as well, and the driver links.
    """
    if part.built.kind != "cubin":
        return None
    nvrtc = part.native.library
    path = linker.choose(nvrtc.file)
    nvjitlink = linker.load(path) if path else None
    return nvjitlink if nvjitlink is not None and nvjitlink.version >= nvrtc.version else None


def names_by_unit(names: list[str], units: list[ParsedUnit]) -> list[list[str]]:
    """Divide the name expressions of kernels among the files: each goes to the first file that has its template.

    Parameters
    ----------
    names : list of str
        Name expressions, as ``scale<float>``.
    units : list of ParsedUnit
        The program's files.

    Returns
    -------
    list of list of str
        The expressions of each file, in the order of `units`.

    Raises
    ------
    CompileError
        No file has the template.
    """
    if len(units) == 1:
        return [names]
    unit_names: list[list[str]] = [[] for _ in units]
    for name in names:
        number = next((i for i, unit in enumerate(units) if declared(unit, name) is not None), None)
        if number is None:
            kernels = ", ".join(dict.fromkeys(kernel for unit in units for kernel in unit.kernels))
            files = ", ".join(unit.source.name for unit in units)
            raise CompileError(f"no kernel {name!r} in {files}; they have {kernels or 'none'}")
        unit_names[number].append(name)
    return unit_names


def drop_repeated_kernels(works: list[NativeWork]) -> None:
    """Leave each kernel in one file only.

    A kernel of a header is in every file that includes the header, and the linker takes it once. The first file keeps
    it; the works of the others are changed.

    Raises
    ------
    CompileError
        Two files have different kernels of a name.
    """
    first_by_name: dict[str, tuple[NativeWork, instance.Instance]] = {}
    for work in works:
        kept_numbers = []
        for number, kernel in enumerate(work.instances):
            first_work, first_kernel = first_by_name.setdefault(instance.normal(kernel.name), (work, kernel))
            if first_kernel is kernel:
                kept_numbers.append(number)
                continue
            first_place, place = ((each.declaration.path, each.declaration.line) for each in (first_kernel, kernel))
            if first_place != place:
                places = [parts.place_of(first_work, first_kernel), parts.place_of(work, kernel)]
                raise parts.twice_of(kernel.name, places)
        work.instances = [work.instances[number] for number in kept_numbers]
        work.layout.signatures[:] = [work.layout.signatures[number] for number in kept_numbers]
        work.layout.types[:] = [work.layout.types[number] for number in kept_numbers]
