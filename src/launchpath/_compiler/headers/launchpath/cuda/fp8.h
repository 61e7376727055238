// CUDA's numbers of 8 bits.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <launchpath/fp8/convert.h>

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

#define __LP_AMD false
#define __LP_EXPLICIT explicit
#define __LP_1(name) __nv_##name
#define __LP_SATURATION __nv_saturation_t
#define __LP_FORMATS __nv_fp8_interpretation_t
#define __LP_FINITE __NV_SATFINITE
#include <launchpath/fp8/functions.h>
#define __LP_F __nv_fp8_e4m3
#define __LP_F2 __nv_fp8x2_e4m3
#define __LP_F4 __nv_fp8x4_e4m3
#define __LP_FORMAT fp8_e4m3
#include <launchpath/fp8/number.h>
#define __LP_F __nv_fp8_e5m2
#define __LP_F2 __nv_fp8x2_e5m2
#define __LP_F4 __nv_fp8x4_e5m2
#define __LP_FORMAT fp8_e5m2
#include <launchpath/fp8/number.h>
#undef __LP_AMD
#undef __LP_EXPLICIT
