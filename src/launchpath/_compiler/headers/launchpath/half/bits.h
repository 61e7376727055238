// Numbers of 16 bits from and to float, by their bits: IEEE half and bfloat16, rounded to nearest even.
//
// Constant expressions all, so that device variables can have such initial values.
#pragma once
#include <launchpath/threads/atomic.h>
#include <launchpath/keywords.h>
#include <launchpath/types.h>

namespace __lp {
// In round-to-odd, a double goes on to 16 bits as if there had been no float between.
__LP_BOTH constexpr float odd_float(double v) {
  float near = (float)v;
  unsigned bits = __builtin_bit_cast(unsigned, near);
  if ((double)near == v || v != v || (bits & 0x7fffffffu) >= 0x7f800000u || bits & 1u) return near;
  bool larger = v < 0 ? (double)near < v : (double)near > v;  // in magnitude
  return __builtin_bit_cast(float, larger ? bits - 1u : bits + 1u);
}

#ifndef __LP_NO_FP64__
// a * b + c in round-to-odd. The product of two numbers of 16 bits is exact, and Knuth's sum knows what is lost.
__LP_BOTH constexpr double odd_fma(float a, float b, float c) {
  double product = (double)a * (double)b, sum = product + (double)c;
  double other = sum - product, lost = (product - (sum - other)) + ((double)c - other);
  unsigned long bits = __builtin_bit_cast(unsigned long, sum);
  if (lost == 0 || lost != lost || bits & 1u) return sum;
  return __builtin_bit_cast(double, (lost < 0) == (sum < 0) ? bits + 1u : bits - 1u);
}
#endif

__LP_BOTH constexpr float half_to_float(unsigned short h) {
  unsigned sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, rest = h & 0x3ffu;
  if (exponent == 31u) return __builtin_bit_cast(float, sign | 0x7f800000u | rest << 13);
  if (exponent != 0u) return __builtin_bit_cast(float, sign | (exponent + 112u) << 23 | rest << 13);
  float small = (float)(int)rest * 0x1p-24f;
  return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, small));
}
__LP_BOTH constexpr unsigned short float_to_half(float v) {
  unsigned bits = __builtin_bit_cast(unsigned, v), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return (unsigned short)(sign | 0x7e00u);
  if (size >= 0x47800000u) return (unsigned short)(sign | 0x7c00u);
  if (size >= 0x38800000u) return (unsigned short)(sign | (size + 0xfffu + (size >> 13 & 1u) - 0x38000000u) >> 13);
  // Beside 0.5 a float counts in steps of 2^-24, as subnormal halves do.
  float counted = __builtin_bit_cast(float, size) + 0.5f;
  return (unsigned short)(sign | (__builtin_bit_cast(unsigned, counted) - 0x3f000000u));
}

__LP_BOTH constexpr float bfloat16_to_float(unsigned short b) { return __builtin_bit_cast(float, (unsigned)b << 16); }
__LP_BOTH constexpr unsigned short float_to_bfloat16(float v) {
  unsigned bits = __builtin_bit_cast(unsigned, v);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// What arithmetic of a 16 bit number with a plain one gives: the plain one's type if that has a fraction.
template <class _H, class _T> using mixed = enable_if_t<is_number<_T>, conditional_t<is_float<_T>, _T, _H>>;

enum direction { toward_zero, toward_minus, toward_plus };

// The word that holds it is exchanged until nothing came between.
template <class _W, class _F> __LP_DEVICE _W update_bits(void *at, _F next) {
  volatile unsigned *word = (volatile unsigned *)((unsigned long)at & ~3ul);
  int shift = sizeof(_W) == 2 ? (int)((unsigned long)at & 2ul) * 8 : 0;
  unsigned mask = (sizeof(_W) == 2 ? 0xffffu : 0xffffffffu) << shift;
  _W old;
  update<in_device>(word, [&](unsigned seen) {
    typedef bits_of<_W> _B;
    old = __builtin_bit_cast(_W, (_B)(seen >> shift));
    return (seen & ~mask) | (unsigned)__builtin_bit_cast(_B, next(old)) << shift;
  });
  return old;
}
}  // namespace __lp

