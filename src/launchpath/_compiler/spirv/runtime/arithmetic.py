"""Arithmetic that goes wrong: errors of Clang, and instructions that Intel's CPU runtime (2026.2) refuses."""

from __future__ import annotations

from ..module import Instruction, encode_text
from ..opcodes import NO_RESULT, STD, Op
from ..outline import Function, Outline

_SHIFTS = frozenset({Op.ShiftRightLogical, Op.ShiftRightArithmetic, Op.ShiftLeftLogical})
_PRODUCTS = {Op.UMulExtended: STD["u_mul_hi"], Op.SMulExtended: STD["s_mul_hi"]}
_CARRIES = frozenset({Op.IAddCarry, Op.ISubBorrow})
_SET = "OpenCL.std"


def check_signed_products(outline: Outline) -> None:
    """Correct Clang's check of a signed product for overflow, which compares its upper half with 0.

    The upper half of a product that fits is 0 or -1: its sign.
    """
    for function in outline.functions.values():
        if any(instruction.opcode == Op.SMulExtended for instruction in function.body):
            _check_signed_products(outline, function)


def _check_signed_products(outline: Outline, function: Function) -> None:
    types = outline.types
    zeros = {i.words[1] for i in outline.declarations if _is_zero(outline, i)}
    products = {i.words[1] for i in function.body if i.opcode == Op.SMulExtended}
    halves = {
        i.words[1]: i for i in function.body if i.opcode == Op.CompositeExtract and i.words[2] in products
    }  # fmt: skip
    body: list[Instruction] = []
    for instruction in function.body:
        words = instruction.words
        if instruction.opcode in (Op.IEqual, Op.INotEqual):
            for place, other in ((2, 3), (3, 2)):
                high = halves.get(words[place])
                if high is not None and high.words[3] == 1 and words[other] in zeros:
                    low, sign = outline.module.new_id(), outline.module.new_id()
                    last = types.constant(high.words[0], types.operands(high.words[0])[0] - 1)
                    body += [
                        Instruction(Op.CompositeExtract, [high.words[0], low, high.words[2], 0]),
                        Instruction(Op.ShiftRightArithmetic, [high.words[0], sign, low, last]),
                    ]
                    words[other] = sign
        body.append(instruction)
    function.body[:] = body


def simplify(outline: Outline) -> None:
    """Rewrite valid instructions that the runtime refuses, or on which its compiler crashes.

    - A shift by a number of another width than the shifted value: "Invalid binary operator record".
    - A product with both halves, as checks for overflow need: "Symbols not found".
    - A sum with its carry, which Clang makes of ``++x == 0``: in a branch that not all threads take, the optimizer
      crashes once it has made vectors (in ``instcombine``).
    """
    opcodes = _SHIFTS | _PRODUCTS.keys() | _CARRIES
    for function in outline.functions.values():
        if any(instruction.opcode in opcodes for instruction in function.body):
            _Rewriter(outline, function).run()


def _is_zero(outline: Outline, declaration: Instruction) -> bool:
    if declaration.opcode == Op.Constant:
        return outline.types.integer(declaration.words[1]) == 0
    return declaration.opcode == Op.ConstantNull


class _Rewriter:
    def __init__(self, outline: Outline, function: Function) -> None:
        self.outline, self.function = outline, function
        self._typed = {
            i.words[1]: i.words[0]
            for i in (*outline.declarations, *outline.types.added, *function.parameters, *function.body)
            # A type's second word is no id.
            if i.opcode not in NO_RESULT and not Op.TypeVoid <= i.opcode < Op.TypeForwardPointer and len(i.words) > 1
        }

    def run(self) -> None:
        body: list[Instruction] = []
        for instruction in self.function.body:
            if len(instruction.words) != 4:  # a damaged module's, which the device refuses
                body.append(instruction)
            elif instruction.opcode in _SHIFTS:
                self._shift(body, instruction)
            elif instruction.opcode in _PRODUCTS:
                self._product(body, instruction)
            elif instruction.opcode in _CARRIES:
                self._carry(body, instruction)
            else:
                body.append(instruction)
        self.function.body[:] = body

    def _shift(self, body: list[Instruction], shift: Instruction) -> None:
        """Give a shift's two operands the same width."""
        type_id, _, base, amount = shift.words
        if 0 not in (width := self._width(amount), base_width := self._width(base)) and width != base_width:
            converted = self.outline.module.new_id()
            body.append(Instruction(Op.UConvert, [type_id, converted, amount]))
            shift.words[3] = converted
        body.append(shift)

    def _width(self, value: int) -> int:
        """Give the bits of an integer, or of a vector's elements; 0 if it is neither."""
        types, type_id = self.outline.types, self._typed.get(value, 0)
        if type_id in types and types.opcode(type_id) == Op.TypeVector:
            type_id = types.element(type_id)
        return types.operands(type_id)[0] if type_id in types and types.opcode(type_id) == Op.TypeInt else 0

    def _product(self, body: list[Instruction], product: Instruction) -> None:
        """Calculate a product's two halves apart."""
        struct, result_id, *factors = product.words
        if struct not in self.outline.types or self.outline.types.opcode(struct) != Op.TypeStruct:
            body.append(product)
            return
        half = self.outline.types.element(struct)
        low, high = self.outline.module.new_id(), self.outline.module.new_id()
        body += [
            Instruction(Op.IMul, [half, low, *factors]),
            Instruction(Op.ExtInst, [half, high, self._functions(), _PRODUCTS[Op(product.opcode)], *factors]),
            Instruction(Op.CompositeConstruct, [struct, result_id, low, high]),
        ]

    def _carry(self, body: list[Instruction], carrying: Instruction) -> None:
        """Calculate a sum, or a difference, and compare for its carry."""
        types, module = self.outline.types, self.outline.module
        struct, result_id, left, right = carrying.words
        if struct not in types or types.opcode(struct) != Op.TypeStruct or not self._width(left):
            body.append(carrying)
            return
        number, truth = types.element(struct), types.get(Op.TypeBool)
        if types.opcode(number) != Op.TypeInt:  # vectors
            body.append(carrying)
            return
        low, carries, carry = module.new_id(), module.new_id(), module.new_id()
        is_sum = carrying.opcode == Op.IAddCarry
        compared = [low, left] if is_sum else [left, right]
        body += [
            Instruction(Op.IAdd if is_sum else Op.ISub, [number, low, left, right]),
            Instruction(Op.ULessThan, [truth, carries, *compared]),
            Instruction(Op.Select, [number, carry, carries, types.constant(number, 1), types.null(number)]),
            Instruction(Op.CompositeConstruct, [struct, result_id, low, carry]),
        ]

    def _functions(self) -> int:
        """Give the id of OpenCL's functions; import them if the module does not."""
        header = self.outline.header
        for instruction in header:
            if instruction.opcode == Op.ExtInstImport and instruction.text(1) == _SET:
                return instruction.words[0]
        set_id = self.outline.module.new_id()
        place = next(place for place, instruction in enumerate(header) if instruction.opcode == Op.MemoryModel)
        header.insert(place, Instruction(Op.ExtInstImport, [set_id, *encode_text(_SET)]))
        return set_id
