// CUDA's names, for hipRTC.
#pragma once

#ifndef __grid_constant__
#define __grid_constant__
#endif

#ifdef __LP_CUDA__
#define warpSize 32  // what CUDA's sources count on; a warp of 64 threads is two of them
#endif
#include <launchpath/threads/warp.h>

// Who takes part in an exchange is who calls it, and a mask chooses whose votes count. Newer versions of HIP have
// functions of these names, which want masks of 64 bits.
#define __LP_SHUFFLE(name, what)                                                                           \
  template <class _T>                                                                                      \
  __LP_DEVICE _T __lp##name##_sync(unsigned long long, _T value, what other, int width = __LP_WARP_SIZE) { \
    return name(value, other, width);                                                                      \
  }
__LP_SHUFFLE(__shfl, int)
__LP_SHUFFLE(__shfl_up, unsigned)
__LP_SHUFFLE(__shfl_down, unsigned)
__LP_SHUFFLE(__shfl_xor, int)
#undef __LP_SHUFFLE
#define __shfl_sync __lp__shfl_sync
#define __shfl_up_sync __lp__shfl_up_sync
#define __shfl_down_sync __lp__shfl_down_sync
#define __shfl_xor_sync __lp__shfl_xor_sync

__LP_DEVICE __lp_mask __lp_ballot_sync(unsigned long long mask, int vote) { return __lp::ballot(vote) & (__lp_mask)mask; }
__LP_DEVICE int __lp_any_sync(unsigned long long mask, int vote) { return __lp_ballot_sync(mask, vote) != 0; }
__LP_DEVICE int __lp_all_sync(unsigned long long mask, int vote) { return __lp_ballot_sync(mask, !vote) == 0; }
__LP_DEVICE __lp_mask __lp_activemask() { return __lp::ballot(1); }
__LP_DEVICE void __lp_syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
#define __ballot_sync __lp_ballot_sync
#define __any_sync __lp_any_sync
#define __all_sync __lp_all_sync
#define __activemask __lp_activemask
#define __syncwarp __lp_syncwarp
#ifdef __LP_CUDA__
__LP_DEVICE __lp_mask __lp_ballot(int vote) { return __lp::ballot(vote); }
__LP_DEVICE int __lp_any(int vote) { return __lp::ballot(vote) != 0; }
__LP_DEVICE int __lp_all(int vote) { return __lp::ballot(!vote) == 0; }
#define __ballot __lp_ballot
#define __any __lp_any
#define __all __lp_all
#endif

#define __match_any_sync __lp_match_any_sync
#define __match_all_sync __lp_match_all_sync
#define __reduce_add_sync __lp_reduce_add_sync
#define __reduce_min_sync __lp_reduce_min_sync
#define __reduce_max_sync __lp_reduce_max_sync
#define __reduce_and_sync __lp_reduce_and_sync
#define __reduce_or_sync __lp_reduce_or_sync
#define __reduce_xor_sync __lp_reduce_xor_sync
#include <launchpath/threads/warp_reduce.h>

#ifdef __LP_CUDA__
enum cudaError { cudaSuccess = 0 };
typedef cudaError cudaError_t;
typedef void *cudaStream_t;
typedef void *cudaEvent_t;
typedef unsigned long long cudaGraphConditionalHandle, CUgraphConditionalHandle;
extern "C" __attribute__((device, unavailable("graphs have conditional nodes on CUDA devices only: let the host decide "
                                              "what is launched next"))) void
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
#endif
