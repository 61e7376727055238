// rocSPARSE's types of numbers, its handle, and what tells how a matrix is read. Its complex numbers are
// left out, as rocBLAS's.
#pragma once
#include <hip/hip_runtime.h>
#include <stdint.h>
#ifdef rocsparse_ILP64
typedef int64_t rocsparse_int;
#else
typedef int32_t rocsparse_int;
#endif
typedef struct _rocsparse_handle *rocsparse_handle;
typedef enum rocsparse_operation_ {
  rocsparse_operation_none = 111, rocsparse_operation_transpose, rocsparse_operation_conjugate_transpose
} rocsparse_operation;
typedef enum rocsparse_index_base_ { rocsparse_index_base_zero = 0, rocsparse_index_base_one } rocsparse_index_base;
