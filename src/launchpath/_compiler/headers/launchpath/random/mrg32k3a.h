// L'Ecuyer's MRG32k3a ("Good parameters and implementations for combined multiple recursive random number generators",
// 1999): two recurrences of order three modulo primes near 2^32.
//
// To go n steps on is to multiply by the n-th power of each one's matrix. Subsequences are 2^67 numbers apart.
#pragma once
#include <launchpath/random/generator.h>

namespace __lp {
struct mrg32k3a {
  unsigned s1[3], s2[3];
  int flags;
  float waiting;
  double waiting_double;
  typedef void __lp_generator;

  static constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;

  // The generator's own output, from 1 to m1. Each sum stays below 2^64: a negative factor goes with its state's
  // complement, not with its own.
  __LP_MEMBER unsigned number() {
    unsigned long long p1 = (1403580ull * s1[1] + 810728ull * (m1 - s1[0])) % m1;
    s1[0] = s1[1];
    s1[1] = s1[2];
    s1[2] = (unsigned)p1;
    unsigned long long p2 = (527612ull * s2[2] + 1370589ull * (m2 - s2[0])) % m2;
    s2[0] = s2[1];
    s2[1] = s2[2];
    s2[2] = (unsigned)p2;
    return (unsigned)(p1 > p2 ? p1 - p2 : p1 + m1 - p2);
  }
  // Spread over all 32 bits.
  __LP_MEMBER unsigned next() { return (unsigned)((unsigned long long)(number() - 1u) * 4294967296ull / m1); }

  struct matrix {
    unsigned at[3][3];
  };
  static __attribute__((device)) matrix product(const matrix &a, const matrix &b, unsigned long long m) {
    matrix made;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        unsigned long long sum = 0u;
        for (int k = 0; k < 3; ++k) sum = (sum + (unsigned long long)a.at[i][k] * b.at[k][j] % m) % m;
        made.at[i][j] = (unsigned)sum;
      }
    }
    return made;
  }
  // `s` after n steps.
  static __attribute__((device)) void jump(unsigned *s, matrix step, unsigned long long m, unsigned long long n) {
    for (; n != 0u; n >>= 1, step = product(step, step, m)) {
      if ((n & 1u) == 0u) continue;
      unsigned made[3];
      for (int i = 0; i < 3; ++i) {
        unsigned long long sum = 0u;
        for (int k = 0; k < 3; ++k) sum = (sum + (unsigned long long)step.at[i][k] * s[k] % m) % m;
        made[i] = (unsigned)sum;
      }
      for (int i = 0; i < 3; ++i) s[i] = made[i];
    }
  }
  __attribute__((device)) void skip(unsigned long long n) {
    jump(s1, {{{0u, 1u, 0u}, {0u, 0u, 1u}, {(unsigned)(m1 - 810728u), 1403580u, 0u}}}, m1, n);
    jump(s2, {{{0u, 1u, 0u}, {0u, 0u, 1u}, {(unsigned)(m2 - 1370589u), 0u, 527612u}}}, m2, n);
  }
  // The same two matrices to the power of 2^67.
  __attribute__((device)) void skip_subsequences(unsigned long long n) {
    jump(s1,
         {{{3894793123u, 921712152u, 596236860u},
           {4038673596u, 4279784147u, 921712152u},
           {1999065039u, 859801225u, 4279784147u}}},
         m1, n);
    jump(s2,
         {{{613698149u, 3416334823u, 3832821180u},
           {1308958254u, 613698149u, 1338381534u},
           {4058246217u, 1308958254u, 2070907998u}}},
         m2, n);
  }
};

__LP_DEVICE void seed(mrg32k3a &state, unsigned long long seed, unsigned long long subsequence,
                      unsigned long long offset) {
  unsigned low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
  unsigned long long words[6] = {12345ull * low,  12345ull * high, 12345ull * low,
                                 12345ull * high, 12345ull * low,  12345ull * high};
  for (int i = 0; i < 3; ++i) {
    state.s1[i] = seed == 0u ? 12345u : (unsigned)(words[i] % (mrg32k3a::m1 - 1u)) + 1u;
    state.s2[i] = seed == 0u ? 12345u : (unsigned)(words[i + 3] % (mrg32k3a::m2 - 1u)) + 1u;
  }
  clear_waiting(state);
  state.skip_subsequences(subsequence);
  state.skip(offset);
}
}  // namespace __lp
