"""The memory that each pointer of a function may reach, as two numbers: where it begins, and where it ends.

They are calculated once for each root, where that is. What is not known before the function runs is looked up there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ...image import DYNAMIC
from ..enumerants import Storage
from ..globals.hidden import SHARED
from ..module import Instruction
from ..names import demangle
from ..opcodes import Op
from ..operands import CHAINS
from ..outline import Function, Outline
from .functions import Writer
from .launch_record import ARGUMENTS, DYNAMIC_SHARED
from .roots import MERGES, Roots, is_private

EVERYWHERE = 0xFFFFFFFFFFFFFFFF
Range = tuple[int, int]  # ids of two numbers


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a root before the function runs: its size in bytes (-1: not known), and what it is."""

    size: int
    memory: str


UNKNOWN = Known(-1, "")


@dataclass(slots=True)
class Inserted:
    """Instructions to be put into a function: at its start, behind others (by the id that those make)."""

    start: list[Instruction] = field(default_factory=list)
    behind: dict[int, list[Instruction]] = field(default_factory=dict)


class MemoryRows:
    """The ranges of one function's pointers.

    Parameters
    ----------
    outline : Outline
    function : Function
    roots : Roots
    launch : int
        The number that is the address of the launch's record, in this function.
    ranges : mapping
        The ranges of pointers that are parameters.
    find : callable
        Gives the function that looks an address up.
    places : tuple of (offset, size, name)
        The variables in the block of globals.
    """

    def __init__(
        self, outline: Outline, function: Function, roots: Roots, launch: int, ranges: Mapping[int, Range],
        find: Callable[[], Function], places: tuple[tuple[int, int, str], ...],
    ) -> None:  # fmt: skip
        self.outline, self.types, self.function, self.roots = outline, outline.types, function, roots
        self.launch, self._find, self._places = launch, find, places
        self.inserted = Inserted()
        self._ranges: dict[int, Range] = dict(ranges)
        self._rooms: dict[tuple[int, int, int], int] = {}
        self._record = 0

    def is_private(self, pointer: int) -> bool:
        """Whether a pointer only ever points to memory of the thread's own."""
        root = self.roots.root(pointer)
        return root is None or is_private(self.outline, self.roots, root)

    def memory_of(self, pointer: int) -> Known:
        """Say what is known of the memory that a pointer comes from."""
        root = self.roots.root(pointer)
        if root is None:
            return UNKNOWN
        if self._is(root, SHARED):
            return Known(-1, DYNAMIC)
        if (place := self._global(root)) is not None:
            return Known(place[1], f"variable '{place[2]}'" if place[2].replace("::", "").isidentifier() else "")
        declared = self.outline.declared.get(root)
        if declared is None or declared.opcode != Op.Variable:
            return UNKNOWN
        size = self.types.layout(self.types.pointee(declared.words[0])).size
        kind = "shared array" if declared.words[2] == Storage.Workgroup else "constant array"
        return Known(size, f"{kind} {_plain(self.outline.name(root))}".strip())

    def range(self, pointer: int) -> Range:
        """Give the range of a pointer, which is calculated before the pointer is used."""
        root = self.roots.root(pointer)
        if root is None:
            return self._everywhere()
        if root not in self._ranges:
            self._make(root)
        return self._ranges[root]

    def room(self, pointer: int, size: int) -> int | None:
        """Give the room for an access of a size in a pointer's range, see `Writer.room`; None behind a merge.

        There it must be calculated at the access: other phis may follow, and nothing may stand between phis.
        """
        begin, end = self.range(pointer)
        root = self.roots.root(pointer)
        definition = None if root is None else self.roots.definition(root)
        if definition is not None and definition.opcode in MERGES:
            return None
        key = begin, end, size
        if key not in self._rooms:
            insertions = None if root is None else self.inserted.behind.get(root)
            write = Writer(self.outline, self.inserted.start if insertions is None else insertions)
            self._rooms[key] = write.room(begin, end, write.number(size))
        return self._rooms[key]

    def _is(self, root: int, hidden: str) -> bool:
        """Whether a root is a hidden parameter."""
        definition = self.roots.definition(root)
        is_parameter = definition is not None and definition.opcode == Op.FunctionParameter
        return is_parameter and self.outline.name(root) == hidden

    def _global(self, root: int) -> tuple[int, int, str] | None:
        """Give the variable in the block of globals that a root is."""
        definition = self.roots.definition(root)
        if definition is None or not self.roots.globals_block or self.roots.globals_block not in definition.words[2:3]:
            return None
        offset = self.roots.step(definition) if definition.opcode in CHAINS else 0
        return next((place for place in self._places if place[0] == offset), None)

    def _everywhere(self) -> Range:
        write = Writer(self.outline, self.inserted.start)
        return write.number(0), write.number(EVERYWHERE)

    def _make(self, root: int) -> None:
        """Calculate a root's range."""
        definition = self.roots.definition(root)
        start = Writer(self.outline, self.inserted.start)
        if definition is None or is_private(self.outline, self.roots, root) or definition.opcode == Op.Undef:
            self._ranges[root] = self._everywhere()
        elif definition.opcode in (Op.ConstantNull, Op.Constant):
            self._ranges[root] = (start.number(0), start.number(0))
        elif definition.opcode in MERGES:
            self._merge(definition)
        elif self._is(root, SHARED):
            begin = start.put(Op.ConvertPtrToU, start.long, root)
            size = start.word(self._words(), DYNAMIC_SHARED)
            self._ranges[root] = begin, start.put(Op.IAdd, start.long, begin, size)
        elif (place := self._global(root)) is not None:
            base = start.put(Op.ConvertPtrToU, start.long, self.roots.globals_block)
            begin = start.put(Op.IAdd, start.long, base, start.number(place[0]))
            self._ranges[root] = begin, start.put(Op.IAdd, start.long, begin, start.number(place[1]))
        elif (size := self.memory_of(root).size) >= 0:
            begin = start.put(Op.ConvertPtrToU, start.long, root)
            self._ranges[root] = begin, start.put(Op.IAdd, start.long, begin, start.number(size))
        elif (word := self._argument(definition)) is not None:
            words = self._words()
            self._ranges[root] = start.word(words, ARGUMENTS + 2 * word), start.word(words, ARGUMENTS + 2 * word + 1)
        else:
            self._look_up(root, definition)

    def _words(self) -> int:
        """Give the pointer to the launch's record."""
        if not self._record:
            self._record = Writer(self.outline, self.inserted.start).pointer(self.launch)
        return self._record

    def _merge(self, merge: Instruction) -> None:
        """Take the ranges of the ways in the same way."""
        root = merge.words[1]
        bounds = self._ranges[root] = (self.outline.module.new_id(), self.outline.module.new_id())
        ranges = [self.range(way) for way in self.roots.ways(merge)]
        write = Writer(self.outline, self.inserted.behind.setdefault(root, []))
        for number, bound in enumerate(bounds):
            ways = [each[number] for each in ranges]
            if merge.opcode == Op.Phi:
                pairs = [word for way, label in zip(ways, merge.words[3::2], strict=True) for word in (way, label)]
                write.into.append(Instruction(Op.Phi, [write.long, bound, *pairs]))
            else:
                write.into.append(Instruction(Op.Select, [write.long, bound, merge.words[2], *ways]))

    def _argument(self, definition: Instruction) -> int | None:
        """Say which word of the packed arguments a root was read from; None if it is none of those."""
        is_number = definition.opcode == Op.ConvertUToPtr
        read = self.roots.definition(definition.words[2]) if is_number else definition
        if read is None or read.opcode != Op.Load or self.function.id not in self.outline.entries:
            return None
        root, offset = self.roots.root(read.words[2]), self.roots.offset(read.words[2])
        parameters = self.function.parameters
        if not parameters or root != parameters[0].words[1] or not self.roots.is_pointer(root):
            return None
        if self.roots.storage(root) != Storage.Function or offset is None or offset % 8 or offset < 0:
            return None
        return offset // 8

    def _look_up(self, root: int, definition: Instruction) -> None:
        is_inside = definition.opcode != Op.FunctionParameter and root in self.roots.definitions
        insertions = self.inserted.behind.setdefault(root, []) if is_inside else self.inserted.start
        write = Writer(self.outline, insertions)
        address = write.put(Op.ConvertPtrToU, write.long, root) if self.roots.is_pointer(root) else root
        call = [write.long, self.outline.module.new_id(), self._find().id, self.launch, address]
        insertions.append(Instruction(Op.FunctionCall, call))
        row = write.pointer(call[1])
        self._ranges[root] = write.read(row), write.word(row, 1)


def _plain(name: str) -> str:
    """Give a shared array's name in the source, in quotes: functions have them as static variables."""
    within = re.search(r"E(\d+)([A-Za-z_].*)$", name) if name.startswith("_ZZ") else None
    plain = within[2][: int(within[1])] if within is not None else demangle(name).rpartition("::")[2]
    return f"'{plain}'" if plain.isidentifier() else ""
