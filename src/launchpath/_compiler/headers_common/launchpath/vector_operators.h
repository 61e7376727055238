// HIP's operators on vector types: element by element, with a vector of the same type or a number.
//
// Templates, so that a program's own operators for a type are the better match.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>
#include <launchpath/vector.h>

namespace __lp {
// V, if it is one of the vector types: all others have no vector_element, and leave overload resolution here.
template <class _V, class = vector_element<_V>> struct vector_only { typedef _V type; };
template <class _V> using vector = typename vector_only<_V>::type;
template <class _V, class _S> using scaled = enable_if_t<is_arithmetic<_S>, vector<_V>>;
template <class _V> using verdict = enable_if_t<sizeof(vector<_V>) != 0, bool>;

// Member by member: CUDA's vector types, which NVRTC has, have no constructors.
template <class _V, class _F> __LP_BOTH constexpr _V each(const _V &a, const _V &b, _F f) {
  _V made{};
  made.x = f(a.x, b.x);
  if constexpr (vector_count<_V> > 1) made.y = f(a.y, b.y);
  if constexpr (vector_count<_V> > 2) made.z = f(a.z, b.z);
  if constexpr (vector_count<_V> > 3) made.w = f(a.w, b.w);
  return made;
}
template <class _V> __LP_BOTH constexpr _V all(vector_element<_V> value) {
  return each(_V{}, _V{}, [=](vector_element<_V>, vector_element<_V>) { return value; });
}
template <class _V> __LP_BOTH constexpr bool equal(const _V &a, const _V &b) {
  bool same = a.x == b.x;
  if constexpr (vector_count<_V> > 1) same = same && a.y == b.y;
  if constexpr (vector_count<_V> > 2) same = same && a.z == b.z;
  if constexpr (vector_count<_V> > 3) same = same && a.w == b.w;
  return same;
}
}  // namespace __lp

#define __LP_OPERATOR(op)                                                                                             \
  template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator op(const _V &a, const _V &b) {                    \
    typedef __lp::vector_element<_V> _T;                                                                              \
    return __lp::each(a, b, [](_T x, _T y) { return (_T)(x op y); });                                                 \
  }                                                                                                                   \
  template <class _V, class _S> __LP_BOTH constexpr __lp::scaled<_V, _S> operator op(const _V &a, _S b) {             \
    return a op __lp::all<_V>((__lp::vector_element<_V>)b);                                                           \
  }                                                                                                                   \
  template <class _V, class _S> __LP_BOTH constexpr __lp::scaled<_V, _S> operator op(_S a, const _V &b) {             \
    return __lp::all<_V>((__lp::vector_element<_V>)a) op b;                                                           \
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
  typedef __lp::vector_element<_V> _T;
  return __lp::each(a, a, [](_T x, _T) { return (_T)-x; });
}
template <class _V> __LP_BOTH constexpr __lp::vector<_V> operator~(const _V &a) {
  typedef __lp::vector_element<_V> _T;
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
