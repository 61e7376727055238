// Numbers of 8 bits from and to float and double, by their bits, rounded to nearest even.
//
// Four formats: OCP's E4M3 (no infinity) and E5M2, and AMD's two without a negative zero ("fnuz"), whose NaN is 0x80.
#pragma once
#include <launchpath/keywords.h>

namespace __lp {
enum fp8_format { fp8_e4m3, fp8_e5m2, fp8_e4m3_fnuz, fp8_e5m2_fnuz };

__LP_BOTH constexpr bool fp8_is_fnuz(fp8_format of) { return of >= fp8_e4m3_fnuz; }
__LP_BOTH constexpr unsigned fp8_mantissa(fp8_format of) { return of == fp8_e4m3 || of == fp8_e4m3_fnuz ? 3u : 2u; }
__LP_BOTH constexpr int fp8_bias(fp8_format of) { return (fp8_mantissa(of) == 3u ? 7 : 15) + (fp8_is_fnuz(of) ? 1 : 0); }
__LP_BOTH constexpr unsigned fp8_largest(fp8_format of) {
  return fp8_is_fnuz(of) ? 0x7fu : of == fp8_e4m3 ? 0x7eu : 0x7bu;
}

// What a number that is too large becomes, an infinity of the format if it has one.
__LP_BOTH constexpr unsigned fp8_overflowed(fp8_format of, unsigned sign, bool saturate) {
  if (saturate) return sign | fp8_largest(of);
  return fp8_is_fnuz(of) ? 0x80u : sign | (of == fp8_e4m3 ? 0x7fu : 0x7cu);
}

// From the bits of a float or double with _M bits of mantissa and _E of exponent. AMD's rules differ from NVIDIA's in
// two ways: an infinity is not saturated, and without saturation all above the largest number overflows, that which
// would be rounded down to it as well.
template <class _B, int _M, int _E> __LP_BOTH constexpr unsigned char fp8_rounded(_B bits, bool saturate, fp8_format of, bool amd) {
  const _B one = 1;
  const _B infinite = ((one << _E) - one) << _M, size = bits & ((one << (_M + _E)) - one);
  const unsigned sign = (unsigned)(bits >> (_M + _E)) << 7, wide = fp8_mantissa(of);
  if (size > infinite) {
    if (fp8_is_fnuz(of)) return 0x80u;
    if (of == fp8_e4m3 || amd) return (unsigned char)(sign | 0x7fu);
    return (unsigned char)(sign | 0x7eu | (unsigned)(size >> (_M - 2) & 3u));
  }
  if (size == infinite) {
    if (!amd) return (unsigned char)fp8_overflowed(of, sign, saturate);
    return (unsigned char)fp8_overflowed(of, sign, false);
  }
  int exponent = (int)(size >> _M) - ((1 << (_E - 1)) - 1) + fp8_bias(of);
  int shift = _M - (int)wide + (exponent < 1 ? 1 - exponent : 0);
  // Less than half of the smallest number; all that are subnormal before are.
  if (shift > _M + 1) return (unsigned char)(fp8_is_fnuz(of) ? 0u : sign);
  const _B whole = (size & ((one << _M) - one)) | one << _M, rest = whole & ((one << shift) - one), half = one << (shift - 1);
  const unsigned before = (unsigned)(whole >> shift) + (exponent < 1 ? 0u : (unsigned)(exponent - 1) << wide);
  const unsigned code = before + (rest > half || (rest == half && (before & 1u)) ? 1u : 0u);
  if (code > fp8_largest(of) || (amd && before == fp8_largest(of) && rest))
    return (unsigned char)fp8_overflowed(of, sign, saturate);
  return (unsigned char)(code == 0u && fp8_is_fnuz(of) ? 0u : sign | code);
}

__LP_BOTH constexpr unsigned char fp8_of(float v, bool saturate, fp8_format of, bool amd) {
  unsigned bits = __builtin_bit_cast(unsigned, v);
  if (!amd && (bits & 0x7fffffffu) > 0x7f800000u) bits = 0x7fffffffu;  // NVIDIA's have one NaN
  return fp8_rounded<unsigned, 23, 8>(bits, saturate, of, amd);
}
#ifndef __LP_NO_FP64__
__LP_BOTH constexpr unsigned char fp8_of(double v, bool saturate, fp8_format of, bool amd) {
  return fp8_rounded<unsigned long long, 52, 11>(__builtin_bit_cast(unsigned long long, v), saturate, of, amd);
}
#endif

__LP_BOTH constexpr bool fp8_is_nan(unsigned char x, fp8_format of) {
  if (fp8_is_fnuz(of)) return x == 0x80u;
  return of == fp8_e4m3 ? (x & 0x7fu) == 0x7fu : (x & 0x7fu) > 0x7cu;
}
__LP_BOTH constexpr float fp8_value(unsigned char x, fp8_format of) {
  const unsigned sign = (unsigned)(x & 0x80u) << 24, wide = fp8_mantissa(of);
  const unsigned exponent = (x & 0x7fu) >> wide, rest = x & ((1u << wide) - 1u);
  if (fp8_is_nan(x, of)) return __builtin_bit_cast(float, 0x7fffffffu);
  if (of == fp8_e5m2 && exponent == 31u) return __builtin_bit_cast(float, sign | 0x7f800000u);
  const unsigned smallest = (unsigned)(128 - fp8_bias(of) - (int)wide) << 23;
  if (exponent == 0u) {
    float small = (float)(int)rest * __builtin_bit_cast(float, smallest);
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, small));
  }
  return __builtin_bit_cast(float, sign | (exponent + 127u - (unsigned)fp8_bias(of)) << 23 | rest << (23u - wide));
}

// To an integer: towards zero, what is out of its range to the nearest end, NaN to 0.
template <class _T> __LP_BOTH constexpr _T fp8_integer(float v) {
  const _T least = _T(-1) < _T(0) ? (_T)((_T)1 << (sizeof(_T) * 8 - 1)) : (_T)0, most = (_T)~least;
  if (v != v) return 0;
  if (v <= (float)least) return least;
  return v >= (float)most ? most : (_T)v;
}
}  // namespace __lp
