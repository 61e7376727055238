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
// Programmatic dependent launches, which nvcc declares where devices have them. Some versions of NVRTC have functions of
// these names, others have not.
#if __CUDA_ARCH__ >= 900
static __device__ __forceinline__ void __lp_grid_dependency_synchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
static __device__ __forceinline__ void __lp_trigger_launch_completion() {
  asm volatile("griddepcontrol.launch_dependents;" :::);
}
#define cudaGridDependencySynchronize __lp_grid_dependency_synchronize
#define cudaTriggerProgrammaticLaunchCompletion __lp_trigger_launch_completion
#endif
// What a kernel in a graph tells a conditional node. The driver has the function, as it has printf; NVRTC declares it
// only where it compiles for a link.
#if __CUDACC_VER_MAJOR__ > 12 || __CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4
typedef unsigned long long CUgraphConditionalHandle;
extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);
#else
typedef unsigned long long cudaGraphConditionalHandle, CUgraphConditionalHandle;
template <class _H> static __device__ void cudaGraphSetConditional(_H, unsigned) {
  static_assert(sizeof(_H) == 0, "cudaGraphSetConditional needs NVRTC 12.4 or later: install a later nvidia-cuda-nvrtc");
}
#endif
#endif
