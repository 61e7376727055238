// Integers of [a, b], by doubles as thrust makes them.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <limits>
#include <thrust/random/uniform_real_distribution.h>
namespace thrust {
namespace random {
template <class _T = int> class uniform_int_distribution : public __lp_uniform<_T> {
 public:
  typedef typename __lp_uniform<_T>::param_type param_type;

  __LP_MEMBER explicit uniform_int_distribution(_T a = 0, _T b = std::numeric_limits<_T>::max())
      : __lp_uniform<_T>(param_type(a, b)) {}
  __LP_MEMBER explicit uniform_int_distribution(const param_type &parameters) : __lp_uniform<_T>(parameters) {}
  template <class _G> __LP_MEMBER _T operator()(_G &generator) { return (*this)(generator, this->range); }
  template <class _G> __LP_MEMBER _T operator()(_G &generator, const param_type &parameters) {
    uniform_real_distribution<double> real(double(parameters.first), double(parameters.second) + 1);
    return _T(real(generator));
  }
};
}
using random::uniform_int_distribution;
}
}
