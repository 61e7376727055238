// Barriers and fences.
#pragma once
#include <launchpath/threads/atomic.h>
#include <launchpath/spirv.h>

#if !__has_builtin(__syncthreads)  // libclang has it, as NVIDIA's own
__LP_DEVICE void __syncthreads() { __spirv_ControlBarrier(__LP_SCOPE_BLOCK, __LP_SCOPE_BLOCK, __LP_ORDERED); }
#endif
__LP_DEVICE void __threadfence_block() { __spirv_MemoryBarrier(__LP_SCOPE_BLOCK, __LP_ORDERED); }
__LP_DEVICE void __threadfence() { __spirv_MemoryBarrier(__LP_SCOPE_DEVICE, __LP_ORDERED); }
__LP_DEVICE void __threadfence_system() { __spirv_MemoryBarrier(__LP_SCOPE_SYSTEM, __LP_ORDERED); }

// A block counts in shared memory, which every device has; the first barrier keeps the count of the call before. Every
// thread resets it, for any of them may have ended.
__LP_DEVICE int __syncthreads_count(int predicate) {
  static __shared__ int count;
  __syncthreads();
  count = 0;
  __syncthreads();
  if (predicate) atomicAdd_block(&count, 1);
  __syncthreads();
  return count;
}
__LP_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
__LP_DEVICE int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }
__LP_LAZY void __barrier_sync(unsigned) { __syncthreads(); }
