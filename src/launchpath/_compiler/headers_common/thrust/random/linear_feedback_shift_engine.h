// Tausworthe's engines of w bits.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cstddef>
#include <cstdint>
namespace thrust {
namespace random {
template <class _U, std::size_t w, std::size_t k, std::size_t q, std::size_t s> class linear_feedback_shift_engine {
  static constexpr _U all = _U(~_U(0)) >> (8 * sizeof(_U) - w);
  _U state;

 public:
  typedef _U result_type;
  static constexpr std::size_t word_size = w, exponent1 = k, exponent2 = q, step_size = s;
  static constexpr _U min = 0, max = all, default_seed = 341;

  __LP_MEMBER explicit linear_feedback_shift_engine(_U value = default_seed) { seed(value); }
  __LP_MEMBER void seed(_U value = default_seed) { state = value; }
  __LP_MEMBER _U operator()() {
    const _U fed = (((state << q) ^ state) & all) >> (k - s), kept = (~_U(0) << (w - k)) & all;
    return state = ((state & kept) << s) ^ fed;
  }
  __LP_MEMBER void discard(unsigned long long n) {
    for (; n > 0; --n) (*this)();
  }
  friend __LP_MEMBER bool operator==(const linear_feedback_shift_engine &x, const linear_feedback_shift_engine &y) {
    return x.state == y.state;
  }
  friend __LP_MEMBER bool operator!=(const linear_feedback_shift_engine &x, const linear_feedback_shift_engine &y) {
    return !(x == y);
  }
};
}
using random::linear_feedback_shift_engine;
}
}
