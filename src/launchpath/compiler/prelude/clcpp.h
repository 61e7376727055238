/* C++ for OpenCL 2021. */
#pragma clang diagnostic ignored "-Wmacro-redefined"
#define __lpi_overloadable
#define __inline__ inline
#define __restrict__ __restrict
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#define __lpi_fp64
#endif
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#define __lpi_int64_atomics
#endif
