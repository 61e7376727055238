"""Storage classes of pointers that Clang writes as generic, although the code shows their storage class.

In HIP every pointer is generic, and Clang's SPIR-V target leaves it at that. Runtimes infer some of them again, but not
through loops: a histogram in shared memory ran 20 times slower on Intel's CPU runtime for it. So every generic pointer
that comes from pointers of a single storage class gets a twin of that class, and loads, stores and atomics take the
twin.
"""

from __future__ import annotations

from ..enumerants import Storage
from ..module import Instruction
from ..opcodes import NO_RESULT, ONLY_RESULT, Op
from ..operands import ATOMIC_OPERATIONS, CHAINS
from ..outline import Function, Outline

_FOLLOWED = CHAINS | {Op.Bitcast, Op.PtrCastToGeneric, Op.Phi, Op.Select}
_UNTYPED = NO_RESULT | ONLY_RESULT
_UNKNOWN = -1


def infer_spaces(outline: Outline) -> None:
    """Give generic pointers their storage classes where every way to them starts in the same one."""
    shared = declared_types(outline)
    for function in outline.functions.values():
        Spaces(outline, function, shared).run()


def declared_types(outline: Outline) -> dict[int, int]:
    """Give the types of constants and variables outside functions."""
    return {i.words[1]: i.words[0] for i in outline.declarations if i.opcode not in _UNTYPED and len(i.words) > 1}


class Spaces:
    """The storage classes of a function's pointers; `shared` are the types of what is declared outside functions."""

    def __init__(self, outline: Outline, function: Function, shared: dict[int, int]) -> None:
        self.outline, self.function, self.types = outline, function, outline.types
        self.type_of = dict(shared)
        for i in [*function.parameters, *function.body]:
            if i.opcode not in _UNTYPED and len(i.words) > 1:
                self.type_of[i.words[1]] = i.words[0]
        self.definitions = {
            i.words[1]: i
            for i in function.body
            if i.opcode in _FOLLOWED and self._storage(i.words[0]) == Storage.Generic
        }
        self.twins: dict[int, int] = {}

    def run(self) -> None:
        """Find the classes, and write the function anew."""
        storages = self.storages()
        if not storages:
            return
        for pointer in storages:
            i = self.definitions[pointer]
            self.twins[pointer] = i.words[2] if i.opcode == Op.PtrCastToGeneric else self.outline.module.new_id()
        body: list[Instruction] = []
        for i in self.function.body:
            if i.opcode in _FOLLOWED and i.opcode != Op.PtrCastToGeneric and i.words[1] in storages:
                body.append(self._twin(i, storages[i.words[1]]))
            self._use(i)
            body.append(i)
        self.function.body = body

    def storage_of(self, pointer: int) -> int:
        """Give the storage class in the type of a pointer."""
        return self._storage(self.type_of.get(pointer, 0))

    def _storage(self, type_id: int) -> int:
        types = self.types
        if type_id not in types or types.opcode(type_id) != Op.TypePointer:
            return _UNKNOWN
        return types.storage(type_id)

    def _sources(self, i: Instruction) -> list[int]:
        if i.opcode == Op.Phi:
            return i.words[2::2]
        return i.words[3:5] if i.opcode == Op.Select else i.words[2:3]

    def storages(self) -> dict[int, int]:
        """Find the storage class of each generic pointer, where it is seen.

        It counts as that of the first source until another is seen, so that loops do not stand in their own way.
        """
        classes: dict[int, int | None] = dict.fromkeys(self.definitions)
        changed = True
        while changed:
            changed = False
            for pointer, i in self.definitions.items():
                if classes[pointer] == _UNKNOWN:
                    continue
                if i.opcode == Op.PtrCastToGeneric:
                    now: int | None = self.storage_of(i.words[2])
                else:
                    sources = {classes.get(source, _UNKNOWN) for source in self._sources(i)} - {None}
                    now = sources.pop() if len(sources) == 1 else _UNKNOWN if sources else None
                if now is not None and now != classes[pointer]:
                    classes[pointer] = now
                    changed = True
        return {pointer: storage for pointer, storage in classes.items() if storage is not None and storage != _UNKNOWN}

    def _twin(self, i: Instruction, storage: int) -> Instruction:
        words = list(i.words)
        words[0] = self.types.pointer(Storage(storage), self.types.pointee(words[0]))
        words[1] = self.twins[i.words[1]]
        if i.opcode == Op.Phi:
            words[2::2] = [self.twins[source] for source in words[2::2]]
        elif i.opcode == Op.Select:
            words[3:5] = [self.twins[source] for source in words[3:5]]
        else:
            words[2] = self.twins[words[2]]
        return Instruction(i.opcode, words)

    def _use(self, i: Instruction) -> None:
        """Let loads, stores and atomics take the twin."""
        if i.opcode == Op.Load:
            place = 2
        elif i.opcode == Op.Store:
            place = 0
        elif i.opcode in ATOMIC_OPERATIONS:
            place = 0 if i.opcode in (Op.AtomicStore, Op.AtomicFlagClear) else 2
        else:
            return
        i.words[place] = self.twins.get(i.words[place], i.words[place])
