// Two 16-bit or four 8-bit numbers in one unsigned (CUDA Math API, "SIMD Intrinsics"), and dot products of such.
#pragma once
#include <launchpath/math/integer.h>
#include <launchpath/keywords.h>
#include <launchpath/types.h>
#include <launchpath/vector.h>

namespace __lp {
// What the functions take: programs for HIP, which lacks them, bring functions of these names that take int. By a
// conversion of a class ours are worse for every argument, so a call with an int and an unsigned is not ambiguous.
struct lane_bits {
  unsigned all;
  __LP_MEMBER constexpr lane_bits(unsigned bits) : all(bits) {}
};
// f of each pair of numbers of type T; what it returns is cut to T.
template <class _T, class _F> __LP_DEVICE unsigned lanes(unsigned a, unsigned b, _F f) {
  unsigned all = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(_T)) {
    all |= (unsigned)(bits_of<_T>)f((int)(_T)(a >> at), (int)(_T)(b >> at)) << at;
  }
  return all;
}
template <class _T, class _F> __LP_DEVICE unsigned sum_lanes(unsigned a, unsigned b, _F f) {
  unsigned sum = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(_T)) sum += f((int)(_T)(a >> at), (int)(_T)(b >> at));
  return sum;
}
template <class _T> struct range {
  static constexpr int high = (_T)-1 < 0 ? (1 << (8 * sizeof(_T) - 1)) - 1 : (1 << 8 * sizeof(_T)) - 1;
  static constexpr int low = (_T)-1 < 0 ? -high - 1 : 0;
};
template <class _T> __LP_DEVICE int clip(int x) {
  return x < range<_T>::low ? range<_T>::low : x > range<_T>::high ? range<_T>::high : x;
}
}  // namespace __lp

// By an expression of two numbers x and y of type _N: of one kind, then of both widths.
#define __LP_LANES_OF(name, _T, ...)                                                       \
  __LP_LAZY unsigned name(__lp::lane_bits a, __lp::lane_bits b) {                          \
    typedef _T _N;                                                                         \
    return __lp::lanes<_N>(a.all, b.all, [](int x, int y) -> int { return __VA_ARGS__; }); \
  }
#define __LP_SIGNED(name, ...)               \
  __LP_LANES_OF(name##2, short, __VA_ARGS__) \
  __LP_LANES_OF(name##4, signed char, __VA_ARGS__)
#define __LP_UNSIGNED(name, ...)                      \
  __LP_LANES_OF(name##2, unsigned short, __VA_ARGS__) \
  __LP_LANES_OF(name##4, unsigned char, __VA_ARGS__)
#define __LP_COMPARE(name, kind, op)         \
  __LP_##kind(__vcmp##name, x op y ? -1 : 0) \
  __LP_##kind(__vset##name, x op y)
// By an expression of one.
#define __LP_ONE_OF(name, _T, ...)                                                   \
  __LP_LAZY unsigned name(__lp::lane_bits a) {                                       \
    typedef _T _N;                                                                   \
    return __lp::lanes<_N>(a.all, 0, [](int x, int) -> int { return __VA_ARGS__; }); \
  }
#define __LP_ONE(name, ...)                \
  __LP_ONE_OF(name##2, short, __VA_ARGS__) \
  __LP_ONE_OF(name##4, signed char, __VA_ARGS__)

__LP_UNSIGNED(__vadd, x + y)
__LP_SIGNED(__vaddss, __lp::clip<_N>(x + y))
__LP_UNSIGNED(__vaddus, __lp::clip<_N>(x + y))
__LP_UNSIGNED(__vsub, x - y)
__LP_SIGNED(__vsubss, __lp::clip<_N>(x - y))
__LP_UNSIGNED(__vsubus, __lp::clip<_N>(x - y))
__LP_SIGNED(__vmaxs, x > y ? x : y)
__LP_UNSIGNED(__vmaxu, x > y ? x : y)
__LP_SIGNED(__vmins, x < y ? x : y)
__LP_UNSIGNED(__vminu, x < y ? x : y)
__LP_SIGNED(__vavgs, x + y >= 0 ? (x + y + 1) >> 1 : -((1 - x - y) >> 1))
__LP_UNSIGNED(__vavgu, (x + y + 1) >> 1)
__LP_UNSIGNED(__vhaddu, (x + y) >> 1)
__LP_SIGNED(__vabsdiffs, x > y ? x - y : y - x)
__LP_UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
__LP_COMPARE(eq, UNSIGNED, ==)
__LP_COMPARE(ne, UNSIGNED, !=)
__LP_COMPARE(ges, SIGNED, >=)
__LP_COMPARE(geu, UNSIGNED, >=)
__LP_COMPARE(gts, SIGNED, >)
__LP_COMPARE(gtu, UNSIGNED, >)
__LP_COMPARE(les, SIGNED, <=)
__LP_COMPARE(leu, UNSIGNED, <=)
__LP_COMPARE(lts, SIGNED, <)
__LP_COMPARE(ltu, UNSIGNED, <)
__LP_ONE(__vabs, x < 0 ? -x : x)
__LP_ONE(__vabsss, __lp::clip<_N>(x < 0 ? -x : x))
__LP_ONE(__vneg, -x)
__LP_ONE(__vnegss, __lp::clip<_N>(-x))
#undef __LP_ONE
#undef __LP_ONE_OF
#undef __LP_COMPARE
#undef __LP_UNSIGNED
#undef __LP_SIGNED
#undef __LP_LANES_OF
#define __LP_SUM(name, _T)                                                                            \
  __LP_LAZY unsigned name(unsigned a, unsigned b) {                                                   \
    return __lp::sum_lanes<_T>(a, b, [](int x, int y) { return (unsigned)(x > y ? x - y : y - x); }); \
  }
__LP_SUM(__vsads2, short)
__LP_SUM(__vsadu2, unsigned short)
__LP_SUM(__vsads4, signed char)
__LP_SUM(__vsadu4, unsigned char)
#undef __LP_SUM

// Dot products: of four bytes each, or of two 16-bit numbers with the low or the high two bytes.
#define __LP_DOT(_T, _B, _H, _V4, _V2)                                                     \
  __LP_LAZY _T __dp4a(_T a, _T b, _T c) {                                                  \
    for (int at = 0; at < 32; at += 8) c += (_T)(_B)(a >> at) * (_T)(_B)(b >> at);         \
    return c;                                                                              \
  }                                                                                        \
  __LP_LAZY _T __dp2a_lo(_T a, _T b, _T c) {                                               \
    return c + (_T)(_H)a * (_T)(_B)b + (_T)(_H)(a >> 16) * (_T)(_B)(b >> 8);               \
  }                                                                                        \
  __LP_LAZY _T __dp2a_hi(_T a, _T b, _T c) { return __dp2a_lo(a, b >> 16, c); }            \
  __LP_LAZY _T __dp4a(_V4 a, _V4 b, _T c) {                                                \
    return c + (_T)a.x * b.x + (_T)a.y * b.y + (_T)a.z * b.z + (_T)a.w * b.w;              \
  }                                                                                        \
  __LP_LAZY _T __dp2a_lo(_V2 a, _V4 b, _T c) { return c + (_T)a.x * b.x + (_T)a.y * b.y; } \
  __LP_LAZY _T __dp2a_hi(_V2 a, _V4 b, _T c) { return c + (_T)a.x * b.z + (_T)a.y * b.w; }
__LP_DOT(int, signed char, short, char4, short2)
__LP_DOT(unsigned, unsigned char, unsigned short, uchar4, ushort2)
#undef __LP_DOT
