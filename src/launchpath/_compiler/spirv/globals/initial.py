"""The initial bytes of global variables, from the constants that they are declared with."""

from __future__ import annotations

from dataclasses import dataclass

from launchpath.errors import CompileError

from ..enumerants import Storage
from ..module import Instruction, Module
from ..names import demangle, short
from ..opcodes import Op
from ..operands import CHAINS
from ..outline import Outline
from ..types import POINTER_BYTES, value

_SAME = frozenset({
    Op.PtrCastToGeneric, Op.GenericCastToPtr, Op.GenericCastToPtrExplicit, Op.Bitcast, Op.ConvertPtrToU,
    Op.ConvertUToPtr,
})  # fmt: skip
# Variables that hold the address of another, and what its addresses begin at: `llvm_text.rewritings.address_tables`.
BASES = "__lp_bases"
_FUNCTION = "the address of a function, which no OpenCL device can call"


@dataclass(frozen=True, slots=True)
class Value:
    """Bytes with holes for addresses."""

    data: bytes
    # where an address of 8 bytes is, of which variable, and what is added to it
    addresses: tuple[tuple[int, int, int], ...] = ()


class Initial:
    """Initial values of a module's variables."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._values: dict[int, Value] = {}
        self._variable = ""
        self._plain, self._holders = _sort(outline)
        self._bases: dict[int, tuple[tuple[int, int, int], ...]] = {}
        for variable in outline.variables(Storage.CrossWorkgroup):
            if outline.name(variable.words[1]).startswith(BASES):
                self._read_bases(variable)

    def _read_bases(self, variable: Instruction) -> None:
        addresses = self.value_of(variable).addresses
        start, _ = self._outline.types.offset(self._outline.types.pointee(variable.words[0]), 1)
        holder = next(target for place, target, _ in addresses if place == 0)
        self._bases[holder] = tuple((place - start, target, addend) for place, target, addend in addresses if place)
        if self._bases[holder]:
            self._holders.add(holder)

    def addresses(self, variable: Instruction) -> bool:
        """Whether a variable's initial value holds addresses."""
        return variable.words[1] in self._holders

    def value_of(self, variable: Instruction) -> Value:
        """Work out a variable's initial value; no bytes if they all are zeros.

        Raises
        ------
        CompileError
            It is not known before the program runs.
        """
        self._variable = demangle(self._outline.name(variable.words[1]))
        return self._based(variable, self._own_value(variable))

    def _own_value(self, variable: Instruction) -> Value:
        pointee = self._outline.types.pointee(variable.words[0])
        begins = self._outline.declared.get(variable.words[3]) if len(variable.words) > 3 else None
        null = begins is not None and begins.opcode == Op.ConstantNull
        # Not one zero by one: an array may be as large as memory.
        if len(variable.words) < 4 or (null and self._outline.types.opcode(pointee) in (Op.TypeArray, Op.TypeStruct)):
            return Value(b"")
        content = self._value(variable.words[3], pointee)
        return content if content.addresses or content.data.strip(b"\0") else Value(b"")

    def _based(self, variable: Instruction, numbers: Value) -> Value:
        """Put a variable's numbers together with the addresses that they are added to."""
        bases = self._bases.get(variable.words[1])
        if not bases:
            return numbers
        size = self._outline.types.layout(self._outline.types.pointee(variable.words[0])).size
        data = bytearray(numbers.data.ljust(size, b"\0"))
        addresses = list(numbers.addresses)
        for place, target, addend in bases:
            number = int.from_bytes(data[place : place + POINTER_BYTES], "little", signed=True)
            data[place : place + POINTER_BYTES] = bytes(POINTER_BYTES)
            addresses.append((place, target, addend + number))
        return Value(bytes(data), tuple(addresses))

    def _value(self, constant: int, type_id: int) -> Value:
        value = self._values.get(constant)
        if value is None:
            value = self._values[constant] = self._read(constant, type_id)
        return value

    def _read(self, constant: int, type_id: int) -> Value:
        types = self._outline.types
        size = types.layout(type_id).size
        declared = self._outline.declared.get(constant)
        match declared.opcode if declared is not None else 0:
            case Op.Constant:
                assert declared is not None
                return Value((value(declared.words) & (1 << 8 * size) - 1).to_bytes(size, "little"))
            case Op.ConstantComposite:
                assert declared is not None
                return self._composite(declared, type_id, size)
            case Op.ConstantTrue:
                return Value(b"\1")
            case Op.ConstantFalse | Op.Undef:
                return Value(bytes(size))
            case Op.ConstantNull:
                if types.opcode(type_id) == Op.TypePointer and types.opcode(types.pointee(type_id)) == Op.TypeFunction:
                    # Clang's backend writes null for the address of a function, if it may not write what is meant.
                    raise self._failure(_FUNCTION)
                return Value(bytes(size))
            case Op.ConstantFunctionPointerINTEL:
                raise self._failure(_FUNCTION)
        target, addend = self._address(constant)
        if target == 0:
            return Value((addend & (1 << 8 * size) - 1).to_bytes(size, "little"))
        if size != POINTER_BYTES:
            raise self._failure(f"{size} bytes of an address")
        return Value(bytes(size), ((0, target, addend),))

    def _composite(self, declared: Instruction, type_id: int, size: int) -> Value:
        types = self._outline.types
        parts = declared.words[2:]
        if types.opcode(type_id) != Op.TypeStruct and declared.words[1] in self._plain:
            element = types.element(type_id)
            bytes_of = {part: self._value(part, element).data for part in set(parts)}
            return Value(b"".join([bytes_of[part] for part in parts]).ljust(size, b"\0"))
        data = bytearray(size)
        addresses: list[tuple[int, int, int]] = []
        for index, part in enumerate(parts):
            start, element = types.offset(type_id, index)
            content = self._value(part, element)
            data[start : start + len(content.data)] = content.data
            addresses += [(start + place, target, addend) for place, target, addend in content.addresses]
        return Value(bytes(data), tuple(addresses))

    def _address(self, constant: int) -> tuple[int, int]:
        """Work out a constant expression: a variable (0: none) and what is added to its address."""
        definition = self._outline.find(constant)
        if definition is None:
            if constant in self._outline.functions:
                raise self._failure(_FUNCTION)
            raise self._failure()
        if definition.opcode == Op.ConstantFunctionPointerINTEL:
            raise self._failure(_FUNCTION)
        if definition.opcode == Op.Variable and constant in self._outline.declared:
            return constant, 0
        if definition.opcode in (Op.ConstantNull, Op.Undef):
            return 0, 0
        if definition.opcode == Op.Constant:
            return 0, self._signed(definition)
        # The backend leaves part of a constant expression where a function uses it: the same, as an instruction.
        special = definition.opcode == Op.SpecConstantOp
        operation = definition.words[2] if special else definition.opcode
        operands = definition.words[3 if special else 2 :]
        if operation in _SAME:
            return self._address(operands[0])
        if operation in CHAINS:
            target, addend = self._address(operands[0])
            return target, addend + self._step(operation, operands)
        if operation in (Op.IAdd, Op.ISub):
            (first, first_addend), (second, second_addend) = self._address(operands[0]), self._address(operands[1])
            if operation == Op.IAdd and 0 in (first, second):
                return first or second, first_addend + second_addend
            if operation == Op.ISub and second in (0, first):
                return (first if second == 0 else 0), first_addend - second_addend
        raise self._failure()

    def _step(self, operation: int, operands: list[int]) -> int:
        """Say how many bytes an access chain goes on.

        LLVM has byte offsets alone in constants, and its backend writes them after the pointer, and after a zero if the
        chain leaves the pointer's type, whatever that type is: reading such a chain as SPIR-V says would multiply the
        bytes by an element's size.
        """
        steps = [self._address(index) for index in operands[1:]]
        if operation in (Op.AccessChain, Op.InBoundsAccessChain):
            steps.insert(0, (0, 0))
        if any(target for target, _ in steps) or len(steps) > 2 or (len(steps) == 2 and steps[0] != (0, 0)):
            raise self._failure()
        return steps[-1][1]

    def _signed(self, constant: Instruction) -> int:
        number = value(constant.words)
        bits = 8 * self._outline.types.layout(constant.words[0]).size
        return number - (1 << bits) if number >> bits - 1 & 1 else number

    def _failure(self, problem: str = "a value that is not known before the program runs") -> CompileError:
        return CompileError(
            f"the global {self._variable!r} begins with {problem}; set it in a kernel, or from the host, instead"
        )


def shared_refusal(name: str) -> str:
    """Why a variable, by its mangled name, cannot begin with the address of a shared variable."""
    return (
        f"{short(name)!r} is initialized with the address of a __shared__ variable, and each block has a different "
        "one: set it in the kernel, element by element"
    )


def holds_shared(data: bytes) -> bool:
    """Whether a module has private constants that begin with addresses of shared variables."""
    outline = Outline(Module.decode(data))
    initial = Initial(outline)
    return any(
        outline.types.storage(outline.declared[target].words[0]) == Storage.Workgroup
        for variable in outline.variables(Storage.CrossWorkgroup)
        if initial.addresses(variable) and outline.linkage(variable.words[1]) is None
        for _, target, _ in initial.value_of(variable).addresses
    )


def _sort(outline: Outline) -> tuple[set[int], set[int]]:
    """Sort out constants without addresses, and variables whose initial value holds some."""
    plain: set[int] = set()
    holders: set[int] = set()
    for declaration in outline.declarations:
        words = declaration.words
        match declaration.opcode:
            case Op.Constant | Op.ConstantNull | Op.ConstantTrue | Op.ConstantFalse | Op.Undef:
                plain.add(words[1])
            case Op.ConstantComposite:
                if plain.issuperset(words[2:]):
                    plain.add(words[1])
            case Op.SpecConstantOp:
                if plain.issuperset(words[3:]):
                    plain.add(words[1])
            case Op.Variable:
                if len(words) > 3 and words[3] not in plain:
                    holders.add(words[1])
    return plain, holders
