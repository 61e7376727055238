// CUDA's bfloat16 is HIP's.
#pragma once
#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
#endif
typedef __hip_bfloat16 __nv_bfloat16;
typedef __hip_bfloat162 __nv_bfloat162;
