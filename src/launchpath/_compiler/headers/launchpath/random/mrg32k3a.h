// MRG32k3a of L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators",
// 1999: two recurrences of order three, modulo m1 = 2^32 - 209 and m2 = 2^32 - 22853. The difference of both is the
// number. The moduli, the factors a12, a13n, a21 and a23n and their names are those of the paper's code.
//
// A recurrence is a product of its state with a matrix of 3 x 3, so n steps are a product with the matrix's n-th power.
// Subsequences are 2^67 numbers apart, as those of cuRAND and rocRAND.
#pragma once
#include <launchpath/random/generator.h>

namespace __lp {
struct mrg32k3a {
  unsigned s1[3], s2[3];
  int flags;
  float second_normal;
  double second_normal_double;
  typedef void __lp_generator;

  static constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  // The factors of the recurrences; the negative ones without their sign (n).
  static constexpr unsigned long long a12 = 1403580ull, a13n = 810728ull, a21 = 527612ull, a23n = 1370589ull;

  // The paper's output before it is scaled: from 1 to m1. Each sum stays below 2^64, because a negative factor is
  // multiplied with the complement of its state.
  __LP_MEMBER unsigned number() {
    unsigned long long p1 = (a12 * s1[1] + a13n * (m1 - s1[0])) % m1;
    s1[0] = s1[1];
    s1[1] = s1[2];
    s1[2] = (unsigned)p1;
    unsigned long long p2 = (a21 * s2[2] + a23n * (m2 - s2[0])) % m2;
    s2[0] = s2[1];
    s2[1] = s2[2];
    s2[2] = (unsigned)p2;
    return (unsigned)(p1 > p2 ? p1 - p2 : p1 + m1 - p2);
  }
  // The output scaled to 32 bits: from 0 to 2^32 - 1.
  __LP_MEMBER unsigned next() { return (unsigned)((unsigned long long)(number() - 1u) * 4294967296ull / m1); }

  struct matrix {
    unsigned rows[3][3];
  };
  static __attribute__((device)) matrix product(const matrix &a, const matrix &b, unsigned long long m) {
    matrix result;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        unsigned long long sum = 0u;
        for (int k = 0; k < 3; ++k) sum = (sum + (unsigned long long)a.rows[i][k] * b.rows[k][j] % m) % m;
        result.rows[i][j] = (unsigned)sum;
      }
    }
    return result;
  }
  // Multiplies the state `s` with the n-th power of `power`, modulo m, by repeated squaring.
  static __attribute__((device)) void jump(unsigned *s, matrix power, unsigned long long m, unsigned long long n) {
    for (; n != 0u; n >>= 1, power = product(power, power, m)) {
      if ((n & 1u) == 0u) continue;
      unsigned next_state[3];
      for (int i = 0; i < 3; ++i) {
        unsigned long long sum = 0u;
        for (int k = 0; k < 3; ++k) sum = (sum + (unsigned long long)power.rows[i][k] * s[k] % m) % m;
        next_state[i] = (unsigned)sum;
      }
      for (int i = 0; i < 3; ++i) s[i] = next_state[i];
    }
  }
  __attribute__((device)) void skip(unsigned long long n) {
    jump(s1, {{{0u, 1u, 0u}, {0u, 0u, 1u}, {(unsigned)(m1 - a13n), (unsigned)a12, 0u}}}, m1, n);
    jump(s2, {{{0u, 1u, 0u}, {0u, 0u, 1u}, {(unsigned)(m2 - a23n), 0u, (unsigned)a21}}}, m2, n);
  }
  // The matrices of skip() to the power of 2^67: squared 67 times, modulo m1 and m2.
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

// For the seed 0 each word is 12345, as in L'Ecuyer's RngStreams (2002) and in cuRAND. Else it is 12345 times a half of
// the seed. The two patterns that change the halves are those of cuRAND's curand_init. No word is zero here.
__LP_DEVICE void seed(mrg32k3a &state, unsigned long long seed, unsigned long long subsequence,
                      unsigned long long offset) {
  unsigned low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
  constexpr unsigned start = 12345u;
  unsigned long long from_low = (unsigned long long)start * low, from_high = (unsigned long long)start * high;
  unsigned long long words[6] = {from_low, from_high, from_low, from_high, from_low, from_high};
  for (int i = 0; i < 3; ++i) {
    state.s1[i] = seed == 0u ? start : (unsigned)(words[i] % (mrg32k3a::m1 - 1u)) + 1u;
    state.s2[i] = seed == 0u ? start : (unsigned)(words[i + 3] % (mrg32k3a::m2 - 1u)) + 1u;
  }
  clear_second_normals(state);
  state.skip_subsequences(subsequence);
  state.skip(offset);
}
}  // namespace __lp
