"""SPIR-V's numbers, and which operands are ids (Khronos, SPIR-V Specification 1.6, section 3)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Op(IntEnum):
    """Instructions, as far as these passes look at them."""

    Undef = 1
    SourceContinued = 2
    Source = 3
    SourceExtension = 4
    Name = 5
    MemberName = 6
    String = 7
    Line = 8
    Extension = 10
    ExtInstImport = 11
    ExtInst = 12
    MemoryModel = 14
    EntryPoint = 15
    ExecutionMode = 16
    Capability = 17
    TypeVoid = 19
    TypeBool = 20
    TypeInt = 21
    TypeFloat = 22
    TypeVector = 23
    TypeArray = 28
    TypeStruct = 30
    TypePointer = 32
    TypeFunction = 33
    TypeForwardPointer = 39
    ConstantTrue = 41
    ConstantFalse = 42
    Constant = 43
    ConstantComposite = 44
    ConstantNull = 46
    SpecConstantOp = 52
    Function = 54
    FunctionParameter = 55
    FunctionEnd = 56
    FunctionCall = 57
    Variable = 59
    Load = 61
    Store = 62
    CopyMemory = 63
    CopyMemorySized = 64
    AccessChain = 65
    InBoundsAccessChain = 66
    PtrAccessChain = 67
    InBoundsPtrAccessChain = 70
    Decorate = 71
    MemberDecorate = 72
    DecorationGroup = 73
    GroupDecorate = 74
    GroupMemberDecorate = 75
    VectorShuffle = 79
    CompositeConstruct = 80
    CompositeExtract = 81
    CompositeInsert = 82
    UConvert = 113
    SConvert = 114
    ConvertPtrToU = 117
    ConvertUToPtr = 120
    PtrCastToGeneric = 121
    GenericCastToPtr = 122
    GenericCastToPtrExplicit = 123
    Bitcast = 124
    IAdd = 128
    ISub = 130
    Select = 169
    ControlBarrier = 224
    MemoryBarrier = 225
    AtomicLoad = 227
    AtomicStore = 228
    AtomicXor = 242
    Phi = 245
    LoopMerge = 246
    SelectionMerge = 247
    Label = 248
    Branch = 249
    BranchConditional = 250
    Switch = 251
    Kill = 252
    Return = 253
    ReturnValue = 254
    Unreachable = 255
    LifetimeStart = 256
    LifetimeStop = 257
    GroupAll = 261
    GroupSMax = 271
    AtomicFlagTestAndSet = 318
    AtomicFlagClear = 319
    NoLine = 317
    ModuleProcessed = 330
    ExecutionModeId = 331
    DecorateId = 332
    GroupNonUniformElect = 333
    GroupNonUniformBallot = 339
    GroupNonUniformBallotBitCount = 342
    GroupNonUniformIAdd = 349
    GroupNonUniformLogicalXor = 364
    GroupNonUniformQuadSwap = 366
    AssumeTrueKHR = 5630
    MemberDecorateString = 5633


class Storage(IntEnum):
    """Storage classes."""

    UniformConstant = 0
    Input = 1
    Workgroup = 4
    CrossWorkgroup = 5
    Function = 7
    Generic = 8


class Decoration(IntEnum):
    """Decorations."""

    CPacked = 10
    BuiltIn = 11
    Constant = 22
    FuncParamAttr = 38
    LinkageAttributes = 41
    Alignment = 44


class Linkage(IntEnum):
    """The last operand of `Decoration.LinkageAttributes`: the LLVM backend writes 2 for ``linkonce_odr``."""

    Export = 0
    Import = 1


class Mode(IntEnum):
    """Execution modes."""

    ContractionOff = 31
    SubgroupSize = 35


class Capability(IntEnum):
    """Capabilities; what the module declares beyond these keeps its number."""

    Matrix = 0
    Shader = 1
    Addresses = 4
    Linkage = 5
    Kernel = 6
    Vector16 = 7
    Float16Buffer = 8
    Float16 = 9
    Float64 = 10
    Int64 = 11
    Int64Atomics = 12
    Groups = 18
    AtomicStorage = 21
    Int16 = 22
    GenericPointer = 38
    Int8 = 39
    SubgroupDispatch = 58
    GroupNonUniform = 61
    GroupNonUniformVote = 62
    GroupNonUniformArithmetic = 63
    GroupNonUniformBallot = 64
    GroupNonUniformShuffle = 65
    GroupNonUniformShuffleRelative = 66
    GroupNonUniformClustered = 67
    SubgroupBallotKHR = 4423
    SubgroupVoteKHR = 4431
    ShaderClockKHR = 5055
    FunctionPointersINTEL = 5603
    IndirectReferencesINTEL = 5604
    AtomicFloat32MinMaxEXT = 5612
    AtomicFloat64MinMaxEXT = 5613
    AtomicFloat32AddEXT = 6033
    AtomicFloat64AddEXT = 6034


# The scope of one sub-group, as operand of barriers and group operations (a constant's value).
SUBGROUP_SCOPE = 3
# Built-in variables that only make sense once the sub-group's size is what the source takes a warp to be.
SUBGROUP_BUILTINS = frozenset({36, 37, 38, 39, 40, 41, *range(4416, 4421)})
# OpGroup... and OpGroupNonUniform...: the operand after the result id is the scope.
GROUP_OPERATIONS = frozenset({*range(Op.GroupAll, Op.GroupSMax + 1), *range(333, 367), 4429, 4430, 4431})
# Sub-group operations without a scope: SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote, SPV_INTEL_subgroups.
SUBGROUP_OPERATIONS = frozenset({4421, 4422, 4428, 4432, *range(5571, 5579)})
ATOMIC_OPERATIONS = frozenset({*range(Op.AtomicLoad, Op.AtomicXor + 1), 318, 319, 5614, 5615, 6035})

NO_RESULT = frozenset({
    0, Op.SourceContinued, Op.Source, Op.SourceExtension, Op.Name, Op.MemberName, Op.Line, Op.Extension, Op.MemoryModel,
    Op.EntryPoint, Op.ExecutionMode, Op.Capability, Op.TypeForwardPointer, Op.FunctionEnd, Op.Store, Op.CopyMemory,
    Op.CopyMemorySized, Op.Decorate, Op.MemberDecorate, Op.GroupDecorate, Op.GroupMemberDecorate, Op.ControlBarrier,
    Op.MemoryBarrier, Op.AtomicStore, Op.LoopMerge, Op.SelectionMerge, Op.Branch, Op.BranchConditional, Op.Switch,
    Op.Kill, Op.Return, Op.ReturnValue, Op.Unreachable, Op.LifetimeStart, Op.LifetimeStop, Op.AtomicFlagClear,
    Op.NoLine, Op.ModuleProcessed, Op.ExecutionModeId, Op.DecorateId, Op.AssumeTrueKHR, 5632, Op.MemberDecorateString,
    260, 297, 298,
})  # fmt: skip
# A result id and no result type.
ONLY_RESULT = frozenset({Op.String, Op.ExtInstImport, *range(19, 39), Op.DecorationGroup, Op.Label})

# The first operands alone are ids: how many words (result type and result id included) are.
_LEADING = {
    Op.Load: 3, Op.Store: 2, Op.CopyMemory: 2, Op.CopyMemorySized: 3, Op.VectorShuffle: 4, Op.CompositeExtract: 3,
    Op.CompositeInsert: 4, Op.GenericCastToPtrExplicit: 3, Op.LoopMerge: 2, Op.SelectionMerge: 1,
    Op.BranchConditional: 3, Op.LifetimeStart: 1, Op.LifetimeStop: 1, Op.Name: 1, Op.MemberName: 1, Op.Decorate: 1,
    Op.MemberDecorate: 1, Op.MemberDecorateString: 1, 5632: 1, Op.ExecutionMode: 1, Op.Constant: 2, 50: 2,
    Op.TypeInt: 1, Op.TypeFloat: 1, Op.TypeVector: 2, Op.TypeForwardPointer: 1, Op.Line: 1, Op.String: 1,
    Op.ExtInstImport: 1,
}  # fmt: skip
# One operand in the middle is a literal: which.
_SKIPPING = {
    Op.ExtInst: 3, Op.Function: 2, Op.Variable: 2, Op.SpecConstantOp: 2, Op.TypePointer: 1,
    Op.GroupNonUniformBallotBitCount: 3, **dict.fromkeys(range(264, 272), 3), **dict.fromkeys(range(349, 365), 3),
}  # fmt: skip
_NONE = frozenset({
    Op.SourceContinued, Op.Source, Op.SourceExtension, Op.Extension, Op.MemoryModel, Op.Capability, Op.ModuleProcessed,
})  # fmt: skip


def result(opcode: int, words: list[int]) -> int:
    """Return the result id of an instruction; 0 if it has none."""
    if opcode in NO_RESULT:
        return 0
    return words[0 if opcode in ONLY_RESULT else 1]


def ids(opcode: int, words: list[int]) -> Iterable[int]:
    """Say at which places of an instruction there are ids (its result's type and its own among them).

    A switch's literals are as wide as its selector, which is not known here: its labels are left out.
    """
    leading = _LEADING.get(opcode)
    if leading is not None:
        return range(min(leading, len(words)))
    literal = _SKIPPING.get(opcode)
    if literal is not None:
        return (place for place in range(len(words)) if place != literal)
    if opcode == Op.Switch:
        return range(2)
    if opcode == Op.EntryPoint:
        after = 2
        while words[after] >> 24:
            after += 1
        return (1, *range(after + 1, len(words)))
    return range(0 if opcode in _NONE else len(words))
