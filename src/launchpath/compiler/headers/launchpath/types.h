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
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long clock_t;
#ifndef NULL
#define NULL __null
#endif

namespace __lp {
template <bool _B, class _T = void> struct enable_if {};
template <class _T> struct enable_if<true, _T> { typedef _T type; };
template <bool _B, class _T = void> using enable_if_t = typename enable_if<_B, _T>::type;
template <bool _B, class _T, class _F> struct conditional { typedef _T type; };
template <class _T, class _F> struct conditional<false, _T, _F> { typedef _F type; };
template <bool _B, class _T, class _F> using conditional_t = typename conditional<_B, _T, _F>::type;
template <class _T> struct identity { typedef _T type; };
// A parameter that takes no part in deducing T.
template <class _T> using given = typename identity<_T>::type;
template <class _A, class _B> inline constexpr bool is_same = false;
template <class _A> inline constexpr bool is_same<_A, _A> = true;
template <class _T> inline constexpr bool is_integer = __is_integral(_T);
template <class _T> inline constexpr bool is_float = is_same<_T, float> || is_same<_T, double>;
template <class _T> inline constexpr bool is_number = is_integer<_T> || is_float<_T>;
template <class _T> inline constexpr bool never = false;

// Unsigned integers by size.
template <int _N> struct bits;
template <> struct bits<1> { typedef unsigned char type; };
template <> struct bits<2> { typedef unsigned short type; };
template <> struct bits<4> { typedef unsigned int type; };
template <> struct bits<8> { typedef unsigned long type; };
template <class _T> using bits_of = typename bits<sizeof(_T)>::type;
}  // namespace __lp
