// thrust::complex: arithmetic, also of two types, and with real numbers.
#pragma once
#include <launchpath/complex/number.h>

namespace thrust {
template <class _A, class _B>
__LP_NUMBER complex<__lp_promoted_t<_A, _B>> operator+(const complex<_A> &a, const complex<_B> &b) {
  typedef __lp_promoted_t<_A, _B> _T;
  return complex<_T>((_T)a.real() + (_T)b.real(), (_T)a.imag() + (_T)b.imag());
}
template <class _A, class _B>
__LP_NUMBER complex<__lp_promoted_t<_A, _B>> operator-(const complex<_A> &a, const complex<_B> &b) {
  typedef __lp_promoted_t<_A, _B> _T;
  return complex<_T>((_T)a.real() - (_T)b.real(), (_T)a.imag() - (_T)b.imag());
}
template <class _A, class _B>
__LP_NUMBER complex<__lp_promoted_t<_A, _B>> operator*(const complex<_A> &a, const complex<_B> &b) {
  typedef __lp_promoted_t<_A, _B> _T;
  _T x = a.real(), y = a.imag(), u = b.real(), v = b.imag();
  return complex<_T>(x * u - y * v, x * v + y * u);
}
// By the larger part of the divisor, so that no product overflows that need not.
template <class _A, class _B>
__LP_NUMBER complex<__lp_promoted_t<_A, _B>> operator/(const complex<_A> &a, const complex<_B> &b) {
  typedef __lp_promoted_t<_A, _B> _T;
  _T x = a.real(), y = a.imag(), u = b.real(), v = b.imag();
  if (::fabs(u) >= ::fabs(v)) {
    if (u == 0) return complex<_T>(x / u, y / u);
    _T ratio = v / u, scale = u + v * ratio;
    return complex<_T>((x + y * ratio) / scale, (y - x * ratio) / scale);
  }
  _T ratio = u / v, scale = u * ratio + v;
  return complex<_T>((x * ratio + y) / scale, (y * ratio - x) / scale);
}

// A real number has no imaginary part, not one of 0: infinities stay what they are.
#define __LP_REAL(op, with_right, with_left)                                                                        \
  template <class _A, class _B>                                                                                     \
  __LP_NUMBER __lp_if_real<_B, complex<__lp_promoted_t<_A, _B>>> operator op(const complex<_A> &a, const _B &b) {   \
    typedef __lp_promoted_t<_A, _B> _T;                                                                             \
    _T x = a.real(), y = a.imag(), r = b;                                                                           \
    return complex<_T> with_right;                                                                                  \
  }                                                                                                                 \
  template <class _A, class _B>                                                                                     \
  __LP_NUMBER __lp_if_real<_A, complex<__lp_promoted_t<_A, _B>>> operator op(const _A &a, const complex<_B> &b) {   \
    typedef __lp_promoted_t<_A, _B> _T;                                                                             \
    _T x = b.real(), y = b.imag(), r = a;                                                                           \
    return complex<_T> with_left;                                                                                   \
  }
__LP_REAL(+, (x + r, y), (r + x, y))
__LP_REAL(-, (x - r, y), (r - x, -y))
__LP_REAL(*, (x * r, y * r), (r * x, r * y))
__LP_REAL(/, (x / r, y / r), (complex<_T>(r) / complex<_T>(x, y)))
#undef __LP_REAL

template <class _T> __LP_NUMBER complex<_T> operator+(const complex<_T> &z) { return z; }
template <class _T> __LP_NUMBER complex<_T> operator-(const complex<_T> &z) { return complex<_T>(-z.real(), -z.imag()); }

template <class _A, class _B> __LP_NUMBER constexpr bool operator==(const complex<_A> &a, const complex<_B> &b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class _A, class _B>
__LP_NUMBER constexpr __lp_if_real<_B, bool> operator==(const complex<_A> &a, const _B &b) {
  return a.real() == b && a.imag() == 0;
}
template <class _A, class _B>
__LP_NUMBER constexpr __lp_if_real<_A, bool> operator==(const _A &a, const complex<_B> &b) {
  return b.real() == a && b.imag() == 0;
}
template <class _A, class _B> __LP_NUMBER constexpr bool operator!=(const complex<_A> &a, const complex<_B> &b) {
  return !(a == b);
}
template <class _A, class _B>
__LP_NUMBER constexpr __lp_if_real<_B, bool> operator!=(const complex<_A> &a, const _B &b) {
  return !(a == b);
}
template <class _A, class _B>
__LP_NUMBER constexpr __lp_if_real<_A, bool> operator!=(const _A &a, const complex<_B> &b) {
  return !(a == b);
}
}  // namespace thrust
