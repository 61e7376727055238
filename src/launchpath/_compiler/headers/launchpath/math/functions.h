// The math functions that C and CUDA share, in float and double: ::sinf, sin(float), sin(double), std::sin, and from
// integers as in C++.
//
// All for the device. A C library's functions of the same names are the host's, and Clang takes neither for the other.
#pragma once
#include <launchpath/math/constants.h>
#include <launchpath/keywords.h>
#include <launchpath/math/macros.h>
#include <launchpath/types.h>
#ifdef __LP_FAST_MATH__
#include <launchpath/math/fast.h>
#endif

// Those that have a fast form, which fast math takes in single precision.
__LP_FAST1(sin) __LP_FAST1(cos) __LP_FAST1(tan) __LP_FAST1(exp) __LP_FAST1(log) __LP_FAST1(log2) __LP_FAST1(log10)
// Clang folds these for constant arguments.
__LP_BUILTIN1(asin) __LP_BUILTIN1(acos) __LP_BUILTIN1(atan)
__LP_BUILTIN1(sinh) __LP_BUILTIN1(cosh) __LP_BUILTIN1(tanh) __LP_BUILTIN1(sqrt) __LP_BUILTIN1(fabs) __LP_BUILTIN1(floor) __LP_BUILTIN1(ceil)
__LP_BUILTIN1(trunc) __LP_BUILTIN1(rint) __LP_BUILTIN1(nearbyint) __LP_BUILTIN1(round)
__LP_BUILTIN2(fmin) __LP_BUILTIN2(fmax) __LP_BUILTIN2(atan2) __LP_BUILTIN2(copysign)

// Those that Clang does not know, and those that it would make into others that its SPIR-V target has not: exp2 of an
// integer into ldexp.
__LP_OPENCL1(exp2) __LP_OPENCL1(exp10) __LP_OPENCL1(expm1) __LP_OPENCL1(log1p) __LP_OPENCL1(logb)
__LP_OPENCL1(asinh) __LP_OPENCL1(acosh) __LP_OPENCL1(atanh) __LP_OPENCL1(cbrt) __LP_OPENCL1(erf) __LP_OPENCL1(erfc)
__LP_OPENCL1(lgamma) __LP_OPENCL1(tgamma)
__LP_OPENCL2(fmod) __LP_OPENCL2(hypot) __LP_OPENCL2(nextafter) __LP_OPENCL2(remainder) __LP_OPENCL2(fdim)

__LP_PURE float __spirv_ocl_pow(float, float);
__LP_PURE double __spirv_ocl_pow(double, double);
__LP_PURE int __spirv_ocl_ilogb(float);
__LP_PURE int __spirv_ocl_ilogb(double);
__LP_PURE float __spirv_ocl_ldexp(float, int);
__LP_PURE double __spirv_ocl_ldexp(double, int);

namespace __lp {
// Small constant exponents are common, and much cheaper as products.
template <class _T> __LP_DEVICE _T power(_T x, _T y) {
  if (__builtin_constant_p(y)) {
    if (y == 2) return x * x;
    if (y == 1) return x;
    if (y == 3) return x * x * x;
    if (y == 4) return (x * x) * (x * x);
    if (y == -1) return 1 / x;
    if (y == -2) return 1 / (x * x);
  }
#ifdef __LP_FAST_MATH__
  if constexpr (sizeof(_T) == sizeof(float)) return __powf(x, y);
#endif
  return __spirv_ocl_pow(x, y);
}

template <class _T> __LP_DEVICE bool finite(_T x) { return x - x == 0; }

template <class _T> __LP_DEVICE _T split_exponent(_T x, int *exponent) {
  if (x == 0 || !finite(x)) {
    *exponent = 0;
    return x;
  }
  int e = __spirv_ocl_ilogb(x) + 1;
  *exponent = e;
  // Half by half: 2 to the -e alone is no number for the smallest x.
  return __spirv_ocl_ldexp(__spirv_ocl_ldexp(x, -(e / 2)), e / 2 - e);
}

template <class _T> __LP_DEVICE _T split_whole(_T x, _T *whole) {
  _T cut = __builtin_elementwise_trunc(x);
  *whole = cut;
  return __builtin_elementwise_copysign(finite(x) || x != x ? x - cut : (_T)0, x);
}

// The quotient's sign and low three bits; the rest of it is taken off first, exactly.
template <class _T> __LP_DEVICE _T remainder_quotient(_T x, _T y, int *quotient) {
  _T eight = 8 * y, cut = finite(eight) ? __spirv_ocl_fmod(x, eight) : x, left = __spirv_ocl_remainder(cut, y);
  *quotient = finite(cut) && y != 0 ? (int)__builtin_elementwise_rint((cut - left) / y) : 0;
  return left;
}
}  // namespace __lp

__LP_LAZY float powf(float x, float y) { return __lp::power(x, y); }
__LP_LAZY float pow(float x, float y) { return __lp::power(x, y); }
__LP_LAZY double pow(double x, double y) { return __lp::power(x, y); }
__LP_MIXED2(pow)

__LP_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__LP_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__LP_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
template <class _A, class _B, class _C> __LP_DEVICE __lp::common_float<_A, _B, _C> fma(_A a, _B b, _C c) {
  typedef __lp::common_float<_A, _B, _C> _T;
  return fma((_T)a, (_T)b, (_T)c);
}

#define __LP_EXPONENT(_T, suffix)                                                                             \
  __LP_DEVICE _T ldexp##suffix(_T x, int n) { return __spirv_ocl_ldexp(x, n); }                               \
  __LP_DEVICE _T scalbn##suffix(_T x, int n) { return __spirv_ocl_ldexp(x, n); }                              \
  __LP_DEVICE _T scalbln##suffix(_T x, long n) {                                                              \
    return __spirv_ocl_ldexp(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);                        \
  }                                                                                                           \
  __LP_DEVICE int ilogb##suffix(_T x) { return __spirv_ocl_ilogb(x); }                                        \
  __LP_LAZY _T frexp##suffix(_T x, int *exponent) { return __lp::split_exponent(x, exponent); }               \
  __LP_LAZY _T modf##suffix(_T x, _T *whole) { return __lp::split_whole(x, whole); }                          \
  __LP_LAZY _T remquo##suffix(_T x, _T y, int *quotient) { return __lp::remainder_quotient(x, y, quotient); } \
  __LP_DEVICE long lrint##suffix(_T x) { return (long)__builtin_elementwise_rint(x); }                        \
  __LP_DEVICE long long llrint##suffix(_T x) { return (long long)__builtin_elementwise_rint(x); }             \
  __LP_DEVICE long lround##suffix(_T x) { return (long)round(x); }                                            \
  __LP_DEVICE long long llround##suffix(_T x) { return (long long)round(x); }
__LP_EXPONENT(float, f)
__LP_EXPONENT(float, )
__LP_EXPONENT(double, )
#undef __LP_EXPONENT
__LP_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
__LP_DEVICE double nan(const char *) { return __builtin_nan(""); }

__LP_DEVICE int abs(int x) { return x < 0 ? -x : x; }
__LP_DEVICE long abs(long x) { return x < 0 ? -x : x; }
__LP_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
__LP_DEVICE float abs(float x) { return __builtin_fabsf(x); }
__LP_DEVICE double abs(double x) { return __builtin_fabs(x); }
__LP_DEVICE long labs(long x) { return abs(x); }
__LP_DEVICE long long llabs(long long x) { return abs(x); }
