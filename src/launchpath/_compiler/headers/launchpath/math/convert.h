// Conversions between numbers with a rounding in their names, and between their bits.
//
// To an integer: what does not fit becomes the nearest that does, and no number becomes 0. By plain functions: the
// saturating conversions of OpenCL do not exist in every vector width of Intel's CPU runtime.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/math/rounding.h>

namespace __lp {
template <class _M, class _F> __LP_DEVICE _F whole(_F x) {
  if constexpr (_M::down) return __builtin_elementwise_floor(x);
  else if constexpr (_M::up) return __builtin_elementwise_ceil(x);
  else if constexpr (_M::zero) return __builtin_elementwise_trunc(x);
  else return __builtin_elementwise_rint(x);
}
template <class _M, class _T, class _F> __LP_DEVICE _T to_integer(_F x) {
  constexpr _T high = (_T)-1 < 0 ? (_T)(((bits_of<_T>)1 << (8 * sizeof(_T) - 1)) - 1) : (_T)-1;
  constexpr _T low = (_T)-1 < 0 ? -high - 1 : 0;
  constexpr _F end = (_F)(high / 2 + 1) * 2;  // one beyond the highest, a power of two
  _F cut = whole<_M>(x);
  return cut != cut ? 0 : cut >= end ? high : cut <= (_F)low ? low : (_T)cut;
}
template <class _M> __LP_DEVICE float to_float(double x) {
  float near = (float)x;
  double error = x - near;
  return rounded<_M>(near, error < 0 ? -1.0f : error > 0 ? 1.0f : 0.0f, finite(x));
}
template <class _M, class _F, class _T> __LP_DEVICE _F from_integer(_T x) {
  constexpr _F end = (_T)-1 < 0 ? (_F)9223372036854775808.0 : (_F)18446744073709551616.0;
  _F near = (_F)x;
  if constexpr (sizeof(_T) == 4) return rounded<_M>(near, (_F)((double)x - (double)near), true);
  else return rounded<_M>(near, near == end || (_T)near > x ? (_F)-1 : (_T)near < x ? (_F)1 : (_F)0, true);
}
}  // namespace __lp

#define __LP_CONVERSIONS(name, _T, _F, ...)                                     \
  __LP_LAZY _T __##name##_rn(_F x) { typedef __lp::rn _M; return __VA_ARGS__; } \
  __LP_LAZY _T __##name##_rd(_F x) { typedef __lp::rd _M; return __VA_ARGS__; } \
  __LP_LAZY _T __##name##_ru(_F x) { typedef __lp::ru _M; return __VA_ARGS__; } \
  __LP_LAZY _T __##name##_rz(_F x) { typedef __lp::rz _M; return __VA_ARGS__; }
#define __LP_TO_INTEGER(name, _T, _F) __LP_CONVERSIONS(name, _T, _F, __lp::to_integer<_M, _T>(x))
#define __LP_FROM_INTEGER(name, _F, _T) __LP_CONVERSIONS(name, _F, _T, __lp::from_integer<_M, _F>(x))
__LP_TO_INTEGER(float2int, int, float)
__LP_TO_INTEGER(float2uint, unsigned, float)
__LP_TO_INTEGER(float2ll, long long, float)
__LP_TO_INTEGER(float2ull, unsigned long long, float)
__LP_TO_INTEGER(double2int, int, double)
__LP_TO_INTEGER(double2uint, unsigned, double)
__LP_TO_INTEGER(double2ll, long long, double)
__LP_TO_INTEGER(double2ull, unsigned long long, double)
__LP_FROM_INTEGER(int2float, float, int)
__LP_FROM_INTEGER(uint2float, float, unsigned)
__LP_FROM_INTEGER(ll2float, float, long long)
__LP_FROM_INTEGER(ull2float, float, unsigned long long)
__LP_FROM_INTEGER(ll2double, double, long long)
__LP_FROM_INTEGER(ull2double, double, unsigned long long)
__LP_CONVERSIONS(double2float, float, double, __lp::to_float<_M>(x))
#undef __LP_TO_INTEGER
#undef __LP_FROM_INTEGER
#undef __LP_CONVERSIONS
__LP_DEVICE double __int2double_rn(int x) { return x; }
__LP_DEVICE double __uint2double_rn(unsigned x) { return x; }

#define __LP_AS(name, _T, _F) \
  __LP_DEVICE _T name(_F x) { return __builtin_bit_cast(_T, x); }
__LP_AS(__float_as_int, int, float)
__LP_AS(__float_as_uint, unsigned, float)
__LP_AS(__int_as_float, float, int)
__LP_AS(__uint_as_float, float, unsigned)
__LP_AS(__double_as_longlong, long long, double)
__LP_AS(__longlong_as_double, double, long long)
#undef __LP_AS
__LP_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__LP_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
__LP_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
// As templates, so that a program may have its own of these names.
__LP_LAZY int float_as_int(float x) { return __float_as_int(x); }
__LP_LAZY unsigned float_as_uint(float x) { return __float_as_uint(x); }
__LP_LAZY float int_as_float(int x) { return __int_as_float(x); }
__LP_LAZY float uint_as_float(unsigned x) { return __uint_as_float(x); }
