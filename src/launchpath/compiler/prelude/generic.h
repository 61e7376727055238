/* OpenCL with a generic address space: every plain pointer is a generic one, which is what CUDA's are. */
#define __constant__
#define __lpi_relaxed ((memory_order)memory_order_relaxed)
#define __lpi_device ((memory_scope)memory_scope_device)
#define __lpi_fence(scope)                                                                               \
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, (memory_order)memory_order_seq_cst, \
                         (memory_scope)scope)
static inline void __threadfence(void) { __lpi_fence(memory_scope_device); }
static inline void __threadfence_block(void) { __lpi_fence(memory_scope_work_group); }
static inline void __threadfence_system(void) { __lpi_fence(memory_scope_device); }
#define __lpi_as(T, p) ((volatile atomic_##T *)(p))
#define __lpi_fetch(op, T, p, v) \
  atomic_fetch_##op##_explicit(__lpi_as(T, p), v, __lpi_relaxed, __lpi_device)
#define __lpi_exchange(T, p, v) \
  atomic_exchange_explicit(__lpi_as(T, p), v, __lpi_relaxed, __lpi_device)
#define __lpi_compare(T, p, seen, v) __lpi_compare_##T(p, seen, v)
#define __lpi_compares(T)                                                                           \
  static inline T __lpi_compare_##T(volatile T *p, T seen, T v) {                                   \
    atomic_compare_exchange_strong_explicit(__lpi_as(T, p), &seen, v, __lpi_relaxed, __lpi_relaxed, \
                                            __lpi_device);                                          \
    return seen;                                                                                    \
  }
__lpi_compares(int)
__lpi_compares(uint)
#ifdef __lpi_int64_atomics
__lpi_compares(long)
__lpi_compares(ulong)
#endif
