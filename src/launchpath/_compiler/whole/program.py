"""A program from the whole of its source: its kernels, what they take, and SPIR-V."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from ...errors import CompileError
from .. import parts
from ..clang import frontend
from ..clang.run import Outcome, assemble
from ..kernels import template
from ..kernels.declaration import KernelDeclaration
from ..kernels.instance import ENTRY_PREFIX, Instance, normal, without_arguments
from ..llvm_text import backend, build
from ..messages import hints
from ..messages.log import Message
from ..signature import Layout, Signature
from ..source.active import Active
from ..source.source import Source
from ..source.text import tokens
from ..source.unit import File, Unit, files_read, refused
from ..source.unreadable import unreadable
from ..spirv.names import demangle
from ..target import Target
from . import asked, explanations, heap, nested
from .debug_info import variables
from .debug_info.nodes import DebugInfo
from .entries import with_entries
from .kernels import Kernel, kernels, signature
from .reading.files import Files
from .reading.launches import launches
from .reading.rounds import Reading, is_program, read
from .reading.templates import declared, places, templates
from .unit import WholeUnit

_EAGER = 32
_IN_FUNCTION = re.compile(r"\bin function:? (\w+)")
_VARIADIC = re.compile(r"^define [^\n]*@(\w+)\([^\n]*\.\.\.\)", re.MULTILINE)
_BY_ATTRIBUTE = re.compile(r"^define [^\n]*\bspir_kernel\b[^\n]*!dbg (!\d+)", re.MULTILINE)
_MAIN = "a kernel cannot be named 'main', which C++ keeps for the host's function: give it another name"
_MAY_DECLARE = re.compile(rb"__global__|\bkernel\b|__kernel")
_OVERLOADED = "overloaded function"


class Whole:
    """A source that is read whole.

    Parameters
    ----------
    source : Source
    target : Target
    alone : bool
        Leave out every kernel that the caller does not name.
    part : str
        A name that no other file of the program has, if there are several files.
    """

    def __init__(self, source: Source, target: Target, alone: bool, part: str = "") -> None:
        self.source, self.target, self.alone, self.part = source, target, alone, part
        self.names: list[str] = []
        if refusals := list(unreadable(source)):
            unit = Unit(source, {source.path: File(Active(source.text))})
            raise refused(unit, refusals)
        self.files = Files(source)
        self.unit = WholeUnit(source, self.files)
        self.warnings: list[Message] = []
        self.instances: list[Instance] = []  # the kernels to compile, once they are chosen
        self.signatures: list[Signature] = []  # what they take
        self.variables: dict[str, variables.Named] = {}  # the device variables by their names in the module
        self._chosen: list[Kernel] = []

    def read(self, names: list[str]) -> None:
        """Read the source, with the kernels that the caller names.

        Raises
        ------
        CompileError
            At the source's own lines.
        """
        self.names = names
        self._reading = self._read()
        if self.unit.files.keys() != self.files.originals.keys():
            self.unit = WholeUnit(self.source, self.files)
        self.unit.files_read = files_read(self.unit, self.files.digests)
        self.warnings = [*self.unit.remarks]
        self._text = self._reading.outcome.output.decode(errors="surrogateescape")
        self._info = DebugInfo(self._text)
        self._check_attributes()
        self._kernels = kernels(self._text, self._info)
        self.variables = variables.variables(self._text, self._info, self.unit.files)

    def choose(self, entries: set[str], others: Mapping[str, tuple[str, int]] = MappingProxyType({})) -> None:
        """Choose the kernels to compile, and lay out what they take.

        Parameters
        ----------
        entries : set of str
            The names of entry points that the program has; more are added.
        others : mapping of str to (str, int)
            The path and line of each kernel that the program has from another file, by its name.

        Raises
        ------
        CompileError
            Another file has another kernel of a name, among others.
        """
        functions = asked.functions(self._text, len(self.names))
        for name, kernel in self._by_name(self._kernels, functions).items():
            if (other := others.get(normal(name))) is not None:
                if other != (kernel.path, kernel.line):
                    place = Message(self.unit.name_of(kernel.path), kernel.line, self._column(kernel), "error", "")
                    raise parts.twice_error(name, [f"{self.unit.name_of(other[0])}:{other[1]}"], self.unit, place)
                continue
            self._chosen.append(kernel)
            self.instances.append(_instance(name, kernel._replace(column=self._column(kernel)), entries))
            self.signatures.append(self._signature(self.instances[-1], kernel))
        self._check_launches()
        self.warnings += self._unread_launches()

    @property
    def layout(self) -> Layout:
        """What the kernels take, and the device variables by their names in the source."""
        types = {each.name: each.variable for each in self.variables.values()}
        return Layout(self.signatures, types, [() for _ in self.signatures])

    @property
    def symbols(self) -> dict[str, str]:
        """The names of device variables in the source, by those in SPIR-V without the digest of a file."""
        return {demangle(name.partition(parts.STATIC)[0]): each.name for name, each in self.variables.items()}

    def module(self) -> Outcome:
        """Give LLVM's text with the entry points, before optimization."""
        return replace(self._reading.outcome, output=self._with_entries(self.target.bounds))

    def _with_entries(self, keeps_debug: bool) -> bytes:
        entries = [instance.entry for instance in self.instances]
        triples = list(zip(self._chosen, entries, self.signatures, strict=True))
        text = with_entries(self._text, triples, self.variables, keeps_debug, self.part)
        return text.encode(errors="surrogateescape")

    def log(self, more: Iterable[Message]) -> str:
        """Give the compiler's warnings, with those of later steps."""
        lost = self._lost("warning", "; the kernels do without it")
        messages = dict.fromkeys([*self._shown(self._reading.outcome.messages), *more])
        logs = [build.render_all(self.unit, lost), build.rendered(self.unit, self.instances, messages)]
        return "\n".join(filter(None, logs))

    def failure(self, outcome: Outcome) -> CompileError:
        """Make the error for a step that failed."""
        outcome = self._placed(outcome)
        explained = explanations.placed(self.unit, self.names, outcome.messages)
        messages = [*build.host_classes(self.unit, outcome.messages), *explained, *build.hints(self.unit, outcome)]
        log = build.rendered(self.unit, self.instances, messages, errors=True)
        if lost := self._lost("error"):
            log = f"{build.render_all(self.unit, lost)}\n{log}"
        return CompileError(f"{self.source.name} does not compile:\n{log}", log)

    def _lost(self, level: str, more: str = "") -> list[Message]:
        """Give messages about the headers that were not found."""
        return [
            message._replace(file=self.unit.name_of(message.file), level=level, text=f"{message.text}{more}")
            for message in self._reading.missing
        ]

    def _placed(self, outcome: Outcome) -> Outcome:
        """Add places to messages of the backend, which knows functions by their names alone."""
        if not self._chosen:
            return outcome
        outcome = replace(outcome, messages=[*map(self._at_function, outcome.messages)])
        if not any(map(build.is_unplaced, outcome.messages)):
            return outcome
        text = assemble(self.source, self._with_entries(keeps_debug=True), frontend.LLVM)
        return build.with_place(self.unit, outcome, text)

    def _read(self) -> Reading:
        tail = asked.tail(self.names)
        reading = self._read_with(tail)
        if reading.outcome.succeeded:
            if more := heap.tail(reading.outcome.output.decode(errors="surrogateescape")):
                return self._read_with(tail + more)
            return reading
        if tail and (without := self._read_with("")).outcome.succeeded:
            self._refuse_names(without, reading)
        raise self._failure(self._read_anew(reading.outcome) or reading)

    def _read_with(self, tail: str) -> Reading:
        reading = read(self.source, self.files, self.target, tail, part=self.part)
        if not reading.outcome.succeeded and any(asked.is_private(each.text) for each in reading.outcome.messages):
            opened = read(self.source, self.files, self.target, tail, {frontend.OPEN: None}, self.part)
            return opened if opened.outcome.succeeded else reading
        return reading

    def _failure(self, reading: Reading) -> CompileError:
        """Make the error for a source that Clang does not read."""
        if other := list(hints.other_language(self.source.text)):
            return refused(self.unit, [self.unit.message_at(self.source.path, *place) for place in other])
        if reading.missing and not is_program(self.files):
            self._reading = reading
            return refused(self.unit, self._lost("error"))
        self._reading = reading
        for path, file in self.unit.files.items():
            if (offset := places([file.active]).get("main")) is not None:
                return refused(self.unit, [self.unit.message_at(path, offset, _MAIN)])
        if broken := explanations.unbalanced(self.unit, reading.outcome.messages):
            return refused(self.unit, [self.unit.message_at(*place) for place in broken])
        return self.failure(reading.outcome)

    def explained(self, outcome: Outcome) -> CompileError:
        """Make the error for a later step that failed: what has no place there, Clang may say when it reads."""
        anew = self._read_anew(outcome)
        return self._failure(anew) if anew is not None else self.failure(outcome)

    def _read_anew(self, outcome: Outcome) -> Reading | None:
        """Read the source without precompiled headers, if a failure has no place, and give what fails then."""
        if not any(each.level.endswith("error") and not each.line for each in outcome.messages):
            return None
        tail = asked.tail(self.names)
        reading = read(self.source, Files(self.source), self.target, tail, part=self.part, bare=True)
        return None if reading.outcome.succeeded else reading

    def _at_function(self, message: Message) -> Message:
        match = _IN_FUNCTION.search(message.text) if not message.line else None
        if match is None and message.text == backend.MEANINGS[backend.VARIADIC]:
            match = _VARIADIC.search(self._text)
        number = self._info.by_linkage(match[1]) if match is not None else None
        node = self._info.node(number) if number is not None else None
        file = self._info.linked(node, "file") if node is not None else None
        if node is None or file is None or self._info.path(file) not in self.unit.files:
            return message
        explained = next((text for part, text in backend.MEANINGS.items() if part in message.text), message.text)
        path, line = self._info.path(file), node.number("line")
        column = self._column_of(path, line, node.text("name"))
        return message._replace(file=path, line=line, column=column, level="error", text=explained)

    def _refuse_names(self, without: Reading, reading: Reading) -> None:
        """Refuse the first name of the caller's that the source has no kernel for."""
        text = without.outcome.output.decode(errors="surrogateescape")
        templates = {kernel.template: None for kernel in kernels(text, DebugInfo(text))} | dict.fromkeys(self.templates)
        errors = [message for message in reading.outcome.messages if message.level.endswith("error")]
        for message in errors:
            if message.file != asked.FILE:
                continue
            name = asked.at_line(self.names, message.line)
            plain = without_arguments(name).removeprefix("::")
            reason = message.text
            parameters = self.templates.get(plain)
            if parameters is not None and "<" not in name:
                example = template.example(name, parameters)
                text = f"kernel {name!r} is a template: add its arguments, as in '{example}'"
                raise CompileError(f"{self.source.name}: {text}")
            if plain not in {*map(without_arguments, templates)}:
                raise CompileError(f"{self.source.name} has no kernel {name!r}; it has {', '.join(templates)}")
            if parameters and _OVERLOADED in reason:
                reason = f"the template takes <{', '.join(parameters)}>, and these arguments do not fit"
            raise CompileError(f"{self.source.name}: kernel '{name}' cannot be instantiated: {reason}")

    @property
    def declared(self) -> list[str]:
        """The names of the kernels that the source declares."""
        return [*declared(file.active for file in self.unit.files.values())]

    @property
    def templates(self) -> dict[str, tuple[str, ...]]:
        """The templates of kernels."""
        return templates(file.active for file in self.unit.files.values())

    def refuse_tolerated(self) -> None:
        """Refuse a source without kernels for its errors, if these may be why."""
        if self._reading.tolerated and any(map(_MAY_DECLARE.search, self.files.originals.values())):
            messages = [each.message._replace(file=self.unit.name_of(each.path)) for each in self._reading.tolerated]
            raise refused(self.unit, messages)

    def _by_name(self, kernels: list[Kernel], functions: list[str]) -> dict[str, Kernel]:
        """Choose the kernels to compile, by name."""
        by_function = {kernel.function: kernel for kernel in kernels}
        by_name = {normal(kernel.name): kernel for kernel in kernels}
        chosen: dict[str, Kernel] = {}
        if not self.alone:
            chosen.update((kernel.name, kernel) for kernel in kernels if kernel.template == kernel.name)
        for name, function in zip(self.names, functions, strict=True):
            kernel = by_function.get(function) or by_name.get(normal(name).removeprefix("::"))
            if kernel is None:
                names = ", ".join(dict.fromkeys([*(kernel.name for kernel in kernels), *self.templates]))
                raise CompileError(f"{self.source.name} has no kernel {name!r}; it has {names}")
            chosen[name.strip()] = kernel
        if not self.alone:
            functions_chosen = {kernel.function for kernel in chosen.values()}
            others = [kernel for kernel in kernels if kernel.function not in functions_chosen]
            most = len(others) if self.source.with_host else _EAGER
            for kernel in others[:most]:
                chosen[kernel.name] = kernel
            if len(others) > most:
                note = f"{len(others)} instances of templates are launched; "
                note += f"those after the first {_EAGER} are compiled when they are looked up"
                self.warnings.append(Message(self.source.name, 0, 0, "note", note))
        return chosen

    def _signature(self, instance: Instance, kernel: Kernel) -> Signature:
        if kernel.returned != "void":
            self._refuse(instance, f"kernel '{instance.name}' must return void, not '{kernel.returned}'")
        for name, type_ in zip(kernel.names, kernel.types, strict=True):
            if type_.kind is None:
                kind = "a reference" if type_.is_temporary else f"of type '{type_.spelled}'"
                self._refuse(instance, f"parameter '{name}' of kernel '{instance.name}' cannot be {kind}")
            if "std::" in type_.spelled and (problem := hints.host_parameter(type_.spelled)):
                self._refuse(instance, f"kernel '{instance.name}': {problem}")
        signature_ = signature(kernel)
        limit = self.target.parameter_bytes
        return replace(signature_, name=instance.name, block=0 < limit < signature_.size)

    def _refuse(self, instance: Instance, text: str) -> None:
        declaration = instance.declaration
        raise refused(
            self.unit,
            [Message(self.unit.name_of(declaration.path), declaration.line, declaration.column, "error", text)],
        )

    def _shown(self, messages: Iterable[Message]) -> list[Message]:
        """Leave out the warnings about host code."""
        shown = []
        is_left_out = False
        for message in messages:
            if message.level != "note":
                is_left_out = message.file in self.unit.files and self.unit.is_host(message.file, message.line)
            if not is_left_out:
                shown.append(message)
        return shown

    def _column(self, kernel: Kernel) -> int:
        """Find the column of a kernel's name, of which debug information has the line alone."""
        return self._column_of(kernel.path, kernel.line, without_arguments(kernel.template).rpartition("::")[2])

    def _column_of(self, path: str, line: int, name: str) -> int:
        match = re.search(rf"\b{re.escape(name)}\b", self.unit.lines(path).text(line))
        return match.start() + 1 if match is not None else 1

    def _check_attributes(self) -> None:
        """Refuse kernels that are made by Clang's own attribute: no launch would find what they take."""
        for match in _BY_ATTRIBUTE.finditer(self._text):
            node = self._info.node(match[1])
            file = self._info.linked(node, "file")
            path = self._info.path(file) if file is not None else ""
            if path in self.unit.files:
                text = f"kernel '{node.text('name')}': expected __global__ for a kernel, got __attribute__((global))"
                line = node.number("line")
                column = self._column_of(path, line, node.text("name"))
                raise refused(self.unit, [Message(self.unit.name_of(path), line, column, "error", text)])

    def _check_launches(self) -> None:
        """Refuse kernels that launch kernels."""
        functions = {kernel.function for kernel in self._kernels}
        places = nested.launches(self._text, self._info, functions, [kernel.function for kernel in self._chosen])
        for path, line, column in places:
            raise refused(self.unit, [Message(self.unit.name_of(path), line, column, "error", build.NESTED)])

    def _unread_launches(self) -> Iterator[Message]:
        """Warn of launches with errors, where no instance of their template is known."""
        names = {without_arguments(kernel.name).rpartition("::")[2] for kernel in self._kernels}
        for error in self._reading.tolerated:
            line = self.unit.lines(error.path).text(error.message.line)
            for launch in launches([*tokens(line.encode())]):
                name = launch.name.rpartition("::")[2]
                if name not in names:
                    text = f"launch of '{name}' could not be read: {error.message.text}"
                    yield error.message._replace(file=self.unit.name_of(error.path), level="warning", text=text)

    def optimized(self, text: Outcome, files: Mapping[str, bytes]) -> Outcome:
        """Optimize LLVM's text, and make SPIR-V of it."""
        return build.translated(self.unit, files, self.target, lambda mode: assemble(self.source, text.output, mode))


def _instance(name: str, kernel: Kernel, entries: set[str]) -> Instance:
    declaration = KernelDeclaration(
        kernel.template, kernel.names, kernel.template != kernel.name, kernel.path, kernel.line, kernel.column
    )
    entry = ENTRY_PREFIX + re.sub(r"\W+", "_", normal(name)).strip("_")
    while entry in entries:
        entry += "_"
    entries.add(entry)
    return Instance(declaration, name, entry, kernel.function.strip('@"'))
