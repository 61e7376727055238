"""A SPIR-V module sorted: types, constants, variables, and functions as blocks of instructions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...spirv.enumerants import Attribute, Decoration, Linkage, Storage
from ...spirv.module import Instruction, Module, decode_text
from ...spirv.opcodes import Op
from ...spirv.operands import TERMINATORS
from ..failure import UnsupportedConstruct
from .types import Kind, Type


@dataclass(slots=True)
class Block:
    """A basic block."""

    label: int
    phis: list[Instruction] = field(default_factory=list)
    body: list[Instruction] = field(default_factory=list)
    terminator: Instruction = field(default_factory=lambda: Instruction(Op.Unreachable, []))
    # of a switch, whose default is the terminator's second operand
    cases: list[tuple[int, int]] = field(default_factory=list)

    def successors(self) -> list[int]:
        """Labels that control may go to, each once, in order."""
        words = self.terminator.words
        match self.terminator.opcode:
            case Op.Branch:
                return [words[0]]
            case Op.BranchConditional:
                return list(dict.fromkeys(words[1:3]))
            case Op.Switch:
                return list(dict.fromkeys([*(label for _, label in self.cases), words[1]]))
        return []


@dataclass(slots=True)
class Function:
    """A function."""

    id: int
    type: Type
    parameters: list[tuple[int, Type]] = field(default_factory=list)
    # in the module's order, the entry first. Empty for a declaration
    blocks: dict[int, Block] = field(default_factory=dict)
    variables: list[Instruction] = field(default_factory=list)  # its own variables

    def instructions(self) -> Iterator[Instruction]:
        """All instructions, block by block."""
        for block in self.blocks.values():
            yield from block.phis
            yield from block.body
            yield block.terminator


@dataclass(slots=True)
class Unit:
    """A module, sorted."""

    names: dict[int, str] = field(default_factory=dict)
    decorations: dict[int, dict[int, list[list[int]]]] = field(default_factory=dict)
    types: dict[int, Type] = field(default_factory=dict)
    constants: dict[int, Instruction] = field(default_factory=dict)
    variables: dict[int, Instruction] = field(default_factory=dict)
    kernels: dict[int, str] = field(default_factory=dict)
    modes: dict[int, list[list[int]]] = field(default_factory=dict)
    functions: dict[int, Function] = field(default_factory=dict)
    value_types: dict[int, Type] = field(default_factory=dict)
    parameters: set[int] = field(default_factory=set)

    def decoration(self, identifier: int, decoration: Decoration) -> list[int] | None:
        """Give the operands of an id's decoration, or None if it has none."""
        operands = self.decorations.get(identifier, {}).get(decoration)
        return operands[0] if operands else None

    def is_by_value(self, parameter: int) -> bool:
        """Whether a kernel's pointer parameter stands for a structure passed by value."""
        attributes = self.decorations.get(parameter, {}).get(Decoration.FuncParamAttr, [])
        return any(words[0] == Attribute.ByVal for words in attributes)

    def linkage(self, identifier: int) -> str:
        """Give the name that an id is linked by, or an empty string."""
        linkage = self.decoration(identifier, Decoration.LinkageAttributes)
        return decode_text(linkage)[0] if linkage else ""

    def is_imported(self, identifier: int) -> bool:
        """Whether an id is only declared."""
        linkage = self.decoration(identifier, Decoration.LinkageAttributes)
        return linkage is not None and linkage[-1:] == [Linkage.Import]

    def constant(self, identifier: int) -> int | None:
        """Give the value of an integer or boolean constant, unsigned; None for all else."""
        instruction = self.constants.get(identifier)
        if instruction is None:
            return None
        if instruction.opcode == Op.Constant and self.types[instruction.words[0]].kind is Kind.INT:
            return _number(instruction.words[2:]) & ((1 << self.types[instruction.words[0]].bits) - 1)
        if instruction.opcode == Op.ConstantNull and self.types[instruction.words[0]].kind is Kind.INT:
            return 0
        return {Op.ConstantTrue: 1, Op.ConstantFalse: 0}.get(Op(instruction.opcode))

    def signed(self, identifier: int) -> int | None:
        """Give the value of an integer constant, signed; None for all else."""
        value = self.constant(identifier)
        if value is None:
            return None
        bits = self.types[self.constants[identifier].words[0]].bits or 1
        return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


def _number(words: list[int]) -> int:
    """Read a literal number of one word or more."""
    return sum(word << (32 * index) for index, word in enumerate(words))


def read(module: Module) -> Unit:
    """Sort a module."""
    unit = Unit()
    function: Function | None = None
    block: Block | None = None
    for instruction in module.instructions:
        opcode, words = instruction.opcode, instruction.words
        if opcode == Op.Function:
            function = Function(words[1], unit.types[words[3]])
            unit.functions[function.id] = function
        elif function is None:
            _declaration(unit, instruction)
        elif opcode == Op.FunctionParameter:
            function.parameters.append((words[1], unit.types[words[0]]))
            unit.parameters.add(words[1])
            unit.value_types[words[1]] = unit.types[words[0]]
        elif opcode == Op.FunctionEnd:
            function = block = None
        elif opcode == Op.Label:
            block = function.blocks[words[0]] = Block(words[0])
        elif block is not None:
            _instruction(unit, function, block, instruction)
    return unit


def _instruction(unit: Unit, function: Function, block: Block, instruction: Instruction) -> None:
    opcode, words = instruction.opcode, instruction.words
    if len(words) > 1 and words[0] in unit.types and opcode not in TERMINATORS:
        unit.value_types[words[1]] = unit.types[words[0]]
    if opcode in TERMINATORS:
        block.terminator = instruction
        if opcode == Op.Switch:
            step = 3 if unit.value_types[words[0]].bits == 64 else 2
            block.cases = [
                (_number(words[place : place + step - 1]), words[place + step - 1])
                for place in range(2, len(words), step)
            ]
    elif opcode == Op.Phi:
        block.phis.append(instruction)
    elif opcode == Op.Variable:
        function.variables.append(instruction)
    elif opcode not in (Op.Line, Op.NoLine, Op.Nop, Op.LoopMerge, Op.SelectionMerge):
        block.body.append(instruction)


def _declaration(unit: Unit, instruction: Instruction) -> None:
    opcode, words = instruction.opcode, instruction.words
    match opcode:
        case Op.Name:
            unit.names[words[0]] = instruction.text(1)
        case Op.Decorate:
            unit.decorations.setdefault(words[0], {}).setdefault(words[1], []).append(words[2:])
        case Op.EntryPoint:
            unit.kernels[words[1]] = instruction.text(2)
        case Op.ExecutionMode:
            unit.modes.setdefault(words[0], []).append(words[1:])
        case Op.Variable:
            unit.variables[words[1]] = instruction
            unit.value_types[words[1]] = unit.types[words[0]]
        case _ if Op.TypeVoid <= opcode <= Op.TypeForwardPointer:
            _type(unit, opcode, words)
        case _ if Op.ConstantTrue <= opcode <= Op.SpecConstantOp or opcode in (
            Op.Undef,
            Op.ConstantFunctionPointerINTEL,
        ):
            unit.constants[words[1]] = instruction
            unit.value_types[words[1]] = unit.types[words[0]]


def _type(unit: Unit, opcode: int, words: list[int]) -> None:
    identifier, types = words[0], unit.types
    match opcode:
        case Op.TypeVoid:
            type_ = Type(identifier, Kind.VOID)
        case Op.TypeBool:
            type_ = Type(identifier, Kind.BOOL, 1)
        case Op.TypeInt:
            if words[1] not in (8, 16, 32, 64):
                raise UnsupportedConstruct(f"an integer of {words[1]} bits")
            type_ = Type(identifier, Kind.INT, words[1])
        case Op.TypeFloat:
            if len(words) > 2:
                raise UnsupportedConstruct("arithmetic in bfloat16")
            type_ = Type(identifier, Kind.FLOAT, words[1])
        case Op.TypeVector:
            type_ = Type(identifier, Kind.VECTOR, count=words[2], element=types[words[1]])
        case Op.TypeArray:
            type_ = Type(identifier, Kind.ARRAY, count=unit.constant(words[2]) or 0, element=types[words[1]])
        case Op.TypeStruct:
            packed = unit.decoration(identifier, Decoration.CPacked) is not None
            type_ = Type(identifier, Kind.STRUCT, packed=packed)
            type_.members = tuple(types.get(word) or _forward(unit, word) for word in words[1:])
        case Op.TypeForwardPointer:
            type_ = Type(identifier, Kind.POINTER, storage=Storage(words[1]))
        case Op.TypePointer:
            type_ = types.get(identifier) or Type(identifier, Kind.POINTER)
            type_.storage, type_.element = Storage(words[1]), types[words[2]]
        case Op.TypeFunction:
            members = tuple(types[word] for word in words[2:])
            type_ = Type(identifier, Kind.FUNCTION, element=types[words[1]], members=members)
        case Op.TypeOpaque:
            type_ = Type(identifier, Kind.OPAQUE)
        case _:
            raise UnsupportedConstruct(f"a value of SPIR-V's type {opcode}")
    types[identifier] = type_


def _forward(unit: Unit, identifier: int) -> Type:
    pointer = unit.types[identifier] = Type(identifier, Kind.POINTER)
    return pointer
