// rocBLAS's types of numbers, its handle, and what tells how a matrix is read. Its complex numbers are left
// out: no class here has their alignment, which is that of their parts.
#pragma once
#include <hip/hip_runtime.h>
#include <stdint.h>
#ifdef rocblas_ILP64
typedef int64_t rocblas_int;
#else
typedef int32_t rocblas_int;
#endif
typedef int64_t rocblas_stride;
typedef float rocblas_float;
typedef double rocblas_double;
typedef struct _rocblas_handle *rocblas_handle;
typedef enum rocblas_operation_ {
  rocblas_operation_none = 111, rocblas_operation_transpose, rocblas_operation_conjugate_transpose
} rocblas_operation;
typedef enum rocblas_fill_ { rocblas_fill_upper = 121, rocblas_fill_lower, rocblas_fill_full } rocblas_fill;
typedef enum rocblas_diagonal_ { rocblas_diagonal_non_unit = 131, rocblas_diagonal_unit } rocblas_diagonal;
typedef enum rocblas_side_ { rocblas_side_left = 141, rocblas_side_right, rocblas_side_both } rocblas_side;
typedef enum rocblas_pointer_mode_ { rocblas_pointer_mode_host = 0, rocblas_pointer_mode_device } rocblas_pointer_mode;
typedef enum rocblas_status_ {
  rocblas_status_success = 0, rocblas_status_invalid_handle, rocblas_status_not_implemented,
  rocblas_status_invalid_pointer, rocblas_status_invalid_size, rocblas_status_memory_error,
  rocblas_status_internal_error, rocblas_status_perf_degraded, rocblas_status_size_query_mismatch,
  rocblas_status_size_increased, rocblas_status_size_unchanged, rocblas_status_invalid_value, rocblas_status_continue
} rocblas_status;
