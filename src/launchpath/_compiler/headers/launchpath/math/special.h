// Special functions of CUDA's that neither C nor OpenCL has. In double; float by way of it.
#pragma once
#include <launchpath/math/functions.h>
#include <launchpath/math/cuda_functions.h>
#include <launchpath/math/macros.h>

namespace __lp {
// exp(x * x) * erfc(x), without overflow or loss in either factor.
__LP_DEVICE double scaled_erfc(double x) {
  if (x < 10) {
    double square = x * x, rest = __builtin_fma(x, x, -square), scale = exp(square);
    return scale * erfc(x) * (finite(scale) ? 1 + rest : 1);
  }
  if (x > 1e8) return 0.56418958354775628695 / x;
  double fraction = x;  // continued fraction, from its end
  for (int k = 40; k > 0; --k) fraction = x + k / (2 * fraction);
  return 0.56418958354775628695 / fraction;
}

// Roots of erf(w) = x and of erfc(w) = y, up to 1/2: a closed guess that is right to three digits (`part` is the
// logarithm of 1 - x * x), then Halley's steps.
__LP_DEVICE double inverse_guess(double part) {
  double term = 4.3307467508 + part / 2;
  return __builtin_sqrt(__builtin_sqrt(term * term - part / 0.147) - term);
}
__LP_DEVICE double inverse_erf_near(double x) {
  if (__builtin_fabs(x) < 1e-8) return x * 0.88622692545275801365;
  double w = __builtin_copysign(inverse_guess(log1p(-x * x)), x);
  for (int i = 0; i < 2; ++i) {
    double error = (erf(w) - x) / (1.12837916709551257390 * exp(-w * w));
    w -= error / (1 + w * error);
  }
  return w;
}
__LP_DEVICE double inverse_erfc_near(double y) {
  if (!(y > 0)) return y == 0 ? __builtin_inf() : __builtin_nan("");
  double w = inverse_guess(log(y * (2 - y)));
  for (int i = 0; i < 3; ++i) {
    double error = (erfc(w) - y) / (-1.12837916709551257390 * exp(-w * w));
    if (error != 0) w -= error / (1 + w * error);
  }
  return w;
}
__LP_DEVICE double inverse_erf(double x) {
  if (__builtin_fabs(x) <= 0.5) return inverse_erf_near(x);
  return x < 0 ? -inverse_erfc_near(1 + x) : inverse_erfc_near(1 - x);
}
__LP_DEVICE double inverse_erfc(double y) {
  if (y >= 0.5 && y <= 1.5) return inverse_erf_near(1 - y);
  return y < 1 ? inverse_erfc_near(y) : -inverse_erfc_near(2 - y);
}
__LP_DEVICE double inverse_normal(double p) { return -1.41421356237309504880 * inverse_erfc(2 * p); }

// By erfc at -x / sqrt(2), and what rounding took off that argument by erfc's slope.
__LP_DEVICE double normal(double x) {
  double at = x * -0.70710678118654752440;
  double lost = __builtin_fma(x, -0.70710678118654752440, -at) + x * 4.8336466567264567e-17;
  return (erfc(at) - (x > -39 ? 1.12837916709551257390 * exp(-at * at) * lost : 0)) / 2;
}

// Modified Bessel functions of order n (0 or 1): the power series, all of one sign; far out the asymptotic one.
__LP_DEVICE double bessel_i(int n, double x) {
  double a = __builtin_fabs(x), sum = 1, term = 1;
  if (a < 30) {
    for (int k = 1; k < 200 && term > sum * 1e-17; ++k) sum += term *= a * a / (4.0 * k * (k + n));
    if (n == 1) sum *= a / 2;
  } else {
    for (int k = 1; k < 40; ++k) sum += term *= -(4.0 * n * n - (2 * k - 1) * (2 * k - 1)) / (k * 8 * a);
    sum *= exp(a - 700) / __builtin_sqrt(6.28318530717958647693 * a) * exp(700.0);
    if (a < 700) sum = sum / exp(a - 700) / exp(700.0) * exp(a);
  }
  return n == 1 && x < 0 ? -sum : sum;
}
}  // namespace __lp

__LP_DOUBLE1(erfcx, __lp::scaled_erfc)
__LP_DOUBLE1(erfinv, __lp::inverse_erf)
__LP_DOUBLE1(erfcinv, __lp::inverse_erfc)
__LP_DOUBLE1(normcdf, __lp::normal)
__LP_DOUBLE1(normcdfinv, __lp::inverse_normal)
__LP_LAZY double cyl_bessel_i0(double x) { return __lp::bessel_i(0, x); }
__LP_LAZY double cyl_bessel_i1(double x) { return __lp::bessel_i(1, x); }
__LP_LAZY float cyl_bessel_i0f(float x) { return (float)__lp::bessel_i(0, x); }
__LP_LAZY float cyl_bessel_i1f(float x) { return (float)__lp::bessel_i(1, x); }
