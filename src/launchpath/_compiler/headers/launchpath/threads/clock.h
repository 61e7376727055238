// Clocks that kernels read.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/spirv.h>

#define __LP_WITHOUT_CLOCK "this device has no clock that kernels can read"
#if !defined(__LP_NO_CLOCK__)
#define __LP_CLOCK __LP_DEVICE
__LP_KNOWN unsigned long __spirv_ReadClockKHR(int scope);
#elif defined(__LP_PROGRAM__)  // in a program with host code, a kernel that reads it is refused when it runs
#include <launchpath/c_library/exit.h>
#define __LP_CLOCK __LP_DEVICE
static __attribute__((device, noinline)) unsigned long __spirv_ReadClockKHR(int) {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0u) printf("clock64(): " __LP_WITHOUT_CLOCK "\n");
  __trap();
  return 0;
}
#else
#define __LP_CLOCK __LP_DEVICE __attribute__((unavailable(__LP_WITHOUT_CLOCK)))
__LP_KNOWN unsigned long __spirv_ReadClockKHR(int scope);
#endif

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
