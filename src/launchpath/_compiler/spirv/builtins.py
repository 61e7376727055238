"""Built-in variables of a module: the places of threads and blocks, and their numbers."""

from __future__ import annotations

from .enumerants import BuiltIn, Decoration, Storage
from .module import Instruction, encode_text
from .opcodes import Op
from .outline import Outline


def builtin(outline: Outline, kind: BuiltIn) -> Instruction:
    """Find the variable of a built-in vector of three numbers, or declare it."""
    for variable in [*outline.variables(Storage.Input), *outline.types.added]:
        decoration = (
            outline.decoration(variable.words[1], Decoration.BuiltIn) if variable.opcode == Op.Variable else None
        )
        if decoration is not None and decoration.words[2] == kind:
            return variable
    types = outline.types
    vector = types.get(Op.TypeVector, types.get(Op.TypeInt, 64, 0), 3)
    variable = Instruction(Op.Variable, [types.pointer(Storage.Input, vector), outline.module.new_id(), Storage.Input])
    outline.types.added.append(variable)
    marks = [
        Instruction(Op.Decorate, [variable.words[1], Decoration.Constant]),
        Instruction(Op.Decorate, [variable.words[1], Decoration.BuiltIn, kind]),
    ]
    outline.annotations += marks
    outline.decorations[variable.words[1]] = marks
    outline.debug.append(Instruction(Op.Name, [variable.words[1], *encode_text(f"__spirv_BuiltIn{kind.name}")]))
    return variable
