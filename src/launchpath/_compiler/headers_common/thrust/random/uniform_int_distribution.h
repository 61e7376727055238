// Integers of [a, b], by doubles as thrust makes them.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <limits>
#include <thrust/random/uniform_real_distribution.h>
namespace thrust {
namespace random {
template <class _T = int> class uniform_int_distribution {
 public:
  typedef _T result_type;
  typedef std::pair<_T, _T> param_type;

  __LP_MEMBER explicit uniform_int_distribution(_T a = 0, _T b = std::numeric_limits<_T>::max()) : range(a, b) {}
  __LP_MEMBER explicit uniform_int_distribution(const param_type &given) : range(given) {}
  __LP_MEMBER void reset() {}
  template <class _G> __LP_MEMBER _T operator()(_G &generator) { return (*this)(generator, range); }
  template <class _G> __LP_MEMBER _T operator()(_G &generator, const param_type &given) {
    uniform_real_distribution<double> real(double(given.first), double(given.second) + 1);
    return _T(real(generator));
  }
  __LP_MEMBER _T a() const { return range.first; }
  __LP_MEMBER _T b() const { return range.second; }
  __LP_MEMBER param_type param() const { return range; }
  __LP_MEMBER void param(const param_type &given) { range = given; }
  __LP_MEMBER _T min() const { return a(); }
  __LP_MEMBER _T max() const { return b(); }
  friend __LP_MEMBER bool operator==(const uniform_int_distribution &x, const uniform_int_distribution &y) {
    return x.range == y.range;
  }
  friend __LP_MEMBER bool operator!=(const uniform_int_distribution &x, const uniform_int_distribution &y) {
    return !(x == y);
  }

 private:
  param_type range;
};
}
using random::uniform_int_distribution;
}
}
