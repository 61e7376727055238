// Clocks that kernels read.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/spirv.h>

#ifdef __LP_NO_CLOCK__
#define __LP_CLOCK __LP_DEVICE __attribute__((unavailable("this device has no clock that kernels can read")))
#else
#define __LP_CLOCK __LP_DEVICE
#endif
__LP_KNOWN unsigned long __spirv_ReadClockKHR(int scope);

__LP_CLOCK long long clock64() { return (long long)__spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
__LP_CLOCK long clock() { return (long)__spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
__LP_CLOCK long long wall_clock64() { return (long long)__spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
__LP_CLOCK long long __clock64() { return (long long)__spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
__LP_CLOCK long __clock() { return (long)__spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
__LP_CLOCK unsigned long long __globaltimer() { return __spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
// Clang's own, which SPIR-V does not have.
#define __builtin_readcyclecounter() ((unsigned long long)clock64())
#define __builtin_readsteadycounter() ((unsigned long long)wall_clock64())
#ifndef __LP_CUDA__
__LP_CLOCK unsigned long long __builtin_amdgcn_s_memtime() { return __spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
__LP_CLOCK unsigned long long __builtin_amdgcn_s_memrealtime() { return __spirv_ReadClockKHR(__LP_SCOPE_DEVICE); }
#endif
// Waiting by the clock is not wanted of a device that other kernels share.
__LP_DEVICE void __nanosleep(unsigned) {}
