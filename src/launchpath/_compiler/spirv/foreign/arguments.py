"""Parameters of kernels in foreign SPIR-V, from their types and their compilers' notes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from launchpath.errors import ArgumentValueError

from ...signature import Parameter
from ..enumerants import Attribute, Decoration, Storage
from ..module import Instruction
from ..opcodes import Op
from ..outline import Outline

_OPAQUE: dict[int, str] = {
    Op.TypeImage: "an image", Op.TypeSampler: "a sampler", Op.TypeSampledImage: "an image with its sampler",
    Op.TypeOpaque: "of an opaque type", Op.TypeEvent: "an event", Op.TypeDeviceEvent: "a device's event",
    Op.TypeReserveId: "a reservation of a pipe", Op.TypeQueue: "a device's queue", Op.TypePipe: "a pipe",
}  # fmt: skip
_ADDRESSES = (Storage.CrossWorkgroup, Storage.UniformConstant, Storage.Generic)

_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long"}
_FLOATS = {16: "half", 32: "float", 64: "double"}
_KINDS = {
    "bool": "bool", "_Bool": "bool", "half": "float16", "float": "float32", "double": "float64",
    "signed char": "int8", "unsigned char": "uint8", "unsigned": "uint32", "long long": "int64",
    "unsigned long long": "uint64", "size_t": "uint64", "uintptr_t": "uint64", "ptrdiff_t": "int64",
    "intptr_t": "int64",
    **{name: f"int{bits}" for bits, name in _INTEGERS.items()},
    **{f"{short}{name}": f"uint{bits}" for bits, name in _INTEGERS.items() for short in ("u", "unsigned ")},
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for bits in _INTEGERS for sign in ("", "u")},
}  # fmt: skip
_QUALIFIERS = re.compile(r"\b(?:const|volatile|restrict|__global|__constant|__local|__generic|global|constant|local)\b")
_NOTE = "kernel_arg_type."
_QUALIFIER_NOTE = "kernel_arg_type_qual."


class Passing(Enum):
    """How an argument gets from the packed block to the kernel's own function."""

    VALUE = auto()
    BOOL = auto()  # a byte in the block
    POINTER = auto()  # an address in the block
    STRUCTURE = auto()  # the function takes a pointer to it
    LOCAL = auto()  # not in the block: the dynamic shared memory


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a kernel's function."""

    type_id: int  # what the function takes
    passing: Passing
    parameter: Parameter  # all but its offset


@dataclass(frozen=True, slots=True)
class _Note:
    """A compiler's note of a parameter: its C type in the source, without qualifiers, and whether it is const."""

    type: str
    const: bool


class Reader:
    """Reads the parameters of kernels.

    Parameters
    ----------
    outline : Outline
    name : str
        What errors call the module.
    """

    def __init__(self, outline: Outline, name: str) -> None:
        self._outline, self._types, self._name = outline, outline.types, name
        self._texts = [i.text(1) for i in outline.debug if i.opcode == Op.String]

    def arguments(self, kernel: str, parameters: list[Instruction]) -> list[Argument]:
        """Say what a kernel takes.

        Raises
        ------
        ArgumentValueError
            A parameter is of a type that a launch cannot give.
        """
        names = [self._outline.name(parameter.words[1]) for parameter in parameters]
        notes = self._notes(kernel, len(parameters))
        arguments = []
        for index, (parameter, name, note) in enumerate(zip(parameters, names, notes, strict=True)):
            usable = name.isidentifier() and names.count(name) == 1
            called = name if usable else f"arg{index}"
            where = f"{self._name}: parameter {index} ({called}) of kernel {kernel!r}"
            arguments.append(self._argument(parameter, called, note, where))
        local = [argument.parameter.name for argument in arguments if argument.passing is Passing.LOCAL]
        if len(local) > 1:
            raise ArgumentValueError(
                f"{self._name}: kernel {kernel!r} has {len(local)} pointers to local memory ({', '.join(local)}). A "
                "launch has a single size of shared memory: pass a single pointer, and offsets into its memory"
            )
        return arguments

    def _notes(self, kernel: str, count: int) -> list[_Note | None]:
        """Find the compiler's notes of a kernel's parameters; None for each if their number differs."""
        types, qualifiers = self._listed(f"{_NOTE}{kernel}."), self._listed(f"{_QUALIFIER_NOTE}{kernel}.")
        if len(types) != count:
            return [None] * count
        if len(qualifiers) != count:
            qualifiers = [""] * count
        return [
            _Note(" ".join(_QUALIFIERS.sub("", spelled).split()), "const" in f"{spelled} {qualifier}".split())
            for spelled, qualifier in zip(types, qualifiers, strict=True)
        ]

    def _listed(self, start: str) -> list[str]:
        for text in self._texts:
            if text.startswith(start):
                return text[len(start) :].removesuffix(",").split(",") if len(text) > len(start) else []
        return []

    def _attributes(self, parameter: int) -> set[int]:
        decorations = self._outline.decorations.get(parameter, ())
        return {i.words[2] for i in decorations if i.words[1] == Decoration.FuncParamAttr}

    def _argument(self, parameter: Instruction, name: str, note: _Note | None, where: str) -> Argument:
        type_id, attributes = parameter.words[0], self._attributes(parameter.words[1])
        self._refuse_opaque(type_id, where)
        if self._types.opcode(type_id) == Op.TypePointer:
            return self._pointer(parameter, name, note, where)
        layout = self._types.layout(type_id)
        kind = self._kind(type_id, note, Attribute.Zext in attributes)
        if kind is None:
            raise ArgumentValueError(f"{where} is a number with a width of no C type")
        ctype = note.type if note else self._ctype(type_id, Attribute.Zext in attributes)
        passing = Passing.BOOL if self._types.opcode(type_id) == Op.TypeBool else Passing.VALUE
        return Argument(type_id, passing, Parameter(name, ctype, kind, layout.size, layout.alignment, 0))

    def _refuse_opaque(self, type_id: int, where: str) -> None:
        target = type_id
        if type_id in self._types and self._types.opcode(type_id) == Op.TypePointer:
            target = self._types.pointee(type_id)
        opcode = self._types.opcode(target) if target in self._types else 0
        kind = _OPAQUE.get(opcode)
        if target not in self._types:
            kind = "of a type that an extension brings"
        if kind is not None:
            raise ArgumentValueError(f"{where} is {kind}; a launch passes numbers, structs and pointers to memory")

    def _pointer(self, parameter: Instruction, name: str, note: _Note | None, where: str) -> Argument:
        type_id, attributes = parameter.words[0], self._attributes(parameter.words[1])
        decoration = self._outline.decoration(parameter.words[1], Decoration.Alignment)
        aligned = decoration.words[2] if decoration else 1
        storage, target = self._types.storage(type_id), self._types.pointee(type_id)
        if storage == Storage.Function:
            if Attribute.ByVal not in attributes:
                raise ArgumentValueError(f"{where} is a pointer to private memory: each thread has its own")
            layout = self._types.layout(target)
            ctype = note.type if note else self._ctype(target)
            strict = max(layout.alignment, aligned)
            return Argument(type_id, Passing.STRUCTURE, Parameter(name, ctype, "struct", layout.size, strict, 0))
        if storage == Storage.Workgroup:
            strictest = self._strictest(target, aligned)
            kernel_parameter = Parameter(name, f"{self._pointed(target)} *", "pointer", 8, strictest, 0)
            return Argument(type_id, Passing.LOCAL, kernel_parameter)
        if storage not in _ADDRESSES:
            raise ArgumentValueError(f"{where} is a pointer to storage class {storage}, which holds no arrays")
        const = (
            storage == Storage.UniformConstant or Attribute.NoWrite in attributes or (note is not None and note.const)
        )
        plain = note.type.removesuffix("*").strip() if note and note.type.endswith("*") else None
        spelled = self._pointed(target) if plain is None else plain
        text = f"{'const ' if const else ''}{spelled}{'' if spelled.endswith('*') else ' '}*"
        kernel_parameter = Parameter(name, text, "pointer", 8, 8, 0, self._dtype(target, plain), const)
        return Argument(type_id, Passing.POINTER, kernel_parameter)

    def _strictest(self, target: int, aligned: int) -> int:
        try:
            return max(self._types.layout(target).alignment, aligned)
        except (KeyError, ValueError):  # void, or of no size: nothing that wants an alignment
            return aligned

    def _dtype(self, target: int, spelled: str | None) -> str | None:
        """NumPy's name of the type that a pointer points to.

        LLVM's pointers have no type, and its backend writes ``uchar`` where it finds none: bytes may be anything.
        SPIR-V's integers have no sign: without the compiler's note they may be either.
        """
        if spelled is not None:
            return None if spelled == "char" else _KINDS.get(spelled)
        if self._types.opcode(target) == Op.TypeFloat and self._types.operands(target)[1:] == []:
            return f"float{self._types.operands(target)[0]}"
        return None

    def _kind(self, type_id: int, note: _Note | None, unsigned: bool) -> str | None:
        """`Parameter.kind` of a value; None if C has none such."""
        operands = self._types.operands(type_id)
        match self._types.opcode(type_id):
            case Op.TypeBool:
                return "bool"
            case Op.TypeInt:
                if operands[0] not in _INTEGERS:
                    return None
                noted = _KINDS.get(note.type) if note else None
                if noted in (f"int{operands[0]}", f"uint{operands[0]}") or (noted == "bool" and operands[0] == 8):
                    return noted
                return f"{'u' if unsigned else ''}int{operands[0]}"
            case Op.TypeFloat:
                return f"float{operands[0]}" if operands[0] in _FLOATS and len(operands) == 1 else "struct"
        return "struct"

    def _pointed(self, type_id: int) -> str:
        """Spell the type that a pointer points to; a byte may stand for anything, see `_dtype`."""
        spelled = self._ctype(type_id)
        return "void" if spelled == "char" else spelled

    def _ctype(self, type_id: int, unsigned: bool = False) -> str:
        """Spell a type as C does, as far as it is known."""
        if type_id not in self._types:
            return "void"
        operands = self._types.operands(type_id)
        match self._types.opcode(type_id):
            case Op.TypeBool:
                return "bool"
            case Op.TypeInt:
                return f"{'unsigned ' if unsigned else ''}{_INTEGERS.get(operands[0], 'int')}"
            case Op.TypeFloat:
                return _FLOATS.get(operands[0], "float") if len(operands) == 1 else "bfloat16"
            case Op.TypeVector:
                return f"{self._ctype(operands[0])}{operands[1]}"
            case Op.TypePointer:
                inner = self._pointed(operands[1])
                return f"{inner}{'' if inner.endswith('*') else ' '}*"
            case Op.TypeArray:
                return self._ctype(operands[0])
            case Op.TypeStruct:
                name = re.sub(r"^(?:struct|class|union)\.", "", self._outline.name(type_id))
                return name or "struct"
        return "void"


def variable(outline: Outline, type_id: int) -> tuple[str, tuple[int, ...]]:
    """NumPy dtype name and shape of a variable; bytes where NumPy has no such type."""
    types, shape, inner = outline.types, [], type_id
    while types.opcode(inner) == Op.TypeArray:
        shape.append(types.integer(types.operands(inner)[1]) or 0)
        inner = types.element(inner)
    operands = types.operands(inner)
    if types.opcode(inner) == Op.TypeFloat and len(operands) == 1:
        return f"float{operands[0]}", tuple(shape)
    if types.opcode(inner) == Op.TypeInt and operands[0] in _INTEGERS:
        return f"int{operands[0]}", tuple(shape)
    return "uint8", (types.layout(type_id).size,)


def is_note(text: str) -> bool:
    """Whether a string of a module tells of kernels' parameters."""
    return text.startswith((_NOTE, _QUALIFIER_NOTE))
