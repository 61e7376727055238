// HIP's names, for NVRTC.
#pragma once
#include <launchpath/amd/kernel_attributes.h>
#include <launchpath/threads/warp.h>

typedef cudaError_t hipError_t;
#define hipSuccess cudaSuccess
typedef cudaStream_t hipStream_t;
typedef cudaTextureObject_t hipTextureObject_t;
typedef cudaSurfaceObject_t hipSurfaceObject_t;
#define hipBoundaryModeZero cudaBoundaryModeZero
#define hipBoundaryModeClamp cudaBoundaryModeClamp
#define hipBoundaryModeTrap cudaBoundaryModeTrap

// Shuffles without a mask are those of the threads that come there together. With LAUNCHPATH_WHOLE_WARPS they are those
// of all threads of the warp that have not ended, as in HIP's own header for NVIDIA's GPUs: in a branch that other threads
// do not take, they then wait for ever.
#ifdef LAUNCHPATH_WHOLE_WARPS
#define __LP_TOGETHER 0xffffffffu
#else
#define __LP_TOGETHER __activemask()
#endif
#define __LP_SHUFFLE(name, what)                                                                    \
  template <class _T> __LP_DEVICE _T name(_T value, what other, int width = 32) {                   \
    return name##_sync(__LP_TOGETHER, value, other, width);                                         \
  }
__LP_SHUFFLE(__shfl, int)
__LP_SHUFFLE(__shfl_up, unsigned)
__LP_SHUFFLE(__shfl_down, unsigned)
__LP_SHUFFLE(__shfl_xor, int)
#undef __LP_SHUFFLE
#undef __LP_TOGETHER
// Votes are as wide as on devices whose warps have 64 threads. NVRTC declares functions of these names that no device
// of today has.
__LP_DEVICE unsigned long long __lp_ballot(int vote) { return __lp::ballot(vote != 0); }
__LP_DEVICE int __lp_any(int vote) { return __any_sync(__activemask(), vote); }
__LP_DEVICE int __lp_all(int vote) { return __all_sync(__activemask(), vote); }
#define __ballot __lp_ballot
#define __any __lp_any
#define __all __lp_all

__LP_DEVICE unsigned __lane_id() { return __lp::lane(); }
__LP_LAZY unsigned __smid() {
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  return multiprocessor;
}
__LP_DEVICE long long wall_clock64() {
  long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
#ifndef __ATOMIC_RELAXED
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
#endif
#include <launchpath/threads/hip_atomics.h>
#include <launchpath/amd/amdgcn.h>
