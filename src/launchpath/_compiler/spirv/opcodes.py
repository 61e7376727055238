"""SPIR-V's opcodes, and which words of an instruction are ids (Khronos, SPIR-V Specification 1.6, section 3).

Written by scripts/opcodes.py from the specification's grammar, with the names that the code uses. To use another name,
run that again.
"""

from __future__ import annotations

from enum import IntEnum


class Op(IntEnum):
    """Instructions, as far as the code looks at them."""

    Nop = 0
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
    TypeMatrix = 24
    TypeImage = 25
    TypeSampler = 26
    TypeSampledImage = 27
    TypeArray = 28
    TypeRuntimeArray = 29
    TypeStruct = 30
    TypeOpaque = 31
    TypePointer = 32
    TypeFunction = 33
    TypeEvent = 34
    TypeDeviceEvent = 35
    TypeReserveId = 36
    TypeQueue = 37
    TypePipe = 38
    TypeForwardPointer = 39
    ConstantTrue = 41
    ConstantFalse = 42
    Constant = 43
    ConstantComposite = 44
    ConstantNull = 46
    SpecConstant = 50
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
    GenericPtrMemSemantics = 69
    InBoundsPtrAccessChain = 70
    Decorate = 71
    MemberDecorate = 72
    DecorationGroup = 73
    GroupDecorate = 74
    GroupMemberDecorate = 75
    VectorExtractDynamic = 77
    VectorInsertDynamic = 78
    VectorShuffle = 79
    CompositeConstruct = 80
    CompositeExtract = 81
    CompositeInsert = 82
    CopyObject = 83
    Transpose = 84
    ConvertFToU = 109
    ConvertFToS = 110
    ConvertSToF = 111
    ConvertUToF = 112
    UConvert = 113
    SConvert = 114
    FConvert = 115
    QuantizeToF16 = 116
    ConvertPtrToU = 117
    SatConvertSToU = 118
    SatConvertUToS = 119
    ConvertUToPtr = 120
    PtrCastToGeneric = 121
    GenericCastToPtr = 122
    GenericCastToPtrExplicit = 123
    Bitcast = 124
    SNegate = 126
    FNegate = 127
    IAdd = 128
    FAdd = 129
    ISub = 130
    FSub = 131
    IMul = 132
    FMul = 133
    UDiv = 134
    SDiv = 135
    FDiv = 136
    UMod = 137
    SRem = 138
    SMod = 139
    FRem = 140
    FMod = 141
    VectorTimesScalar = 142
    Dot = 148
    IAddCarry = 149
    ISubBorrow = 150
    UMulExtended = 151
    SMulExtended = 152
    Any = 154
    All = 155
    IsNan = 156
    IsInf = 157
    IsFinite = 158
    IsNormal = 159
    SignBitSet = 160
    LessOrGreater = 161
    Ordered = 162
    Unordered = 163
    LogicalEqual = 164
    LogicalNotEqual = 165
    LogicalOr = 166
    LogicalAnd = 167
    LogicalNot = 168
    Select = 169
    IEqual = 170
    INotEqual = 171
    UGreaterThan = 172
    SGreaterThan = 173
    UGreaterThanEqual = 174
    SGreaterThanEqual = 175
    ULessThan = 176
    SLessThan = 177
    ULessThanEqual = 178
    SLessThanEqual = 179
    FOrdEqual = 180
    FUnordEqual = 181
    FOrdNotEqual = 182
    FUnordNotEqual = 183
    FOrdLessThan = 184
    FUnordLessThan = 185
    FOrdGreaterThan = 186
    FUnordGreaterThan = 187
    FOrdLessThanEqual = 188
    FUnordLessThanEqual = 189
    FOrdGreaterThanEqual = 190
    FUnordGreaterThanEqual = 191
    ShiftRightLogical = 194
    ShiftRightArithmetic = 195
    ShiftLeftLogical = 196
    BitwiseOr = 197
    BitwiseXor = 198
    BitwiseAnd = 199
    Not = 200
    BitFieldInsert = 201
    BitFieldSExtract = 202
    BitFieldUExtract = 203
    BitReverse = 204
    BitCount = 205
    ControlBarrier = 224
    MemoryBarrier = 225
    AtomicLoad = 227
    AtomicStore = 228
    AtomicExchange = 229
    AtomicCompareExchange = 230
    AtomicCompareExchangeWeak = 231
    AtomicIIncrement = 232
    AtomicIDecrement = 233
    AtomicIAdd = 234
    AtomicISub = 235
    AtomicSMin = 236
    AtomicUMin = 237
    AtomicSMax = 238
    AtomicUMax = 239
    AtomicAnd = 240
    AtomicOr = 241
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
    GroupWaitEvents = 260
    GroupAll = 261
    GroupAny = 262
    GroupBroadcast = 263
    GroupIAdd = 264
    GroupFAdd = 265
    GroupFMin = 266
    GroupUMin = 267
    GroupSMin = 268
    GroupFMax = 269
    GroupUMax = 270
    GroupSMax = 271
    RetainEvent = 297
    ReleaseEvent = 298
    NoLine = 317
    AtomicFlagTestAndSet = 318
    AtomicFlagClear = 319
    SizeOf = 321
    ModuleProcessed = 330
    ExecutionModeId = 331
    DecorateId = 332
    GroupNonUniformElect = 333
    GroupNonUniformAll = 334
    GroupNonUniformAny = 335
    GroupNonUniformAllEqual = 336
    GroupNonUniformBroadcast = 337
    GroupNonUniformBroadcastFirst = 338
    GroupNonUniformBallot = 339
    GroupNonUniformInverseBallot = 340
    GroupNonUniformBallotBitExtract = 341
    GroupNonUniformBallotBitCount = 342
    GroupNonUniformBallotFindLSB = 343
    GroupNonUniformBallotFindMSB = 344
    GroupNonUniformShuffle = 345
    GroupNonUniformShuffleXor = 346
    GroupNonUniformShuffleUp = 347
    GroupNonUniformShuffleDown = 348
    GroupNonUniformIAdd = 349
    GroupNonUniformFAdd = 350
    GroupNonUniformIMul = 351
    GroupNonUniformFMul = 352
    GroupNonUniformSMin = 353
    GroupNonUniformUMin = 354
    GroupNonUniformFMin = 355
    GroupNonUniformSMax = 356
    GroupNonUniformUMax = 357
    GroupNonUniformFMax = 358
    GroupNonUniformBitwiseAnd = 359
    GroupNonUniformBitwiseOr = 360
    GroupNonUniformBitwiseXor = 361
    GroupNonUniformLogicalAnd = 362
    GroupNonUniformLogicalOr = 363
    GroupNonUniformLogicalXor = 364
    GroupNonUniformQuadSwap = 366
    CopyLogical = 400
    PtrEqual = 401
    PtrNotEqual = 402
    PtrDiff = 403
    SubgroupBallotKHR = 4421
    SubgroupFirstInvocationKHR = 4422
    SubgroupAllKHR = 4428
    SubgroupAnyKHR = 4429
    SubgroupAllEqualKHR = 4430
    GroupNonUniformRotateKHR = 4431
    SubgroupReadInvocationKHR = 4432
    SDot = 4450
    UDot = 4451
    SUDot = 4452
    SDotAccSat = 4453
    UDotAccSat = 4454
    SUDotAccSat = 4455
    ReadClockKHR = 5056
    SubgroupShuffleINTEL = 5571
    SubgroupBlockWriteINTEL = 5576
    SubgroupImageBlockWriteINTEL = 5578
    ConstantFunctionPointerINTEL = 5600
    FunctionPointerCallINTEL = 5601
    AsmTargetINTEL = 5609
    AsmINTEL = 5610
    AsmCallINTEL = 5611
    AtomicFMinEXT = 5614
    AtomicFMaxEXT = 5615
    AssumeTrueKHR = 5630
    ExpectKHR = 5631
    DecorateString = 5632
    MemberDecorateString = 5633
    AtomicFAddEXT = 6035


# The instructions of the set OpenCL.std, all.
STD = {
    "acos": 0, "acosh": 1, "acospi": 2, "asin": 3, "asinh": 4, "asinpi": 5, "atan": 6, "atan2": 7, "atanh": 8,
    "atanpi": 9, "atan2pi": 10, "cbrt": 11, "ceil": 12, "copysign": 13, "cos": 14, "cosh": 15, "cospi": 16, "erfc": 17,
    "erf": 18, "exp": 19, "exp2": 20, "exp10": 21, "expm1": 22, "fabs": 23, "fdim": 24, "floor": 25, "fma": 26,
    "fmax": 27, "fmin": 28, "fmod": 29, "fract": 30, "frexp": 31, "hypot": 32, "ilogb": 33, "ldexp": 34, "lgamma": 35,
    "lgamma_r": 36, "log": 37, "log2": 38, "log10": 39, "log1p": 40, "logb": 41, "mad": 42, "maxmag": 43, "minmag": 44,
    "modf": 45, "nan": 46, "nextafter": 47, "pow": 48, "pown": 49, "powr": 50, "remainder": 51, "remquo": 52,
    "rint": 53, "rootn": 54, "round": 55, "rsqrt": 56, "sin": 57, "sincos": 58, "sinh": 59, "sinpi": 60, "sqrt": 61,
    "tan": 62, "tanh": 63, "tanpi": 64, "tgamma": 65, "trunc": 66, "half_cos": 67, "half_divide": 68, "half_exp": 69,
    "half_exp2": 70, "half_exp10": 71, "half_log": 72, "half_log2": 73, "half_log10": 74, "half_powr": 75,
    "half_recip": 76, "half_rsqrt": 77, "half_sin": 78, "half_sqrt": 79, "half_tan": 80, "native_cos": 81,
    "native_divide": 82, "native_exp": 83, "native_exp2": 84, "native_exp10": 85, "native_log": 86, "native_log2": 87,
    "native_log10": 88, "native_powr": 89, "native_recip": 90, "native_rsqrt": 91, "native_sin": 92, "native_sqrt": 93,
    "native_tan": 94, "s_abs": 141, "s_abs_diff": 142, "s_add_sat": 143, "u_add_sat": 144, "s_hadd": 145, "u_hadd": 146,
    "s_rhadd": 147, "u_rhadd": 148, "s_clamp": 149, "u_clamp": 150, "clz": 151, "ctz": 152, "s_mad_hi": 153,
    "u_mad_sat": 154, "s_mad_sat": 155, "s_max": 156, "u_max": 157, "s_min": 158, "u_min": 159, "s_mul_hi": 160,
    "rotate": 161, "s_sub_sat": 162, "u_sub_sat": 163, "u_upsample": 164, "s_upsample": 165, "popcount": 166,
    "s_mad24": 167, "u_mad24": 168, "s_mul24": 169, "u_mul24": 170, "u_abs": 201, "u_abs_diff": 202, "u_mul_hi": 203,
    "u_mad_hi": 204, "fclamp": 95, "degrees": 96, "fmax_common": 97, "fmin_common": 98, "mix": 99, "radians": 100,
    "step": 101, "smoothstep": 102, "sign": 103, "cross": 104, "distance": 105, "length": 106, "normalize": 107,
    "fast_distance": 108, "fast_length": 109, "fast_normalize": 110, "bitselect": 186, "select": 187, "vloadn": 171,
    "vstoren": 172, "vload_half": 173, "vload_halfn": 174, "vstore_half": 175, "vstore_half_r": 176,
    "vstore_halfn": 177, "vstore_halfn_r": 178, "vloada_halfn": 179, "vstorea_halfn": 180, "vstorea_halfn_r": 181,
    "shuffle": 182, "shuffle2": 183, "printf": 184, "prefetch": 185,
}  # fmt: skip
# Instructions that have no result.
NO_RESULT = frozenset({
    Op.Nop, Op.SourceContinued, Op.Source, Op.SourceExtension, Op.Name, Op.MemberName, Op.Line, Op.Extension,
    Op.MemoryModel, Op.EntryPoint, Op.ExecutionMode, Op.Capability, Op.TypeForwardPointer, Op.FunctionEnd, Op.Store,
    Op.CopyMemory, Op.CopyMemorySized, Op.Decorate, Op.MemberDecorate, Op.GroupDecorate, Op.GroupMemberDecorate,
    Op.ControlBarrier, Op.MemoryBarrier, Op.AtomicStore, Op.LoopMerge, Op.SelectionMerge, Op.Branch,
    Op.BranchConditional, Op.Switch, Op.Kill, Op.Return, Op.ReturnValue, Op.Unreachable, Op.LifetimeStart,
    Op.LifetimeStop, Op.GroupWaitEvents, Op.RetainEvent, Op.ReleaseEvent, Op.NoLine, Op.AtomicFlagClear,
    Op.ModuleProcessed, Op.ExecutionModeId, Op.DecorateId, Op.SubgroupBlockWriteINTEL, Op.SubgroupImageBlockWriteINTEL,
    Op.AssumeTrueKHR, Op.DecorateString, Op.MemberDecorateString,
})  # fmt: skip
# A result id and no result type.
ONLY_RESULT = frozenset({
    Op.String, Op.ExtInstImport, Op.TypeVoid, Op.TypeBool, Op.TypeInt, Op.TypeFloat, Op.TypeVector, Op.TypeMatrix,
    Op.TypeImage, Op.TypeSampler, Op.TypeSampledImage, Op.TypeArray, Op.TypeRuntimeArray, Op.TypeStruct, Op.TypeOpaque,
    Op.TypePointer, Op.TypeFunction, Op.TypeEvent, Op.TypeDeviceEvent, Op.TypeReserveId, Op.TypeQueue, Op.TypePipe,
    Op.DecorationGroup, Op.Label,
})  # fmt: skip
# The first words alone are ids: how many (result type and result id included).
LEADING: dict[int, int] = {
    Op.SourceContinued: 0, Op.Source: 0, Op.SourceExtension: 0, Op.Name: 1, Op.MemberName: 1, Op.String: 1, Op.Line: 1,
    Op.Extension: 0, Op.ExtInstImport: 1, Op.MemoryModel: 0, Op.ExecutionMode: 1, Op.Capability: 0, Op.TypeInt: 1,
    Op.TypeFloat: 1, Op.TypeVector: 2, Op.TypeMatrix: 2, Op.TypeImage: 2, Op.TypeOpaque: 1, Op.TypePipe: 1,
    Op.TypeForwardPointer: 1, Op.Constant: 2, Op.SpecConstant: 2, Op.Load: 3, Op.Store: 2, Op.CopyMemory: 2,
    Op.CopyMemorySized: 3, Op.Decorate: 1, Op.MemberDecorate: 1, Op.VectorShuffle: 4, Op.CompositeExtract: 3,
    Op.CompositeInsert: 4, Op.GenericCastToPtrExplicit: 3, Op.LoopMerge: 2, Op.SelectionMerge: 1,
    Op.BranchConditional: 3, Op.LifetimeStart: 1, Op.LifetimeStop: 1, Op.ModuleProcessed: 0, Op.SDot: 4, Op.UDot: 4,
    Op.SUDot: 4, Op.SDotAccSat: 5, Op.UDotAccSat: 5, Op.SUDotAccSat: 5, Op.AsmTargetINTEL: 2, Op.AsmINTEL: 4,
    Op.DecorateString: 1, Op.MemberDecorateString: 1,
}  # fmt: skip
# One word in the middle is no id: which.
MIDDLE: dict[int, int] = {
    Op.ExtInst: 3, Op.TypePointer: 1, Op.SpecConstantOp: 2, Op.Function: 2, Op.Variable: 2, Op.GroupIAdd: 3,
    Op.GroupFAdd: 3, Op.GroupFMin: 3, Op.GroupUMin: 3, Op.GroupSMin: 3, Op.GroupFMax: 3, Op.GroupUMax: 3,
    Op.GroupSMax: 3, Op.ExecutionModeId: 1, Op.DecorateId: 1, Op.GroupNonUniformBallotBitCount: 3,
    Op.GroupNonUniformIAdd: 3, Op.GroupNonUniformFAdd: 3, Op.GroupNonUniformIMul: 3, Op.GroupNonUniformFMul: 3,
    Op.GroupNonUniformSMin: 3, Op.GroupNonUniformUMin: 3, Op.GroupNonUniformFMin: 3, Op.GroupNonUniformSMax: 3,
    Op.GroupNonUniformUMax: 3, Op.GroupNonUniformFMax: 3, Op.GroupNonUniformBitwiseAnd: 3,
    Op.GroupNonUniformBitwiseOr: 3, Op.GroupNonUniformBitwiseXor: 3, Op.GroupNonUniformLogicalAnd: 3,
    Op.GroupNonUniformLogicalOr: 3, Op.GroupNonUniformLogicalXor: 3,
}  # fmt: skip
