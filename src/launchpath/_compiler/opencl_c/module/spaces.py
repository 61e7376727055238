"""The address space of each generic pointer, as far as the code shows it.

Clang makes every pointer a generic one. In a dialect without generic pointers what stays unknown goes through the flat
address space; in one that has them, an access to a known address space costs the device less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...spirv.enumerants import Storage
from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from .reader import Function, Unit
from .types import Kind

_FOLLOWS = frozenset(
    {
        Op.PtrCastToGeneric, Op.Bitcast, Op.CopyObject, Op.AccessChain, Op.InBoundsAccessChain, Op.PtrAccessChain,
        Op.InBoundsPtrAccessChain,
    }
)  # fmt: skip


def infer_all(unit: Unit, functions: Iterable[int]) -> dict[int, dict[int, Storage]]:
    """Find the address spaces of generic pointers, function by function: see `_infer`.

    Parameters
    ----------
    unit : Unit
    functions : iterable of int
        Callers before those that they call: a parameter points where all arguments do.
    """
    parameter_spaces: dict[int, Storage] = {}
    spaces: dict[int, dict[int, Storage]] = {}
    for identifier in functions:
        function = unit.functions[identifier]
        argument_spaces = {
            parameter: parameter_spaces[parameter]
            for parameter, _ in function.parameters
            if parameter in parameter_spaces
        }
        inferred = spaces[identifier] = _infer(unit, function, argument_spaces)
        for call in function.instructions():
            if call.opcode == Op.FunctionCall:
                parameters = unit.functions[call.words[2]].parameters
                for argument, (parameter, type_) in zip(call.words[3:], parameters, strict=True):
                    if type_.kind is Kind.POINTER and type_.storage is Storage.Generic:
                        for space in _spaces(unit, inferred, argument):
                            parameter_spaces[parameter] = (
                                space if parameter_spaces.get(parameter, space) is space else Storage.Generic
                            )
    return spaces


def _infer(unit: Unit, function: Function, parameter_spaces: dict[int, Storage]) -> dict[int, Storage]:
    """Find the address space of each generic pointer in a function.

    It is Generic where the pointer may point into several; there is none where all will do. `parameter_spaces` are
    those of the function's parameters, as far as they are known.
    """
    spaces = dict(parameter_spaces)
    values = [instruction for instruction in function.instructions() if _gives_generic_pointer(unit, instruction)]
    changed = True
    while changed:
        changed = False
        for value in values:
            inferred: Storage | None = None
            for space in _sources(unit, spaces, value):
                inferred = space if inferred in (None, space) else Storage.Generic
            if inferred is not None and spaces.get(value.words[1]) is not inferred:
                # A known address space can only change to Generic, so that this ends.
                spaces[value.words[1]] = inferred
                changed = True
    return spaces


def _gives_generic_pointer(unit: Unit, value: Instruction) -> bool:
    if len(value.words) < 2:
        return False
    type_ = unit.value_types.get(value.words[1])
    if type_ is None or type_.id != value.words[0]:
        return False
    return type_.kind is Kind.POINTER and type_.storage is Storage.Generic


def _sources(unit: Unit, spaces: dict[int, Storage], value: Instruction) -> Iterator[Storage]:
    """Yield the address spaces that a value may point to, leaving out those not known yet."""
    words = value.words
    match value.opcode:
        case Op.Phi:
            sources = words[2::2]
        case Op.Select:
            sources = words[3:5]
        case opcode if opcode in _FOLLOWS and unit.value_types[words[2]].kind is Kind.POINTER:
            sources = words[2:3]
        case _:
            yield Storage.Generic
            return
    for source in sources:
        yield from _spaces(unit, spaces, source)


def _spaces(unit: Unit, spaces: dict[int, Storage], source: int) -> Iterator[Storage]:
    """Yield the address space that a value points to.

    It yields nothing if that is not known yet, or if the value is null or undefined, so that any will do.
    """
    constant = unit.constants.get(source)
    if constant is not None and constant.opcode in (Op.ConstantNull, Op.Undef):
        return
    storage = unit.value_types[source].storage
    if source in unit.variables:
        yield variable_space(unit, source)
    elif storage is not Storage.Generic and storage is not None:
        yield storage
    elif source in spaces:
        yield spaces[source]
    elif _is_fixed(unit, source):
        yield Storage.Generic


def _is_fixed(unit: Unit, source: int) -> bool:
    """Whether a generic pointer comes from outside the function: a parameter or a constant."""
    return source in unit.constants or source in unit.parameters


def variable_space(unit: Unit, variable: int) -> Storage:
    """Give the address space that OpenCL C declares a module's variable in.

    A CrossWorkgroup variable that is left by now is a constant table, so it is UniformConstant.
    """
    storage = unit.value_types[variable].storage
    assert storage is not None
    return Storage.UniformConstant if storage is Storage.CrossWorkgroup else storage
