// The conversions of a type of 16 bits. See number.h for how it is included; besides what that wants,
//   __LP_1(a, b), __LP_2(a, b)  put the function's word for the type, or for the pair, between a and b.

// HIP's bfloat16 lacks some functions of CUDA's, and programs define them: a function of the program's is chosen before
// a template.
#ifdef __LP_LACKED
#define __LP_OWN template <int = 0> __LP_BOTH
#else
#define __LP_OWN __LP_BOTH
#endif

namespace __lp {
// The neighbour of a rounded number on the other side of what was rounded, if the direction wants that.
template <direction _D> __LP_BOTH constexpr __LP_H __LP_1(directed_, )(float v) {
  __LP_H near = v;
  float got = near;
  if (got == v || got != got) return near;
  unsigned short bits = near.__LP_BITS;
  bool above = got > v, negative = v < 0.0f;
  if (_D == toward_zero ? above == negative : _D == toward_minus ? !above : above) return near;
  // One step down if it is above, up if below; the bits of negative numbers count the other way.
  if ((bits & 0x7fffu) == 0u) return __LP_H::__from(above ? 0x8001u : 1u);
  return __LP_H::__from((unsigned short)(above == ((bits & 0x8000u) != 0u) ? bits + 1u : bits - 1u));
}
}  // namespace __lp

__LP_BOTH float __LP_1(__, 2float)(__LP_H a) { return a; }
__LP_BOTH __LP_H __LP_1(__float2, )(float v) { return v; }
__LP_OWN __LP_H __LP_1(__float2, _rn)(float v) { return v; }
__LP_OWN __LP_H __LP_1(__float2, _rz)(float v) { return __lp::__LP_1(directed_, )<__lp::toward_zero>(v); }
__LP_OWN __LP_H __LP_1(__float2, _rd)(float v) { return __lp::__LP_1(directed_, )<__lp::toward_minus>(v); }
__LP_OWN __LP_H __LP_1(__float2, _ru)(float v) { return __lp::__LP_1(directed_, )<__lp::toward_plus>(v); }
#ifndef __LP_NO_FP64__
__LP_BOTH __LP_H __LP_1(__double2, )(double v) { return v; }
#endif

__LP_OWN __LP_H2 __LP_2(make_, )(__LP_H a, __LP_H b) { return {a, b}; }
__LP_BOTH __LP_H2 __LP_2(__halves2, )(__LP_H a, __LP_H b) { return {a, b}; }
__LP_OWN __LP_H2 __LP_2(__float2, _rn)(float v) { return {__LP_H(v), __LP_H(v)}; }
__LP_OWN __LP_H2 __LP_2(__floats2, _rn)(float a, float b) { return {__LP_H(a), __LP_H(b)}; }
__LP_BOTH __LP_H2 __LP_2(__float22, _rn)(float2 v) { return {__LP_H(v.x), __LP_H(v.y)}; }
__LP_BOTH float2 __LP_2(__, 2float2)(__LP_H2 a) { return {(float)a.x, (float)a.y}; }
__LP_BOTH float __low2float(__LP_H2 a) { return a.x; }
__LP_BOTH float __high2float(__LP_H2 a) { return a.y; }
__LP_BOTH __LP_H __LP_1(__low2, )(__LP_H2 a) { return a.x; }
__LP_BOTH __LP_H __LP_1(__high2, )(__LP_H2 a) { return a.y; }
__LP_BOTH __LP_H2 __LP_2(__low2, )(__LP_H2 a) { return {a.x, a.x}; }
__LP_BOTH __LP_H2 __LP_2(__high2, )(__LP_H2 a) { return {a.y, a.y}; }
__LP_BOTH __LP_H2 __LP_2(__lows2, )(__LP_H2 a, __LP_H2 b) { return {a.x, b.x}; }
__LP_BOTH __LP_H2 __LP_2(__highs2, )(__LP_H2 a, __LP_H2 b) { return {a.y, b.y}; }
__LP_BOTH __LP_H2 __lowhigh2highlow(__LP_H2 a) { return {a.y, a.x}; }

__LP_BOTH short __LP_1(__, _as_short)(__LP_H a) { return (short)a.__LP_BITS; }
__LP_BOTH unsigned short __LP_1(__, _as_ushort)(__LP_H a) { return a.__LP_BITS; }
__LP_BOTH __LP_H __LP_1(__short_as_, )(short bits) { return __LP_H::__from((unsigned short)bits); }
__LP_BOTH __LP_H __LP_1(__ushort_as_, )(unsigned short bits) { return __LP_H::__from(bits); }

#define __LP_INTEGER(word, _T)                                                              \
  __LP_OWN _T __LP_1(__, 2##word##_rn)(__LP_H a) { return (_T)__builtin_rintf((float)a); }  \
  __LP_OWN _T __LP_1(__, 2##word##_rz)(__LP_H a) { return (_T)(float)a; }                   \
  __LP_OWN _T __LP_1(__, 2##word##_rd)(__LP_H a) { return (_T)__builtin_floorf((float)a); } \
  __LP_OWN _T __LP_1(__, 2##word##_ru)(__LP_H a) { return (_T)__builtin_ceilf((float)a); }  \
  __LP_OWN __LP_H __LP_1(__##word##2, _rn)(_T v) { return v; }                             \
  __LP_OWN __LP_H __LP_1(__##word##2, _rz)(_T v) { return __LP_1(__float2, _rz)((float)v); } \
  __LP_OWN __LP_H __LP_1(__##word##2, _rd)(_T v) { return __LP_1(__float2, _rd)((float)v); } \
  __LP_OWN __LP_H __LP_1(__##word##2, _ru)(_T v) { return __LP_1(__float2, _ru)((float)v); }
__LP_INTEGER(int, int)
__LP_INTEGER(uint, unsigned int)
__LP_INTEGER(short, short)
__LP_INTEGER(ushort, unsigned short)
__LP_INTEGER(ll, long long)
__LP_INTEGER(ull, unsigned long long)
#undef __LP_INTEGER
__LP_BOTH signed char __LP_1(__, 2char_rz)(__LP_H a) { return (signed char)(float)a; }
__LP_BOTH unsigned char __LP_1(__, 2uchar_rz)(__LP_H a) { return (unsigned char)(float)a; }
#undef __LP_OWN
