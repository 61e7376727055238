"""The OpenCL extensions that a module's capabilities need (Khronos, SPIR-V in OpenCL's environment)."""

from __future__ import annotations

from .enumerants import Capability

EXTENSIONS: dict[int, tuple[str, ...]] = {
    Capability.Float16: ("cl_khr_fp16",),
    Capability.Float64: ("cl_khr_fp64",),
    Capability.Int64Atomics: ("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"),
    Capability.GroupNonUniformVote: ("cl_khr_subgroup_non_uniform_vote",),
    Capability.GroupNonUniformArithmetic: ("cl_khr_subgroup_non_uniform_arithmetic",),
    Capability.GroupNonUniformBallot: ("cl_khr_subgroup_ballot",),
    Capability.GroupNonUniformShuffle: ("cl_khr_subgroup_shuffle",),
    Capability.GroupNonUniformShuffleRelative: ("cl_khr_subgroup_shuffle_relative",),
    Capability.GroupNonUniformClustered: ("cl_khr_subgroup_clustered_reduce",),
    Capability.ShaderClockKHR: ("cl_khr_kernel_clock",),
    Capability.SubgroupShuffleINTEL: ("cl_intel_subgroups",),
    Capability.AtomicFloat32MinMaxEXT: ("cl_ext_float_atomics",),
    Capability.AtomicFloat64MinMaxEXT: ("cl_ext_float_atomics",),
    Capability.AtomicFloat32AddEXT: ("cl_ext_float_atomics",),
    Capability.AtomicFloat64AddEXT: ("cl_ext_float_atomics",),
}
