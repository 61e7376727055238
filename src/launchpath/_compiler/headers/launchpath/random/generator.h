// The distributions over the device's random number generators, and what each generator must have:
//
//   next()                32 random bits
//   skip(n)               go n numbers on
//   skip_subsequences(n)  go n subsequences on
//   flags, second_normal, second_normal_double
//                         normal numbers come in pairs, so the second of a pair is kept for the next call: `flags` has
//                         bit has_second_normal, bit has_second_normal_double, both or none
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/math/functions.h>
#include <launchpath/vector.h>

namespace __lp {
template <class _S, class _T> struct generates { typedef _T type; };
template <class _S, class _T> using if_generator = typename generates<typename _S::__lp_generator, _T>::type;

enum normal_flags { has_second_normal = 1, has_second_normal_double = 2 };

// A uniform number of (0, 1] from 32 random bits, or from 64 for the 53 bits of a double, as cuRAND has them. Zero is
// left out because logarithms are taken of it.
__LP_DEVICE float unit(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
__LP_DEVICE double unit_double(unsigned x, unsigned y) {
  return (double)((unsigned long long)x ^ (unsigned long long)y << (53 - 32)) * 0x1p-53 + 0x1p-54;
}
// Two normal numbers from two uniform ones (Box and Muller, "A note on the generation of random normal deviates", 1958).
__LP_DEVICE float2 normal_pair(unsigned x, unsigned y) {
  constexpr float two_pi = 0x1.921fb6p+2f;
  float radius = sqrtf(-2.0f * logf(unit(x))), angle = (float)y * (two_pi * 0x1p-32f) + two_pi * 0x1p-33f;
  return {radius * sinf(angle), radius * cosf(angle)};
}
template <class _S> __LP_DEVICE void clear_second_normals(_S &state) {
  state.flags = 0;
  state.second_normal = 0.0f;
  state.second_normal_double = 0.0;
}
template <class _S> __LP_DEVICE float normal(_S *state) {
  if (state->flags & has_second_normal) {
    state->flags &= ~has_second_normal;
    return state->second_normal;
  }
  unsigned x = state->next(), y = state->next();
  float2 pair = normal_pair(x, y);
  state->second_normal = pair.y;
  state->flags |= has_second_normal;
  return pair.x;
}
#ifndef __LP_NO_FP64__
template <class _S> __LP_DEVICE double next_unit_double(_S *state) {
  unsigned x = state->next(), y = state->next();
  return unit_double(x, y);
}
template <class _S> __LP_DEVICE double2 normal_pair_double(_S *state) {
  double u = next_unit_double(state), v = next_unit_double(state);
  double radius = sqrt(-2.0 * log(u));
  return {radius * sinpi(2.0 * v), radius * cospi(2.0 * v)};
}
template <class _S> __LP_DEVICE double normal_double(_S *state) {
  if (state->flags & has_second_normal_double) {
    state->flags &= ~has_second_normal_double;
    return state->second_normal_double;
  }
  double2 pair = normal_pair_double(state);
  state->second_normal_double = pair.y;
  state->flags |= has_second_normal_double;
  return pair.x;
}
#endif
// Small means: uniform numbers are multiplied until the product falls below exp(-mean) (Knuth, "The Art of Computer
// Programming", volume 2, 3.4.1, algorithm Q).
//
// Other means: algorithm PTRS of Hörmann, "The transformed rejection method for generating Poisson random variables",
// 1993. Its constants are the paper's, which has it for means of at least 10, and so are its names: u, v, us, k, a, b,
// 1 / alpha and v_r.
template <class _S> __LP_DEVICE unsigned poisson(_S *state, float mean) {
  if (mean < 10.0f) {
    float product = unit(state->next()), limit = expf(-mean);
    unsigned count = 0u;
    while (product > limit) {
      ++count;
      product *= unit(state->next());
    }
    return count;
  }
  float b = 0.931f + 2.53f * sqrtf(mean), a = -0.059f + 0.02483f * b, inverse_alpha = 1.1239f + 1.1328f / (b - 3.4f);
  float v_r = 0.9277f - 3.6224f / (b - 2.0f), log_mean = logf(mean);
  for (;;) {
    float u = unit(state->next()) - 0.5f, v = unit(state->next()), us = 0.5f - fabsf(u);
    float k = floorf((2.0f * a / us + b) * u + mean + 0.43f);
    if (us >= 0.07f && v <= v_r) return (unsigned)k;
    if (k < 0.0f || (us < 0.013f && v > us)) continue;
    if (logf(v) + logf(inverse_alpha) - logf(a / (us * us) + b) <= -mean + k * log_mean - lgammaf(k + 1.0f))
      return (unsigned)k;
  }
}
}  // namespace __lp

template <class _S>
__LP_DEVICE __lp::if_generator<_S, void> skipahead(unsigned long long n, _S *state) {
  state->skip(n);
}
template <class _S> __LP_DEVICE __lp::if_generator<_S, void> skipahead_sequence(unsigned long long n, _S *state) {
  state->skip_subsequences(n);
}
template <class _S> __LP_DEVICE __lp::if_generator<_S, void> skipahead_subsequence(unsigned long long n, _S *state) {
  state->skip_subsequences(n);
}
