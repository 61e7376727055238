// CUDA's words, where hipRTC compiles.
#pragma once

#ifndef __grid_constant__
#define __grid_constant__
#endif

#ifdef __LP_CUDA__
#define __LP_WARP 32
#define warpSize 32  // what CUDA's sources count on; a warp of 64 threads is two of them
typedef unsigned int __lp_mask;
#else
#define __LP_WARP warpSize
typedef unsigned long long __lp_mask;
#endif

// Threads of a warp go in step: who takes part in an exchange is who calls it, and a mask chooses whose votes count.
// Newer versions of HIP have functions of these names, which want masks of 64 bits.
__LP_DEVICE __lp_mask __lp_ballot(int vote) {
#ifdef __LP_CUDA__
  return (unsigned)(__ballot(vote) >> (__lane_id() & 32u));
#else
  return __ballot(vote);
#endif
}
#define __LP_SHUFFLE(name, what)                                                                          \
  template <class _T>                                                                                     \
  __LP_DEVICE _T __lp##name##_sync(unsigned long long, _T value, what other, int width = __LP_WARP) {     \
    return name(value, other, width);                                                                     \
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

__LP_DEVICE __lp_mask __lp_ballot_sync(unsigned long long mask, int vote) { return __lp_ballot(vote) & (__lp_mask)mask; }
__LP_DEVICE int __lp_any_sync(unsigned long long mask, int vote) { return __lp_ballot_sync(mask, vote) != 0; }
__LP_DEVICE int __lp_all_sync(unsigned long long mask, int vote) { return __lp_ballot_sync(mask, !vote) == 0; }
__LP_DEVICE __lp_mask __lp_activemask() { return __lp_ballot(1); }
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
__LP_DEVICE int __lp_any(int vote) { return __lp_ballot(vote) != 0; }
__LP_DEVICE int __lp_all(int vote) { return __lp_ballot(!vote) == 0; }
#define __ballot __lp_ballot
#define __any __lp_any
#define __all __lp_all
#endif

template <class _T> __LP_DEVICE __lp_mask __lp_match_any_sync(unsigned long long mask, _T value) {
  __lp_mask same = 0;
  for (unsigned i = 0; i < __LP_WARP; ++i) {
    if (__lp__shfl_sync(mask, value, i) == value) same |= (__lp_mask)1 << i;
  }
  return same & (__lp_mask)mask & __lp_activemask();
}
#define __match_any_sync __lp_match_any_sync
#define __LP_REDUCE(name, expression)                                                                     \
  template <class _T> __LP_DEVICE _T __lp_reduce_##name##_sync(unsigned long long mask, _T value) {       \
    _T all = value;                                                                                       \
    bool any = false;                                                                                     \
    for (unsigned i = 0; i < __LP_WARP; ++i) {                                                            \
      _T a = all, b = __lp__shfl_sync(mask, value, i);                                                    \
      if (mask >> i & 1) all = any ? (_T)(expression) : b, any = true;                                    \
    }                                                                                                     \
    return all;                                                                                           \
  }
__LP_REDUCE(add, a + b)
__LP_REDUCE(min, b < a ? b : a)
__LP_REDUCE(max, b > a ? b : a)
__LP_REDUCE(and, a & b)
__LP_REDUCE(or, a | b)
__LP_REDUCE(xor, a ^ b)
#undef __LP_REDUCE
#define __reduce_add_sync __lp_reduce_add_sync
#define __reduce_min_sync __lp_reduce_min_sync
#define __reduce_max_sync __lp_reduce_max_sync
#define __reduce_and_sync __lp_reduce_and_sync
#define __reduce_or_sync __lp_reduce_or_sync
#define __reduce_xor_sync __lp_reduce_xor_sync

#ifdef __LP_CUDA__
enum cudaError { cudaSuccess = 0 };
typedef cudaError cudaError_t;
typedef void *cudaStream_t;
typedef void *cudaEvent_t;
#endif
