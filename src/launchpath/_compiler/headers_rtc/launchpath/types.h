// The plain types and traits that programs and these headers use without any include.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
#ifndef __LP_CUDA__
typedef unsigned char uchar;
#endif
#ifdef __CUDACC_RTC__
typedef long ssize_t, __intptr_t;  // of the host's <stdio.h> and <unistd.h>
#endif

namespace __lp {
template <class _T> inline constexpr bool is_integer = false;
template <> inline constexpr bool is_integer<bool> = true;
template <> inline constexpr bool is_integer<char> = true;
template <> inline constexpr bool is_integer<signed char> = true;
template <> inline constexpr bool is_integer<unsigned char> = true;
template <> inline constexpr bool is_integer<short> = true;
template <> inline constexpr bool is_integer<unsigned short> = true;
template <> inline constexpr bool is_integer<int> = true;
template <> inline constexpr bool is_integer<unsigned int> = true;
template <> inline constexpr bool is_integer<long> = true;
template <> inline constexpr bool is_integer<unsigned long> = true;
template <> inline constexpr bool is_integer<long long> = true;
template <> inline constexpr bool is_integer<unsigned long long> = true;
template <> inline constexpr bool is_integer<wchar_t> = true;
template <> inline constexpr bool is_integer<char16_t> = true;
template <> inline constexpr bool is_integer<char32_t> = true;
}  // namespace __lp
#include <launchpath/traits.h>

namespace __lp {
template <class _T> inline constexpr bool is_arithmetic = is_number<_T> || is_same<_T, long double>;

// Unsigned integers by size, of the types that CUDA has atomic functions of.
template <int _N> struct bits;
template <> struct bits<4> { typedef unsigned int type; };
template <> struct bits<8> { typedef unsigned long long type; };
template <class _T> using bits_of = typename bits<sizeof(_T)>::type;
}  // namespace __lp
