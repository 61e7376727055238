/* C++ for OpenCL 2021: has a generic address space, so plain pointers are what CUDA's are. */
#pragma clang diagnostic ignored "-Wmacro-redefined"
#define __lpi_overloadable
#define __constant__
#define __inline__ inline
#define __restrict__ __restrict
#define __lpi_relaxed ((memory_order)memory_order_relaxed)
#define __lpi_device ((memory_scope)memory_scope_device)
#define __lpi_fence(name, scope)                                                                \
  static inline void name() {                                                                   \
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE,                          \
                           (memory_order)memory_order_seq_cst, (memory_scope)scope);            \
  }
__lpi_fence(__threadfence, memory_scope_device)
__lpi_fence(__threadfence_block, memory_scope_work_group)
__lpi_fence(__threadfence_system, memory_scope_device)
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#define __lpi_fp64
#endif
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#define __lpi_int64_atomics
#endif
#define __lpi_as(T, p) ((volatile atomic_##T *)(p))
#define __lpi_fetch(op, T, p, v) \
  atomic_fetch_##op##_explicit(__lpi_as(T, p), v, __lpi_relaxed, __lpi_device)
#define __lpi_exchange(T, p, v) \
  atomic_exchange_explicit(__lpi_as(T, p), v, __lpi_relaxed, __lpi_device)
#define __lpi_compare(T, p, seen, v) __lpi_compare_##T(p, seen, v)
#define __lpi_compares(T)                                                                              \
  static inline T __lpi_compare_##T(volatile T *p, T seen, T v) {                                      \
    atomic_compare_exchange_strong_explicit(__lpi_as(T, p),  &seen, v, __lpi_relaxed, __lpi_relaxed,   \
                                            __lpi_device);                               \
    return seen;                                                                                       \
  }
__lpi_compares(int)
__lpi_compares(uint)
#ifdef __lpi_int64_atomics
__lpi_compares(long)
__lpi_compares(ulong)
#endif
