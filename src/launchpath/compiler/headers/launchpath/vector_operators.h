// HIP's operators on vector types: element by element, with a vector of the same type or a number.
//
// Templates, so that a program's own operators for a type are the better match.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>
#include <launchpath/vector.h>

namespace __lp {
// V, if it is one of the vector types: all others leave overload resolution here.
template <class _V, class = typename _V::__lp_element> struct vector_only { typedef _V type; };
template <class _V> using vector = typename vector_only<_V>::type;
template <class _V, class _S> using scaled = enable_if_t<__is_arithmetic(_S), vector<_V>>;
template <class _V> using verdict = enable_if_t<sizeof(vector<_V>) != 0, bool>;

template <class _V, class _F> __LP_BOTH constexpr _V each(const _V &a, const _V &b, _F f) {
  if constexpr (_V::__lp_count == 1) return _V(f(a.x, b.x));
  else if constexpr (_V::__lp_count == 2) return _V(f(a.x, b.x), f(a.y, b.y));
  else if constexpr (_V::__lp_count == 3) return _V(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));
  else return _V(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
}
template <class _V> __LP_BOTH constexpr bool equal(const _V &a, const _V &b) {
  if constexpr (_V::__lp_count == 1) return a.x == b.x;
  else if constexpr (_V::__lp_count == 2) return a.x == b.x && a.y == b.y;
  else if constexpr (_V::__lp_count == 3) return a.x == b.x && a.y == b.y && a.z == b.z;
  else return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
template <class _V> using element = typename _V::__lp_element;
}  // namespace __lp

#define __LP_OPERATOR(op)                                                                                             \
  template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator op(const _V &a, const _V &b) {                    \
    typedef __lp::element<_V> _T;                                                                                     \
    return __lp::each(a, b, [](_T x, _T y) { return (_T)(x op y); });                                                 \
  }                                                                                                                   \
  template <class _V, class _S> __LP_BOTH constexpr __lp::scaled<_V, _S> operator op(const _V &a, _S b) {             \
    return a op _V((__lp::element<_V>)b);                                                                             \
  }                                                                                                                   \
  template <class _V, class _S> __LP_BOTH constexpr __lp::scaled<_V, _S> operator op(_S a, const _V &b) {             \
    return _V((__lp::element<_V>)a) op b;                                                                             \
  }                                                                                                                   \
  template <class _V> __LP_BOTH constexpr __lp::vector<_V> &operator op##=(_V &a, const _V &b) { return a = a op b; } \
  template <class _V, class _S> __LP_BOTH constexpr __lp::scaled<_V, _S> &operator op##=(_V &a, _S b) {               \
    return a = a op b;                                                                                                \
  }
__LP_OPERATOR(+)
__LP_OPERATOR(-)
__LP_OPERATOR(*)
__LP_OPERATOR(/)
__LP_OPERATOR(%)
__LP_OPERATOR(&)
__LP_OPERATOR(|)
__LP_OPERATOR(^)
__LP_OPERATOR(<<)
__LP_OPERATOR(>>)
#undef __LP_OPERATOR

template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator+(const _V &a) { return a; }
template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator-(const _V &a) {
  typedef __lp::element<_V> _T;
  return __lp::each(a, a, [](_T x, _T) { return (_T)-x; });
}
template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator~(const _V &a) {
  typedef __lp::element<_V> _T;
  return __lp::each(a, a, [](_T x, _T) { return (_T)~x; });
}
template <class _V> __LP_BOTH constexpr __lp::vector<_V> &operator++(_V &a) { return a = a + 1; }
template <class _V> __LP_BOTH constexpr __lp::vector<_V> &operator--(_V &a) { return a = a - 1; }
template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator++(_V &a, int) {
  _V before = a;
  a = a + 1;
  return before;
}
template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator--(_V &a, int) {
  _V before = a;
  a = a - 1;
  return before;
}
template <class _V> __LP_BOTH constexpr __lp::verdict<_V> operator==(const _V &a, const _V &b) {
  return __lp::equal(a, b);
}
template <class _V> __LP_BOTH constexpr __lp::verdict<_V> operator!=(const _V &a, const _V &b) {
  return !__lp::equal(a, b);
}
