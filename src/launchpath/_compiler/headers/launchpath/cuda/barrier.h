// cuda::barrier, of all threads of a block or of a warp: which one it is, the count says. Copies are done when the call
// returns, so that what waits for them waits for the threads only.
#pragma once
#include <launchpath/cuda/scope.h>
#include <launchpath/threads/warp.h>

namespace cuda {
template <unsigned long _A> struct aligned_size_t {
  size_t value;
  __LP_MEMBER explicit constexpr aligned_size_t(size_t size) : value(size) {}
  __LP_MEMBER constexpr operator size_t() const { return value; }
};

struct __lp_any_completion {};
template <thread_scope _S = thread_scope_system, class _C = __lp_any_completion> struct barrier {
  typedef int arrival_token;
  unsigned __count;
  barrier() = default;
  __LP_MEMBER constexpr barrier(long count, _C = _C()) : __count((unsigned)count) {}
  barrier(const barrier &) = delete;
  friend __LP_MEMBER void init(barrier *at, long count) { at->__count = (unsigned)count; }

  __LP_MEMBER arrival_token arrive(long = 1) { return 0; }
  __LP_MEMBER void wait(arrival_token) const {
    if (__count > 32u) __syncthreads();
#ifndef __LP_NO_WARPS__
    else if (__count > 1u) __syncwarp();
#else
    else if (__count > 1u) __syncthreads();
#endif
  }
  __LP_MEMBER void arrive_and_wait() { wait(arrive()); }
  __LP_MEMBER void arrive_and_drop() {}
};

template <class _T, class _N, thread_scope _S, class _C>
__LP_BOTH void memcpy_async(_T *to, const _T *from, _N bytes, barrier<_S, _C> &) {
  __builtin_memcpy(to, from, (size_t)bytes);
}
template <class _G, class _T, class _N, thread_scope _S, class _C>
__LP_BOTH void memcpy_async(const _G &group, _T *to, const _T *from, _N bytes, barrier<_S, _C> &) {
  for (size_t i = group.thread_rank(); i < (size_t)bytes / sizeof(_T); i += group.size()) to[i] = from[i];
}
}  // namespace cuda
