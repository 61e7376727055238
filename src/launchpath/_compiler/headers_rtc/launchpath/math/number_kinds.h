// Kinds of numbers, and comparisons, of <math.h> that NVRTC lacks.
#pragma once
#ifdef __CUDACC_RTC__
#include <launchpath/keywords.h>
#include <launchpath/types.h>

#define __LP_KIND(name) \
  template <class _T> __LP_BOTH __lp::enable_if_t<__lp::is_integer<_T>, bool> name(_T x) { return ::name((double)x); }
__LP_KIND(isnan)
__LP_KIND(isinf)
__LP_KIND(isfinite)
__LP_KIND(signbit)
#undef __LP_KIND
template <class _T> __LP_BOTH __lp::enable_if_t<__lp::is_number<_T>, bool> isnormal(_T x) {
  typedef __lp::common_float<_T> _F;
  _F size = fabs((_F)x);
  return ::isfinite(size) && size >= (sizeof(_F) == 4 ? (_F)1.17549435e-38f : (_F)2.2250738585072014e-308);
}
#include <launchpath/math/compare.h>
#endif
