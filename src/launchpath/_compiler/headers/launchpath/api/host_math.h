// Functions that HIP's and CUDA's headers add to C's for host code.
#pragma once

#define __LP_HOST __attribute__((host)) inline
// The longest distance first: squares of large and small numbers do not fit.
#define __LP_HOST_NORMS(_T, end)                                                                   \
  __LP_HOST _T rhypot##end(_T a, _T b) { return 1 / ::hypot##end(a, b); }                          \
  __LP_HOST _T norm3d##end(_T a, _T b, _T c) { return ::hypot##end(::hypot##end(a, b), c); }       \
  __LP_HOST _T norm4d##end(_T a, _T b, _T c, _T d) { return ::hypot##end(norm3d##end(a, b, c), d); } \
  __LP_HOST _T rnorm3d##end(_T a, _T b, _T c) { return 1 / norm3d##end(a, b, c); }                 \
  __LP_HOST _T rnorm4d##end(_T a, _T b, _T c, _T d) { return 1 / norm4d##end(a, b, c, d); }        \
  __LP_HOST _T norm##end(int n, const _T *a) {                                                     \
    _T all = 0;                                                                                    \
    for (int i = 0; i < n; ++i) all = ::hypot##end(all, a[i]);                                     \
    return all;                                                                                    \
  }                                                                                                \
  __LP_HOST _T rnorm##end(int n, const _T *a) { return 1 / norm##end(n, a); }                      \
  __LP_HOST void sincospi##end(_T x, _T *sine, _T *cosine) { *sine = sinpi##end(x), *cosine = cospi##end(x); }
__LP_HOST_NORMS(double, )
__LP_HOST_NORMS(float, f)
#undef __LP_HOST_NORMS
__LP_HOST float fdividef(float a, float b) { return a / b; }

// By its power series, whose terms are all positive.
namespace __lp {
__LP_HOST double bessel_i(int order, double x) {
  double quarter = x * x / 4, term = order ? x / 2 : 1, sum = term;
  for (int k = 1; __builtin_fabs(term) > 1e-18 * __builtin_fabs(sum) && __builtin_isfinite(sum); ++k)
    term *= quarter / ((double)k * (k + order)), sum += term;
  return sum;
}
}  // namespace __lp
__LP_HOST double cyl_bessel_i0(double x) { return __lp::bessel_i(0, x); }
__LP_HOST double cyl_bessel_i1(double x) { return __lp::bessel_i(1, x); }
__LP_HOST float cyl_bessel_i0f(float x) { return (float)__lp::bessel_i(0, x); }
__LP_HOST float cyl_bessel_i1f(float x) { return (float)__lp::bessel_i(1, x); }

__LP_HOST unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
__LP_HOST unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
__LP_HOST long long llmin(long long a, long long b) { return a < b ? a : b; }
__LP_HOST long long llmax(long long a, long long b) { return a > b ? a : b; }
__LP_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__LP_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
#undef __LP_HOST
