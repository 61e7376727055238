// Real numbers of [a, b).
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <type_traits>
#include <utility>
namespace thrust {
namespace random {
// thrust's engines have their range as constants, other generators as functions.
template <class _G, class = void> struct __lp_range {
  static constexpr typename _G::result_type least = _G::min(), most = _G::max();
};
template <class _G>
struct __lp_range<_G, std::enable_if_t<std::is_convertible<decltype(_G::min), typename _G::result_type>::value>> {
  static constexpr typename _G::result_type least = _G::min, most = _G::max;
};

// What the uniform distributions share: the range.
template <class _T> class __lp_uniform {
 public:
  typedef _T result_type;
  typedef std::pair<_T, _T> param_type;

  __LP_MEMBER explicit __lp_uniform(const param_type &parameters) : range(parameters) {}
  __LP_MEMBER void reset() {}
  __LP_MEMBER _T a() const { return range.first; }
  __LP_MEMBER _T b() const { return range.second; }
  __LP_MEMBER param_type param() const { return range; }
  __LP_MEMBER void param(const param_type &parameters) { range = parameters; }
  __LP_MEMBER _T min() const { return a(); }
  __LP_MEMBER _T max() const { return b(); }
  friend __LP_MEMBER bool operator==(const __lp_uniform &x, const __lp_uniform &y) { return x.range == y.range; }
  friend __LP_MEMBER bool operator!=(const __lp_uniform &x, const __lp_uniform &y) { return !(x == y); }

 protected:
  param_type range;
};

template <class _T = double> class uniform_real_distribution : public __lp_uniform<_T> {
 public:
  typedef typename __lp_uniform<_T>::param_type param_type;

  __LP_MEMBER explicit uniform_real_distribution(_T a = 0, _T b = 1) : __lp_uniform<_T>(param_type(a, b)) {}
  __LP_MEMBER explicit uniform_real_distribution(const param_type &parameters) : __lp_uniform<_T>(parameters) {}
  template <class _G> __LP_MEMBER _T operator()(_G &generator) { return (*this)(generator, this->range); }
  template <class _G> __LP_MEMBER _T operator()(_G &generator, const param_type &parameters) {
    typedef __lp_range<_G> numbers;
    const _T t = _T(generator() - numbers::least) / (_T(1) + _T(numbers::most - numbers::least));
    const _T from = parameters.first, to = parameters.second;
    if ((from <= 0 && to >= 0) || (from >= 0 && to <= 0)) return t * to + (1 - t) * from;
    if (t == 1) return to;
    // Rounding must not lead past the end.
    const _T x = from + t * (to - from);
    return to > from ? (x < to ? x : to) : (to < x ? x : to);
  }
};
}
using random::uniform_real_distribution;
}
}
