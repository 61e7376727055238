// Least and greatest of two or three numbers, with a sum before them or none, cut at zero or not (CUDA Math API, "SIMD
// Intrinsics" and the DPX functions): of one integer of 32 bits, or of two of 16 in an unsigned.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/math/simd.h>

namespace __lp {
__LP_DEVICE int of_two(int a, int b, bool larger) { return (a > b) == larger ? a : b; }
__LP_DEVICE unsigned of_two(unsigned a, unsigned b, bool larger) { return (a > b) == larger ? a : b; }
template <class _H> __LP_DEVICE unsigned of_two_pairs(unsigned a, unsigned b, bool larger) {
  return lanes<_H>(a, b, [=](int x, int y) -> int { return (x > y) == larger ? x : y; });
}
template <class _H> __LP_DEVICE unsigned sum_of_pairs(unsigned a, unsigned b) {
  return lanes<_H>(a, b, [](int x, int y) -> int { return x + y; });
}
}  // namespace __lp

// C is "max" or "min"; of_two says how two of type _T are chosen from, and sum how they are added.
#define __LP_DPX(C, larger, kind, _T, of_two, sum)                                                            \
  __LP_LAZY _T __vi##C##3_##kind(_T a, _T b, _T c) { return of_two(of_two(a, b, larger), c, larger); }        \
  __LP_LAZY _T __viadd##C##_##kind(_T a, _T b, _T c) { return of_two(sum(a, b), c, larger); }
#define __LP_DPX_RELU(C, larger, kind, _T, of_two, sum)                                                       \
  __LP_LAZY _T __vi##C##_##kind##_relu(_T a, _T b) { return of_two(of_two(a, b, larger), (_T)0, true); }      \
  __LP_LAZY _T __vi##C##3_##kind##_relu(_T a, _T b, _T c) {                                                   \
    return of_two(of_two(of_two(a, b, larger), c, larger), (_T)0, true);                                      \
  }                                                                                                           \
  __LP_LAZY _T __viadd##C##_##kind##_relu(_T a, _T b, _T c) {                                                 \
    return of_two(of_two(sum(a, b), c, larger), (_T)0, true);                                                 \
  }
// Also which of the two it was: the first, if they are equal.
#define __LP_DPX_CHOICE(C, larger, kind, _T)                        \
  __LP_LAZY _T __vib##C##_##kind(_T a, _T b, bool *const first) {   \
    *first = a == b || (a > b) == larger;                           \
    return *first ? a : b;                                          \
  }
#define __LP_SUM(a, b) ((a) + (b))
#define __LP_BOTH_WAYS(f, ...) f(max, true, __VA_ARGS__) f(min, false, __VA_ARGS__)
__LP_BOTH_WAYS(__LP_DPX, s32, int, __lp::of_two, __LP_SUM)
__LP_BOTH_WAYS(__LP_DPX, u32, unsigned, __lp::of_two, __LP_SUM)
__LP_BOTH_WAYS(__LP_DPX, s16x2, unsigned, __lp::of_two_pairs<short>, __lp::sum_of_pairs<short>)
__LP_BOTH_WAYS(__LP_DPX, u16x2, unsigned, __lp::of_two_pairs<unsigned short>, __lp::sum_of_pairs<unsigned short>)
__LP_BOTH_WAYS(__LP_DPX_RELU, s32, int, __lp::of_two, __LP_SUM)
__LP_BOTH_WAYS(__LP_DPX_RELU, s16x2, unsigned, __lp::of_two_pairs<short>, __lp::sum_of_pairs<short>)
__LP_BOTH_WAYS(__LP_DPX_CHOICE, s32, int)
__LP_BOTH_WAYS(__LP_DPX_CHOICE, u32, unsigned)
#undef __LP_DPX
#undef __LP_DPX_RELU
#undef __LP_DPX_CHOICE
#undef __LP_SUM
#undef __LP_BOTH_WAYS
