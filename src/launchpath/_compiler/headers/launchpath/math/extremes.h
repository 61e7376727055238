// min and max of any two numbers, in the type that C++ makes of both. Floats: the number, where one is none.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

namespace __lp {
template <class _A, class _B> using common = enable_if_t<is_number<_A> && is_number<_B>, decltype(_A() + _B())>;
}
template <class _A, class _B> __LP_BOTH constexpr __lp::common<_A, _B> min(_A a, _B b) {
  typedef __lp::common<_A, _B> _T;
  if constexpr (__lp::is_same<_T, float>) return __builtin_fminf(a, b);
  else if constexpr (__lp::is_same<_T, double>) return __builtin_fmin(a, b);
  else return (_T)b < (_T)a ? (_T)b : (_T)a;
}
template <class _A, class _B> __LP_BOTH constexpr __lp::common<_A, _B> max(_A a, _B b) {
  typedef __lp::common<_A, _B> _T;
  if constexpr (__lp::is_same<_T, float>) return __builtin_fmaxf(a, b);
  else if constexpr (__lp::is_same<_T, double>) return __builtin_fmax(a, b);
  else return (_T)a < (_T)b ? (_T)b : (_T)a;
}
#ifndef __LP_CUDA__
// max<_Float16>(1.0f, 2.0f): HIP's take any type that the program names.
template <class _T> __LP_BOTH constexpr __lp::enable_if_t<__lp::is_same<_T, _Float16>, _T> min(_T a, _T b) {
  return (_T)min((float)a, (float)b);
}
template <class _T> __LP_BOTH constexpr __lp::enable_if_t<__lp::is_same<_T, _Float16>, _T> max(_T a, _T b) {
  return (_T)max((float)a, (float)b);
}
#endif
#define __LP_EXTREME(name, _T, does) __LP_LAZY _T name(_T a, _T b) { return does(a, b); }
__LP_EXTREME(umin, unsigned, min)
__LP_EXTREME(umax, unsigned, max)
__LP_EXTREME(llmin, long long, min)
__LP_EXTREME(llmax, long long, max)
__LP_EXTREME(ullmin, unsigned long long, min)
__LP_EXTREME(ullmax, unsigned long long, max)
#undef __LP_EXTREME
