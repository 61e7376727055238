// The scopes of cuda::atomic and its kin, and the fences that an order of memory asks for.
#pragma once
#include <__atomic/memory_order.h>
#include <launchpath/threads/atomic.h>
#include <launchpath/cuda/std.h>
#include <launchpath/threads/sync.h>

namespace cuda {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };

template <thread_scope _S>
inline constexpr int __lp_scope = _S == thread_scope_system   ? __lp::in_system
                                  : _S == thread_scope_device ? __lp::in_device
                                                              : __lp::in_block;

// Atomics are relaxed here: what is more than that is a fence before, and one behind.
template <thread_scope _S> __LP_BOTH void __lp_fence(memory_order order) {
  if (order == memory_order_relaxed || _S == thread_scope_thread) return;
  if (_S == thread_scope_block) __threadfence_block();
  else if (_S == thread_scope_device) __threadfence();
  else __threadfence_system();
}
__LP_BOTH void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (scope == thread_scope_block) __lp_fence<thread_scope_block>(order);
  else if (scope == thread_scope_device) __lp_fence<thread_scope_device>(order);
  else __lp_fence<thread_scope_system>(order);
}
}  // namespace cuda
