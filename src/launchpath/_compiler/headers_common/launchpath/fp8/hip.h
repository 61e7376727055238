// HIP's numbers of 8 bits.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <launchpath/fp8/convert.h>

#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1
enum __hip_saturation_t { __HIP_NOSAT, __HIP_SATFINITE };
enum __hip_fp8_interpretation_t { __HIP_E4M3, __HIP_E5M2, __HIP_E4M3_FNUZ, __HIP_E5M2_FNUZ };

#define __LP_AMD true
#define __LP_EXPLICIT
#define __LP_1(name) __hip_##name
#define __LP_SATURATION __hip_saturation_t
#define __LP_FORMATS __hip_fp8_interpretation_t
#define __LP_FINITE __HIP_SATFINITE
#include <launchpath/fp8/functions.h>
#define __LP_F __hip_fp8_e4m3
#define __LP_F2 __hip_fp8x2_e4m3
#define __LP_F4 __hip_fp8x4_e4m3
#define __LP_FORMAT fp8_e4m3
#include <launchpath/fp8/number.h>
#define __LP_F __hip_fp8_e5m2
#define __LP_F2 __hip_fp8x2_e5m2
#define __LP_F4 __hip_fp8x4_e5m2
#define __LP_FORMAT fp8_e5m2
#include <launchpath/fp8/number.h>
#define __LP_F __hip_fp8_e4m3_fnuz
#define __LP_F2 __hip_fp8x2_e4m3_fnuz
#define __LP_F4 __hip_fp8x4_e4m3_fnuz
#define __LP_FORMAT fp8_e4m3_fnuz
#include <launchpath/fp8/number.h>
#define __LP_F __hip_fp8_e5m2_fnuz
#define __LP_F2 __hip_fp8x2_e5m2_fnuz
#define __LP_F4 __hip_fp8x4_e5m2_fnuz
#define __LP_FORMAT fp8_e5m2_fnuz
#include <launchpath/fp8/number.h>
#undef __LP_AMD
#undef __LP_EXPLICIT
