/* OpenCL C without a generic address space, on a CPU device: address spaces are one flat space there, so every
   plain pointer is an unqualified one, and goes through an integer where OpenCL wants the address space. */
#define __constant__ __constant
static void __threadfence(void) { mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); }
static void __threadfence_block(void) { __threadfence(); }
static void __threadfence_system(void) { __threadfence(); }
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
