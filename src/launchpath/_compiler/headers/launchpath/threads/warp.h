// Warp functions, over sub-groups of 32.
//
// A mask chooses whose votes count; who takes part in an exchange is who calls it, as on the hardware.
#pragma once
#include <launchpath/threads/index.h>
#include <launchpath/math/integer.h>
#include <launchpath/spirv.h>
#include <launchpath/types.h>

#ifdef __LP_NO_WARPS__
#define __LP_WARP \
  __LP_DEVICE __attribute__((unavailable("warp functions need sub-groups, which this device does not have")))
#else
#define __LP_WARP __LP_DEVICE
#endif

#define __LP_WARP_SIZE 32
#ifdef __LP_CUDA__
typedef unsigned int __lp_mask;
#else
typedef unsigned long long __lp_mask;
#endif

namespace __lp {
__LP_DEVICE unsigned lane() { return __spirv_BuiltInSubgroupLocalInvocationId(); }
__LP_DEVICE unsigned ballot(bool vote) { return __spirv_GroupNonUniformBallot(__LP_SCOPE_WARP, vote)[0]; }

// Another lane's value: any plain one, in pieces of 4 or 8 bytes.
__LP_DEVICE unsigned word_from(unsigned value, unsigned at) {
  return __spirv_GroupNonUniformShuffle(__LP_SCOPE_WARP, value, at);
}
__LP_DEVICE unsigned long word_from(unsigned long value, unsigned at) {
  return __spirv_GroupNonUniformShuffle(__LP_SCOPE_WARP, value, at);
}
template <class _T> __LP_DEVICE _T from_lane(_T value, unsigned at) {
  if constexpr (sizeof(_T) == 4 || sizeof(_T) == 8) {
    return __builtin_bit_cast(_T, word_from(__builtin_bit_cast(bits_of<_T>, value), at));
  } else if constexpr (sizeof(_T) < 4) {
    unsigned all = __builtin_bit_cast(bits_of<_T>, value);
    return __builtin_bit_cast(_T, (bits_of<_T>)word_from(all, at));
  } else {
    static_assert(sizeof(_T) % 4 == 0, "warp functions take values of 1, 2, or a multiple of 4 bytes");
    struct words {
      unsigned at[sizeof(_T) / 4];
    };
    words all = __builtin_bit_cast(words, value);
    for (unsigned i = 0; i < sizeof(_T) / 4; ++i) all.at[i] = word_from(all.at[i], at);
    return __builtin_bit_cast(_T, all);
  }
}

// Segments of `width` lanes, a power of two: whoever asks beyond its own gets its own value.
template <class _T> __LP_DEVICE _T shuffle(_T value, int source, int width) {
  unsigned first = lane() & -(unsigned)width;
  return from_lane(value, first | ((unsigned)source & (width - 1)));
}
template <class _T> __LP_DEVICE _T shuffle_up(_T value, unsigned delta, int width) {
  unsigned self = lane(), first = self & -(unsigned)width;
  return from_lane(value, self - first < delta ? self : self - delta);
}
template <class _T> __LP_DEVICE _T shuffle_down(_T value, unsigned delta, int width) {
  unsigned self = lane(), last = self | (width - 1);
  return from_lane(value, last - self < delta ? self : self + delta);
}
template <class _T> __LP_DEVICE _T shuffle_xor(_T value, int mask, int width) {
  unsigned self = lane(), last = self | (width - 1), other = (self ^ (unsigned)mask) & 31u;
  return from_lane(value, other > last ? self : other);
}
}  // namespace __lp

// Threads that nobody reads from may give a value that they never set: Clang must not conclude from the call that they
// did.
#define __LP_ANY __attribute__((maybe_undef))
//
// For classes, such as float4, a number for the lane or the width is converted by a constructor: functions of the
// program's own with these names, which take such a class, are then the better choice for any numbers.
namespace __lp {
template <class _T> struct converted {
  _T value;
  template <class _N, class = enable_if_t<is_number<_N> || __is_enum(_N)>>
  __LP_MEMBER converted(_N number) : value((_T)number) {}
  __LP_MEMBER operator _T() const { return value; }
};
template <class _T, class _N> using lane_number = conditional_t<__is_class(_T), converted<_N>, _N>;
}  // namespace __lp
#define __LP_SHUFFLE(name, does, _N)                                                                             \
  template <class _T>                                                                                            \
  __LP_WARP _T name##_sync(unsigned long long, __LP_ANY _T value, __lp::lane_number<_T, _N> other,               \
                           __lp::lane_number<_T, int> width = 32) {                                              \
    return __lp::does(value, (_N)other, (int)width);                                                             \
  }                                                                                                              \
  template <class _T>                                                                                            \
  __LP_WARP _T name(__LP_ANY _T value, __lp::lane_number<_T, _N> other, __lp::lane_number<_T, int> width = 32) { \
    return __lp::does(value, (_N)other, (int)width);                                                             \
  }
__LP_SHUFFLE(__shfl, shuffle, int)
__LP_SHUFFLE(__shfl_up, shuffle_up, unsigned)
__LP_SHUFFLE(__shfl_down, shuffle_down, unsigned)
__LP_SHUFFLE(__shfl_xor, shuffle_xor, int)
#undef __LP_SHUFFLE
#undef __LP_ANY

__LP_WARP __lp_mask __ballot_sync(unsigned long long mask, int vote) {
  return __lp::ballot(vote != 0) & (unsigned)mask;
}
__LP_WARP int __any_sync(unsigned long long mask, int vote) { return (__lp::ballot(vote != 0) & (unsigned)mask) != 0; }
__LP_WARP int __all_sync(unsigned long long mask, int vote) { return (__lp::ballot(vote == 0) & (unsigned)mask) == 0; }
__LP_WARP __lp_mask __ballot(int vote) { return __lp::ballot(vote != 0); }
__LP_WARP int __any(int vote) { return __lp::ballot(vote != 0) != 0; }
__LP_WARP int __all(int vote) { return __lp::ballot(vote == 0) == 0; }
__LP_WARP __lp_mask __activemask() { return __lp::ballot(true); }
// On a CPU the lanes of a warp are lanes of vector instructions, and go in step. (A barrier of Intel's CPU runtime that
// some warps of a block do not come to loses threads.)
__LP_WARP void __syncwarp(unsigned long long = ~0ull) {
#ifdef __LP_FLAT__
  __spirv_MemoryBarrier(__LP_SCOPE_WARP, __LP_ORDERED);
#else
  __spirv_ControlBarrier(__LP_SCOPE_WARP, __LP_SCOPE_WARP, __LP_ORDERED);
#endif
}
__LP_WARP unsigned __lane_id() { return __lp::lane(); }
__LP_WARP unsigned __lanemask_lt() { return (1u << __lp::lane()) - 1; }
__LP_WARP unsigned __lanemask_le() { return ~0u >> (31 - __lp::lane()); }
__LP_WARP unsigned __lanemask_eq() { return 1u << __lp::lane(); }
__LP_WARP unsigned __lanemask_ge() { return ~0u << __lp::lane(); }
__LP_WARP unsigned __lanemask_gt() { return ~1u << __lp::lane(); }

#ifndef __LP_CUDA__
__LP_LAZY unsigned __smid() { return 0; }  // which multiprocessor it is no device tells
#endif

#include <launchpath/threads/warp_reduce.h>

namespace __lp {
template <class _T> __LP_DEVICE _T from_first_lane(_T value) { return from_lane(value, first_lane(ballot(true))); }
__LP_WARP void sync_warp() { __syncwarp(); }
}  // namespace __lp
