// thrust::complex, for kernels: the numbers, and their trigonometric and hyperbolic functions and the inverses of these
// (W. Kahan, "Branch Cuts for Complex Elementary Functions", 1987).
#pragma once
#include <launchpath/complex/elementary.h>

namespace thrust {
template <class _T> __LP_NUMBER complex<_T> sinh(const complex<_T> &z) {
  return complex<_T>(::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag()));
}
template <class _T> __LP_NUMBER complex<_T> cosh(const complex<_T> &z) {
  return complex<_T>(::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag()));
}
template <class _T> __LP_NUMBER complex<_T> tanh(const complex<_T> &z) {
  _T x = z.real(), y = z.imag(), most = sizeof(_T) == 4 ? (_T)11 : (_T)22;
  if (::fabs(x) > most) return complex<_T>(::copysign((_T)1, x), 4 * ::sin(y) * ::cos(y) * ::exp(-2 * ::fabs(x)));
  _T t = ::tan(y), beta = 1 + t * t, s = ::sinh(x), rho = ::sqrt(1 + s * s);
  if (t - t != 0) return complex<_T>(rho / s, 1 / t);
  _T scale = 1 + beta * s * s;
  return complex<_T>(beta * rho * s / scale, t / scale);
}

// By way of the others: sin z = -i sinh iz, and the like.
template <class _T> __LP_NUMBER complex<_T> __lp_turned(const complex<_T> &z) { return complex<_T>(-z.imag(), z.real()); }
template <class _T> __LP_NUMBER complex<_T> __lp_back(const complex<_T> &z) { return complex<_T>(z.imag(), -z.real()); }
template <class _T> __LP_NUMBER complex<_T> sin(const complex<_T> &z) { return __lp_back(sinh(__lp_turned(z))); }
template <class _T> __LP_NUMBER complex<_T> cos(const complex<_T> &z) { return cosh(__lp_turned(z)); }
template <class _T> __LP_NUMBER complex<_T> tan(const complex<_T> &z) { return __lp_back(tanh(__lp_turned(z))); }

template <class _T> __LP_NUMBER complex<_T> acos(const complex<_T> &z) {
  complex<_T> a = sqrt(complex<_T>(1 - z.real(), -z.imag())), b = sqrt(complex<_T>(1 + z.real(), z.imag()));
  return complex<_T>(2 * ::atan2(a.real(), b.real()), ::asinh(b.real() * a.imag() - b.imag() * a.real()));
}
template <class _T> __LP_NUMBER complex<_T> asin(const complex<_T> &z) {
  complex<_T> a = sqrt(complex<_T>(1 - z.real(), -z.imag())), b = sqrt(complex<_T>(1 + z.real(), z.imag()));
  _T across = a.real() * b.real() - a.imag() * b.imag();
  return complex<_T>(::atan2(z.real(), across), ::asinh(a.real() * b.imag() - a.imag() * b.real()));
}
template <class _T> __LP_NUMBER complex<_T> acosh(const complex<_T> &z) {
  complex<_T> a = sqrt(complex<_T>(z.real() - 1, z.imag())), b = sqrt(complex<_T>(z.real() + 1, z.imag()));
  return complex<_T>(::asinh(a.real() * b.real() + a.imag() * b.imag()), 2 * ::atan2(a.imag(), b.real()));
}
template <class _T> __LP_NUMBER complex<_T> asinh(const complex<_T> &z) { return __lp_turned(asin(__lp_back(z))); }
template <class _T> __LP_NUMBER complex<_T> atanh(const complex<_T> &z) {
  // It is odd: on the left half the logarithm would be of what is left of 1.
  _T x = ::fabs(z.real()), y = z.imag(), a = 1 - x, b = 1 + x;
  _T re = ::log1p(4 * x / (a * a + y * y)) / 4;
  return complex<_T>(::copysign(re, z.real()), ::atan2(2 * y, a * b - y * y) / 2);
}
template <class _T> __LP_NUMBER complex<_T> atan(const complex<_T> &z) { return __lp_back(atanh(__lp_turned(z))); }
}  // namespace thrust
