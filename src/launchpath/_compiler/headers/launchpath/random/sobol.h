// Sobol's sequences (1967), in the order of the Gray code (Antonov and Saleev, 1979): from each number to the next a
// single direction vector changes. The caller has the direction vectors, one for each bit of the place.
//
// A scrambled sequence begins at the caller's constant in place of zero. Distributions take a single number each, by
// the inverse of their distribution function, so that the sequence stays evenly spread.
#pragma once
#include <launchpath/random/generator.h>
#include <launchpath/math/special.h>

namespace __lp {
template <class _S, class _T> using if_quasi = typename generates<typename _S::__lp_quasi, _T>::type;
template <class _P> struct target {};
template <class _T> struct target<_T *> { typedef _T type; };

template <class _W> struct sobol {
  _W i, x, c;
  _W direction_vectors[8 * sizeof(_W)];
  typedef void __lp_quasi;
  typedef _W word;

  __LP_MEMBER void start(const _W *directions, _W constant, _W offset) {
    for (unsigned k = 0; k < 8 * sizeof(_W); ++k) direction_vectors[k] = directions[k];
    i = 0;
    c = constant;
    skip(offset);
  }
  __LP_MEMBER _W next() {
    _W got = x, ones = i;
    unsigned changed = 0;
    for (; (ones & 1u) != 0u && changed < 8 * sizeof(_W) - 1; ones >>= 1) ++changed;
    x ^= direction_vectors[changed];
    ++i;
    return got;
  }
  __LP_MEMBER void skip(_W n) {
    i += n;
    _W gray = i ^ i >> 1;
    x = c;
    for (unsigned k = 0; k < 8 * sizeof(_W); ++k) x ^= direction_vectors[k] & ((_W)0 - (gray >> k & 1u));
  }
};
struct sobol32 : sobol<unsigned> {};
struct scrambled_sobol32 : sobol<unsigned> {};
struct sobol64 : sobol<unsigned long long> {};
struct scrambled_sobol64 : sobol<unsigned long long> {};

// Of 64 bits a float has the upper half.
__LP_DEVICE float unit(unsigned long long x) { return unit((unsigned)(x >> 32)); }
__LP_DEVICE float quasi_normal(unsigned x) {
  bool is_above = x > 0x80000000u;  // for all its bits, the smaller of both tails is looked up
  float size = 1.41421356f * erfcinvf(2.0f * unit(is_above ? ~x : x));
  return is_above ? size : -size;
}
__LP_DEVICE float quasi_normal(unsigned long long x) { return quasi_normal((unsigned)(x >> 32)); }
#ifndef __LP_NO_FP64__
// From (0, 1], as `unit`: of 32 bits the end is in it, of 64 the last number is a rounding away from it.
__LP_DEVICE double quasi_unit_double(unsigned x) { return (double)x * 0x1p-32 + 0x1p-32; }
__LP_DEVICE double quasi_unit_double(unsigned long long x) { return (double)(x >> 11) * 0x1p-53 + 0x1p-54; }
__LP_DEVICE double quasi_normal_double(double below, bool is_above) {
  double size = 1.4142135623730951 * erfcinv(2.0 * below);
  return is_above ? size : -size;
}
__LP_DEVICE double quasi_normal_double(unsigned x) {
  bool is_above = x > 0x80000000u;
  return quasi_normal_double((double)(is_above ? ~x : x) * 0x1p-32 + 0x1p-33, is_above);
}
__LP_DEVICE double quasi_normal_double(unsigned long long x) {
  unsigned long long high = x >> 11, most = 0x1fffffffffffffull;
  bool is_above = high > 0x10000000000000ull;
  return quasi_normal_double((double)(is_above ? most - high : high) * 0x1p-53 + 0x1p-54, is_above);
}
// From (0, 1).
__LP_DEVICE double quasi_inner(unsigned x) { return (double)x * 0x1p-32 + 0x1p-33; }
__LP_DEVICE double quasi_inner(unsigned long long x) { return (double)(x >> 11) * 0x1p-53 + 0x1p-55; }
// The sum of the probabilities of 0, 1, ... reaches `u`. With large means the first of them are too small for a double.
__LP_DEVICE unsigned quasi_poisson(double u, double mean) {
  unsigned count = mean < 700.0 ? 0u : (unsigned)(mean - 20.0 * sqrt(mean));
  double chance = exp(count * log(mean) - mean - lgamma(count + 1.0));
  if (count == 0u) chance = exp(-mean);
  for (double sum = chance, before; u > sum; sum += chance) {
    chance *= mean / ++count;
    before = sum;
    if (before + chance == before && count > mean) break;  // rounding keeps the sum from ever reaching it
  }
  return count;
}
template <class _W> __LP_DEVICE unsigned quasi_poisson_of(_W x, double mean) {
  if (mean < 1000.0) return quasi_poisson(quasi_inner(x), mean);
  return (unsigned)(sqrt(mean) * quasi_normal_double(x) + mean + 0.5);
}
#endif
}  // namespace __lp

template <class _P>
__LP_DEVICE __lp::if_quasi<typename __lp::target<_P>::type, void> skipahead(unsigned long long n, _P state) {
  state->skip((typename __lp::target<_P>::type::word)n);
}
