// Functions that Clang's SPIR-V target turns into instructions, by their names.
#pragma once
#include <launchpath/keywords.h>

// Scopes and memory semantics (SPIR-V Specification, 3.27 and 3.25).
#define __LP_SCOPE_SYSTEM 0
#define __LP_SCOPE_DEVICE 1
#define __LP_SCOPE_BLOCK 2
#define __LP_SCOPE_WARP 3
// Sequentially consistent, over shared and global memory.
#define __LP_ORDERED 0x310

typedef unsigned int __lp_uint4 __attribute__((ext_vector_type(4)));

__LP_PURE unsigned long __spirv_BuiltInLocalInvocationId(int);
__LP_PURE unsigned long __spirv_BuiltInWorkgroupId(int);
__LP_PURE unsigned long __spirv_BuiltInWorkgroupSize(int);
__LP_PURE unsigned long __spirv_BuiltInNumWorkgroups(int);
__LP_PURE unsigned int __spirv_BuiltInSubgroupLocalInvocationId();
__LP_PURE unsigned int __spirv_BuiltInSubgroupId();

__LP_KNOWN void __spirv_ControlBarrier(int execution, int memory, int semantics) __attribute__((convergent));
__LP_KNOWN void __spirv_MemoryBarrier(int memory, int semantics);

__LP_KNOWN __lp_uint4 __spirv_GroupNonUniformBallot(int scope, bool) __attribute__((convergent));
__LP_KNOWN unsigned int __spirv_GroupNonUniformShuffle(int scope, unsigned int, unsigned int lane)
    __attribute__((convergent));
__LP_KNOWN unsigned long __spirv_GroupNonUniformShuffle(int scope, unsigned long, unsigned int lane)
    __attribute__((convergent));
