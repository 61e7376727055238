/* OpenCL C, with a generic address space or flat. */
#pragma clang diagnostic ignored "-Wmacro-redefined"
#pragma clang diagnostic ignored "-Wduplicate-decl-specifier"
#pragma clang diagnostic ignored "-Wgnu-folding-constant"
/* Warnings of C's that are errors in C++. */
#pragma clang diagnostic error "-Wincompatible-pointer-types"
#pragma clang diagnostic error "-Wincompatible-pointer-types-discards-qualifiers"
#pragma clang diagnostic error "-Wint-conversion"
#pragma clang diagnostic error "-Wimplicit-function-declaration"
#define __lpi_overloadable __attribute__((overloadable))
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
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define __lpi_fp64
#endif
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define __lpi_int64_atomics
#endif
