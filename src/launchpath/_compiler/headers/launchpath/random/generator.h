// The random number generators of the device, and the distributions over them.
//
// A generator has next(), skip(n), skip_subsequences(n), and keeps the second of a pair of normal numbers (Box and
// Muller's come in pairs): the first bit of `flags` says that `waiting` holds one, the second that `waiting_double`
// does.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/math/functions.h>
#include <launchpath/vector.h>

namespace __lp {
template <class _S, class _T> struct generates { typedef _T type; };
template <class _S, class _T> using if_generator = typename generates<typename _S::__lp_generator, _T>::type;

// From (0, 1]: zero is left out, for logarithms.
__LP_DEVICE float unit(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
__LP_DEVICE double unit_double(unsigned x, unsigned y) {
  return (double)((unsigned long long)x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
__LP_DEVICE float2 normal_pair(unsigned x, unsigned y) {
  float size = sqrtf(-2.0f * logf(unit(x))), angle = (float)y * 0x1.921fb6p-30f + 0x1.921fb6p-31f;
  return {size * sinf(angle), size * cosf(angle)};
}
template <class _S> __LP_DEVICE void clear_waiting(_S &state) {
  state.flags = 0;
  state.waiting = 0.0f;
  state.waiting_double = 0.0;
}
template <class _S> __LP_DEVICE float normal(_S *state) {
  if (state->flags & 1) {
    state->flags &= ~1;
    return state->waiting;
  }
  unsigned x = state->next(), y = state->next();
  float2 both = normal_pair(x, y);
  state->waiting = both.y;
  state->flags |= 1;
  return both.x;
}
#ifndef __LP_NO_FP64__
template <class _S> __LP_DEVICE double next_unit_double(_S *state) {
  unsigned x = state->next(), y = state->next();
  return unit_double(x, y);
}
template <class _S> __LP_DEVICE double2 normal_pair_double(_S *state) {
  double u = next_unit_double(state), v = next_unit_double(state);
  double size = sqrt(-2.0 * log(u));
  return {size * sinpi(2.0 * v), size * cospi(2.0 * v)};
}
template <class _S> __LP_DEVICE double normal_double(_S *state) {
  if (state->flags & 2) {
    state->flags &= ~2;
    return state->waiting_double;
  }
  double2 both = normal_pair_double(state);
  state->waiting_double = both.y;
  state->flags |= 2;
  return both.x;
}
#endif
// Products of uniform numbers (Knuth) for small means, else the normal approximation's neighbourhood by rejection
// (Hörmann's PTRS, "The transformed rejection method for generating Poisson random variables", 1993).
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
  float b = 0.931f + 2.53f * sqrtf(mean), a = -0.059f + 0.02483f * b, inverse = 1.1239f + 1.1328f / (b - 3.4f);
  float high = 0.9277f - 3.6224f / (b - 2.0f), logarithm = logf(mean);
  for (;;) {
    float u = unit(state->next()) - 0.5f, v = unit(state->next()), us = 0.5f - fabsf(u);
    float k = floorf((2.0f * a / us + b) * u + mean + 0.43f);
    if (us >= 0.07f && v <= high) return (unsigned)k;
    if (k < 0.0f || (us < 0.013f && v > us)) continue;
    if (logf(v) + logf(inverse) - logf(a / (us * us) + b) <= -mean + k * logarithm - lgammaf(k + 1.0f))
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
