"""SPIR-V's enumerants: the numbers that operands have names for (Khronos, SPIR-V Specification 1.6, section 3).

Written by scripts/opcodes.py from the specification's grammar, with the names that the code uses. To use another name,
run that again.
"""

from __future__ import annotations

from enum import IntEnum


class Storage(IntEnum):
    """Storage classes: the address spaces of pointers."""

    UniformConstant = 0
    Input = 1
    Workgroup = 4
    CrossWorkgroup = 5
    Private = 6
    Function = 7
    Generic = 8
    CodeSectionINTEL = 5605


class Decoration(IntEnum):
    """Decorations."""

    CPacked = 10
    BuiltIn = 11
    Constant = 22
    SaturatedConversion = 28
    FuncParamAttr = 38
    FPRoundingMode = 39
    LinkageAttributes = 41
    Alignment = 44
    NoSignedWrap = 4469
    ReferencedIndirectlyINTEL = 5602
    UserSemantic = 5635


class BuiltIn(IntEnum):
    """Built-in variables."""

    NumWorkgroups = 24
    WorkgroupSize = 25
    WorkgroupId = 26
    LocalInvocationId = 27
    GlobalInvocationId = 28
    LocalInvocationIndex = 29
    WorkDim = 30
    GlobalSize = 31
    EnqueuedWorkgroupSize = 32
    GlobalOffset = 33
    GlobalLinearId = 34
    SubgroupSize = 36
    SubgroupMaxSize = 37
    NumSubgroups = 38
    NumEnqueuedSubgroups = 39
    SubgroupId = 40
    SubgroupLocalInvocationId = 41
    SubgroupEqMask = 4416
    SubgroupGeMask = 4417
    SubgroupGtMask = 4418
    SubgroupLeMask = 4419
    SubgroupLtMask = 4420


class Linkage(IntEnum):
    """The last operand of `Decoration.LinkageAttributes`."""

    Import = 1


class Attribute(IntEnum):
    """Attributes of functions' parameters."""

    Zext = 0
    ByVal = 2
    NoWrite = 6


class ExecutionModel(IntEnum):
    """What an entry point is."""

    Kernel = 6


class ExecutionMode(IntEnum):
    """Execution modes of kernels."""

    LocalSize = 17
    VecTypeHint = 30
    ContractionOff = 31
    SubgroupSize = 35
    MaxWorkgroupSizeINTEL = 5893


class Addressing(IntEnum):
    """Addressing models."""

    Physical64 = 2


class MemoryModel(IntEnum):
    """Memory models."""

    OpenCL = 2


class Language(IntEnum):
    """Languages of sources."""

    OpenCL_C = 3


class MemoryAccess(IntEnum):
    """Bits of memory operands."""

    Volatile = 1
    Aligned = 2


class Semantics(IntEnum):
    """Bits of memory semantics."""

    Acquire = 2
    Release = 4
    AcquireRelease = 8
    SequentiallyConsistent = 16
    WorkgroupMemory = 256
    CrossWorkgroupMemory = 512


class Operation(IntEnum):
    """What an operation of a group makes of its values."""

    Reduce = 0
    InclusiveScan = 1
    ExclusiveScan = 2
    ClusteredReduce = 3


class Control(IntEnum):
    """Bits of functions' control."""

    Inline = 1
    DontInline = 2


class Scope(IntEnum):
    """Scopes."""

    CrossDevice = 0
    Device = 1
    Workgroup = 2
    Subgroup = 3
    Invocation = 4


class Capability(IntEnum):
    """Capabilities; what a module declares beyond these keeps its number."""

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
    SubgroupShuffleINTEL = 5568
    FunctionPointersINTEL = 5603
    IndirectReferencesINTEL = 5604
    AtomicFloat32MinMaxEXT = 5612
    AtomicFloat64MinMaxEXT = 5613
    AtomicFloat32AddEXT = 6033
    AtomicFloat64AddEXT = 6034
