/* OpenCL C 1.2 on a CPU device: address spaces are one flat space there, so every plain pointer is an
   unqualified one, and goes through an integer where OpenCL wants the address space. */
#pragma clang diagnostic ignored "-Wmacro-redefined"
#pragma clang diagnostic ignored "-Wduplicate-decl-specifier"
#pragma clang diagnostic ignored "-Wgnu-folding-constant"
/* Warnings of C's that are errors in C++. */
#pragma clang diagnostic error "-Wincompatible-pointer-types"
#pragma clang diagnostic error "-Wincompatible-pointer-types-discards-qualifiers"
#pragma clang diagnostic error "-Wint-conversion"
#define __lpi_overloadable __attribute__((overloadable))
#define __constant__ __constant
#define inline
#define __inline__
#define __restrict__ restrict
#define __restrict restrict
#define constexpr const
#define nullptr 0
#define auto __auto_type
#define static_assert _Static_assert
#define alignas(n) __attribute__((aligned(n)))
#define alignof(T) __alignof__(T)
static void __threadfence(void) { mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); }
static void __threadfence_block(void) { __threadfence(); }
static void __threadfence_system(void) { __threadfence(); }
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define __lpi_fp64
#endif
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define __lpi_int64_atomics
#endif
#define __lpi_flat(T, p) ((volatile __global T *)(uintptr_t)(p))
#define __lpi_prefix_int atomic_
#define __lpi_prefix_uint atomic_
#define __lpi_prefix_long atom_
#define __lpi_prefix_ulong atom_
#define __lpi_paste(a, b) __lpi_paste_(a, b)
#define __lpi_paste_(a, b) a##b
#define __lpi_fetch(op, T, p, v) __lpi_paste(__lpi_prefix_##T, op)(__lpi_flat(T, p), v)
#define __lpi_exchange(T, p, v) __lpi_paste(__lpi_prefix_##T, xchg)(__lpi_flat(T, p), v)
#define __lpi_compare(T, p, seen, v) __lpi_paste(__lpi_prefix_##T, cmpxchg)(__lpi_flat(T, p), seen, v)
