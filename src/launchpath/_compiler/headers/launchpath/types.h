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
// Reserved names of glibc, which all of its headers have.
#define __WORDSIZE 64
typedef long __intptr_t, __int64_t, __quad_t, __intmax_t, __off_t, __off64_t, __ssize_t, __time_t,
    __clock_t, __suseconds_t;
typedef unsigned long __uint64_t, __u_quad_t, __uintmax_t, __u_long, __ino_t;
typedef signed char __int8_t, __int_least8_t;
typedef unsigned char __uint8_t, __uint_least8_t, __u_char;
typedef short __int16_t, __int_least16_t;
typedef unsigned short __uint16_t, __uint_least16_t, __u_short;
typedef int __int32_t, __int_least32_t, __pid_t;
typedef unsigned int __uint32_t, __uint_least32_t, __u_int, __mode_t, __uid_t, __gid_t;
typedef long __int_least64_t;
typedef unsigned long __uint_least64_t;
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
