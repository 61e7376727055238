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
#ifndef __LP_CUDA__
#define __LP_LACKED  // by HIP's own header
#endif
#include <launchpath/half/number.h>
#include <launchpath/half/arithmetic.h>
#include <launchpath/half/conversion.h>
#undef __LP_LACKED
#include <launchpath/half/end.h>

__LP_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#include <launchpath/half/bfloat16_constants.h>
#include <launchpath/half/hip_bfloat16.h>
