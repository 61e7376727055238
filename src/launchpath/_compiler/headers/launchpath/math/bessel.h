// Bessel functions of the first and second kind, of integer order. In double; float by way of it.
#pragma once
#include <launchpath/math/functions.h>

namespace __lp {
struct bessel { double j, y; };

// Far out: Hankel's expansion, for order 0 or 1.
__LP_DEVICE bessel bessel_far(int n, double x) {
  double p = 1, q = 0, term = 1;
  for (int k = 1; k < 30; ++k) {
    term *= (4.0 * n * n - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
    double signed_term = k & 2 ? -term : term;
    if (k & 1) q += signed_term;
    else p += signed_term;
  }
  double s = sin(x), c = cos(x), r = __builtin_sqrt(0.31830988618379067154 / x);
  // The phase x - n * pi / 2 - pi / 4, by sums of sine and cosine.
  double cosine = n == 0 ? c + s : s - c, sine = n == 0 ? s - c : -s - c;
  return {r * (p * cosine - q * sine), r * (p * sine + q * cosine)};
}

// Near: all orders at once by recurrence downward from where they vanish; y by Neumann's series over them.
__LP_DEVICE bessel bessel_near(int n, double x) {
  int top = 2 * ((int)(((n > x ? n : x) + 40 + 4 * __builtin_sqrt((double)n)) / 2));
  double above = 0, here = 1e-300, sum = 0, wanted = 0, series = 0;
  for (int k = top; k > 0; --k) {
    double below = 2 * k / x * here - above;
    if (k == n) wanted = here;
    if (k % 2 == 0) {
      sum += 2 * here;
      if (n == 0) series += (k / 2 % 2 ? here : -here) / (k / 2);
    } else if (k > 1 && n == 1) {
      int m = k / 2;
      series += (m % 2 ? here : -here) * k / (m * (m + 1.0));
    }
    above = here;
    here = below;
    if (__builtin_fabs(here) > 1e250) {
      above *= 1e-250; here *= 1e-250; sum *= 1e-250; wanted *= 1e-250; series *= 1e-250;
    }
  }
  if (n == 0) wanted = here;
  sum += here;
  double j = wanted / sum, logarithm = log(x / 2) + 0.57721566490153286061;
  if (n == 0) return {j, 0.63661977236758134308 * (logarithm * j + 2 * series / sum)};
  if (n == 1) return {j, 0.63661977236758134308 * (-here / sum / x + (logarithm - 1) * j + series / sum)};
  return {j, 0};
}
__LP_DEVICE bessel bessel_both(int n, double x) { return x < 25 ? bessel_near(n, x) : bessel_far(n, x); }

__LP_DEVICE double bessel_j(int n, double x) {
  if (x != x || n < 0) return __builtin_nan("");
  double sign = x < 0 && n % 2 ? -1 : 1, a = __builtin_fabs(x);
  if (a == 0) return n == 0;
  if (a == __builtin_inf()) return 0;
  if (n < 2) return sign * bessel_both(n, a).j;
  if (n > a || a < 25) return sign * bessel_near(n, a).j;
  double before = bessel_far(0, a).j, here = bessel_far(1, a).j;
  for (int k = 1; k < n; ++k) {
    double next = 2 * k / a * here - before;
    before = here;
    here = next;
  }
  return sign * here;
}
__LP_DEVICE double bessel_y(int n, double x) {
  if (!(x >= 0) || n < 0) return __builtin_nan("");
  if (x == 0) return -__builtin_inf();
  if (x == __builtin_inf()) return 0;
  double before = bessel_both(0, x).y;
  if (n == 0) return before;
  double here = bessel_both(1, x).y;
  for (int k = 1; k < n && here != -__builtin_inf(); ++k) {
    double next = 2 * k / x * here - before;
    before = here;
    here = next;
  }
  return here;
}
}  // namespace __lp

#define __LP_BESSEL(_T, suffix)                                             \
  __LP_LAZY _T j0##suffix(_T x) { return (_T)__lp::bessel_j(0, x); }        \
  __LP_LAZY _T j1##suffix(_T x) { return (_T)__lp::bessel_j(1, x); }        \
  __LP_LAZY _T jn##suffix(int n, _T x) { return (_T)__lp::bessel_j(n, x); } \
  __LP_LAZY _T y0##suffix(_T x) { return (_T)__lp::bessel_y(0, x); }        \
  __LP_LAZY _T y1##suffix(_T x) { return (_T)__lp::bessel_y(1, x); }        \
  __LP_LAZY _T yn##suffix(int n, _T x) { return (_T)__lp::bessel_y(n, x); }
__LP_BESSEL(double, )
__LP_BESSEL(float, f)
#undef __LP_BESSEL
