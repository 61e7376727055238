// HIP's operators on vector types, where NVRTC compiles: element by element, with a vector of the same type or a number.
//
// Templates, so that a program's own operators for a type are the better match.
#pragma once
#include <type_traits>

namespace __lp_rtc {
template <class _V> struct vector { static constexpr int count = 0; };
#define __LP_VECTOR(name, _T)                                                                                       \
  template <> struct vector<name##1> { typedef _T element; static constexpr int count = 1; };                       \
  template <> struct vector<name##2> { typedef _T element; static constexpr int count = 2; };                       \
  template <> struct vector<name##3> { typedef _T element; static constexpr int count = 3; };                       \
  template <> struct vector<name##4> { typedef _T element; static constexpr int count = 4; };
__LP_VECTOR(char, signed char)
__LP_VECTOR(uchar, unsigned char)
__LP_VECTOR(short, short)
__LP_VECTOR(ushort, unsigned short)
__LP_VECTOR(int, int)
__LP_VECTOR(uint, unsigned int)
__LP_VECTOR(longlong, long long)
__LP_VECTOR(ulonglong, unsigned long long)
__LP_VECTOR(float, float)
#undef __LP_VECTOR
template <> struct vector<double2> { typedef double element; static constexpr int count = 2; };
template <class _V> using element = typename vector<_V>::element;
template <bool _B, class _T> struct only {};
template <class _T> struct only<true, _T> { typedef _T type; };
template <class _V, class _R = _V> using vectors = typename only<vector<_V>::count != 0, _R>::type;
template <class _V, class _S> using scaled = typename only<vector<_V>::count != 0 && std::is_arithmetic<_S>::value, _V>::type;

template <class _V, class _F> __LP_BOTH constexpr _V each(const _V &a, const _V &b, _F f) {
  _V made{};
  made.x = f(a.x, b.x);
  if constexpr (vector<_V>::count > 1) made.y = f(a.y, b.y);
  if constexpr (vector<_V>::count > 2) made.z = f(a.z, b.z);
  if constexpr (vector<_V>::count > 3) made.w = f(a.w, b.w);
  return made;
}
template <class _V> __LP_BOTH constexpr _V all(element<_V> value) {
  return each(_V{}, _V{}, [=](element<_V>, element<_V>) { return value; });
}
template <class _V> __LP_BOTH constexpr bool equal(const _V &a, const _V &b) {
  bool same = a.x == b.x;
  if constexpr (vector<_V>::count > 1) same = same && a.y == b.y;
  if constexpr (vector<_V>::count > 2) same = same && a.z == b.z;
  if constexpr (vector<_V>::count > 3) same = same && a.w == b.w;
  return same;
}
}  // namespace __lp_rtc

#define __LP_OPERATOR(op)                                                                                             \
  template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V> operator op(const _V &a, const _V &b) {               \
    typedef __lp_rtc::element<_V> _T;                                                                                 \
    return __lp_rtc::each(a, b, [](_T x, _T y) { return (_T)(x op y); });                                             \
  }                                                                                                                   \
  template <class _V, class _S> __LP_BOTH constexpr __lp_rtc::scaled<_V, _S> operator op(const _V &a, _S b) {         \
    return a op __lp_rtc::all<_V>((__lp_rtc::element<_V>)b);                                                          \
  }                                                                                                                   \
  template <class _V, class _S> __LP_BOTH constexpr __lp_rtc::scaled<_V, _S> operator op(_S a, const _V &b) {         \
    return __lp_rtc::all<_V>((__lp_rtc::element<_V>)a) op b;                                                          \
  }                                                                                                                   \
  template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V> &operator op##=(_V &a, const _V &b) {                 \
    return a = a op b;                                                                                                \
  }                                                                                                                   \
  template <class _V, class _S> __LP_BOTH constexpr __lp_rtc::scaled<_V, _S> &operator op##=(_V &a, _S b) {           \
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

#define __LP_STEP(op, by)                                                                        \
  template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V> &operator op(_V &a) {            \
    return a = a by __lp_rtc::all<_V>(1);                                                        \
  }                                                                                              \
  template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V> operator op(_V &a, int) {        \
    _V before = a;                                                                               \
    a = a by __lp_rtc::all<_V>(1);                                                               \
    return before;                                                                               \
  }
__LP_STEP(++, +)
__LP_STEP(--, -)
#undef __LP_STEP
template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V> operator+(const _V &a) { return a; }
template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V> operator-(const _V &a) {
  typedef __lp_rtc::element<_V> _T;
  return __lp_rtc::each(a, a, [](_T x, _T) { return (_T)-x; });
}
template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V> operator~(const _V &a) {
  typedef __lp_rtc::element<_V> _T;
  return __lp_rtc::each(a, a, [](_T x, _T) { return (_T)~x; });
}
template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V, bool> operator==(const _V &a, const _V &b) {
  return __lp_rtc::equal(a, b);
}
template <class _V> __LP_BOTH constexpr __lp_rtc::vectors<_V, bool> operator!=(const _V &a, const _V &b) {
  return !__lp_rtc::equal(a, b);
}
