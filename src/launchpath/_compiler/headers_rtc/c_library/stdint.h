// C's integer types.
#pragma once
#ifdef __CUDACC_RTC__
// NVRTC has none. These are nvcc's, by which programs name their kernels; see nvidia/cuda/std/cstdint.
typedef signed char int8_t, int_fast8_t, int_least8_t;
typedef unsigned char uint8_t, uint_fast8_t, uint_least8_t;
typedef short int16_t, int_fast16_t, int_least16_t;
typedef unsigned short uint16_t, uint_fast16_t, uint_least16_t;
typedef int int32_t, int_fast32_t, int_least32_t;
typedef unsigned int uint32_t, uint_fast32_t, uint_least32_t;
typedef long int64_t, int_fast64_t, int_least64_t;
typedef unsigned long uint64_t, uint_fast64_t, uint_least64_t;
typedef int64_t intptr_t, intmax_t;
typedef uint64_t uintptr_t, uintmax_t;
#else
// By version hipRTC has some of the types, and of 64 bits either of the two: sources get others, under these names.
typedef __INT8_TYPE__ __lp_int8_t;
#define int8_t __lp_int8_t
typedef __INT16_TYPE__ __lp_int16_t;
#define int16_t __lp_int16_t
typedef __INT32_TYPE__ __lp_int32_t;
#define int32_t __lp_int32_t
typedef __INT64_TYPE__ __lp_int64_t;
#define int64_t __lp_int64_t
typedef __UINT8_TYPE__ __lp_uint8_t;
#define uint8_t __lp_uint8_t
typedef __UINT16_TYPE__ __lp_uint16_t;
#define uint16_t __lp_uint16_t
typedef __UINT32_TYPE__ __lp_uint32_t;
#define uint32_t __lp_uint32_t
typedef __UINT64_TYPE__ __lp_uint64_t;
#define uint64_t __lp_uint64_t
typedef __INTPTR_TYPE__ __lp_intptr_t;
#define intptr_t __lp_intptr_t
typedef __UINTPTR_TYPE__ __lp_uintptr_t;
#define uintptr_t __lp_uintptr_t
typedef __INTMAX_TYPE__ __lp_intmax_t;
#define intmax_t __lp_intmax_t
typedef __UINTMAX_TYPE__ __lp_uintmax_t;
#define uintmax_t __lp_uintmax_t
typedef __INT_FAST8_TYPE__ __lp_int_fast8_t;
#define int_fast8_t __lp_int_fast8_t
typedef __INT_FAST16_TYPE__ __lp_int_fast16_t;
#define int_fast16_t __lp_int_fast16_t
typedef __INT_FAST32_TYPE__ __lp_int_fast32_t;
#define int_fast32_t __lp_int_fast32_t
typedef __INT_FAST64_TYPE__ __lp_int_fast64_t;
#define int_fast64_t __lp_int_fast64_t
typedef __UINT_FAST8_TYPE__ __lp_uint_fast8_t;
#define uint_fast8_t __lp_uint_fast8_t
typedef __UINT_FAST16_TYPE__ __lp_uint_fast16_t;
#define uint_fast16_t __lp_uint_fast16_t
typedef __UINT_FAST32_TYPE__ __lp_uint_fast32_t;
#define uint_fast32_t __lp_uint_fast32_t
typedef __UINT_FAST64_TYPE__ __lp_uint_fast64_t;
#define uint_fast64_t __lp_uint_fast64_t
typedef __INT_LEAST8_TYPE__ __lp_int_least8_t;
#define int_least8_t __lp_int_least8_t
typedef __INT_LEAST16_TYPE__ __lp_int_least16_t;
#define int_least16_t __lp_int_least16_t
typedef __INT_LEAST32_TYPE__ __lp_int_least32_t;
#define int_least32_t __lp_int_least32_t
typedef __INT_LEAST64_TYPE__ __lp_int_least64_t;
#define int_least64_t __lp_int_least64_t
typedef __UINT_LEAST8_TYPE__ __lp_uint_least8_t;
#define uint_least8_t __lp_uint_least8_t
typedef __UINT_LEAST16_TYPE__ __lp_uint_least16_t;
#define uint_least16_t __lp_uint_least16_t
typedef __UINT_LEAST32_TYPE__ __lp_uint_least32_t;
#define uint_least32_t __lp_uint_least32_t
typedef __UINT_LEAST64_TYPE__ __lp_uint_least64_t;
#define uint_least64_t __lp_uint_least64_t
#endif

#ifndef INT64_C
#define INT64_C(value) value##l
#define UINT64_C(value) value##ul
#endif
#include <launchpath/c_library/stdint.h>
