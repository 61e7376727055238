"""Facts about a kernel that its SPIR-V shows."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...errors import CompileError
from .enumerants import Capability, Decoration, Scope, Storage
from .globals.hidden import GLOBALS, SHARED
from .module import Instruction
from .names import demangle
from .opcodes import NO_RESULT, ONLY_RESULT, STD, Op
from .operands import ATOMIC_OPERATIONS, GROUP_OPERATIONS, SUBGROUP_BUILTINS, SUBGROUP_OPERATIONS, ids
from .outline import Function, Outline
from .types import align

_PRINTF = STD["printf"]
_WITHOUT_TYPE = NO_RESULT | ONLY_RESULT


@dataclass(frozen=True, slots=True)
class KernelFacts:
    """What a kernel needs, with all that it calls."""

    name: str  # of the entry point
    parameter_bytes: int  # of its packed block, or of the block's address; 0 if it has neither
    shared: int  # static shared memory, in bytes
    # which hidden parameters it has
    dynamic_shared: bool
    globals: bool
    # what it uses
    subgroups: bool
    printf: bool
    fp16: bool
    fp64: bool
    int64_atomics: bool
    calls: tuple[str, ...]  # functions that are still called
    recursion: bool  # one of them calls itself, also by way of others
    undefined: tuple[str, ...]  # functions that it calls and the module does not have. Some are the device's own
    dynamic_variable: str | None = None  # the variable of dynamic shared memory that it reaches


@dataclass(slots=True)
class _Uses:
    """What one function uses."""

    variables: set[int] = field(default_factory=set)
    words: set[str] = field(default_factory=set)


def collect(outline: Outline) -> dict[int, KernelFacts]:
    """Collect the facts of all kernels, by their functions.

    Raises
    ------
    CompileError
        A kernel uses a global that the module only declares.
    """
    reader = _Reader(outline)
    uses = {function.id: reader.read(function) for function in outline.functions.values()}
    return {kernel: _kernel(outline, kernel, uses) for kernel in outline.entries}


def capabilities(outline: Outline) -> frozenset[str]:
    """Name the module's capabilities; those that have no name here by number."""
    names = {int(capability): capability.name for capability in Capability}
    declared = [i.words[0] for i in outline.header if i.opcode == Op.Capability]
    return frozenset(names.get(number, str(number)) for number in declared)


class _Reader:
    """Looks for uses in functions."""

    def __init__(self, outline: Outline) -> None:
        self.types = outline.types
        self.variables = {
            i.words[1] for storage in (Storage.Workgroup, Storage.CrossWorkgroup) for i in outline.variables(storage)
        }
        self.builtins = {
            i.words[0]
            for i in outline.annotations
            if i.opcode == Op.Decorate and i.words[1] == Decoration.BuiltIn and i.words[2] in SUBGROUP_BUILTINS
        }
        self.openclstd = {
            i.words[0] for i in outline.header if i.opcode == Op.ExtInstImport and i.text(1) == "OpenCL.std"
        }
        self.kinds: dict[str, set[int]] = {"fp16": set(), "fp64": set(), "int64": set()}
        self.constants: dict[str, set[int]] = {"fp16": set(), "fp64": set(), "int64": set()}
        for declaration in outline.declarations:
            self._declare(declaration)

    def _declare(self, declaration: Instruction) -> None:
        words = declaration.words
        match declaration.opcode:
            case Op.TypeFloat if words[1] in (16, 64):
                self.kinds[f"fp{words[1]}"].add(words[0])
            case Op.TypeInt if words[1] == 64:
                self.kinds["int64"].add(words[0])
            case Op.TypeVector | Op.TypeArray:
                for kind in self.kinds.values():
                    if words[1] in kind:
                        kind.add(words[0])
            case Op.Constant | Op.ConstantComposite | Op.ConstantNull:
                for name, kind in self.kinds.items():
                    if words[0] in kind:
                        self.constants[name].add(words[1])

    def read(self, function: Function) -> _Uses:
        """Find out what a function uses."""
        uses = _Uses()
        typed = {i.words[0] for i in function.body if i.opcode not in _WITHOUT_TYPE}
        typed.update(i.words[0] for i in function.parameters)
        for name in ("fp16", "fp64"):
            if not typed.isdisjoint(self.kinds[name]):
                uses.words.add(name)
        variables = self.variables
        for instruction in function.body:
            opcode, words = instruction.opcode, instruction.words
            if not variables.isdisjoint(words):
                uses.variables.update(words[place] for place in ids(opcode, words) if words[place] in variables)
            if opcode == Op.Load:
                if words[2] in self.builtins:
                    uses.words.add("subgroups")
            elif opcode == Op.Store:
                uses.words.update(name for name in ("fp16", "fp64") if words[1] in self.constants[name])
            elif opcode in ATOMIC_OPERATIONS:
                if self._wide(instruction, function):
                    uses.words.add("int64_atomics")
            elif opcode == Op.ExtInst:
                if words[3] == _PRINTF and words[2] in self.openclstd:
                    uses.words.add("printf")
            elif self._in_subgroup(opcode, words):
                uses.words.add("subgroups")
        return uses

    def _in_subgroup(self, opcode: int, words: list[int]) -> bool:
        if opcode in GROUP_OPERATIONS:
            return self.types.integer(words[2]) == Scope.Subgroup
        if opcode in (Op.ControlBarrier, Op.MemoryBarrier):
            return self.types.integer(words[0]) == Scope.Subgroup
        if opcode in (Op.AccessChain, Op.InBoundsAccessChain):
            return words[2] in self.builtins
        return opcode in SUBGROUP_OPERATIONS

    def _wide(self, instruction: Instruction, function: Function) -> bool:
        longs = self.kinds["int64"]
        if instruction.opcode != Op.AtomicStore:
            return instruction.opcode != Op.AtomicFlagClear and instruction.words[0] in longs
        stored = instruction.words[3]
        if stored in self.constants["int64"]:
            return True
        return any(
            i.words[1] == stored and i.words[0] in longs
            for i in (*function.parameters, *function.body)
            if i.opcode not in _WITHOUT_TYPE
        )


def _kernel(outline: Outline, kernel: int, uses: dict[int, _Uses]) -> KernelFacts:
    reached = outline.reachable(kernel)
    words = set().union(*[uses[function].words for function in reached])
    variables = set().union(*[uses[function].variables for function in reached])
    end = 0
    for variable in outline.variables(Storage.Workgroup):
        if variable.words[1] in variables:
            end = align(end, outline.alignment(variable))
            end += outline.types.layout(outline.types.pointee(variable.words[0])).size
    parameters = outline.functions[kernel].parameters
    hidden = {outline.name(i.words[1]) for i in parameters} & {GLOBALS, SHARED}
    size = 0
    if len(parameters) > len(hidden):
        type_id = parameters[0].words[0]
        by_value = outline.decoration(parameters[0].words[1], Decoration.FuncParamAttr) is not None
        size = outline.types.layout(outline.types.pointee(type_id) if by_value else type_id).size
    for variable in outline.imported(Storage.CrossWorkgroup):
        if variable.words[1] in variables:
            name = demangle(outline.name(variable.words[1]))
            raise CompileError(
                f"the global {name!r} is declared and used, but not defined: define it in this source, or pass "
                "the file that defines it too, with paths=[...]"
            )
    missing = [function for function in reached if not outline.functions[function].body]
    return KernelFacts(
        outline.own_name(kernel),
        size,
        end,
        SHARED in hidden,
        GLOBALS in hidden,
        "subgroups" in words,
        "printf" in words,
        "fp16" in words,
        "fp64" in words,
        "int64_atomics" in words,
        tuple(outline.name(function) for function in reached[1:] if outline.functions[function].body),
        _recursive(outline, reached),
        tuple(outline.name(target) for target in missing),
        outline.dynamic.get(kernel),
    )


def _recursive(outline: Outline, reached: list[int]) -> bool:
    return any(
        function in outline.reachable(call.words[2])
        for function in reached
        for call in outline.functions[function].calls
    )
