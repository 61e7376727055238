// thrust::complex: parts and absolute values, powers, exponentials and logarithms.
#pragma once
#include <launchpath/complex/operators.h>

namespace thrust {
template <class _T> __LP_NUMBER _T abs(const complex<_T> &z) { return ::hypot(z.real(), z.imag()); }
template <class _T> __LP_NUMBER _T arg(const complex<_T> &z) { return ::atan2(z.imag(), z.real()); }
template <class _T> __LP_NUMBER _T norm(const complex<_T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class _T> __LP_NUMBER complex<_T> conj(const complex<_T> &z) { return complex<_T>(z.real(), -z.imag()); }
template <class _A, class _B>
__LP_NUMBER complex<__lp_promoted_t<_A, _B>> polar(const _A &length, const _B &angle) {
  typedef __lp_promoted_t<_A, _B> _T;
  return complex<_T>((_T)length * ::cos((_T)angle), (_T)length * ::sin((_T)angle));
}
template <class _T> __LP_NUMBER complex<_T> polar(const _T &length) { return complex<_T>(length); }
template <class _T> __LP_NUMBER complex<_T> proj(const complex<_T> &z) {
  _T x = ::fabs(z.real()), y = ::fabs(z.imag());
  bool infinite = (x - x != 0 && x == x) || (y - y != 0 && y == y);
  return infinite ? complex<_T>(x + y == x + y ? x + y : (x == x ? x : y), ::copysign(_T(), z.imag())) : z;
}

template <class _T> __LP_NUMBER complex<_T> exp(const complex<_T> &z) {
  _T length = ::exp(z.real());
  if (z.imag() == 0) return complex<_T>(length, z.imag());
  return complex<_T>(length * ::cos(z.imag()), length * ::sin(z.imag()));
}

// Near 1 the logarithm of the absolute value is that of what its square has beside 1.
template <class _T> __LP_NUMBER complex<_T> log(const complex<_T> &z) {
  _T x = ::fabs(z.real()), y = ::fabs(z.imag());
  _T large = x > y ? x : y, small = x > y ? y : x;
  if (large > (_T)0.5 && large < (_T)1.5)
    return complex<_T>(::log1p((large - 1) * (large + 1) + small * small) / 2, arg(z));
  return complex<_T>(::log(abs(z)), arg(z));
}
template <class _T> __LP_NUMBER complex<_T> log10(const complex<_T> &z) {
  return log(z) * (_T)0.434294481903251827651128918916605082;
}

// Scaled where the absolute value might overflow, or lose what is small.
template <class _T> __LP_NUMBER complex<_T> sqrt(const complex<_T> &z) {
  _T x = z.real(), y = z.imag(), scale = 1;
  if (x == 0 && y == 0) return complex<_T>(_T(), y);
  _T large = ::fabs(x) > ::fabs(y) ? ::fabs(x) : ::fabs(y);
  if (large - large != 0) {  // infinite, or no number
    if (::fabs(y) > 1 && y - y != 0 && y == y) return complex<_T>(::fabs(y), y);
    if (x == x && y == y) return x > 0 ? complex<_T>(x, ::copysign(_T(), y)) : complex<_T>(_T(), ::copysign(-x, y));
    return complex<_T>(x + y, x + y);
  }
  _T huge = sizeof(_T) == 4 ? (_T)1e37 : (_T)1e307, tiny = sizeof(_T) == 4 ? (_T)1e-30 : (_T)1e-290;
  if (large > huge) x /= 16, y /= 16, scale = 4;
  if (large < tiny) x *= (_T)1048576, y *= (_T)1048576, scale = (_T)0.0009765625;
  _T part = ::sqrt((::fabs(x) + ::hypot(x, y)) / 2);
  _T other = ::fabs(y) / (2 * part);
  if (x >= 0) return complex<_T>(part * scale, ::copysign(other * scale, y));
  return complex<_T>(other * scale, ::copysign(part * scale, y));
}

template <class _A, class _B>
__LP_NUMBER complex<__lp_promoted_t<_A, _B>> pow(const complex<_A> &z, const complex<_B> &power) {
  typedef complex<__lp_promoted_t<_A, _B>> _C;
  if (power == 0) return _C(1);
  return z == 0 ? _C(0) : exp(_C(power) * log(_C(z)));
}
template <class _A, class _B>
__LP_NUMBER __lp_if_real<_B, complex<__lp_promoted_t<_A, _B>>> pow(const complex<_A> &z, const _B &power) {
  typedef __lp_promoted_t<_A, _B> _T;
  if (power == 0) return complex<_T>(1);
  return z == 0 ? complex<_T>(0) : exp(log(complex<_T>(z)) * (_T)power);
}
template <class _A, class _B>
__LP_NUMBER __lp_if_real<_A, complex<__lp_promoted_t<_A, _B>>> pow(const _A &x, const complex<_B> &power) {
  return pow(complex<__lp_promoted_t<_A, _B>>(x), power);
}
}  // namespace thrust
