// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011. The number of
// rounds, the two multipliers and the two Weyl constants, which are added to the key, are the paper's.
//
// A counter of 128 bits gives four numbers. Its upper half is the number of the subsequence, its lower half counts.
#pragma once
#include <launchpath/random/generator.h>

namespace __lp {
struct philox {
  uint4 counter, output;
  uint2 key;
  unsigned used;  // how many of the output's four numbers have been given out
  int flags;
  float second_normal;
  double second_normal_double;
  typedef void __lp_generator;

  __LP_MEMBER static uint4 rounds(uint4 c, uint2 k) {
    for (int i = 0; i < 10; ++i) {
      unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
      c = uint4{(unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ k.y, (unsigned)a};
      k = uint2{k.x + 0x9E3779B9u, k.y + 0xBB67AE85u};
    }
    return c;
  }
  __LP_MEMBER void advance(unsigned long long n) {
    unsigned long long low = ((unsigned long long)counter.y << 32 | counter.x) + n;
    if (low < n) advance_subsequence(1u);
    counter.x = (unsigned)low;
    counter.y = (unsigned)(low >> 32);
  }
  __LP_MEMBER void advance_subsequence(unsigned long long n) {
    unsigned long long high = ((unsigned long long)counter.w << 32 | counter.z) + n;
    counter.z = (unsigned)high;
    counter.w = (unsigned)(high >> 32);
  }
  __LP_MEMBER unsigned next() {
    unsigned number = used == 0u ? output.x : used == 1u ? output.y : used == 2u ? output.z : output.w;
    if (++used == 4u) {
      advance(1u);
      output = rounds(counter, key);
      used = 0u;
    }
    return number;
  }
  __LP_MEMBER void skip(unsigned long long n) {
    unsigned within = used + (unsigned)(n & 3u);
    advance((n >> 2) + (within >> 2));
    used = within & 3u;
    output = rounds(counter, key);
  }
  __LP_MEMBER void skip_subsequences(unsigned long long n) {
    advance_subsequence(n);
    output = rounds(counter, key);
  }
};

__LP_DEVICE void seed(philox &state, unsigned long long seed, unsigned long long subsequence,
                      unsigned long long offset) {
  state.counter = uint4{0u, 0u, 0u, 0u};
  state.key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
  state.used = 0u;
  clear_second_normals(state);
  state.advance_subsequence(subsequence);
  state.skip(offset);
}
}  // namespace __lp
