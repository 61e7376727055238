// HIP's numbers of 16 bits calculate with any other number; CUDA's leave that ambiguous. Included after CUDA's header.
//
// Templates: they take both sides as they are, so they are the better match.
#pragma once

namespace __lp_rtc {
template <class _H> struct is_half { static constexpr bool value = false; };
// With a float the result is one, with an integer it is of 16 bits.
template <class _H, class _T, int _R = is_half<_H>::value ? rank<_T> : 0> struct mixed {};
template <class _H, class _T> struct mixed<_H, _T, 1> { typedef _H type; };
template <class _H, class _T> struct mixed<_H, _T, 2> { typedef float type; };
template <class _H, class _T> struct mixed<_H, _T, 3> { typedef double type; };
template <class _H, class _T> using mixed_t = typename mixed<_H, _T>::type;
template <class _H, class _T> using mixed_answer = typename answer<is_half<_H>::value && rank<_T> != 0>::type;
template <class _To, class _T, int _R = rank<_To>> struct as {
  __LP_MEMBER static _To of(_T a) { return (_To)a; }
};
template <class _To, class _T> struct as<_To, _T, 0> {
  __LP_MEMBER static _To of(_T a) { return _To((float)a); }
};
}  // namespace __lp_rtc

#define __LP_MIXED(op)                                                                              \
  template <class _H, class _T> __LP_BOTH __lp_rtc::mixed_t<_H, _T> operator op(const _H &a, _T b) { \
    typedef __lp_rtc::mixed_t<_H, _T> _R;                                                           \
    return __lp_rtc::as<_R, float>::of((float)a) op __lp_rtc::as<_R, _T>::of(b);                    \
  }                                                                                                 \
  template <class _H, class _T> __LP_BOTH __lp_rtc::mixed_t<_H, _T> operator op(_T a, const _H &b) { \
    typedef __lp_rtc::mixed_t<_H, _T> _R;                                                           \
    return __lp_rtc::as<_R, _T>::of(a) op __lp_rtc::as<_R, float>::of((float)b);                    \
  }
__LP_MIXED(+)
__LP_MIXED(-)
__LP_MIXED(*)
__LP_MIXED(/)
#undef __LP_MIXED
#define __LP_MIXED(op)                                                                                        \
  template <class _H> __LP_BOTH typename __lp_rtc::chosen<__lp_rtc::is_half<_H>::value, float>::type &operator op( \
      float &a, const _H &b) {                                                                                \
    return a op (float)b;                                                                                     \
  }                                                                                                           \
  template <class _H> __LP_BOTH typename __lp_rtc::chosen<__lp_rtc::is_half<_H>::value, double>::type &operator op( \
      double &a, const _H &b) {                                                                               \
    return a op (double)(float)b;                                                                             \
  }
__LP_MIXED(+=)
__LP_MIXED(-=)
__LP_MIXED(*=)
__LP_MIXED(/=)
#undef __LP_MIXED
#define __LP_MIXED(op)                                                                                  \
  template <class _H, class _T> __LP_BOTH __lp_rtc::mixed_answer<_H, _T> operator op(const _H &a, _T b) { \
    return (double)(float)a op (double)b;                                                               \
  }                                                                                                     \
  template <class _H, class _T> __LP_BOTH __lp_rtc::mixed_answer<_H, _T> operator op(_T a, const _H &b) { \
    return (double)a op (double)(float)b;                                                               \
  }
__LP_MIXED(==)
__LP_MIXED(!=)
__LP_MIXED(<)
__LP_MIXED(<=)
__LP_MIXED(>)
__LP_MIXED(>=)
#undef __LP_MIXED
