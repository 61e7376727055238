// GCC's and Clang's built-in functions that sources call by name, and that NVRTC lacks.
#pragma once
#ifdef __CUDACC_RTC__
#define __builtin_memcpy(to, from, size) memcpy(to, from, size)
#define __builtin_memset(to, value, size) memset(to, value, size)
#define __builtin_popcount(x) __popc(x)
#define __builtin_popcountll(x) __popcll(x)
#define __builtin_clz(x) __clz(x)
#define __builtin_clzll(x) __clzll(x)
#define __builtin_ctz(x) (__ffs(x) - 1)
#define __builtin_ctzll(x) (__ffsll(x) - 1)
#define __builtin_inff() __LP_INFINITY(float)
#define __builtin_inf() __LP_INFINITY(double)
#define __builtin_huge_valf() __LP_INFINITY(float)
#define __builtin_huge_val() __LP_INFINITY(double)
#define __builtin_nanf(text) __LP_NAN(float)
#define __builtin_nan(text) __LP_NAN(double)
#define __builtin_trap() __trap()
#if __CUDA_ARCH__ >= 900  // programmatic dependent launches, which nvcc declares where devices have them
static __device__ __forceinline__ void cudaGridDependencySynchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
static __device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" :::);
}
#endif
#endif
