// Kinds of numbers, and comparisons, of <math.h> that NVRTC lacks.
#pragma once
#ifdef __CUDACC_RTC__
#include <launchpath/math_mixed.h>

#define __LP_KIND(name) \
  template <class _T> __LP_BOTH typename __lp_rtc::answer<__lp_rtc::rank<_T> == 1>::type name(_T x) { return ::name((double)x); }
__LP_KIND(isnan)
__LP_KIND(isinf)
__LP_KIND(isfinite)
__LP_KIND(signbit)
#undef __LP_KIND
template <class _T> __LP_BOTH typename __lp_rtc::answer<__lp_rtc::rank<_T> != 0>::type isnormal(_T x) {
  typedef typename __lp_rtc::as_float<__lp_rtc::rank<_T>>::type _F;
  _F size = fabs((_F)x);
  return ::isfinite(size) && size >= (sizeof(_F) == 4 ? (_F)1.17549435e-38f : (_F)2.2250738585072014e-308);
}
// False where a number is none; the last says so.
#define __LP_COMPARE(name, test)                                                                     \
  template <class _A, class _B>                                                                      \
  __LP_BOTH typename __lp_rtc::answer<__lp_rtc::rank<_A> != 0 && __lp_rtc::rank<_B> != 0>::type name(_A x, _B y) { \
    return test;                                                                                     \
  }
__LP_COMPARE(isgreater, x > y)
__LP_COMPARE(isgreaterequal, x >= y)
__LP_COMPARE(isless, x < y)
__LP_COMPARE(islessequal, x <= y)
__LP_COMPARE(islessgreater, x < y || x > y)
__LP_COMPARE(isunordered, x != x || y != y)
#undef __LP_COMPARE
#endif
