// __half and __half2: IEEE's 16 bits. Arithmetic is the device's own where it has it, and otherwise float's, rounded.
#pragma once
#include <launchpath/half/bits.h>
#include <launchpath/vector.h>

#define __LP_H __half
#define __LP_H2 __half2
#define __LP_RAW __half_raw
#define __LP_RAW2 __half2_raw
#define __LP_BITS __x
#define __LP_DATA _Float16
#define __LP_INFINITE 0x7c00
#define __LP_1(a, b) a##half##b
#define __LP_2(a, b) a##half2##b
#if defined(__LP_NO_FP16__) || defined(__NVPTX__)
#define __LP_WORK float
#define __LP_TO_BITS __lp::float_to_half
#define __LP_FROM_BITS __lp::half_to_float
#else
#define __LP_NATIVE _Float16
#define __LP_WORK _Float16
#define __LP_TO_BITS(v) __builtin_bit_cast(unsigned short, v)
#define __LP_FROM_BITS(bits) __builtin_bit_cast(_Float16, bits)
#endif
#include <launchpath/half/number.h>
#include <launchpath/half/arithmetic.h>
#include <launchpath/half/conversion.h>
#include <launchpath/half/end.h>

__LP_BOTH __half2 __half2half2(__half a) { return {a, a}; }
typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#include <launchpath/half/half_constants.h>
