"""Checks of each access to memory, put into a module: for debugging on devices whose addresses are the host's.

Before an access to an array, to shared memory or to a global, the address is compared with the memory that its pointer
comes from. An access outside is left out; a read gives zero. The first such access of a launch is kept in the launch's
record. For that each function gets the record's address, and for each pointer among its parameters the range of memory
that it may reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from ..enumerants import Storage
from ..globals.hidden import SHARED
from ..module import Instruction
from ..opcodes import NO_RESULT, ONLY_RESULT, Op
from ..operands import ATOMIC_OPERATIONS, TERMINATORS, result
from ..outline import Function, Outline
from .functions import Writer, add_fail, add_find
from .marks import MarkedInstruction
from .roots import Roots
from .rows import Known, MemoryRows, Range

LAUNCH = "__lp_launch"
NO_PLACE = -1
_CHECKED = frozenset({Storage.CrossWorkgroup, Storage.Generic, Storage.Workgroup, Storage.UniformConstant})
_RETURNS = frozenset({Op.Return, Op.ReturnValue})
_PLAIN = frozenset({Op.AtomicStore, Op.AtomicFlagClear})  # atomics without a result, whose pointer comes first
_UNTYPED = NO_RESULT | ONLY_RESULT
_FILLS = "lp_memset_"  # the backend's name for LLVM's function, see `fixups`


class Check(NamedTuple):
    """What a module checks at an access."""

    place: int  # the number of the mark, `NO_PLACE` if the access has none
    kind: str  # ``read``, ``write`` or ``atomic operation``
    size: int  # bytes of the access; 0 if it is not known before the kernel runs
    memory: str  # the variable, if the pointer always is to the same; else empty


def check_accesses(outline: Outline, places: tuple[tuple[int, int, str], ...]) -> list[Check]:
    """Put a check before each access.

    Kernels then take one more parameter: the address of the launch's record as a number, before dynamic shared memory.

    Parameters
    ----------
    outline : Outline
    places : tuple of (offset, size, name)
        The variables in the block of globals.

    Returns
    -------
    list of Check
        By the numbers that a failed check leaves.
    """
    return _Checks(outline, places).run()


@dataclass(slots=True)
class _Access:
    """One address that an instruction reaches."""

    pointer: int
    kind: str
    size: int  # bytes; 0: `count` is the number of them
    count: int = 0


class _Failure(NamedTuple):
    """A comparison of an address with its range, and what is kept if it fails."""

    is_inside: int
    check: Check
    address: int
    begin: int
    end: int


class _Kept(NamedTuple):
    """What a thread keeps of its first failure: the check's number and 1, or 0 if there is none; and the addresses."""

    number: int
    address: int
    begin: int
    end: int


class _Checks:
    def __init__(self, outline: Outline, places: tuple[tuple[int, int, str], ...]) -> None:
        self.outline, self.types, self.places = outline, outline.types, places
        self.long = self.types.get(Op.TypeInt, 64, 0)
        self.checks: list[Check] = []
        self.numbers: dict[Check, int] = {}
        self.launch: dict[int, int] = {}
        self.ranges: dict[int, dict[int, Range]] = {}
        self._find: Function | None = None
        self._fail: Function | None = None
        self.typed = {i.words[1]: i.words[0] for i in _typed([*outline.declarations, *self.types.added])}

    def run(self) -> list[Check]:
        functions = [function for function in self.outline.functions.values() if function.body]
        for function in functions:
            self._take_launch(function)
        for function in functions:
            _Function(self, function).run()
        return self.checks

    def find(self) -> Function:
        """Give the function that looks an address up."""
        if self._find is None:
            self._find = add_find(self.outline)
        return self._find

    def fail(self) -> Function:
        """Give the function that keeps a failure."""
        if self._fail is None:
            self._fail = add_fail(self.outline)
        return self._fail

    def number(self, check: Check) -> int:
        """Give a check's number."""
        number = self.numbers.get(check)
        if number is None:
            number = self.numbers[check] = len(self.checks)
            self.checks.append(check)
        return number

    def _take_launch(self, function: Function) -> None:
        """Add a function's parameters: the launch's record, and ranges of pointers."""
        record = self.launch[function.id] = self.outline.module.new_id()
        self.outline.set_name(record, LAUNCH)
        parameters = [Instruction(Op.FunctionParameter, [self.long, record])]
        if function.id in self.outline.entries:
            # A launch sets dynamic shared memory by the last parameter.
            place = next(
                (place for place, i in enumerate(function.parameters) if self.outline.name(i.words[1]) == SHARED),
                len(function.parameters),
            )
        else:
            place = len(function.parameters)
            ranges = self.ranges[function.id] = {}
            for parameter in [i for i in function.parameters if self.takes_range(i.words[0])]:
                bounds = ranges[parameter.words[1]] = (self.outline.module.new_id(), self.outline.module.new_id())
                parameters += [Instruction(Op.FunctionParameter, [self.long, bound]) for bound in bounds]
        function.parameters[place:place] = parameters
        operands = self.types.operands(function.definition.words[3])
        parameter_types = [i.words[0] for i in function.parameters]
        function.definition.words[3] = self.types.get(Op.TypeFunction, operands[0], *parameter_types)

    def takes_range(self, type_id: int) -> bool:
        """Whether a parameter of this type is a pointer to memory that is checked."""
        types = self.types
        return types.opcode(type_id) == Op.TypePointer and types.storage(type_id) in _CHECKED


class _Function:
    """One function, with checks."""

    def __init__(self, checks: _Checks, function: Function) -> None:
        self.checks, self.outline, self.types, self.function = checks, checks.outline, checks.types, function
        self.roots = Roots(self.outline, function, checks.typed)
        self.rows = MemoryRows(
            self.outline, function, self.roots, checks.launch[function.id], checks.ranges.get(function.id, {}),
            checks.find, checks.places,
        )  # fmt: skip
        self.body: list[Instruction] = []
        self.label = 0  # of the block that is written
        self.origin = 0  # and of the block that it was
        self.renamed: dict[int, int] = {}
        self.guarded: set[int] = set()  # what reads give behind their guards: phis whose labels are new
        self.kept: list[int] = []  # the thread's own variables, in the order of `_Kept`
        self.failures: list[_Failure] = []  # of this block, not kept yet
        self.checked: dict[int, tuple[int, int]] = {}  # by pointer: the bytes from there that were, and the result

    def run(self) -> None:
        """Write the function anew."""
        start = self.function.start()
        before, rest = self.function.body[:start], self.function.body[start:]
        self.label = self.origin = before[0].words[0]
        for instruction in rest:
            self._write(instruction)
        # Ranges are put in last: they are calculated where their roots are, whatever asks for them.
        insertions = self.rows.inserted.behind
        body = [*before, *self._kept_variables(), *self.rows.inserted.start]
        for instruction in self.body:
            if self.kept and instruction.opcode in _RETURNS:
                self._report(body)
            body.append(instruction)
            body += insertions.get(result(instruction.opcode, instruction.words), [])
        self.function.body = body
        for i in self.function.body:
            if i.opcode == Op.Phi and i.words[1] not in self.guarded:
                i.words[3::2] = [self.renamed.get(label, label) for label in i.words[3::2]]
        self.function.calls = [i for i in self.function.body if i.opcode == Op.FunctionCall]

    def _write(self, instruction: Instruction) -> None:
        opcode, words = instruction.opcode, instruction.words
        if opcode == Op.Label:
            self.label = words[0]
            self.checked = {}
            self.origin = words[0]
        elif opcode in (Op.LoopMerge, Op.SelectionMerge):
            return  # hints; they would name blocks that change
        elif opcode == Op.FunctionCall:
            self._pass_on(instruction)
        results = self._check(instruction)
        if opcode in TERMINATORS:
            self._keep()
        if results:
            self._guard(instruction, results)
        else:
            self.body.append(instruction)
        if opcode in TERMINATORS:
            self.renamed[self.origin] = self.label

    def _pass_on(self, call: Instruction) -> None:
        """Give a function that is called its further arguments."""
        callee = self.outline.functions[call.words[2]]
        if callee.id not in self.checks.launch:
            return
        pointers = [
            argument
            for argument, parameter in zip(call.words[3:], callee.parameters, strict=False)
            if parameter.words[1] in self.checks.ranges.get(callee.id, {})
        ]
        call.words.append(self.checks.launch[self.function.id])
        for pointer in pointers:
            call.words += self.rows.range(pointer)

    def _accesses(self, i: Instruction) -> Iterator[_Access]:
        """Give the addresses that an instruction reaches."""
        words = i.words
        if i.opcode == Op.Load:
            yield _Access(words[2], "read", self._size(words[0]))
        elif i.opcode == Op.Store:
            yield _Access(words[0], "write", self._size(self.roots.type_of[words[1]]))
        elif i.opcode == Op.CopyMemory:
            size = self._size(self.types.pointee(self.roots.type_of[words[0]]))
            yield _Access(words[1], "read", size)
            yield _Access(words[0], "write", size)
        elif i.opcode == Op.CopyMemorySized:
            size = self.types.integer(words[2]) or 0
            yield _Access(words[1], "read", size, words[2])
            yield _Access(words[0], "write", size, words[2])
        elif i.opcode in ATOMIC_OPERATIONS:
            pointer = words[0] if i.opcode in _PLAIN else words[2]
            value = self.types.pointee(self.roots.type_of[pointer])
            yield _Access(pointer, "atomic operation", self._size(value))
        elif i.opcode == Op.FunctionCall and self.outline.name(words[2]).startswith(_FILLS) and len(words) > 5:
            yield _Access(words[3], "write", 0, words[5])

    def _size(self, type_id: int) -> int:
        """Give the bytes that an access of a type reaches: a vector of three elements has no fourth."""
        if self.types.opcode(type_id) == Op.TypeVector:
            element, count = self.types.operands(type_id)
            return self.types.layout(element).size * count
        return self.types.layout(type_id).size

    def _check(self, i: Instruction) -> list[int]:
        """Compare the addresses of an instruction, and give the results."""
        results = []
        for access in self._accesses(i):
            pointer = access.pointer
            if not self.roots.is_pointer(pointer) or self.roots.storage(pointer) not in _CHECKED:
                continue
            if self.rows.is_private(pointer) or self._is_inside(access, memory := self.rows.memory_of(pointer)):
                continue
            size, before = self.checked.get(pointer, (0, 0))
            if access.size and size >= access.size:
                results.append(before)
                continue
            place = i.place if isinstance(i, MarkedInstruction) else NO_PLACE
            failure = self._compare(access, Check(place, access.kind, access.size, memory.memory))
            if access.size:
                self.checked[pointer] = access.size, failure.is_inside
            results.append(failure.is_inside)
            self.failures.append(failure)
        return results

    def _is_inside(self, access: _Access, memory: Known) -> bool:
        """Whether an access is inside its variable whatever happens."""
        offset = self.roots.offset(access.pointer) if memory.size >= 0 and access.size else None
        return offset is not None and 0 <= offset <= memory.size - access.size

    def _compare(self, access: _Access, check: Check) -> _Failure:
        """Compare an address with its range."""
        write = Writer(self.outline, self.body)
        address = write.put(Op.ConvertPtrToU, write.long, access.pointer)
        begin, end = self.rows.range(access.pointer)
        room = self.rows.room(access.pointer, access.size) if access.size else None
        if room is None:
            count = write.number(access.size) if access.size else access.count
            if not access.size and self.roots.type_of.get(count) not in (None, write.long):
                count = write.put(Op.UConvert, write.long, count)
            room = write.room(begin, end, count)
        offset = write.put(Op.ISub, write.long, address, begin)
        is_inside = write.put(Op.ULessThan, write.truth, offset, room)
        return _Failure(is_inside, check, address, begin, end)

    def _guard(self, i: Instruction, results: list[int]) -> None:
        """Write an access that happens if all of its addresses are inside; a read that does not happen gives zero."""
        write = Writer(self.outline, self.body)
        is_inside = self._all(write, results)
        before, inside, after = self.label, self.outline.module.new_id(), self.outline.module.new_id()
        write.do(Op.BranchConditional, is_inside, inside, after)
        write.do(Op.Label, inside)
        has_result = i.opcode not in NO_RESULT and self.types.opcode(i.words[0]) != Op.TypeVoid
        value = i.words[1] if has_result else 0
        if has_result:
            i.words[1] = self.outline.module.new_id()
            self._rename(value, i.words[1])
        self.body.append(i)
        write.do(Op.Branch, after)
        write.do(Op.Label, after)
        self.label = after
        if has_result:
            zero = self.types.null(i.words[0])
            self.guarded.add(value)
            self.body.append(Instruction(Op.Phi, [i.words[0], value, i.words[1], inside, zero, before]))

    def _keep(self) -> None:
        """Keep the first failure of the block in the thread's own variables, unless they have one."""
        if not self.failures:
            return
        failures, self.failures = self.failures, []
        self.kept = self.kept or [self.outline.module.new_id() for _ in _Kept._fields]
        write = Writer(self.outline, self.body)
        outside, after = self.outline.module.new_id(), self.outline.module.new_id()
        write.do(Op.BranchConditional, self._all(write, [each.is_inside for each in failures]), after, outside)
        write.do(Op.Label, outside)
        first = self._values(write, failures[-1])
        for failure in reversed(failures[:-1]):
            values = zip(first, self._values(write, failure), strict=True)
            first = _Kept(*(write.put(Op.Select, write.long, failure.is_inside, *pair) for pair in values))
        before = _Kept(*(write.put(Op.Load, write.long, variable) for variable in self.kept))
        is_none = write.put(Op.IEqual, write.truth, before.number, write.number(0))
        for variable, old, new in zip(self.kept, before, first, strict=True):
            write.do(Op.Store, variable, write.put(Op.Select, write.long, is_none, new, old))
        write.do(Op.Branch, after)
        write.do(Op.Label, after)
        self.label = after

    def _values(self, write: Writer, failure: _Failure) -> _Kept:
        number = write.number(self.checks.number(failure.check) + 1)
        return _Kept(number, failure.address, failure.begin, failure.end)

    def _kept_variables(self) -> list[Instruction]:
        """Declare the thread's own variables: nothing is kept yet."""
        if not self.kept:
            return []
        pointer = self.types.pointer(Storage.Function, self.checks.long)
        variables = [Instruction(Op.Variable, [pointer, variable, Storage.Function]) for variable in self.kept]
        return [*variables, Instruction(Op.Store, [self.kept[0], self.types.constant(self.checks.long, 0)])]

    def _report(self, instructions: list[Instruction]) -> None:
        """Write to the launch's record what the thread has kept: the function returns then."""
        write = Writer(self.outline, instructions)
        outside, after = self.outline.module.new_id(), self.outline.module.new_id()
        failure = _Kept(*(write.put(Op.Load, write.long, variable) for variable in self.kept))
        write.do(
            Op.BranchConditional, write.put(Op.IEqual, write.truth, failure.number, write.number(0)), after, outside
        )
        write.do(Op.Label, outside)
        number = write.put(Op.ISub, write.long, failure.number, write.number(1))
        nothing, launch = self.types.get(Op.TypeVoid), self.checks.launch[self.function.id]
        write.put(Op.FunctionCall, nothing, self.checks.fail().id, launch, number, *failure[1:])
        write.do(Op.Branch, after)
        write.do(Op.Label, after)

    @staticmethod
    def _all(write: Writer, results: list[int]) -> int:
        """Combine comparisons."""
        return reduce(lambda every, other: write.put(Op.LogicalAnd, write.truth, every, other), results)

    def _rename(self, old: int, new: int) -> None:
        """Move the decorations of a value that was read to the read itself."""
        for decoration in self.outline.decorations.pop(old, []):
            decoration.words[0] = new
            self.outline.decorations.setdefault(new, []).append(decoration)


def _typed(instructions: list[Instruction]) -> list[Instruction]:
    return [i for i in instructions if i.opcode not in _UNTYPED and len(i.words) > 1 and i.opcode >= Op.ConstantTrue]
