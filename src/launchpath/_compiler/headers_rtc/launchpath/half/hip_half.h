// HIP's numbers of 16 bits calculate with any other number; CUDA's leave that ambiguous. Included after CUDA's header.
//
// Templates: they take both sides as they are, so they are the better match.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

namespace __lp {
template <class _H> struct is_half { static constexpr bool value = false; };
// With a float the result is one, with an integer it is of 16 bits.
template <class _H, class _T>
using mixed = enable_if_t<is_half<_H>::value && is_number<_T>, conditional_t<is_float<_T>, _T, _H>>;
template <class _H, class _T> using mixed_answer = enable_if_t<is_half<_H>::value && is_number<_T>, bool>;
template <class _H, class _T> using mixed_float = enable_if_t<is_half<_H>::value, _T>;
template <class _To, class _T> __LP_MEMBER _To number_as(_T a) {
  if constexpr (is_number<_To>) return (_To)a;
  else return _To((float)a);
}
}  // namespace __lp

#define __LP_MIXED(op)                                                                         \
  template <class _H, class _T> __LP_BOTH __lp::mixed<_H, _T> operator op(const _H &a, _T b) { \
    typedef __lp::mixed<_H, _T> _R;                                                            \
    return __lp::number_as<_R>((float)a) op __lp::number_as<_R>(b);                            \
  }                                                                                            \
  template <class _H, class _T> __LP_BOTH __lp::mixed<_H, _T> operator op(_T a, const _H &b) { \
    typedef __lp::mixed<_H, _T> _R;                                                            \
    return __lp::number_as<_R>(a) op __lp::number_as<_R>((float)b);                            \
  }
__LP_MIXED(+)
__LP_MIXED(-)
__LP_MIXED(*)
__LP_MIXED(/)
#undef __LP_MIXED
#define __LP_MIXED(op)                                                      \
  template <class _H> __LP_BOTH __lp::mixed_float<_H, float> &operator op(  \
      float &a, const _H &b) {                                              \
    return a op (float)b;                                                   \
  }                                                                         \
  template <class _H> __LP_BOTH __lp::mixed_float<_H, double> &operator op( \
      double &a, const _H &b) {                                             \
    return a op (double)(float)b;                                           \
  }
__LP_MIXED(+=)
__LP_MIXED(-=)
__LP_MIXED(*=)
__LP_MIXED(/=)
#undef __LP_MIXED
#define __LP_MIXED(op)                                                                                \
  template <class _H, class _T> __LP_BOTH __lp::mixed_answer<_H, _T> operator op(const _H &a, _T b) { \
    return (double)(float)a op (double)b;                                                             \
  }                                                                                                   \
  template <class _H, class _T> __LP_BOTH __lp::mixed_answer<_H, _T> operator op(_T a, const _H &b) { \
    return (double)a op (double)(float)b;                                                             \
  }
__LP_MIXED(==)
__LP_MIXED(!=)
__LP_MIXED(<)
__LP_MIXED(<=)
__LP_MIXED(>)
__LP_MIXED(>=)
#undef __LP_MIXED
