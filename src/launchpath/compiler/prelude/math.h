/* CUDA's math functions. OpenCL has the unsuffixed ones for float and double; what is added here are the
   suffixed ones, the fast ones, and C++'s promotion of integers and mixed arguments to double.
   __lpi_uses_NAME is defined for every NAME in the source: what is not used costs the compiler nothing. */
#ifdef __lpi_fp64
#define __lpi_promote(f)                              \
  __lpi double f(int x) { return f((double)x); }      \
  __lpi double f(unsigned x) { return f((double)x); } \
  __lpi double f(long x) { return f((double)x); }     \
  __lpi double f(unsigned long x) { return f((double)x); }
#define __lpi_mix(f, A, B) __lpi double f(A x, B y) { return f((double)x, (double)y); }
#define __lpi_mixes(f, A, B) __lpi_mix(f, A, B) __lpi_mix(f, B, A)
#define __lpi_promote2(f)                                                         \
  __lpi_mixes(f, float, double) __lpi_mixes(f, float, int)                        \
  __lpi_mixes(f, float, unsigned) __lpi_mixes(f, float, long)                     \
  __lpi_mixes(f, float, unsigned long) __lpi_mixes(f, double, int)                \
  __lpi_mixes(f, double, unsigned) __lpi_mixes(f, double, long)                   \
  __lpi_mixes(f, double, unsigned long) __lpi_mix(f, int, int)                    \
  __lpi_mix(f, unsigned, unsigned) __lpi_mix(f, long, long)                       \
  __lpi_mix(f, unsigned long, unsigned long) __lpi_mixes(f, int, unsigned)        \
  __lpi_mixes(f, int, long) __lpi_mixes(f, int, unsigned long)                    \
  __lpi_mixes(f, unsigned, long) __lpi_mixes(f, unsigned, unsigned long)          \
  __lpi_mixes(f, long, unsigned long)
#else
#define __lpi_promote(f)
#define __lpi_promote2(f)
#endif

#ifdef __lpi_uses_sin
__lpi_promote(sin)
#endif
#ifdef __lpi_uses_sinf
__lpi float sinf(float x) { return sin(x); }
#endif
#ifdef __lpi_uses_cos
__lpi_promote(cos)
#endif
#ifdef __lpi_uses_cosf
__lpi float cosf(float x) { return cos(x); }
#endif
#ifdef __lpi_uses_tan
__lpi_promote(tan)
#endif
#ifdef __lpi_uses_tanf
__lpi float tanf(float x) { return tan(x); }
#endif
#ifdef __lpi_uses_asin
__lpi_promote(asin)
#endif
#ifdef __lpi_uses_asinf
__lpi float asinf(float x) { return asin(x); }
#endif
#ifdef __lpi_uses_acos
__lpi_promote(acos)
#endif
#ifdef __lpi_uses_acosf
__lpi float acosf(float x) { return acos(x); }
#endif
#ifdef __lpi_uses_atan
__lpi_promote(atan)
#endif
#ifdef __lpi_uses_atanf
__lpi float atanf(float x) { return atan(x); }
#endif
#ifdef __lpi_uses_sinh
__lpi_promote(sinh)
#endif
#ifdef __lpi_uses_sinhf
__lpi float sinhf(float x) { return sinh(x); }
#endif
#ifdef __lpi_uses_cosh
__lpi_promote(cosh)
#endif
#ifdef __lpi_uses_coshf
__lpi float coshf(float x) { return cosh(x); }
#endif
#ifdef __lpi_uses_tanh
__lpi_promote(tanh)
#endif
#ifdef __lpi_uses_tanhf
__lpi float tanhf(float x) { return tanh(x); }
#endif
#ifdef __lpi_uses_asinh
__lpi_promote(asinh)
#endif
#ifdef __lpi_uses_asinhf
__lpi float asinhf(float x) { return asinh(x); }
#endif
#ifdef __lpi_uses_acosh
__lpi_promote(acosh)
#endif
#ifdef __lpi_uses_acoshf
__lpi float acoshf(float x) { return acosh(x); }
#endif
#ifdef __lpi_uses_atanh
__lpi_promote(atanh)
#endif
#ifdef __lpi_uses_atanhf
__lpi float atanhf(float x) { return atanh(x); }
#endif
#ifdef __lpi_uses_exp
__lpi_promote(exp)
#endif
#ifdef __lpi_uses_expf
__lpi float expf(float x) { return exp(x); }
#endif
#ifdef __lpi_uses_exp2
__lpi_promote(exp2)
#endif
#ifdef __lpi_uses_exp2f
__lpi float exp2f(float x) { return exp2(x); }
#endif
#ifdef __lpi_uses_exp10
__lpi_promote(exp10)
#endif
#ifdef __lpi_uses_exp10f
__lpi float exp10f(float x) { return exp10(x); }
#endif
#ifdef __lpi_uses_expm1
__lpi_promote(expm1)
#endif
#ifdef __lpi_uses_expm1f
__lpi float expm1f(float x) { return expm1(x); }
#endif
#ifdef __lpi_uses_log
__lpi_promote(log)
#endif
#ifdef __lpi_uses_logf
__lpi float logf(float x) { return log(x); }
#endif
#ifdef __lpi_uses_log2
__lpi_promote(log2)
#endif
#ifdef __lpi_uses_log2f
__lpi float log2f(float x) { return log2(x); }
#endif
#ifdef __lpi_uses_log10
__lpi_promote(log10)
#endif
#ifdef __lpi_uses_log10f
__lpi float log10f(float x) { return log10(x); }
#endif
#ifdef __lpi_uses_log1p
__lpi_promote(log1p)
#endif
#ifdef __lpi_uses_log1pf
__lpi float log1pf(float x) { return log1p(x); }
#endif
#ifdef __lpi_uses_logb
__lpi_promote(logb)
#endif
#ifdef __lpi_uses_logbf
__lpi float logbf(float x) { return logb(x); }
#endif
#ifdef __lpi_uses_sqrt
__lpi_promote(sqrt)
#endif
#ifdef __lpi_uses_sqrtf
__lpi float sqrtf(float x) { return sqrt(x); }
#endif
#ifdef __lpi_uses_rsqrt
__lpi_promote(rsqrt)
#endif
#ifdef __lpi_uses_rsqrtf
__lpi float rsqrtf(float x) { return rsqrt(x); }
#endif
#ifdef __lpi_uses_cbrt
__lpi_promote(cbrt)
#endif
#ifdef __lpi_uses_cbrtf
__lpi float cbrtf(float x) { return cbrt(x); }
#endif
#ifdef __lpi_uses_fabs
__lpi_promote(fabs)
#endif
#ifdef __lpi_uses_fabsf
__lpi float fabsf(float x) { return fabs(x); }
#endif
#ifdef __lpi_uses_floor
__lpi_promote(floor)
#endif
#ifdef __lpi_uses_floorf
__lpi float floorf(float x) { return floor(x); }
#endif
#ifdef __lpi_uses_ceil
__lpi_promote(ceil)
#endif
#ifdef __lpi_uses_ceilf
__lpi float ceilf(float x) { return ceil(x); }
#endif
#ifdef __lpi_uses_round
__lpi_promote(round)
#endif
#ifdef __lpi_uses_roundf
__lpi float roundf(float x) { return round(x); }
#endif
#ifdef __lpi_uses_trunc
__lpi_promote(trunc)
#endif
#ifdef __lpi_uses_truncf
__lpi float truncf(float x) { return trunc(x); }
#endif
#ifdef __lpi_uses_rint
__lpi_promote(rint)
#endif
#ifdef __lpi_uses_rintf
__lpi float rintf(float x) { return rint(x); }
#endif
#ifdef __lpi_uses_erf
__lpi_promote(erf)
#endif
#ifdef __lpi_uses_erff
__lpi float erff(float x) { return erf(x); }
#endif
#ifdef __lpi_uses_erfc
__lpi_promote(erfc)
#endif
#ifdef __lpi_uses_erfcf
__lpi float erfcf(float x) { return erfc(x); }
#endif
#ifdef __lpi_uses_tgamma
__lpi_promote(tgamma)
#endif
#ifdef __lpi_uses_tgammaf
__lpi float tgammaf(float x) { return tgamma(x); }
#endif
#ifdef __lpi_uses_lgamma
__lpi_promote(lgamma)
#endif
#ifdef __lpi_uses_lgammaf
__lpi float lgammaf(float x) { return lgamma(x); }
#endif
#ifdef __lpi_uses_sinpi
__lpi_promote(sinpi)
#endif
#ifdef __lpi_uses_sinpif
__lpi float sinpif(float x) { return sinpi(x); }
#endif
#ifdef __lpi_uses_cospi
__lpi_promote(cospi)
#endif
#ifdef __lpi_uses_cospif
__lpi float cospif(float x) { return cospi(x); }
#endif
#ifdef __lpi_uses_pow
__lpi_promote2(pow)
#endif
#ifdef __lpi_uses_powf
__lpi float powf(float x, float y) { return pow(x, y); }
#endif
#ifdef __lpi_uses_fmod
__lpi_promote2(fmod)
#endif
#ifdef __lpi_uses_fmodf
__lpi float fmodf(float x, float y) { return fmod(x, y); }
#endif
#ifdef __lpi_uses_fmin
__lpi_promote2(fmin)
#endif
#ifdef __lpi_uses_fminf
__lpi float fminf(float x, float y) { return fmin(x, y); }
#endif
#ifdef __lpi_uses_fmax
__lpi_promote2(fmax)
#endif
#ifdef __lpi_uses_fmaxf
__lpi float fmaxf(float x, float y) { return fmax(x, y); }
#endif
#ifdef __lpi_uses_atan2
__lpi_promote2(atan2)
#endif
#ifdef __lpi_uses_atan2f
__lpi float atan2f(float x, float y) { return atan2(x, y); }
#endif
#ifdef __lpi_uses_hypot
__lpi_promote2(hypot)
#endif
#ifdef __lpi_uses_hypotf
__lpi float hypotf(float x, float y) { return hypot(x, y); }
#endif
#ifdef __lpi_uses_copysign
__lpi_promote2(copysign)
#endif
#ifdef __lpi_uses_copysignf
__lpi float copysignf(float x, float y) { return copysign(x, y); }
#endif
#ifdef __lpi_uses_fdim
__lpi_promote2(fdim)
#endif
#ifdef __lpi_uses_fdimf
__lpi float fdimf(float x, float y) { return fdim(x, y); }
#endif
#ifdef __lpi_uses_remainder
__lpi_promote2(remainder)
#endif
#ifdef __lpi_uses_remainderf
__lpi float remainderf(float x, float y) { return remainder(x, y); }
#endif
#ifdef __lpi_uses_nextafter
__lpi_promote2(nextafter)
#endif
#ifdef __lpi_uses_nextafterf
__lpi float nextafterf(float x, float y) { return nextafter(x, y); }
#endif

__lpi float fmaf(float x, float y, float z) { return fma(x, y, z); }
__lpi float nearbyintf(float x) { return rint(x); }
__lpi float ldexpf(float x, int n) { return ldexp(x, n); }
__lpi float scalbnf(float x, int n) { return ldexp(x, n); }
__lpi int ilogbf(float x) { return ilogb(x); }
__lpi long lrintf(float x) { return (long)rint(x); }
__lpi long lroundf(float x) { return (long)round(x); }
__lpi float frexpf(float x, int *e) { int n; float m = frexp(x, &n); *e = n; return m; }
__lpi float modff(float x, float *i) { float n; float m = modf(x, &n); *i = n; return m; }
__lpi void sincosf(float x, float *s, float *c) { *s = sin(x); *c = cos(x); }
__lpi void sincospif(float x, float *s, float *c) { *s = sinpi(x); *c = cospi(x); }
__lpi float rcbrtf(float x) { return 1.0f / cbrt(x); }
__lpi float rhypotf(float x, float y) { return 1.0f / hypot(x, y); }
#ifdef __lpi_fp64
__lpi double nearbyint(double x) { return rint(x); }
__lpi double scalbn(double x, int n) { return ldexp(x, n); }
__lpi long lrint(double x) { return (long)rint(x); }
__lpi long lround(double x) { return (long)round(x); }
__lpi void __lpi_sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
#define sincos(x, s, c) __lpi_sincos(x, s, c)
__lpi double rcbrt(double x) { return 1.0 / cbrt(x); }
#endif

__lpi float __sinf(float x) { return native_sin(x); }
__lpi float __cosf(float x) { return native_cos(x); }
__lpi float __tanf(float x) { return native_tan(x); }
__lpi float __expf(float x) { return native_exp(x); }
__lpi float __exp10f(float x) { return native_exp10(x); }
__lpi float __logf(float x) { return native_log(x); }
__lpi float __log2f(float x) { return native_log2(x); }
__lpi float __log10f(float x) { return native_log10(x); }
__lpi float __powf(float x, float y) { return native_exp2(y * native_log2(x)); }
__lpi float __fdividef(float x, float y) { return native_divide(x, y); }
__lpi float __frcp_rn(float x) { return 1.0f / x; }
__lpi float __frsqrt_rn(float x) { return rsqrt(x); }
__lpi float __fsqrt_rn(float x) { return sqrt(x); }
__lpi float __fadd_rn(float x, float y) { return x + y; }
__lpi float __fsub_rn(float x, float y) { return x - y; }
__lpi float __fmul_rn(float x, float y) { return x * y; }
__lpi float __fdiv_rn(float x, float y) { return x / y; }
__lpi float __fmaf_rn(float x, float y, float z) { return fma(x, y, z); }
__lpi float __saturatef(float x) { return fmin(fmax(x, 0.0f), 1.0f); }
__lpi unsigned __sad(int x, int y, unsigned z) { return abs_diff(x, y) + z; }

/* min, max and abs with HIP's result types: OpenCL's abs returns unsigned, its max leaves NaN open. */
#if defined(__lpi_uses_min) || defined(__lpi_uses_max)
#define __lpi_pair(R, A, B)                                                   \
  __lpi R __lpi_min(A a, B b) { R x = (R)a, y = (R)b; return y < x ? y : x; } \
  __lpi R __lpi_max(A a, B b) { R x = (R)a, y = (R)b; return x < y ? y : x; }
#define __lpi_pairs(R, A, B) __lpi_pair(R, A, B) __lpi_pair(R, B, A)
#define __lpi_fpair(R, A, B)                               \
  __lpi R __lpi_min(A a, B b) { return fmin((R)a, (R)b); } \
  __lpi R __lpi_max(A a, B b) { return fmax((R)a, (R)b); }
#define __lpi_fpairs(R, A, B) __lpi_fpair(R, A, B) __lpi_fpair(R, B, A)
__lpi_pair(int, int, int) __lpi_pair(unsigned, unsigned, unsigned) __lpi_pairs(unsigned, int, unsigned)
__lpi_pair(long, long, long) __lpi_pairs(long, long, int) __lpi_pairs(long, long, unsigned)
__lpi_pair(unsigned long, unsigned long, unsigned long) __lpi_pairs(unsigned long, unsigned long, int)
__lpi_pairs(unsigned long, unsigned long, unsigned) __lpi_pairs(unsigned long, unsigned long, long)
__lpi_fpair(float, float, float)
#ifdef __lpi_fp64
__lpi_fpair(double, double, double) __lpi_fpairs(double, float, double)
__lpi_fpairs(double, float, int) __lpi_fpairs(double, double, int)
__lpi_fpairs(double, float, unsigned) __lpi_fpairs(double, double, unsigned)
__lpi_fpairs(double, float, long) __lpi_fpairs(double, double, long)
__lpi_fpairs(double, float, unsigned long) __lpi_fpairs(double, double, unsigned long)
#endif
#endif
__lpi int __lpi_abs(int x) { return x < 0 ? -x : x; }
__lpi long __lpi_abs(long x) { return x < 0 ? -x : x; }
__lpi float __lpi_abs(float x) { return fabs(x); }
#ifdef __lpi_fp64
__lpi double __lpi_abs(double x) { return fabs(x); }
#endif
#define min(...) __lpi_min(__VA_ARGS__)
#define max(...) __lpi_max(__VA_ARGS__)
#define abs(...) __lpi_abs(__VA_ARGS__)
#define labs(...) __lpi_abs((long)(__VA_ARGS__))
#define llabs(...) __lpi_abs((long)(__VA_ARGS__))
#define umin(a, b) __lpi_min((unsigned)(a), (unsigned)(b))
#define umax(a, b) __lpi_max((unsigned)(a), (unsigned)(b))
