// The named functions on a type of 16 bits that are the same for half and bfloat16. See number.h for how it is
// included.

#define __LP_BINARY(name, name2, expression)                       \
  __LP_BOTH __LP_H name(__LP_H a, __LP_H b) { return expression; } \
  __LP_BOTH __LP_H2 name2(__LP_H2 a, __LP_H2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
__LP_BINARY(__hadd, __hadd2, a + b)
__LP_BINARY(__hsub, __hsub2, a - b)
__LP_BINARY(__hmul, __hmul2, a *b)
__LP_BINARY(__hdiv, __h2div, a / b)
__LP_BINARY(__hadd_rn, __hadd2_rn, a + b)
__LP_BINARY(__hsub_rn, __hsub2_rn, a - b)
__LP_BINARY(__hmul_rn, __hmul2_rn, a *b)
#undef __LP_BINARY
__LP_BOTH __LP_H2 __hdiv2(__LP_H2 a, __LP_H2 b) { return a / b; }

// Into [0, 1], what is no number to 0.
__LP_BOTH __LP_H __lp_saturated(__LP_H a) {
  float v = a;
  return v > 0.0f ? v < 1.0f ? a : __LP_H(1) : __LP_H(0);
}
#ifdef __LP_NATIVE
__LP_BOTH __LP_H __hfma(__LP_H a, __LP_H b, __LP_H c) {
  return __LP_H::__round(__builtin_fmaf16(a.__value(), b.__value(), c.__value()));
}
#elif !defined(__LP_NO_FP64__)
__LP_BOTH __LP_H __hfma(__LP_H a, __LP_H b, __LP_H c) { return __LP_H(__lp::odd_fma((float)a, (float)b, (float)c)); }
#else
__LP_BOTH __LP_H __hfma(__LP_H a, __LP_H b, __LP_H c) {
  return __LP_H::__round(__builtin_fmaf((float)a, (float)b, (float)c));
}
#endif
__LP_BOTH __LP_H2 __hfma2(__LP_H2 a, __LP_H2 b, __LP_H2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
__LP_BOTH __LP_H __hadd_sat(__LP_H a, __LP_H b) { return __lp_saturated(a + b); }
__LP_BOTH __LP_H __hsub_sat(__LP_H a, __LP_H b) { return __lp_saturated(a - b); }
__LP_BOTH __LP_H __hmul_sat(__LP_H a, __LP_H b) { return __lp_saturated(a * b); }
__LP_BOTH __LP_H __hfma_sat(__LP_H a, __LP_H b, __LP_H c) { return __lp_saturated(__hfma(a, b, c)); }
__LP_BOTH __LP_H2 __hadd2_sat(__LP_H2 a, __LP_H2 b) { return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)}; }
__LP_BOTH __LP_H2 __hsub2_sat(__LP_H2 a, __LP_H2 b) { return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)}; }
__LP_BOTH __LP_H2 __hmul2_sat(__LP_H2 a, __LP_H2 b) { return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)}; }
__LP_BOTH __LP_H2 __hfma2_sat(__LP_H2 a, __LP_H2 b, __LP_H2 c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}

__LP_BOTH __LP_H __hneg(__LP_H a) { return -a; }
__LP_BOTH __LP_H __habs(__LP_H a) { return __LP_H::__from((unsigned short)(a.__LP_BITS & 0x7fffu)); }
__LP_BOTH __LP_H2 __hneg2(__LP_H2 a) { return -a; }
__LP_BOTH __LP_H2 __habs2(__LP_H2 a) { return {__habs(a.x), __habs(a.y)}; }
__LP_BOTH bool __hisnan(__LP_H a) { return a != a; }
__LP_BOTH int __hisinf(__LP_H a) {
  return __habs(a).__LP_BITS != __LP_INFINITE ? 0 : a.__LP_BITS & 0x8000u ? -1 : 1;
}
__LP_BOTH __LP_H2 __hisnan2(__LP_H2 a) { return {__LP_H(a.x != a.x), __LP_H(a.y != a.y)}; }

// A NaN loses against a number; in the forms with _nan it wins.
__LP_BOTH __LP_H __hmax(__LP_H a, __LP_H b) { return a > b || b != b ? a : b; }
__LP_BOTH __LP_H __hmin(__LP_H a, __LP_H b) { return a < b || b != b ? a : b; }
__LP_BOTH __LP_H __hmax_nan(__LP_H a, __LP_H b) { return a > b || a != a ? a : b; }
__LP_BOTH __LP_H __hmin_nan(__LP_H a, __LP_H b) { return a < b || a != a ? a : b; }
__LP_BOTH __LP_H2 __hmax2(__LP_H2 a, __LP_H2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
__LP_BOTH __LP_H2 __hmin2(__LP_H2 a, __LP_H2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
__LP_BOTH __LP_H2 __hmax2_nan(__LP_H2 a, __LP_H2 b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }
__LP_BOTH __LP_H2 __hmin2_nan(__LP_H2 a, __LP_H2 b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }
__LP_BOTH __LP_H __hfma_relu(__LP_H a, __LP_H b, __LP_H c) { return __hmax_nan(__hfma(a, b, c), __LP_H(0)); }
__LP_BOTH __LP_H2 __hfma2_relu(__LP_H2 a, __LP_H2 b, __LP_H2 c) {
  return __hmax2_nan(__hfma2(a, b, c), __LP_H2(__LP_H(0)));
}
// Complex numbers as pairs.
__LP_BOTH __LP_H2 __hcmadd(__LP_H2 a, __LP_H2 b, __LP_H2 c) {
  return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// Ordered comparisons are false if either is NaN (__hne too), unordered ones (with u) true; those of pairs give 1 and
// 0, or, with b, whether both hold; with _mask all bits.
#define __LP_COMPARE(name, test)                                                                                  \
  __LP_BOTH bool __h##name(__LP_H a, __LP_H b) { return test; }                                                   \
  __LP_BOTH bool __h##name##u(__LP_H a, __LP_H b) { return (test) || a != a || b != b; }                          \
  __LP_BOTH __LP_H2 __h##name##2(__LP_H2 a, __LP_H2 b) {                                                          \
    return {__LP_H(__h##name(a.x, b.x)), __LP_H(__h##name(a.y, b.y))};                                            \
  }                                                                                                               \
  __LP_BOTH __LP_H2 __h##name##u2(__LP_H2 a, __LP_H2 b) {                                                         \
    return {__LP_H(__h##name##u(a.x, b.x)), __LP_H(__h##name##u(a.y, b.y))};                                      \
  }                                                                                                               \
  __LP_BOTH bool __hb##name##2(__LP_H2 a, __LP_H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }       \
  __LP_BOTH bool __hb##name##u2(__LP_H2 a, __LP_H2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); } \
  __LP_BOTH unsigned __h##name##2_mask(__LP_H2 a, __LP_H2 b) {                                                    \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                       \
  }                                                                                                               \
  __LP_BOTH unsigned __h##name##u2_mask(__LP_H2 a, __LP_H2 b) {                                                   \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0u) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0u);                 \
  }
__LP_COMPARE(eq, a == b)
__LP_COMPARE(ne, a < b || a > b)
__LP_COMPARE(lt, a < b)
__LP_COMPARE(le, a <= b)
__LP_COMPARE(gt, a > b)
__LP_COMPARE(ge, a >= b)
#undef __LP_COMPARE

// Through float, whose functions are exact enough for 16 bits.
#define __LP_FUNCTION(name, expression)         \
  __LP_DEVICE __LP_H h##name(__LP_H a) {        \
    float v = a;                                \
    return __LP_H(expression);                  \
  }                                             \
  __LP_DEVICE __LP_H2 h2##name(__LP_H2 a) { return {h##name(a.x), h##name(a.y)}; }
__LP_FUNCTION(sqrt, __builtin_sqrtf(v))
__LP_FUNCTION(rsqrt, 1.0f / __builtin_sqrtf(v))
__LP_FUNCTION(rcp, 1.0f / v)
__LP_FUNCTION(exp, __builtin_expf(v))
__LP_FUNCTION(exp2, __builtin_exp2f(v))
__LP_FUNCTION(exp10, ::exp10f(v))
__LP_FUNCTION(log, __builtin_logf(v))
__LP_FUNCTION(log2, __builtin_log2f(v))
__LP_FUNCTION(log10, __builtin_log10f(v))
__LP_FUNCTION(sin, __builtin_sinf(v))
__LP_FUNCTION(cos, __builtin_cosf(v))
__LP_FUNCTION(tanh, __builtin_tanhf(v))
__LP_FUNCTION(tanh_approx, __builtin_tanhf(v))
__LP_FUNCTION(floor, __builtin_floorf(v))
__LP_FUNCTION(ceil, __builtin_ceilf(v))
__LP_FUNCTION(trunc, __builtin_truncf(v))
__LP_FUNCTION(rint, __builtin_rintf(v))
#undef __LP_FUNCTION

__LP_DEVICE __LP_H atomicAdd(__LP_H *p, __LP_H v) {
  return __lp::update_bits<__LP_H>(p, [=](__LP_H old) { return old + v; });
}
__LP_DEVICE __LP_H2 atomicAdd(__LP_H2 *p, __LP_H2 v) {
  return __lp::update_bits<__LP_H2>(p, [=](__LP_H2 old) { return old + v; });
}
__LP_DEVICE __LP_H unsafeAtomicAdd(__LP_H *p, __LP_H v) { return atomicAdd(p, v); }
__LP_DEVICE __LP_H2 unsafeAtomicAdd(__LP_H2 *p, __LP_H2 v) { return atomicAdd(p, v); }
