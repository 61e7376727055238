// Linear congruential engines (C++ standard, [rand.eng.lcong]), with the numbers that thrust's engines give.
//
// thrust's operator() computes a * x mod m by Schrage's method ("A more portable Fortran random number generator",
// 1979), and so does the one here. The method is exact only if m % a <= m / a, as for both minstd engines. For other
// multipliers an exact product would give other numbers than thrust. discard() is exact in both.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cstdint>
namespace thrust {
namespace random {
template <class _U, _U a, _U c, _U m> class linear_congruential_engine {
  _U state;

  static __LP_MEMBER _U reduced(_U x) {
    if constexpr (m == 0) return x;
    else return x % m;
  }
  static __LP_MEMBER _U next(_U x) {
    if constexpr (m == 0) {
      return a * x + c;
    } else {
      if constexpr (a == 1) {
        x %= m;
      } else {
        constexpr _U quotient = m / a, rest = m % a;
        const _U high = a * (x % quotient), low = rest * (x / quotient);
        x = high >= low ? high - low : m - low + high;
      }
      if constexpr (c != 0) {
        const _U left = m - x;
        x = left > c ? x + c : c - left;
      }
      return x;
    }
  }

 public:
  typedef _U result_type;
  static constexpr _U multiplier = a, increment = c, modulus = m, default_seed = 1;
  static constexpr _U min = c == 0 ? 1 : 0, max = m - 1;

  __LP_MEMBER explicit linear_congruential_engine(_U value = default_seed) { seed(value); }
  __LP_MEMBER void seed(_U value = default_seed) {
    state = reduced(reduced(c) == 0 && reduced(value) == 0 ? _U(1) : value);
  }
  __LP_MEMBER _U operator()() { return state = next(state); }
  __LP_MEMBER void discard(unsigned long long n) {
    if constexpr (sizeof(_U) == 4 && c == 0 && m != 0) {  // by powers of the multiplier: programs go far
      unsigned long long power = a, factor = 1;
      for (; n > 0; n >>= 1) {
        if (n & 1) factor = factor * power % m;
        power = power * power % m;
      }
      state = _U(factor * state % m);
    } else {
      for (; n > 0; --n) state = next(state);
    }
  }
  friend __LP_MEMBER bool operator==(const linear_congruential_engine &x, const linear_congruential_engine &y) {
    return x.state == y.state;
  }
  friend __LP_MEMBER bool operator!=(const linear_congruential_engine &x, const linear_congruential_engine &y) {
    return !(x == y);
  }
};
typedef linear_congruential_engine<uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<uint32_t, 48271, 0, 2147483647> minstd_rand;
}
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
}
}
