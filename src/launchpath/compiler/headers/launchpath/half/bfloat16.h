// __nv_bfloat16 and HIP's names for it: float's upper 16 bits. Arithmetic is float's, rounded.
#pragma once
#include <launchpath/half/bits.h>
#include <launchpath/vector.h>

#define __LP_H __nv_bfloat16
#define __LP_H2 __nv_bfloat162
#define __LP_RAW __nv_bfloat16_raw
#define __LP_RAW2 __nv_bfloat162_raw
#define __LP_BITS data
#define __LP_INFINITE 0x7f80
#define __LP_1(a, b) a##bfloat16##b
#define __LP_2(a, b) a##bfloat162##b
#define __LP_WORK float
#define __LP_TO_BITS __lp::float_to_bfloat16
#define __LP_FROM_BITS __lp::bfloat16_to_float
#include <launchpath/half/number.h>
#include <launchpath/half/arithmetic.h>
#include <launchpath/half/conversion.h>
#include <launchpath/half/end.h>

__LP_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16_raw __hip_bfloat16_raw;
typedef __nv_bfloat162_raw __hip_bfloat162_raw;
typedef __nv_bfloat16 hip_bfloat16;
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(1)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
#define HIPRT_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16(0)
#define HIPRT_ONE_BF16 __ushort_as_bfloat16(0x3f80)
