// The plain types and traits that programs and these headers use without any include.
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef unsigned int uint;
typedef long __intptr_t;  // of glibc
typedef unsigned short ushort;
typedef unsigned long ulong;
#ifndef __LP_CUDA__
typedef unsigned char uchar;
#endif
typedef long clock_t;
#ifndef NULL
#define NULL __null
#endif

#define INT64_C(value) value##L
#define UINT64_C(value) value##UL

namespace __lp {
template <class _T> inline constexpr bool is_integer = __is_integral(_T);
template <class _T> inline constexpr bool is_arithmetic = __is_arithmetic(_T);
}  // namespace __lp
#include <launchpath/traits.h>

namespace __lp {
// Unsigned integers by size.
template <int _N> struct bits;
template <> struct bits<1> { typedef unsigned char type; };
template <> struct bits<2> { typedef unsigned short type; };
template <> struct bits<4> { typedef unsigned int type; };
template <> struct bits<8> { typedef unsigned long type; };
template <class _T> using bits_of = typename bits<sizeof(_T)>::type;
}  // namespace __lp
