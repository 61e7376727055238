"""The functions of a module that checks its accesses: which memory an address is in, and what a failed check leaves."""

from __future__ import annotations

from ..builtins import builtin
from ..enumerants import BuiltIn, MemoryAccess, Scope, Storage
from ..module import Instruction
from ..opcodes import Op
from ..outline import Function, Outline
from .launch_record import ADDRESS, BEGIN, BLOCK, CHECK, COUNT, END, FAILED, ROW_BYTES, TABLE, THREAD


class Writer:
    """Writes instructions to a list."""

    def __init__(self, outline: Outline, instructions: list[Instruction]) -> None:
        self.outline, self.types, self.into = outline, outline.types, instructions
        self.long = self.types.get(Op.TypeInt, 64, 0)
        self.words = self.types.pointer(Storage.CrossWorkgroup, self.long)
        self.truth = self.types.get(Op.TypeBool)

    def put(self, opcode: Op, type_id: int, *operands: int) -> int:
        """Write an instruction with a result; give that."""
        result = self.outline.module.new_id()
        self.into.append(Instruction(opcode, [type_id, result, *operands]))
        return result

    def do(self, opcode: Op, *operands: int) -> None:
        """Write an instruction without a result."""
        self.into.append(Instruction(opcode, [*operands]))

    def number(self, value: int) -> int:
        """Give a constant of 64 bits."""
        return self.types.constant(self.long, value)

    def room(self, begin: int, end: int, size: int) -> int:
        """Give how many addresses from the begin of a range on may be those of an access of a size (ids, all).

        An access is inside if the distance of its address to the begin, without a sign, is less. No distance is less
        than 0, which stands for a range that is smaller than the access.
        """
        length = self.put(Op.ISub, self.long, end, begin)
        rest = self.put(Op.IAdd, self.long, self.put(Op.ISub, self.long, length, size), self.number(1))
        is_wide = self.put(Op.UGreaterThanEqual, self.truth, length, size)
        return self.put(Op.Select, self.long, is_wide, rest, self.number(0))

    def pointer(self, address: int) -> int:
        """Make a pointer to words of an address."""
        return self.put(Op.ConvertUToPtr, self.words, address)

    def word(self, pointer: int, index: int) -> int:
        """Read a word at a constant index."""
        return self.read(self.at(pointer, self.number(index)))

    def at(self, pointer: int, index: int) -> int:
        """Point to a word."""
        return self.put(Op.InBoundsPtrAccessChain, self.words, pointer, index)

    def read(self, pointer: int) -> int:
        """Read a word."""
        return self.put(Op.Load, self.long, pointer, MemoryAccess.Aligned, 8)

    def write(self, pointer: int, index: int, value: int) -> None:
        """Write a word."""
        self.do(Op.Store, self.at(pointer, self.number(index)), value, MemoryAccess.Aligned, 8)


def _function(outline: Outline, name: str, result: int, parameters: list[int]) -> tuple[Function, Writer, list[int]]:
    types, new_id = outline.types, outline.module.new_id
    definition = Instruction(Op.Function, [result, new_id(), 0, types.get(Op.TypeFunction, result, *parameters)])
    function = Function(
        definition, [Instruction(Op.FunctionParameter, [parameter, new_id()]) for parameter in parameters]
    )
    outline.functions[function.id] = function
    outline.set_name(function.id, name)
    return function, Writer(outline, function.body), [parameter.words[1] for parameter in function.parameters]


def add_find(outline: Outline) -> Function:
    """Add the function (launch, address) -> the address of the row (begin, end) of the memory there."""
    long = outline.types.get(Op.TypeInt, 64, 0)
    function, write, (launch, address) = _function(outline, "lp_find_memory", long, [long, long])
    entry, head, step, done = (outline.module.new_id() for _ in range(4))
    low, high, next_low, next_high = (outline.module.new_id() for _ in range(4))
    write.do(Op.Label, entry)
    record = write.pointer(launch)
    count, table = write.word(record, COUNT), write.word(record, TABLE)
    write.do(Op.Branch, head)
    write.do(Op.Label, head)
    write.into.append(Instruction(Op.Phi, [long, low, write.number(0), entry, next_low, step]))
    write.into.append(Instruction(Op.Phi, [long, high, count, entry, next_high, step]))
    width = write.put(Op.ISub, long, high, low)
    several = write.put(Op.UGreaterThan, write.truth, width, write.number(1))
    write.do(Op.BranchConditional, several, step, done)
    write.do(Op.Label, step)
    half = write.put(Op.ShiftRightLogical, long, width, write.number(1))
    middle = write.put(Op.IAdd, long, low, half)
    row = write.put(Op.IAdd, long, table, write.put(Op.IMul, long, middle, write.number(ROW_BYTES)))
    start = write.read(write.pointer(row))
    is_before = write.put(Op.ULessThanEqual, write.truth, start, address)
    write.into.append(Instruction(Op.Select, [long, next_low, is_before, middle, low]))
    write.into.append(Instruction(Op.Select, [long, next_high, is_before, high, middle]))
    write.do(Op.Branch, head)
    write.do(Op.Label, done)
    row = write.put(Op.IAdd, long, table, write.put(Op.IMul, long, low, write.number(ROW_BYTES)))
    write.do(Op.ReturnValue, write.put(Op.IAdd, long, row, write.number(8)))
    return function


def add_fail(outline: Outline) -> Function:
    """Add the function (launch, check, address, begin, end) that keeps the first failure of a launch."""
    types = outline.types
    long, short = types.get(Op.TypeInt, 64, 0), types.get(Op.TypeInt, 32, 0)
    nothing = types.get(Op.TypeVoid)
    parameters = [long, long, long, long, long]
    function, write, (launch, check, address, begin, end) = _function(outline, "lp_check_failed", nothing, parameters)
    entry, first, done = (outline.module.new_id() for _ in range(3))
    write.do(Op.Label, entry)
    record = write.pointer(launch)
    failed = write.put(Op.Bitcast, types.pointer(Storage.CrossWorkgroup, short), write.at(record, write.number(FAILED)))
    zero, flag = types.constant(short, 0), types.constant(short, 1)
    device = types.constant(short, Scope.Device)
    before = write.put(Op.AtomicCompareExchange, short, failed, device, zero, zero, flag, zero)
    write.do(Op.BranchConditional, write.put(Op.IEqual, write.truth, before, zero), first, done)
    write.do(Op.Label, first)
    for field, value in ((CHECK, check), (ADDRESS, address), (BEGIN, begin), (END, end)):
        write.write(record, field, value)
    for field, kind in ((BLOCK, BuiltIn.WorkgroupId), (THREAD, BuiltIn.LocalInvocationId)):
        variable = builtin(outline, kind)
        vector = types.pointee(variable.words[0])
        place = write.put(Op.Load, vector, variable.words[1])
        for axis in range(3):
            write.write(record, field + axis, write.put(Op.CompositeExtract, types.element(vector), place, axis))
    write.do(Op.Branch, done)
    write.do(Op.Label, done)
    write.do(Op.Return)
    return function
