// cuda::pipeline: copies are done when the call returns. A pipeline of a block waits for the block's threads, too.
#pragma once
#include <launchpath/cuda/barrier.h>

namespace cuda {
enum class pipeline_role { producer, consumer };
template <thread_scope _S, unsigned char _N> struct pipeline_shared_state {};

template <thread_scope _S> struct pipeline {
  __LP_MEMBER void producer_acquire() {
    if constexpr (_S != thread_scope_thread) __syncthreads();
  }
  __LP_MEMBER void producer_commit() {}
  __LP_MEMBER void consumer_wait() {
    if constexpr (_S != thread_scope_thread) __syncthreads();
  }
  __LP_MEMBER void consumer_release() {}
  __LP_MEMBER bool quit() { return true; }
};
__LP_BOTH pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class _G, thread_scope _S, unsigned char _N>
__LP_BOTH pipeline<_S> make_pipeline(const _G &, pipeline_shared_state<_S, _N> *) {
  return {};
}
template <unsigned char _N, thread_scope _S> __LP_BOTH void pipeline_consumer_wait_prior(pipeline<_S> &all) {
  all.consumer_wait();
}

template <class _T, class _N, thread_scope _S>
__LP_BOTH void memcpy_async(_T *to, const _T *from, _N bytes, pipeline<_S> &) {
  __builtin_memcpy(to, from, (size_t)bytes);
}
template <class _G, class _T, class _N, thread_scope _S>
__LP_BOTH void memcpy_async(const _G &group, _T *to, const _T *from, _N bytes, pipeline<_S> &) {
  for (size_t i = group.thread_rank(); i < (size_t)bytes / sizeof(_T); i += group.size()) to[i] = from[i];
}
}  // namespace cuda
