// The math functions that CUDA adds to C's (CUDA Math API), but for those of special.h.
#pragma once
#include <launchpath/math/functions.h>
#include <launchpath/math/macros.h>

#define __LP_KNOWN1(name)                    \
  __LP_PURE float __spirv_ocl_##name(float); \
  __LP_PURE double __spirv_ocl_##name(double);
__LP_KNOWN1(rsqrt)
__LP_KNOWN1(sinpi)
__LP_KNOWN1(cospi)
__LP_KNOWN1(tanpi)
#undef __LP_KNOWN1

// Templates, so that a program may have its own of these names.
__LP_FORMULA1(rsqrt, __spirv_ocl_rsqrt(x))
__LP_FORMULA1(sinpi, __spirv_ocl_sinpi(x))
__LP_FORMULA1(cospi, __spirv_ocl_cospi(x))
__LP_FORMULA1(tanpi, __spirv_ocl_tanpi(x))
__LP_FORMULA1(rcbrt, 1 / cbrt(x))
__LP_FORMULA2(rhypot, 1 / hypot(x, y))
__LP_FORMULA2(fdivide, x / y)

#define __LP_PAIR(_T, suffix)                                   \
  __LP_LAZY void sincos##suffix(_T x, _T *sine, _T *cosine) {   \
    *sine = sin(x);                                             \
    *cosine = cos(x);                                           \
  }                                                             \
  __LP_LAZY void sincospi##suffix(_T x, _T *sine, _T *cosine) { \
    *sine = sinpi(x);                                           \
    *cosine = cospi(x);                                         \
  }
__LP_PAIR(float, f)
__LP_PAIR(float, )
__LP_PAIR(double, )
#undef __LP_PAIR

namespace __lp {
// Lengths without overflow on the way: float in double, double by way of the largest.
__LP_DEVICE float length(const float *at, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (double)at[i] * at[i];
  return (float)__builtin_sqrt(sum);
}
__LP_DEVICE double length(const double *at, int count) {
  double largest = 0, sum = 0;
  for (int i = 0; i < count; ++i) {
    if (at[i] != at[i]) largest = largest == __builtin_inf() ? largest : at[i];
    else if (!(__builtin_fabs(at[i]) <= largest)) largest = __builtin_fabs(at[i]);
  }
  if (largest == 0 || !finite(largest)) return largest;
  for (int i = 0; i < count; ++i) sum += (at[i] / largest) * (at[i] / largest);
  return largest * __builtin_sqrt(sum);
}
}  // namespace __lp
#define __LP_NORM(_T, suffix)                                                                                 \
  __LP_LAZY _T norm##suffix(int count, const _T *at) { return __lp::length(at, count); }                      \
  __LP_LAZY _T rnorm##suffix(int count, const _T *at) { return 1 / __lp::length(at, count); }                 \
  __LP_LAZY _T norm3d##suffix(_T a, _T b, _T c) { _T at[] = {a, b, c}; return __lp::length(at, 3); }          \
  __LP_LAZY _T rnorm3d##suffix(_T a, _T b, _T c) { return 1 / norm3d##suffix(a, b, c); }                      \
  __LP_LAZY _T norm4d##suffix(_T a, _T b, _T c, _T d) { _T at[] = {a, b, c, d}; return __lp::length(at, 4); } \
  __LP_LAZY _T rnorm4d##suffix(_T a, _T b, _T c, _T d) { return 1 / norm4d##suffix(a, b, c, d); }
__LP_NORM(float, f)
__LP_NORM(double, )
#undef __LP_NORM
