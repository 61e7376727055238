// C++ has C's mathematics for integers and for numbers of two types as well, computed in double.
#pragma once
#ifdef __CUDACC_RTC__
#include <launchpath/keywords.h>
#include <launchpath/types.h>

namespace __lp {
template <class _T> using of_integer = enable_if_t<is_integer<_T>, double>;
// Of numbers of one type the compiler has its own, if they are floats.
template <class _A, class _B>
using of_both = enable_if_t<is_number<_A> && is_number<_B> && (!is_same<_A, _B> || is_integer<_A>), double>;
template <class _A, class _B, class _C>
using of_three = enable_if_t<is_number<_A> && is_number<_B> && is_number<_C> &&
                                 (!is_same<_A, _B> || !is_same<_A, _C> || is_integer<_A>), double>;
template <class _A, class _B>
using of_unlike = enable_if_t<is_integer<_A> && is_integer<_B> && !is_same<_A, _B>, decltype(true ? _A() : _B())>;
}  // namespace __lp

#define __LP_ONE(name) \
  template <class _T> __LP_BOTH __lp::of_integer<_T> name(_T x) { return ::name((double)x); }
#define __LP_TWO(name)                                                             \
  template <class _A, class _B> __LP_BOTH __lp::of_both<_A, _B> name(_A x, _B y) { \
    return ::name((double)x, (double)y);                                           \
  }
__LP_ONE(acos)
__LP_ONE(asin)
__LP_ONE(atan)
__LP_ONE(ceil)
__LP_ONE(cos)
__LP_ONE(cosh)
__LP_ONE(exp)
__LP_ONE(fabs)
__LP_ONE(floor)
__LP_ONE(log)
__LP_ONE(log10)
__LP_ONE(sin)
__LP_ONE(sinh)
__LP_ONE(sqrt)
__LP_ONE(tan)
__LP_ONE(tanh)
__LP_ONE(acosh)
__LP_ONE(asinh)
__LP_ONE(atanh)
__LP_ONE(cbrt)
__LP_ONE(erf)
__LP_ONE(erfc)
__LP_ONE(exp2)
__LP_ONE(expm1)
__LP_ONE(lgamma)
__LP_ONE(log1p)
__LP_ONE(log2)
__LP_ONE(rint)
__LP_ONE(round)
__LP_ONE(trunc)
__LP_ONE(tgamma)
__LP_ONE(nearbyint)
__LP_TWO(atan2)
__LP_TWO(fmod)
__LP_TWO(pow)
__LP_TWO(copysign)
__LP_TWO(fdim)
__LP_TWO(fmax)
__LP_TWO(fmin)
__LP_TWO(hypot)
__LP_TWO(nextafter)
__LP_TWO(remainder)
#undef __LP_ONE
#undef __LP_TWO
template <class _A, class _B, class _C> __LP_BOTH __lp::of_three<_A, _B, _C> fma(_A x, _B y, _C z) {
  return ::fma((double)x, (double)y, (double)z);
}
// Of two types the compiler has some, and calls the rest ambiguous.
#define __LP_CHOICE(name, op)                                                        \
  template <class _A, class _B> __LP_BOTH __lp::of_unlike<_A, _B> name(_A x, _B y) { \
    typedef __lp::of_unlike<_A, _B> _R;                                              \
    return (_R)x op (_R)y ? (_R)x : (_R)y;                                           \
  }
__LP_CHOICE(min, <)
__LP_CHOICE(max, >)
#undef __LP_CHOICE
#endif
