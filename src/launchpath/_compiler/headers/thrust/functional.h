// Operators of thrust: those of the C++ library, and a few of its own.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <functional>
namespace thrust {
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;
template <class _T = void> struct minimum {
  __LP_MEMBER constexpr _T operator()(const _T &a, const _T &b) const { return b < a ? b : a; }
};
template <class _T = void> struct maximum {
  __LP_MEMBER constexpr _T operator()(const _T &a, const _T &b) const { return a < b ? b : a; }
};
template <> struct minimum<void> {
  template <class _A, class _B> __LP_MEMBER constexpr auto operator()(const _A &a, const _B &b) const {
    return b < a ? b : a;
  }
};
template <> struct maximum<void> {
  template <class _A, class _B> __LP_MEMBER constexpr auto operator()(const _A &a, const _B &b) const {
    return a < b ? b : a;
  }
};
template <class _T = void> struct identity {
  __LP_MEMBER constexpr const _T &operator()(const _T &x) const { return x; }
};
template <> struct identity<void> {
  template <class _T> __LP_MEMBER constexpr _T operator()(const _T &x) const { return x; }
};
template <class _T> struct square {
  __LP_MEMBER constexpr _T operator()(const _T &x) const { return x * x; }
};
template <class _A, class _B> struct project1st {
  __LP_MEMBER constexpr const _A &operator()(const _A &a, const _B &) const { return a; }
};
template <class _A, class _B> struct project2nd {
  __LP_MEMBER constexpr const _B &operator()(const _A &, const _B &b) const { return b; }
};
}
}
