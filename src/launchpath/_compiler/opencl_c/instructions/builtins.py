"""Builtin variables: the position of a work-item in its group and in the grid."""

from __future__ import annotations

from ...spirv.enumerants import BuiltIn
from ...spirv.module import Instruction
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter
from ..module.types import Kind, Type
from ..text.ptx import WARP_OF_THREAD, WARP_SIZE, WARPS
from ..text.values import PRIMARY, UNARY, Expression
from .groups import require_subgroups

_VECTORS: dict[int, str] = {
    BuiltIn.NumWorkgroups: "get_num_groups", BuiltIn.WorkgroupSize: "get_local_size",
    BuiltIn.WorkgroupId: "get_group_id", BuiltIn.LocalInvocationId: "get_local_id",
    BuiltIn.GlobalInvocationId: "get_global_id", BuiltIn.GlobalSize: "get_global_size",
    BuiltIn.EnqueuedWorkgroupSize: "get_enqueued_local_size", BuiltIn.GlobalOffset: "get_global_offset",
}  # fmt: skip
# These are no larger than a work-group, which has less than 2**31 threads.
_WITHIN_GROUP = {BuiltIn.WorkgroupSize, BuiltIn.LocalInvocationId, BuiltIn.EnqueuedWorkgroupSize}
_SCALARS: dict[int, str] = {
    BuiltIn.WorkDim: "get_work_dim()", BuiltIn.LocalInvocationIndex: "get_local_linear_id()",
    BuiltIn.GlobalLinearId: "get_global_linear_id()",
}  # fmt: skip
_SUBGROUP: dict[int, str] = {
    BuiltIn.SubgroupSize: "get_sub_group_size()", BuiltIn.SubgroupMaxSize: "get_max_sub_group_size()",
    BuiltIn.NumSubgroups: "get_num_sub_groups()", BuiltIn.NumEnqueuedSubgroups: "get_enqueued_num_sub_groups()",
    BuiltIn.SubgroupId: "get_sub_group_id()", BuiltIn.SubgroupLocalInvocationId: "get_sub_group_local_id()",
}  # fmt: skip
_MASKS: dict[int, str] = {
    BuiltIn.SubgroupEqMask: "eq", BuiltIn.SubgroupGeMask: "ge", BuiltIn.SubgroupGtMask: "gt",
    BuiltIn.SubgroupLeMask: "le", BuiltIn.SubgroupLtMask: "lt",
}  # fmt: skip
_OF_WARP: dict[int, str] = {
    BuiltIn.SubgroupLocalInvocationId: "lane", BuiltIn.SubgroupId: WARP_OF_THREAD, BuiltIn.NumSubgroups: WARPS,
    BuiltIn.NumEnqueuedSubgroups: WARPS,
}  # fmt: skip
# OpenCL C 1.2 has no linear ids.
_LINEAR: dict[int, str] = {
    BuiltIn.LocalInvocationIndex:
        "(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)",
    BuiltIn.GlobalLinearId:
        "(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)",
}  # fmt: skip


def component(writer: FunctionWriter, instruction: Instruction) -> Expression:
    """Take the address of one component of a builtin variable, for `load`."""
    index = writer.unit.constant(instruction.words[-1])
    if index is None:
        raise UnsupportedConstruct("a builtin variable with a computed component")
    writer.components[instruction.words[1]] = writer.program.builtins[instruction.words[2]], index
    return Expression("0", writer.unit.types[instruction.words[0]], cheap=True)


def load(writer: FunctionWriter, pointer: int, type_: Type) -> Expression | None:
    """Read a builtin variable, or give None if the pointer points to none."""
    if pointer in writer.components:
        number, index = writer.components[pointer]
        return _component(writer, number, index, type_)
    number = writer.program.builtins.get(pointer, -1)
    if number < 0:
        return None
    if number in _VECTORS:
        name = _VECTORS[number]
        calls = ", ".join(f"{name}({index})" for index in range(3))
        vector = Expression(f"({writer.spelling.value(type_)})({calls})", type_, UNARY, cheap=True)
        vector.parts = tuple(_component(writer, number, index, type_.inner) for index in range(3))
        return vector
    if number in _LINEAR and not writer.dialect.generic:
        return _cast(f"({_LINEAR[number]})", type_)
    if number in _SCALARS:
        return _cast(_SCALARS[number], type_)
    if writer.dialect.takes_ptx and (number in _SUBGROUP or number in _MASKS):
        return _of_warp(writer, number, type_)
    if number in _SUBGROUP:
        require_subgroups(writer, "warpSize and the lane of a thread")
        return _cast(_SUBGROUP[number], type_)
    if number in _MASKS:
        require_subgroups(writer, "a warp's lane masks", "cl_khr_subgroup_ballot")
        return Expression(f"get_sub_group_{_MASKS[number]}_mask()", type_, cheap=True)
    raise UnsupportedConstruct(f"SPIR-V's builtin variable {number}")


def _component(writer: FunctionWriter, number: int, index: int, type_: Type) -> Expression:
    text = f"{_VECTORS[number]}({index})"
    position = _cast(text, type_)
    # GPUs compute in 32 bits faster.
    position.whole = text if number in _WITHIN_GROUP and not writer.dialect.generic else ""
    return position


def _of_warp(writer: FunctionWriter, number: int, type_: Type) -> Expression:
    helper = writer.program.helpers.ptx
    if number in _MASKS:
        return Expression(f"{helper(f'lanes_{_MASKS[number]}')}()", type_, cheap=True)
    text = _OF_WARP.get(number, f"{WARP_SIZE}u")
    if number == BuiltIn.SubgroupLocalInvocationId:
        text = f"{helper(text)}()"
    return Expression(text, type_, UNARY, cheap=True, positive=True)


def _cast(text: str, type_: Type) -> Expression:
    if type_.kind is Kind.INT and type_.bits == 32 and text != "get_work_dim()":
        return Expression(f"(uint){text}", type_, UNARY, cheap=True, positive=True)
    return Expression(text, type_, PRIMARY, cheap=True, positive=True)
