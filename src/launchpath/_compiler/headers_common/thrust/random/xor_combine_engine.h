// Two engines as one, whose bits are combined. Both have the same type of numbers here, which all of thrust's own have.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cstddef>
#include <type_traits>
namespace thrust {
namespace random {
template <class _A, std::size_t s1, class _B, std::size_t s2 = 0> class xor_combine_engine {
  static_assert(std::is_same<typename _A::result_type, typename _B::result_type>::value &&
                    !_A::min && !_B::min && !(_A::max & (_A::max + 1)) && _A::max == _B::max && s1 == 0 && s2 == 0,
                "launchpath has thrust::xor_combine_engine of engines with the same range of bits only");
  _A first;
  _B second;

 public:
  typedef _A base1_type;
  typedef _B base2_type;
  typedef typename _A::result_type result_type;
  static constexpr std::size_t shift1 = s1, shift2 = s2;
  static constexpr result_type min = 0, max = _A::max;

  xor_combine_engine() = default;
  __LP_MEMBER explicit xor_combine_engine(result_type value) : first(value), second(value) {}
  __LP_MEMBER xor_combine_engine(const _A &a, const _B &b) : first(a), second(b) {}
  __LP_MEMBER void seed() { first.seed(), second.seed(); }
  __LP_MEMBER void seed(result_type value) { first.seed(value), second.seed(value); }
  __LP_MEMBER const _A &base1() const { return first; }
  __LP_MEMBER const _B &base2() const { return second; }
  __LP_MEMBER result_type operator()() {
    const result_type a = first();
    return a ^ second();
  }
  __LP_MEMBER void discard(unsigned long long n) {
    for (; n > 0; --n) (*this)();
  }
  friend __LP_MEMBER bool operator==(const xor_combine_engine &x, const xor_combine_engine &y) {
    return x.first == y.first && x.second == y.second;
  }
  friend __LP_MEMBER bool operator!=(const xor_combine_engine &x, const xor_combine_engine &y) { return !(x == y); }
};
}
using random::xor_combine_engine;
}
}
