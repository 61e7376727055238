// Kinds of floating-point numbers.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

#define __LP_CLASSIFY(name)                                                      \
  __LP_DEVICE bool name(float x) __LP_PREFERRED { return __builtin_##name(x); }  \
  __LP_DEVICE bool name(double x) __LP_PREFERRED { return __builtin_##name(x); } \
  template <class _T> __LP_DEVICE __lp::enable_if_t<__lp::is_integer<_T>, bool> name(_T x) { return name((double)x); }
__LP_CLASSIFY(isnan)
__LP_CLASSIFY(isinf)
__LP_CLASSIFY(isfinite)
__LP_CLASSIFY(isnormal)
__LP_CLASSIFY(signbit)
#undef __LP_CLASSIFY
__LP_LAZY int finite(double x) { return __builtin_isfinite(x); }
__LP_LAZY int finitef(float x) { return __builtin_isfinite(x); }
__LP_LAZY int isnanf(float x) { return __builtin_isnan(x); }
__LP_LAZY int isinff(float x) { return __builtin_isinf(x); }
__LP_LAZY int __finitef(float x) { return __builtin_isfinite(x); }
__LP_LAZY int __isnanf(float x) { return __builtin_isnan(x); }
__LP_LAZY int __isinff(float x) { return __builtin_isinf(x); }
__LP_LAZY int __finite(double x) { return __builtin_isfinite(x); }
__LP_LAZY int __isnan(double x) { return __builtin_isnan(x); }
__LP_LAZY int __isinf(double x) { return __builtin_isinf(x); }
__LP_LAZY int __signbit(double x) { return __builtin_signbit(x); }
__LP_LAZY int __signbitf(float x) { return __builtin_signbit(x); }

namespace std {
using ::isnormal;  // not in std_math.h: hipRTC has none
}
