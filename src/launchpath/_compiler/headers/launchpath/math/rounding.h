// Arithmetic with a rounding in its name: __fadd_rn, __dmul_ru, ...
//
// The nearest result first; how far that is off is known exactly, and says whether the neighbour is the one asked for.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/math/functions.h>
#include <launchpath/types.h>

__LP_PURE float __spirv_ocl_fma(float, float, float);
__LP_PURE double __spirv_ocl_fma(double, double, double);

namespace __lp {
struct rn { static constexpr int down = 0, up = 0, zero = 0; };
struct rd { static constexpr int down = 1, up = 0, zero = 0; };
struct ru { static constexpr int down = 0, up = 1, zero = 0; };
struct rz { static constexpr int down = 0, up = 0, zero = 1; };

template <class _M, class _T> __LP_DEVICE _T rounded(_T near, _T error, bool exact_is_finite) {
  if constexpr (is_same<_M, rn>) return near;
  if (!finite(near)) {
    if (near != near || !exact_is_finite) return near;
    error = -near;  // it overflowed
  }
  bool smaller = error < 0 && (_M::down || (_M::zero && near > 0));
  bool larger = error > 0 && (_M::up || (_M::zero && near < 0));
  if (smaller) return __spirv_ocl_nextafter(near, -(_T)__builtin_inf());
  if (larger) return __spirv_ocl_nextafter(near, (_T)__builtin_inf());
  return near;
}
// The same sign as what a sum's rounding lost (Knuth's two-sum).
template <class _T> __LP_DEVICE _T sum_error(_T a, _T b, _T sum) {
  _T part = sum - a;
  return (a - (sum - part)) + (b - part);
}

template <class _M, class _T> __LP_DEVICE _T add_in(_T a, _T b) {
  _T near = a + b;
  if constexpr (is_same<_M, rn>) return near;
  else if (near == 0 && a != 0) return _M::down ? -(_T)0 : (_T)0;
  else return rounded<_M>(near, sum_error(a, b, near), finite(a) && finite(b));
}
// By fma, so that the product is not fused with what it is added to.
template <class _M, class _T> __LP_DEVICE _T multiply_in(_T a, _T b) {
  _T near = __spirv_ocl_fma(a, b, -(_T)0);
  if constexpr (is_same<_M, rn>) return near;
  else return rounded<_M>(near, __spirv_ocl_fma(a, b, -near), finite(a) && finite(b));
}
template <class _M, class _T> __LP_DEVICE _T divide_in(_T a, _T b) {
  _T near = a / b;
  if constexpr (is_same<_M, rn>) return near;
  else {
    _T left = __spirv_ocl_fma(-near, b, a);
    return rounded<_M>(near, b < 0 ? -left : left, finite(a) && finite(b) && b != 0);
  }
}
template <class _M, class _T> __LP_DEVICE _T root_in(_T a) {
  _T near = __builtin_elementwise_sqrt(a);
  if constexpr (is_same<_M, rn>) return near;
  else return rounded<_M>(near, near == 0 ? (_T)0 : __spirv_ocl_fma(-near, near, a), false);
}
template <class _M, class _T> __LP_DEVICE _T fused_in(_T a, _T b, _T c) {
  _T near = __spirv_ocl_fma(a, b, c);
  if constexpr (is_same<_M, rn>) return near;
  else {
    _T product = __spirv_ocl_fma(a, b, -(_T)0), low = __spirv_ocl_fma(a, b, -product), sum = product + c;
    return rounded<_M>(near, ((sum - near) + sum_error(product, c, sum)) + low, finite(a) && finite(b) && finite(c));
  }
}
}  // namespace __lp

#define __LP_ROUNDED(mode)                                                                                 \
  __LP_LAZY float __fadd_##mode(float a, float b) { return __lp::add_in<__lp::mode>(a, b); }               \
  __LP_LAZY float __fsub_##mode(float a, float b) { return __lp::add_in<__lp::mode>(a, -b); }              \
  __LP_LAZY float __fmul_##mode(float a, float b) { return __lp::multiply_in<__lp::mode>(a, b); }          \
  __LP_LAZY float __fdiv_##mode(float a, float b) { return __lp::divide_in<__lp::mode>(a, b); }            \
  __LP_LAZY float __frcp_##mode(float a) { return __lp::divide_in<__lp::mode>(1.0f, a); }                  \
  __LP_LAZY float __fsqrt_##mode(float a) { return __lp::root_in<__lp::mode>(a); }                         \
  __LP_LAZY float __fmaf_##mode(float a, float b, float c) { return __lp::fused_in<__lp::mode>(a, b, c); } \
  __LP_LAZY float __fmaf_ieee_##mode(float a, float b, float c) { return __fmaf_##mode(a, b, c); }         \
  __LP_LAZY double __dadd_##mode(double a, double b) { return __lp::add_in<__lp::mode>(a, b); }            \
  __LP_LAZY double __dsub_##mode(double a, double b) { return __lp::add_in<__lp::mode>(a, -b); }           \
  __LP_LAZY double __dmul_##mode(double a, double b) { return __lp::multiply_in<__lp::mode>(a, b); }       \
  __LP_LAZY double __ddiv_##mode(double a, double b) { return __lp::divide_in<__lp::mode>(a, b); }         \
  __LP_LAZY double __drcp_##mode(double a) { return __lp::divide_in<__lp::mode>(1.0, a); }                 \
  __LP_LAZY double __dsqrt_##mode(double a) { return __lp::root_in<__lp::mode>(a); }                       \
  __LP_LAZY double __fma_##mode(double a, double b, double c) { return __lp::fused_in<__lp::mode>(a, b, c); }
__LP_ROUNDED(rn)
__LP_ROUNDED(rd)
__LP_ROUNDED(ru)
__LP_ROUNDED(rz)
#undef __LP_ROUNDED
__LP_DEVICE float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
