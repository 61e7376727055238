"""Hidden parameters: device globals and dynamic shared memory, for which OpenCL has no variables.

A kernel that uses globals gets a further parameter, the address of their block. A kernel that uses dynamic shared
memory gets another after that, a pointer to it. The calls that remain pass both on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from ..enumerants import Capability, Decoration, Storage
from ..module import Instruction
from ..names import short
from ..opcodes import Op
from ..operands import ids
from ..outline import Function, Outline
from .block import Globals, place

GLOBALS, SHARED = "__lp_globals", "__lp_dynamic_shared"
# Runtimes align a `__local` argument to its type.
LEAST_ALIGNMENT = 16
_A_GLOBAL = 0  # no id

# Instructions without any effect, as the backend leaves them behind from initial values of globals, in every function.
_PURE = frozenset({
    Op.PtrCastToGeneric, Op.GenericCastToPtr, Op.Bitcast, Op.ConvertPtrToU, Op.ConvertUToPtr, Op.AccessChain,
    Op.InBoundsAccessChain, Op.PtrAccessChain, Op.InBoundsPtrAccessChain, Op.CompositeConstruct, Op.CompositeInsert,
    Op.IAdd, Op.ISub, Op.UConvert, Op.SConvert,
})  # fmt: skip


def hide(outline: Outline) -> Globals:
    """Make globals and dynamic shared memory parameters; return the globals' block.

    Raises
    ------
    CompileError
        A global's initial value is not known before the program runs.
    """
    return _Hiding(outline).run()


class _Hiding:
    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.types = outline.types
        self.placed = place(outline)
        self.shared = {i.words[1] for i in outline.imported(Storage.Workgroup)}
        self.hidden = self.shared | self.placed.offsets.keys() | self.placed.gone
        self.expressions = self._expressions()
        self.parameters: dict[int, dict[str, int]] = {}
        self.removed: set[int] = set()

    def run(self) -> Globals:
        outline = self.outline
        reachable = {function for kernel in outline.entries for function in outline.reachable(kernel)}
        outline.remove_functions(outline.functions.keys() - reachable)
        touched = {target: used for target, function in outline.functions.items() if (used := self._touched(function))}
        for target, kinds in self._needs(touched).items():
            self._add_parameters(outline.functions[target], kinds)
        for target, used in touched.items():
            _Rewriting(self, outline.functions[target]).run(used)
        for function in outline.functions.values():
            for call in function.calls:
                callee = self.parameters.get(call.words[2], {})
                call.words += [self.parameters[function.id][kind] for kind in callee]
        outline.remove(self.hidden | self.expressions | self.removed)
        return self.placed.block

    def _expressions(self) -> set[int]:
        """Find constants that use hidden variables, or instructions that the backend left in functions."""
        declared = self.outline.declared
        expressions: set[int] = set()
        for declaration in self.outline.declarations:
            if declaration.opcode in (Op.ConstantComposite, Op.SpecConstantOp):
                operands = declaration.words[2 if declaration.opcode == Op.ConstantComposite else 3 :]
                if any(i in self.hidden or i in expressions or i not in declared for i in operands):
                    expressions.add(declaration.words[1])
                    for operand in operands:
                        self.outline.find(operand)  # it may be in a function that goes
        return expressions

    def _touched(self, function: Function) -> set[int]:
        """Remove instructions without an effect; find the hidden variables and expressions that are still used."""
        touched = self.hidden | self.expressions
        if touched.isdisjoint(function.words()):
            return set()
        count = Counter(chain.from_iterable(i.words for i in function.body))
        instructions = []
        for instruction in reversed(function.body):
            if instruction.opcode in _PURE and count[instruction.words[1]] == 1:
                count.subtract(instruction.words)
                self.removed.add(instruction.words[1])
            else:
                instructions.append(instruction)
        function.body = instructions[::-1]
        return {
            instruction.words[place]
            for instruction in function.body
            if not touched.isdisjoint(instruction.words)
            for place in ids(instruction.opcode, instruction.words)
            if instruction.words[place] in touched
        }

    def _needs(self, touched: dict[int, set[int]]) -> dict[int, list[str]]:
        """Say which functions need which parameters, those that they call included."""
        reached = self._reached(touched)
        for function, variables in reached.items():
            for variable in sorted(variables & self.shared)[:1]:
                self.outline.dynamic[function] = short(self.outline.name(variable))
        kinds = {
            function: {SHARED if variable in self.shared else GLOBALS for variable in variables}
            for function, variables in reached.items()
        }
        return {function: sorted(needed, key=(GLOBALS, SHARED).index) for function, needed in kinds.items() if needed}

    def _reached(self, touched: dict[int, set[int]]) -> dict[int, set[int]]:
        """Find the variables of dynamic shared memory that each function reaches, and `_A_GLOBAL` if it reaches one."""
        needs = {function: self._variables(used) for function, used in touched.items()}
        changed = True
        while changed:
            changed = False
            for function in self.outline.functions.values():
                mine = needs.setdefault(function.id, set())
                before = len(mine)
                for call in function.calls:
                    mine |= needs.get(call.words[2], set())
                changed |= len(mine) != before
        return needs

    def _variables(self, used: Iterable[int], seen: set[int] | None = None) -> set[int]:
        variables: set[int] = set()
        seen = set() if seen is None else seen
        for value in used:
            if value in self.shared:
                variables.add(value)
            elif value in self.placed.offsets:
                variables.add(_A_GLOBAL)
            elif value not in seen:
                seen.add(value)
                definition = self.outline.find(value)
                if definition is not None and definition.opcode in _PURE | {Op.SpecConstantOp, Op.ConstantComposite}:
                    operands = definition.words[3 if definition.opcode == Op.SpecConstantOp else 2 :]
                    variables |= self._variables(operands, seen)
        return variables

    def _add_parameters(self, function: Function, kinds: list[str]) -> None:
        outline = self.outline
        mine = self.parameters[function.id] = {}
        kind_types = []
        for kind in kinds:
            type_id, alignment = self._type(kind)
            mine[kind] = parameter = outline.module.new_id()
            kind_types.append(type_id)
            function.parameters.append(Instruction(Op.FunctionParameter, [type_id, parameter]))
            outline.set_name(parameter, kind)
            outline.annotations.append(Instruction(Op.Decorate, [parameter, Decoration.Alignment, alignment]))
        old = self.types.operands(function.definition.words[3])
        function.definition.words[3] = self.types.get(Op.TypeFunction, *old, *kind_types)

    def _type(self, kind: str) -> tuple[int, int]:
        """Give the type of a parameter, and its alignment."""
        types = self.types
        if kind == GLOBALS:
            return self.bytes_pointer(), self.placed.block.alignment
        strictest = max(self.outline.alignment(i) for i in self.outline.imported(Storage.Workgroup))
        count = max(strictest, LEAST_ALIGNMENT) // 4
        if count > 4:
            self.outline.require(Capability.Vector16)
        vector = types.get(Op.TypeVector, types.get(Op.TypeInt, 32, 0), min(count, 16))
        return types.pointer(Storage.Workgroup, vector), max(strictest, LEAST_ALIGNMENT)

    def bytes_pointer(self) -> int:
        return self.types.pointer(Storage.CrossWorkgroup, self.types.get(Op.TypeInt, 8, 0))


class _Rewriting:
    """One function, from variables to parameters."""

    def __init__(self, hiding: _Hiding, function: Function) -> None:
        self.hiding = hiding
        self.function = function
        self.parameters = hiding.parameters.get(function.id, {})
        self.start: list[Instruction] = []
        self.replaced: dict[int, int] = {}

    def run(self, used: set[int]) -> None:
        if not used:
            return
        body = self.function.body
        start = self.function.start()
        for value in sorted(used):
            self._value(value)
        for instruction in body:
            words = instruction.words
            if not used.isdisjoint(words):
                for place in list(ids(instruction.opcode, words)):
                    words[place] = self.replaced.get(words[place], words[place])
        body[start:start] = self.start

    def _value(self, value: int) -> int:
        """Give the id in this function of a hidden variable, or of a constant that uses hidden variables."""
        replacement = self.replaced.get(value)
        if replacement is None:
            replacement = self._make(value)
            if replacement != value:
                self.replaced[value] = replacement
        return replacement

    def _make(self, value: int) -> int:
        hiding = self.hiding
        if value in hiding.shared:
            return self._cast(hiding.outline.declared[value].words[0], self.parameters[SHARED], 0)
        offset = hiding.placed.offsets.get(value)
        if offset is not None:
            address = self.parameters[GLOBALS]
            if offset:
                types = hiding.types
                number = types.constant(types.get(Op.TypeInt, 64, 0), offset)
                address = self._put(Op.InBoundsPtrAccessChain, hiding.bytes_pointer(), address, number)
            return self._cast(hiding.outline.declared[value].words[0], address, hiding.bytes_pointer())
        if value in hiding.outline.declared and value not in hiding.expressions:
            return value
        definition = hiding.outline.find(value)
        if definition is None:
            return value
        # An expression that uses an instruction that the backend left in a function: copied even in that function, for
        # its start comes before the instruction.
        if definition.opcode == Op.SpecConstantOp:
            return self._expression(definition)
        opcode = Op.CompositeConstruct if definition.opcode == Op.ConstantComposite else definition.opcode
        return self._put(opcode, definition.words[0], *map(self._value, definition.words[2:]))

    def _expression(self, expression: Instruction) -> int:
        types = self.hiding.types
        operands = list(map(self._value, expression.words[3:]))
        if expression.words[2] not in (Op.PtrAccessChain, Op.InBoundsPtrAccessChain):
            return self._put(expression.words[2], expression.words[0], *operands)
        # Such a chain counts in bytes: see Initial.
        pointer = types.pointer(Storage(types.storage(expression.words[0])), types.get(Op.TypeInt, 8, 0))
        address = self._put(Op.Bitcast, pointer, operands[0])
        return self._cast(expression.words[0], self._put(expression.words[2], pointer, address, operands[-1]), pointer)

    def _cast(self, type_id: int, address: int, has: int) -> int:
        return address if type_id == has else self._put(Op.Bitcast, type_id, address)

    def _put(self, opcode: int, type_id: int, *operands: int) -> int:
        result_id = self.hiding.outline.module.new_id()
        self.start.append(Instruction(opcode, [type_id, result_id, *operands]))
        return result_id
