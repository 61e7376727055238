"""A function: the state that the writers of instructions share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from ..spirv.enumerants import Storage
from ..spirv.module import Instruction
from ..spirv.opcodes import Op
from .failure import UnsupportedConstruct
from .module.contraction import contracted
from .module.operands import has_result, used
from .module.reader import Block, Function, Unit
from .module.types import Kind, Type
from .text.constants import constant
from .text.names import Names
from .text.program import ProgramText
from .text.statements import Scope, Set
from .text.values import ASSIGN, PRIMARY, UNARY, Expression, Variable, signed_integer

Handler = Callable[["FunctionWriter", Instruction], Expression | None]
HANDLERS: dict[int, Handler] = {}

# Beyond this length an expression gets a variable of its own: compilers limit how deep parentheses may go.
LONGEST = 240

# Up to this length an expression may stand in several places.
SHORT = 40


def handles(*opcodes: Op) -> Callable[[Handler], Handler]:
    """Register the writer of some instructions."""

    def register(handler: Handler) -> Handler:
        for opcode in opcodes:
            HANDLERS[opcode] = handler
        return handler

    return register


class FunctionWriter:
    """Writes the blocks of one function.

    An instruction's writer gives an expression, or None if it has added statements. An expression that is used once,
    in the same block, is kept until then: the text reads like a text written by hand, and products and sums stand in
    the same expression, where a compiler may contract them. An expression that reads memory is kept no further than
    the next write.
    """

    def __init__(self, program: ProgramText, function: Function, scope: Scope) -> None:
        self.program, self.function = program, function
        self.unit: Unit = program.unit
        self.spelling, self.dialect = program.spelling, program.dialect
        self.names = Names(program.names)
        self.spaces = program.spaces[function.id]
        self.scope = scope
        self.variables: list[Variable] = []
        self.values: dict[int, Expression] = {}
        self.kept: dict[int, Expression] = {}
        self.phis: dict[int, Variable] = {}
        self.components: dict[int, tuple[int, int]] = {}  # addresses of builtin variables' components: (number, which)
        self._reads = False
        self._mentioned: set[Variable] = set()
        self._uses = Counter(word for instruction in function.instructions() for word in used(instruction))
        self._block_words: set[int] = set()
        self._contracted = contracted(function)
        self.instruction_at: dict[int, Instruction] = {
            instruction.words[1]: instruction
            for instruction in function.instructions()
            if has_result(instruction, self.unit.types)
        }

    # --- types and constants -----------------------------------------------------------------------------------------

    def type_of(self, identifier: int) -> Type:
        """Give a value's type."""
        return self.unit.value_types[identifier]

    def space_of(self, identifier: int) -> Storage:
        """Give the address space that a pointer is written with."""
        declared = self.type_of(identifier).storage
        assert declared is not None
        return self.spaces.get(identifier, declared) if declared is Storage.Generic else declared

    def is_used(self, identifier: int) -> bool:
        """Whether anything uses a value."""
        return self._uses[identifier] > 0

    # --- expressions -------------------------------------------------------------------------------------------------

    def expression(self, identifier: int) -> Expression:
        """Give a value's expression, to be used in what is written next."""
        expression = self.kept.pop(identifier, None) or self.values.get(identifier)
        if expression is None:
            expression = self._elsewhere(identifier)
        for variable in expression.variables:
            variable.scopes.append(self.scope)
        self._reads |= expression.reads
        self._mentioned |= expression.variables
        return expression

    def _elsewhere(self, identifier: int) -> Expression:
        if identifier in self.unit.constants:
            instruction = self.unit.constants[identifier]
            if instruction.opcode == Op.SpecConstantOp:
                return self._computed(instruction)
            return constant(self.spelling, self.unit, identifier)
        if identifier in self.unit.variables:
            return self.program.variable(identifier)
        if identifier in self.unit.functions:
            raise UnsupportedConstruct("a pointer to a function")
        # Used before its definition: only in a block that control never comes to.
        return self.undefined(self.type_of(identifier))

    def _computed(self, instruction: Instruction) -> Expression:
        """Write a constant that is computed from others as the instruction that it names."""
        result, identifier, opcode = instruction.words[:3]
        expression = HANDLERS[opcode](self, Instruction(opcode, [result, identifier, *instruction.words[3:]]))
        assert expression is not None
        return expression

    def undefined(self, type_: Type) -> Expression:
        """Give some value of a type."""
        spelled = self.spelling.value(type_)
        if type_.kind in (Kind.STRUCT, Kind.ARRAY):
            return Expression(f"({spelled}){{0}}", type_, UNARY)
        zero = "(0)" if type_.kind is Kind.VECTOR else "0"
        return Expression(f"({spelled}){zero}", type_, UNARY, type_.storage)

    def make(
        self, text: str, type_: Type, level: int = PRIMARY, space: Storage | None = None, target: str = "",
        *, cheap: bool = False, positive: bool = False, reads: bool = False,
    ) -> Expression:  # fmt: skip
        """Make an expression of the operands that the instruction has used: it reads memory if they do."""
        if type_.kind is Kind.POINTER and space is None:
            space = type_.storage
        expression = Expression(text, type_, level, space, target, self._reads or reads, frozenset(self._mentioned))
        expression.cheap, expression.positive = cheap, positive
        return expression

    def as_signed(self, expression: Expression) -> str:
        """Spell an integer as a signed one; it binds as a cast does."""
        if expression.signed:
            return expression.signed
        spelled = self.spelling.signed(expression.type)
        if expression.type.kind is Kind.VECTOR:
            return f"as_{spelled}({expression.text})"
        return f"({spelled}){expression.at(UNARY)}"

    def index(self, identifier: int) -> tuple[str, int]:
        """Spell an integer as an index, which is signed, and say how tightly it binds."""
        value = self.unit.signed(identifier)
        if value is not None:
            return signed_integer(value, 32 if -(1 << 31) < value < 1 << 31 else 64), PRIMARY if value >= 0 else UNARY
        expression = self.expression(identifier)
        if expression.whole:
            return expression.whole, PRIMARY
        return (expression.text, expression.level) if expression.positive else (self.as_signed(expression), UNARY)

    def in_space(self, pointer: Expression, space: Storage, pointee: Type | None = None) -> Expression:
        """Cast a pointer to an address space, and to another pointee if there is one."""
        assert pointer.space is not None
        target = pointee or pointer.type.inner
        if self.spelling.same(pointer.space, space) and pointee is None:
            return pointer
        spelled = self.spelling.pointer(target, space)
        text = pointer.at(UNARY)
        if not self.spelling.same(pointer.space, space) and not self._converts(pointer.space, space):
            text = f"(ulong){text}"
        type_ = Type(pointer.type.id, Kind.POINTER, element=target, storage=space)
        return Expression(f"({spelled}){text}", type_, UNARY, space, "", pointer.reads, pointer.variables)

    def _converts(self, source: Storage, target: Storage) -> bool:
        """Whether a pointer changes its address space by a cast, and not by way of an integer.

        Without generic pointers only integers do that, which on a CPU are all of one space. With them, a global address
        is a generic one; NVIDIA's compiler (driver 580) does not end if a loop's pointer comes by such a cast from a
        global pointer that has been an integer before.
        """
        return self.dialect.generic and (
            source is Storage.Generic or (target is Storage.Generic and source in (Storage.Workgroup, Storage.Function))
        )

    def to_integer(self, identifier: int, pointer: Expression) -> str:
        """Spell a pointer as the address that all others see; it binds as a cast does."""
        declared = self.type_of(identifier).storage
        assert declared is not None
        return f"(ulong){self.in_space(pointer, declared).at(UNARY)}"

    def from_integer(self, address: Expression, type_: Type) -> Expression:
        """Make a pointer of an address."""
        assert type_.storage is not None
        text = f"({self.spelling.value(type_)}){address.at(UNARY)}"
        return Expression(text, type_, UNARY, type_.storage, "", address.reads, address.variables)

    def stored(self, identifier: int) -> Expression:
        """Give a value as memory, a call or a return takes it: a pointer in its declared address space."""
        expression = self.expression(identifier)
        type_ = self.type_of(identifier)
        if type_.kind is Kind.POINTER:
            assert type_.storage is not None
            return self.in_space(expression, type_.storage)
        return expression

    # --- statements --------------------------------------------------------------------------------------------------

    def set(self, variable: Variable, value: str) -> None:
        """Add the statement that gives a variable a value."""
        variable.scopes.append(self.scope)
        variable.sets += 1
        self.scope.items.append(Set(variable, value))

    def new_variable(self, name: str, spelling: str, *, is_phi: bool = False) -> Variable:
        """Make a variable, to be declared where its uses want it."""
        variable = Variable(self.names.new(name), spelling, is_phi)
        self.variables.append(variable)
        return variable

    def define(self, identifier: int, expression: Expression) -> Expression:
        """Put a value into a variable."""
        named = self.named(expression, self.base_name(identifier, expression.type), self.spaces.get(identifier))
        self.values[identifier] = named
        return named

    def named(self, expression: Expression, name: str = "v", space: Storage | None = None) -> Expression:
        """Put an expression into a new variable, and give the variable as an expression."""
        space = expression.space if space is None else space
        variable = self.new_variable(name, self.spelling.value(expression.type, space))
        self.set(variable, expression.at(ASSIGN))
        variables = frozenset((variable,))
        self._mentioned |= variables
        return Expression(
            variable.name, expression.type, PRIMARY, space, "", False, variables, True, expression.positive
        )

    def simple(self, expression: Expression, name: str = "v") -> Expression:
        """Give an expression that may be written several times."""
        if (
            expression.level == PRIMARY
            and not expression.reads
            and (not expression.variables or expression.text.isidentifier())
        ):
            return expression
        return self.named(expression, name)

    def settle(self) -> None:
        """Put every kept expression that reads memory into a variable: a write follows."""
        for identifier in [key for key, expression in self.kept.items() if expression.reads]:
            self.define(identifier, self.kept.pop(identifier))

    def statement(self, text: str) -> None:
        """Add a statement that may write memory."""
        self.settle()
        self.scope.items.append(text)

    def effect(self, result: int, expression: Expression) -> None:
        """Add a statement with an effect and a value, such as a call."""
        self.settle()
        if expression.type.kind is Kind.VOID or not self._uses[result]:
            self.scope.items.append(f"{expression.text};")
        else:
            self.define(result, expression)

    # --- blocks ------------------------------------------------------------------------------------------------------

    def write_body(self, block: Block, later: Iterable[int]) -> None:
        """Write a block's instructions but its terminator; `later` are the values that the jumps behind it use."""
        self._block_words = {word for instruction in block.body for word in used(instruction)} | set(later)
        for instruction in block.body:
            handler = HANDLERS.get(instruction.opcode)
            if handler is None:
                raise UnsupportedConstruct(f"SPIR-V's instruction {_name(instruction.opcode)}")
            self._reads, self._mentioned = False, set()
            expression = handler(self, instruction)
            if expression is not None:
                self._keep(instruction.words[1], expression)

    def fresh(self) -> None:
        """Forget what was used: another expression begins."""
        self._reads, self._mentioned = False, set()

    def _keep(self, identifier: int, expression: Expression) -> None:
        uses = self._uses[identifier]
        if not uses:
            return
        if uses > 1 and identifier in self._contracted and not expression.reads and len(expression.text) <= SHORT:
            self.values[identifier] = expression
            return
        if expression.cheap and not expression.reads and not any(variable.is_phi for variable in expression.variables):
            self.values[identifier] = expression
        elif uses == 1 and identifier in self._block_words and len(expression.text) < LONGEST:
            self.kept[identifier] = expression
        else:
            self.define(identifier, expression)

    def base_name(self, identifier: int, type_: Type) -> str:
        """Give the name that a value's variable should have."""
        name = self.unit.names.get(identifier)
        if name:
            return name
        match type_.kind:
            case Kind.POINTER:
                letter = "p"
            case Kind.BOOL:
                letter = "c"
            case Kind.FLOAT:
                letter = "x"
            case Kind.INT:
                letter = "i" if type_.bits == 64 else "n"
            case _:
                letter = "v"
        return f"{letter}{identifier}"


def _name(opcode: int) -> str:
    try:
        return f"Op{Op(opcode).name}"
    except ValueError:
        return str(opcode)
