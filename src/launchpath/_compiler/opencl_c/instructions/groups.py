"""Operations across the threads of a warp, which are those of an OpenCL sub-group."""

from __future__ import annotations

from ...spirv.enumerants import Operation, Scope
from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter, handles
from ..module.types import Kind
from ..text.values import UNARY, Expression

_SUBGROUPS = ("cl_khr_subgroups", "cl_intel_subgroups", "__opencl_c_subgroups")
PLATFORMS = "platforms with sub-groups (Intel's OpenCL)"


def require_subgroups(writer: FunctionWriter, construct: str, extension: str = "") -> None:
    """Raise `UnsupportedConstruct` unless the device has sub-groups, and an extension of theirs."""
    dialect = writer.dialect
    if not dialect.generic or not any(dialect.has(name) for name in _SUBGROUPS):
        raise UnsupportedConstruct(construct, PLATFORMS, "the device has no sub-groups")
    if extension:
        if not dialect.has(extension):
            raise UnsupportedConstruct(construct, PLATFORMS, f"the device lacks {extension}")
        writer.program.needs(extension)
    elif "cl_khr_subgroups" in (dialect.extensions or ()):
        writer.program.needs("cl_khr_subgroups")


_BALLOT = "cl_khr_subgroup_ballot"
_VOTE = "cl_khr_subgroup_non_uniform_vote"
_ARITHMETIC = "cl_khr_subgroup_non_uniform_arithmetic"

# Instruction: OpenCL C's function, the extension it is from, and what the source calls it.
_SIMPLE = {
    Op.GroupNonUniformElect: ("sub_group_elect", _VOTE, "electing a thread of a warp"),
    Op.GroupNonUniformAll: ("sub_group_non_uniform_all", _VOTE, "__all_sync"),
    Op.GroupNonUniformAny: ("sub_group_non_uniform_any", _VOTE, "__any_sync"),
    Op.GroupNonUniformAllEqual: ("sub_group_non_uniform_all_equal", _VOTE, "__match_all_sync"),
    Op.GroupNonUniformBroadcast: ("sub_group_non_uniform_broadcast", _BALLOT, "__shfl_sync"),
    Op.GroupNonUniformBroadcastFirst: ("sub_group_broadcast_first", _BALLOT, "__shfl_sync"),
    Op.GroupNonUniformBallot: ("sub_group_ballot", _BALLOT, "__ballot_sync"),
    Op.GroupNonUniformInverseBallot: ("sub_group_inverse_ballot", _BALLOT, "__ballot_sync"),
    Op.GroupNonUniformBallotBitExtract: ("sub_group_ballot_bit_extract", _BALLOT, "__ballot_sync"),
    Op.GroupNonUniformBallotFindLSB: ("sub_group_ballot_find_lsb", _BALLOT, "__ballot_sync"),
    Op.GroupNonUniformBallotFindMSB: ("sub_group_ballot_find_msb", _BALLOT, "__ballot_sync"),
    Op.GroupNonUniformShuffle: ("sub_group_shuffle", "cl_khr_subgroup_shuffle", "__shfl_sync"),
    Op.GroupNonUniformShuffleXor: ("sub_group_shuffle_xor", "cl_khr_subgroup_shuffle", "__shfl_xor_sync"),
    Op.GroupNonUniformShuffleUp: ("sub_group_shuffle_up", "cl_khr_subgroup_shuffle_relative", "__shfl_up_sync"),
    Op.GroupNonUniformShuffleDown: ("sub_group_shuffle_down", "cl_khr_subgroup_shuffle_relative", "__shfl_down_sync"),
    Op.GroupNonUniformRotateKHR: ("sub_group_rotate", "cl_khr_subgroup_rotate", "a rotation within a warp"),
}
_REDUCE = {
    Op.GroupNonUniformIAdd: ("add", ""), Op.GroupNonUniformFAdd: ("add", ""), Op.GroupNonUniformIMul: ("mul", ""),
    Op.GroupNonUniformFMul: ("mul", ""), Op.GroupNonUniformSMin: ("min", "s"), Op.GroupNonUniformUMin: ("min", ""),
    Op.GroupNonUniformFMin: ("min", ""), Op.GroupNonUniformSMax: ("max", "s"), Op.GroupNonUniformUMax: ("max", ""),
    Op.GroupNonUniformFMax: ("max", ""), Op.GroupNonUniformBitwiseAnd: ("and", ""),
    Op.GroupNonUniformBitwiseOr: ("or", ""), Op.GroupNonUniformBitwiseXor: ("xor", ""),
    Op.GroupNonUniformLogicalAnd: ("logical_and", ""), Op.GroupNonUniformLogicalOr: ("logical_or", ""),
    Op.GroupNonUniformLogicalXor: ("logical_xor", ""),
}  # fmt: skip
_HOW: dict[int, str] = {
    Operation.Reduce: "reduce", Operation.InclusiveScan: "scan_inclusive", Operation.ExclusiveScan: "scan_exclusive",
}  # fmt: skip
_WORKGROUP = {
    Op.GroupAll: ("all", ""), Op.GroupAny: ("any", ""), Op.GroupBroadcast: ("broadcast", ""),
    Op.GroupIAdd: ("add", ""), Op.GroupFAdd: ("add", ""), Op.GroupFMin: ("min", ""), Op.GroupUMin: ("min", ""),
    Op.GroupSMin: ("min", "s"), Op.GroupFMax: ("max", ""), Op.GroupUMax: ("max", ""), Op.GroupSMax: ("max", "s"),
}  # fmt: skip


@handles(*_SIMPLE)
def _simple(writer: FunctionWriter, instruction: Instruction) -> None:
    name, extension, construct = _SIMPLE[Op(instruction.opcode)]
    if writer.dialect.takes_ptx:
        _by_ptx(writer, instruction, construct)
        return
    require_subgroups(writer, construct, extension)
    type_ = writer.unit.types[instruction.words[0]]
    texts = [_argument(writer.expression(word)) for word in instruction.words[3:]]
    text = f"{name}({', '.join(texts)})"
    writer.effect(instruction.words[1], _result(writer, text, type_.kind is Kind.BOOL, instruction))


_COUNTS: dict[int, str] = {
    Operation.Reduce: "bit_count", Operation.InclusiveScan: "inclusive_scan",
    Operation.ExclusiveScan: "exclusive_scan",
}  # fmt: skip
# Votes as ballots: the condition on the lanes that voted.
_VOTES = {
    Op.GroupNonUniformAll: "{ballot}(!({vote})).s0 == 0u",
    Op.GroupNonUniformAny: "{ballot}({vote}).s0 != 0u",
}


def _by_ptx(writer: FunctionWriter, instruction: Instruction, construct: str) -> None:
    """Write a ballot, a vote or a shuffle on NVIDIA's OpenCL, which has no sub-groups."""
    words, helper = instruction.words, writer.program.helpers.ptx
    type_ = writer.unit.types[words[0]]
    opcode = Op(instruction.opcode)
    if opcode == Op.GroupNonUniformBallot:
        text = f"{helper('warp_ballot')}({writer.expression(words[3]).text})"
    elif opcode in _VOTES:
        text = _VOTES[opcode].format(ballot=helper("warp_ballot"), vote=writer.expression(words[3]).text)
    elif opcode in (Op.GroupNonUniformShuffle, Op.GroupNonUniformBroadcast) and type_.kind in (Kind.INT, Kind.FLOAT):
        value, lane = (writer.expression(word) for word in words[3:5])
        bits = "ulong" if type_.bits == 64 else "uint"
        integer = f"as_{bits}({value.text})" if type_.kind is Kind.FLOAT else value.text
        text = f"{helper('warp_shuffle_wide' if type_.bits == 64 else 'warp_shuffle')}({integer}, {lane.text})"
        spelled = writer.spelling.value(type_)
        text = f"as_{spelled}({text})" if type_.kind is Kind.FLOAT else f"({spelled}){text}"
    else:
        raise UnsupportedConstruct(construct, PLATFORMS)
    writer.effect(words[1], writer.make(text, type_, UNARY))


def _argument(expression: Expression) -> str:
    return f"(int){expression.at(UNARY)}" if expression.type.kind is Kind.BOOL else expression.text


def _result(writer: FunctionWriter, text: str, is_bool: bool, instruction: Instruction) -> Expression:
    return writer.make(f"({text} != 0)" if is_bool else text, writer.unit.types[instruction.words[0]])


@handles(Op.GroupNonUniformBallotBitCount)
def _count(writer: FunctionWriter, instruction: Instruction) -> None:
    require_subgroups(writer, "__ballot_sync", _BALLOT)
    name = _COUNTS[instruction.words[3]]
    ballot = writer.expression(instruction.words[4])
    writer.effect(instruction.words[1], _result(writer, f"sub_group_ballot_{name}({ballot.text})", False, instruction))


@handles(*_REDUCE)
def _reduce(writer: FunctionWriter, instruction: Instruction) -> None:
    name, sign = _REDUCE[Op(instruction.opcode)]
    operation = instruction.words[3]
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.expression(instruction.words[4])
    value = writer.as_signed(expression) if sign else _argument(expression)
    if operation == Operation.ClusteredReduce:
        require_subgroups(writer, "a reduction within a part of a warp", "cl_khr_subgroup_clustered_reduce")
        size = writer.expression(instruction.words[5]).text
        text = f"sub_group_clustered_reduce_{name}({value}, {size})"
    else:
        require_subgroups(writer, "a reduction within a warp", _ARITHMETIC)
        text = f"sub_group_non_uniform_{_HOW[operation]}_{name}({value})"
    if sign:
        text = f"as_{writer.spelling.value(type_)}({text})"
    writer.effect(instruction.words[1], _result(writer, text, type_.kind is Kind.BOOL, instruction))


@handles(*_WORKGROUP)
def _workgroup(writer: FunctionWriter, instruction: Instruction) -> None:
    """Write a function of all threads of a group, or of a warp."""
    name, sign = _WORKGROUP[Op(instruction.opcode)]
    words = instruction.words
    type_ = writer.unit.types[words[0]]
    group = "sub_group" if writer.unit.constant(words[2]) == Scope.Subgroup else "work_group"
    if group == "sub_group":
        require_subgroups(writer, "an operation across a warp")
    elif not writer.dialect.generic:
        raise UnsupportedConstruct("an operation across a work-group", "platforms with OpenCL C 2.0 or SPIR-V")
    if name in ("all", "any", "broadcast"):
        texts = [_argument(writer.expression(word)) for word in words[3:]]
        text = f"{group}_{name}({', '.join(texts)})"
    else:
        expression = writer.expression(words[4])
        text = f"{group}_{_HOW[words[3]]}_{name}({writer.as_signed(expression) if sign else expression.text})"
        if sign:
            text = f"as_{writer.spelling.value(type_)}({text})"
    writer.effect(words[1], _result(writer, text, type_.kind is Kind.BOOL, instruction))
