// xorwow of Marsaglia, "Xorshift RNGs", 2003: the sum of a xorshift of five words and a counter. The shifts, the
// counter's step 362437 and the six start values in seed() are the paper's.
//
// Subsequences are 2^67 numbers apart. The xorshift is linear over GF(2), so n steps are the polynomial x^n, modulo the
// characteristic polynomial, applied to it.
#pragma once
#include <launchpath/random/generator.h>
#include <launchpath/random/xorwow_table.h>

namespace __lp {
// The coefficients of the characteristic polynomial below x^160, from bit 0 of the first word on.
__LP_DEVICE constexpr polynomial xorwow_modulus() {
  return {{0x00060001u, 0x08610030u, 0x00062121u, 0x0f3c0035u, 0x00000f0eu}};
}

struct xorwow {
  unsigned d, v[5];
  int flags;
  float second_normal;
  double second_normal_double;
  typedef void __lp_generator;

  __LP_MEMBER void step() {
    unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
  }
  __LP_MEMBER unsigned next() {
    step();
    d += 362437u;
    return v[4] + d;
  }

  // Applies a polynomial to the five words by Horner's rule; the counter is left as it is.
  __attribute__((device)) void apply(const polynomial &p) {
    unsigned start[5] = {v[0], v[1], v[2], v[3], v[4]};
    v[0] = v[1] = v[2] = v[3] = v[4] = 0u;
    for (int i = 159; i >= 0; --i) {
      step();
      unsigned mask = 0u - (p.words[i >> 5] >> (i & 31) & 1u);
      for (int j = 0; j < 5; ++j) v[j] ^= start[j] & mask;
    }
  }
  __attribute__((device)) void skip_subsequences(unsigned long long n) {
    for (int k = 0; k < 8; ++k) {
      unsigned digit = (unsigned)(n >> 4 * k) & 15u;
      if (digit != 0u) apply(xorwow_subsequences[k][digit - 1u]);
    }
    if (n >> 32 == 0u) return;
    polynomial p = xorwow_subsequences[7][7];  // of bit 31
    for (int k = 32; k < 64; ++k) {
      p = squared(p);
      if (n >> k & 1u) apply(p);
    }
  }
  __attribute__((device)) void skip(unsigned long long n) {
    d += 362437u * (unsigned)n;
    if (n < 512u) {
      while (n-- > 0u) step();
      return;
    }
    polynomial p = {{1u, 0u, 0u, 0u, 0u}};
    for (int i = 63 - __builtin_clzll(n); i >= 0; --i) {
      p = squared(p);
      if (n >> i & 1u) p = shifted(p);
    }
    apply(p);
  }

  // p times x, modulo the characteristic polynomial.
  static __attribute__((device)) polynomial shifted(polynomial p) {
    unsigned mask = 0u - (p.words[4] >> 31);
    polynomial m = xorwow_modulus();
    for (int j = 4; j > 0; --j) p.words[j] = (p.words[j] << 1 | p.words[j - 1] >> 31) ^ (m.words[j] & mask);
    p.words[0] = p.words[0] << 1 ^ (m.words[0] & mask);
    return p;
  }
  // Over GF(2) the square has p's coefficients at twice the exponent; it is reduced by Horner's rule too.
  static __attribute__((device)) polynomial squared(const polynomial &p) {
    polynomial square = {{0u, 0u, 0u, 0u, 0u}};
    for (int i = 159; i >= 0; --i) {
      square = shifted(shifted(square));
      square.words[0] ^= p.words[i >> 5] >> (i & 31) & 1u;
    }
    return square;
  }
};

// The seed's halves are changed and multiplied by the constants of cuRAND's curand_init.
__LP_DEVICE void seed(xorwow &state, unsigned long long seed, unsigned long long subsequence,
                      unsigned long long offset) {
  unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
  unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state.d = 6615241u + high + low;
  state.v[0] = 123456789u + low;
  state.v[1] = 362436069u ^ low;
  state.v[2] = 521288629u + high;
  state.v[3] = 88675123u ^ high;
  state.v[4] = 5783321u + low;
  clear_second_normals(state);
  state.skip_subsequences(subsequence);
  state.skip(offset);
}
}  // namespace __lp
