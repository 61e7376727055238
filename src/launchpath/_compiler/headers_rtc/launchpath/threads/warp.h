// Functions on a warp's lanes for the common headers.
#pragma once
#include <launchpath/keywords.h>

#define __LP_WARP __LP_DEVICE

#ifdef __CUDACC_RTC__
typedef unsigned long long __lp_mask;
// Who takes part is who comes there: where threads of a warp may part, a full mask would wait for those that never come.
namespace __lp {
__LP_DEVICE unsigned lane() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__LP_DEVICE unsigned ballot(bool vote) { return __ballot_sync(__activemask(), vote); }
template <class _T> __LP_DEVICE _T from_lane(_T value, unsigned at) {
  return __shfl_sync(__activemask(), value, (int)at);
}
// Asked for twice, the lanes that are active may be others.
template <class _T> __LP_DEVICE _T from_first_lane(_T value) {
  unsigned active = __activemask();
  return __shfl_sync(active, value, __ffs((int)active) - 1);
}
__LP_DEVICE void sync_warp() { __syncwarp(__activemask()); }
}  // namespace __lp
#else
// Threads of a warp go in step.
#ifdef __LP_CUDA__
#define __LP_WARP_SIZE 32
typedef unsigned int __lp_mask;
#else
#define __LP_WARP_SIZE warpSize
typedef unsigned long long __lp_mask;
#endif
namespace __lp {
__LP_DEVICE __lp_mask ballot(bool vote) {
#ifdef __LP_CUDA__
  return (unsigned)(__ballot(vote) >> (__lane_id() & 32u));
#else
  return __ballot(vote);
#endif
}
template <class _T> __LP_DEVICE _T from_lane(_T value, unsigned at) { return __shfl(value, (int)at, __LP_WARP_SIZE); }
}  // namespace __lp
#endif
