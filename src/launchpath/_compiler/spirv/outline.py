"""A module divided into its sections and functions, for the passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .enumerants import Decoration, Linkage, Scope, Storage
from .module import Instruction, Module, decode_text, encode_text
from .opcodes import NO_RESULT, Op
from .operands import result
from .types import Types

_HEADER = frozenset({
    Op.Capability, Op.Extension, Op.ExtInstImport, Op.MemoryModel, Op.EntryPoint, Op.ExecutionMode, Op.ExecutionModeId,
})  # fmt: skip
_DEBUG = frozenset({
    Op.SourceContinued, Op.Source, Op.SourceExtension, Op.Name, Op.MemberName, Op.String, Op.ModuleProcessed,
})  # fmt: skip
_ANNOTATIONS = frozenset({
    Op.Decorate, Op.MemberDecorate, Op.DecorationGroup, Op.GroupDecorate, Op.GroupMemberDecorate, Op.DecorateId,
    Op.DecorateString, Op.MemberDecorateString,
})  # fmt: skip


@dataclass(slots=True)
class Function:
    """A function."""

    definition: Instruction  # its ``OpFunction``
    parameters: list[Instruction] = field(default_factory=list)
    # labels included, ``OpFunctionEnd`` not. Empty for a declaration
    body: list[Instruction] = field(default_factory=list)
    calls: list[Instruction] = field(default_factory=list)  # those of the body

    @property
    def id(self) -> int:
        """Its result id."""
        return self.definition.words[1]

    def words(self) -> set[int]:
        """Collect every word of the body: all ids that it uses, and its literals."""
        return set().union(*[instruction.words for instruction in self.body])

    def start(self) -> int:
        """Say where in the body an instruction can be put before all others: after the entry block's variables."""
        place = 1
        while place < len(self.body) and self.body[place].opcode in (Op.Variable, Op.Line, Op.NoLine):
            place += 1
        return place


class Outline:
    """A module's sections."""

    def __init__(self, module: Module) -> None:
        self.module = module  # where it came from; `write` puts the sections back
        # declarations are types, constants, and variables
        self.header: list[Instruction] = []
        self.debug: list[Instruction] = []
        self.annotations: list[Instruction] = []
        self.declarations: list[Instruction] = []
        self.functions: dict[int, Function] = {}
        # the variable of dynamic shared memory that a function reaches, before `hide` made a parameter of it
        self.dynamic: dict[int, str] = {}
        self._sort()
        self.entries = {i.words[1]: i for i in self.header if i.opcode == Op.EntryPoint}
        self.decorations: dict[int, list[Instruction]] = {}
        for annotation in self.annotations:
            if annotation.opcode == Op.Decorate:
                self.decorations.setdefault(annotation.words[0], []).append(annotation)
        self.declared = {result(i.opcode, i.words): i for i in self.declarations}
        self._inside: dict[int, Instruction] | None = None
        self._names = {i.words[0]: i for i in self.debug if i.opcode == Op.Name}
        self.types = Types(module, self.declarations, [i for i in self.annotations if i.opcode == Op.Decorate])

    def _sort(self) -> None:
        function: Function | None = None
        for instruction in self.module.instructions:
            opcode = instruction.opcode
            if function is not None:
                if opcode == Op.FunctionEnd:
                    function = None
                elif opcode == Op.FunctionParameter:
                    function.parameters.append(instruction)
                else:
                    function.body.append(instruction)
                    if opcode == Op.FunctionCall:
                        function.calls.append(instruction)
            elif opcode == Op.Function:
                function = self.functions[instruction.words[1]] = Function(instruction)
            elif opcode in _HEADER:
                self.header.append(instruction)
            elif opcode in _ANNOTATIONS:
                self.annotations.append(instruction)
            elif opcode in _DEBUG:
                self.debug.append(instruction)
            else:
                self.declarations.append(instruction)

    def write(self) -> Module:
        """Put the sections back into the module."""
        instructions = [*self.header, *self.debug, *self.annotations, *self.declarations, *self.types.added]
        end = Instruction(Op.FunctionEnd, [])
        for function in self.functions.values():
            instructions += [function.definition, *function.parameters, *function.body, end]
        self.module.instructions = instructions
        return self.module

    def drop_exports(self) -> None:
        """Export nothing: no other module is linked, and runtimes neither inline nor remove exported functions."""
        inputs = {i.words[1] for i in self.variables(Storage.Input)}
        self.annotations = [
            i for i in self.annotations
            if i.opcode != Op.Decorate or i.words[1] != Decoration.LinkageAttributes
            or (i.words[-1] == Linkage.Import and i.words[0] not in inputs)
        ]  # fmt: skip

    def name(self, target: int) -> str:
        """Give the name of an id: by its linkage, else by its ``OpName``, else ""."""
        linkage = self.decoration(target, Decoration.LinkageAttributes)
        if linkage is not None:
            return decode_text(linkage.words[2:])[0]
        named = self._names.get(target)
        return named.text(1) if named is not None else ""

    def set_name(self, target: int, name: str) -> None:
        """Give an id a name."""
        named = self._names[target] = Instruction(Op.Name, [target, *encode_text(name)])
        self.debug.append(named)

    def decoration(self, target: int, kind: Decoration) -> Instruction | None:
        """Find a decoration of an id."""
        for decoration in self.decorations.get(target, ()):
            if decoration.words[1] == kind:
                return decoration
        return None

    def linkage(self, target: int) -> int | None:
        """Give an id's linkage type, None if it is the module's own."""
        decoration = self.decoration(target, Decoration.LinkageAttributes)
        return None if decoration is None else decoration.words[-1]

    def alignment(self, variable: Instruction) -> int:
        """Give a variable's alignment: its decoration, else its type's."""
        decoration = self.decoration(variable.words[1], Decoration.Alignment)
        if decoration is not None:
            return decoration.words[2]
        # The backend leaves the decoration out where the alignment is 1, packed structures say so themselves.
        return self.types.layout(self.types.pointee(variable.words[0])).alignment

    def variables(self, storage: int) -> Iterator[Instruction]:
        """Yield the module's own variables of a storage class."""
        return (i for i in self.declarations if i.opcode == Op.Variable and i.words[2] == storage)

    def imported(self, storage: int) -> list[Instruction]:
        """List the variables of a storage class that the module only declares."""
        return [i for i in self.variables(storage) if self.linkage(i.words[1]) == Linkage.Import]

    def reachable(self, start: int) -> list[int]:
        """List a function and those that it calls, callers first."""
        seen = {start: None}
        for function in (waiting := [start]):
            for call in self.functions[function].calls:
                if call.words[2] not in seen:
                    seen[call.words[2]] = None
                    waiting.append(call.words[2])
        return waiting

    def is_barrier(self, instruction: Instruction) -> bool:
        """Whether all threads of a thread block wait at an instruction."""
        return instruction.opcode == Op.ControlBarrier and self.types.integer(instruction.words[0]) == Scope.Workgroup

    def find(self, value: int) -> Instruction | None:
        """Find the instruction that has an id, also in the functions that the module had at the first such search."""
        definition = self.declared.get(value)
        if definition is None:
            if self._inside is None:
                self._inside = {
                    result(i.opcode, i.words): i
                    for function in self.functions.values()
                    for i in function.body
                    if i.opcode not in NO_RESULT
                }
            definition = self._inside.get(value)
        return definition

    def require(self, capability: int) -> None:
        """Declare a capability, unless it is declared."""
        if not any(i.opcode == Op.Capability and i.words[0] == capability for i in self.header):
            self.header.insert(0, Instruction(Op.Capability, [capability]))

    def remove(self, ids: set[int]) -> None:
        """Take ids out of the declarations, with their names, decorations and places in interfaces."""
        self.declarations = [
            i for i in self.declarations if i.opcode == Op.TypeForwardPointer or result(i.opcode, i.words) not in ids
        ]
        self.debug = [i for i in self.debug if i.opcode not in (Op.Name, Op.MemberName) or i.words[0] not in ids]
        self.annotations = [i for i in self.annotations if i.words[0] not in ids]
        for entry in self.entries.values():
            after = 3 + next(place for place, word in enumerate(entry.words[2:]) if word >> 24 == 0)
            entry.words[after:] = [word for word in entry.words[after:] if word not in ids]
        for target in ids:
            self.decorations.pop(target, None)
            self.declared.pop(target, None)
            self._names.pop(target, None)

    def remove_functions(self, functions: set[int]) -> None:
        """Take functions out, with the names and decorations of what is in them."""
        if not functions:
            return
        ids = set(functions)
        for function in functions:
            removed = self.functions.pop(function)
            ids.update(i.words[1] for i in removed.parameters)
            ids.update(result(i.opcode, i.words) for i in removed.body)
        self.debug = [i for i in self.debug if i.opcode != Op.Name or i.words[0] not in ids]
        self.annotations = [i for i in self.annotations if i.words[0] not in ids]

    def own_name(self, function: int) -> str:
        """Give the name that an entry point has outside, else that of the function."""
        entry = self.entries.get(function)
        return entry.text(2) if entry is not None else self.name(function)
