"""Kernels in LLVM's text: functions that the source annotates, with what they take."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from ..kernels.mangled import demangled
from ..signature import ADDRESS, Parameter, Signature, pack
from ..source.text import separated
from .debug_info.closures import last_arguments
from .debug_info.fields import fields, within
from .debug_info.nodes import DebugInfo, Node
from .debug_info.types import Type, qualified, template

MARK, BOUNDS = "__global__", "__launch_bounds__"
_STRING = re.compile(r'^(@[\w.]+) = .*? c"((?:[^"\\]|\\.)*)\\00"', re.MULTILINE)
_ARGUMENTS = re.compile(r"^(@[\w.]+) = .*?constant \{ i\d+[^}]*\} \{ i\d+ (-?\d+)", re.MULTILINE)
_ANNOTATIONS = re.compile(r"^@llvm\.global\.annotations = .*$", re.MULTILINE)
_NAME = r'@(?:"[^"]+"|[\w.$]+)'
# A function, the text of the annotation, the file, the line, what stands in its brackets behind the text.
_ANNOTATION = re.compile(
    rf"\{{ [^@{{}}]*?({_NAME})[^,]*, [^@,]*({_NAME})[^,]*, [^,]*, i32 (\d+), (?:[^@{{}}]*?({_NAME}))?"
)
_FUNCTION = re.compile(
    rf"^define (?P<before>[^\n]*?)(?P<name>{_NAME})\((?P<parameters>.*)\)(?P<after>[^\n]*)\{{$", re.MULTILINE
)
_DEBUG = re.compile(r"!dbg (!\d+)")


class Kernel(NamedTuple):
    """A kernel."""

    function: str  # its name in LLVM's text
    name: str  # as the source has it, with its namespaces and template arguments
    template: str  # the name without the last template arguments; the same where it is no template
    path: str  # the file that declares it
    line: int
    column: int
    parameters: tuple[str, ...]  # as LLVM's text declares them
    types: tuple[Type, ...]
    names: tuple[str, ...]
    bound: int | None  # the most threads of a block
    returned: str  # the type of what it returns


def kernels(text: str, info: DebugInfo) -> list[Kernel]:
    """List the kernels of a module, in the order of the annotations."""
    marks, bounds = _annotated(text)
    functions = {match["name"]: match for match in _FUNCTION.finditer(text)}
    return _unlike([_kernel(info, functions[name], bounds.get(name)) for name in marks if name in functions])


def _unlike(kernels: list[Kernel]) -> list[Kernel]:
    """Give kernels of one name other names: overloads their types, and those for local classes the functions' names."""
    names = Counter(kernel.name for kernel in kernels)
    templates = {kernel.template for kernel in kernels if kernel.template != kernel.name}
    renamed = []
    for kernel in kernels:
        if kernel.template == kernel.name and (names[kernel.name] > 1 or kernel.name in templates):
            name = f"{kernel.name}({', '.join(type_.spelled for type_ in kernel.types)})"
            renamed.append(kernel._replace(name=name, template=name))
        elif names[kernel.name] > 1 and (arguments := last_arguments(demangled(kernel.function.strip('@"')) or "")):
            renamed.append(kernel._replace(name=f"{kernel.template}<{arguments}>"))
        elif any(kernel.name == other.name for other in renamed):  # of arguments for `auto`, whose types names lack
            renamed.append(kernel._replace(name=kernel.function.strip('@"')))
        else:
            renamed.append(kernel)
    return renamed


def _annotated(text: str) -> tuple[dict[str, None], dict[str, int]]:
    """Find the functions that are annotated as kernels, and the bounds of blocks."""
    line = _ANNOTATIONS.search(text)
    if line is None:
        return {}, {}
    strings = {match[1]: match[2] for match in _STRING.finditer(text)}
    numbers = {match[1]: int(match[2]) for match in _ARGUMENTS.finditer(text)}
    marks, bounds = dict[str, None](), dict[str, int]()
    for match in _ANNOTATION.finditer(line[0]):
        kind = strings.get(match[2])
        if kind == MARK:
            marks[match[1]] = None
        elif kind == BOUNDS and numbers.get(match[4], 0) > 0:
            bounds[match[1]] = numbers[match[4]]
    return marks, bounds


def _kernel(info: DebugInfo, match: re.Match[str], bound: int | None) -> Kernel:
    parameters = tuple(separated(match["parameters"]))
    debug = _DEBUG.search(match["after"])
    program = info.node(debug[1]) if debug is not None else Node("", {})
    returned, *types = _types(info, program) or [Type(info, None)]
    names, written = _variables(info, program, len(types))
    name = qualified(info, debug[1]) if debug is not None else ""
    is_template = program.values.get("templateParams") in info
    if not is_template:
        types = [written.get(index) or type_ for index, type_ in enumerate(types)]
    file = info.linked(program, "file")
    path = info.path(file) if file is not None else ""
    of_template = template(info, debug[1]) if is_template and debug is not None else name
    return Kernel(
        function=match["name"], name=name, template=of_template, path=path, line=program.number("line"), column=1,
        parameters=parameters, types=tuple(types), names=tuple(names), bound=bound, returned=returned.spelled,
    )  # fmt: skip


def _types(info: DebugInfo, program: Node) -> list[Type]:
    """Give the types of what a function returns and takes."""
    kind = info.linked(program, "type")
    listed = info.linked(kind, "types") if kind is not None else None
    return [Type(info, number) for number in (listed.parts if listed is not None else ())]


def _variables(info: DebugInfo, program: Node, count: int) -> tuple[list[str], dict[int, Type]]:
    """Give the names of parameters, and their types with the source's typedefs."""
    names, written = [f"arg{index}" for index in range(count)], dict[int, Type]()
    for variable in info.list(program, "retainedNodes"):
        index = variable.number("arg") - 1 if variable is not None and variable.kind == "DILocalVariable" else -1
        if variable is not None and 0 <= index < count:
            written[index] = Type(info, variable.values.get("type"))
            if variable.text("name"):
                names[index] = variable.text("name")
    repeated = {name for name in names if names.count(name) > 1}  # of a parameter pack
    return [f"arg{index}" if name in repeated else name for index, name in enumerate(names)], written


def signature(kernel: Kernel) -> Signature:
    """Lay the parameters of a kernel out."""
    kinds = [type_.kind or "" for type_ in kernel.types]
    sizes = [
        (ADDRESS, ADDRESS) if kind == "pointer" else (type_.size, type_.alignment)
        for kind, type_ in zip(kinds, kernel.types, strict=True)
    ]
    offsets, size = pack(sizes)
    parameters = tuple(
        Parameter(name, type_.spelled, kind, bytes_, align, offset, *within(type_, kind))
        for name, type_, kind, (bytes_, align), offset in zip(
            kernel.names, kernel.types, kinds, sizes, offsets, strict=True
        )
    )
    listed, lacking, fields_size = fields(kernel.types[0]) if len(kernel.types) == 1 else ((), "", 0)
    return Signature(
        kernel.name, parameters, size, max_threads=kernel.bound, fields=listed, no_fields=lacking,
        fields_size=fields_size,
    )  # fmt: skip
