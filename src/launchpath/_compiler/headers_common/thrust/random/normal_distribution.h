// Normal numbers, each of one number of the generator by the inverse of the error function, as thrust makes them on
// GPUs. Its host code makes two at a time, in another way.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <limits>
#include <thrust/random/uniform_real_distribution.h>
namespace thrust {
namespace random {
template <class _T = double> class normal_distribution {
 public:
  typedef _T result_type;
  typedef std::pair<_T, _T> param_type;

  __LP_MEMBER explicit normal_distribution(_T mean = 0, _T stddev = 1) : form(mean, stddev) {}
  __LP_MEMBER explicit normal_distribution(const param_type &parameters) : form(parameters) {}
  __LP_MEMBER void reset() {}
  template <class _G> __LP_MEMBER _T operator()(_G &generator) { return (*this)(generator, form); }
  template <class _G> __LP_MEMBER _T operator()(_G &generator, const param_type &parameters) {
    typedef __lp_range<_G> numbers;
    constexpr typename _G::result_type range = numbers::most - numbers::least;
    constexpr _T step = _T(1. / double(range));
    auto u = typename _G::result_type(generator() - numbers::least);
    _T scale = _T(-1.4142135623730950488);
    if (u > range / 2) {  // the tail of the other side: small numbers keep their digits
      u = range - u;
      scale = -scale;
    }
    const _T p = u * step + step / 2;
    return parameters.first + parameters.second * scale * inverse(2 * p);
  }
  __LP_MEMBER _T mean() const { return form.first; }
  __LP_MEMBER _T stddev() const { return form.second; }
  __LP_MEMBER param_type param() const { return form; }
  __LP_MEMBER void param(const param_type &parameters) { form = parameters; }
  __LP_MEMBER _T min() const { return std::numeric_limits<_T>::lowest(); }
  __LP_MEMBER _T max() const { return std::numeric_limits<_T>::max(); }
  friend __LP_MEMBER bool operator==(const normal_distribution &x, const normal_distribution &y) {
    return x.form == y.form;
  }
  friend __LP_MEMBER bool operator!=(const normal_distribution &x, const normal_distribution &y) { return !(x == y); }

 private:
  static __LP_MEMBER float inverse(float x) { return ::erfcinvf(x); }
  static __LP_MEMBER double inverse(double x) { return ::erfcinv(x); }

  param_type form;
};
namespace experimental {  // its place in older versions
using random::normal_distribution;
}
}
using random::normal_distribution;
}
}
