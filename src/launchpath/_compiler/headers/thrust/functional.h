// thrust's function objects. Where the C++ library has the same, thrust's is a class of its own that derives from it:
// in CUDA's thrust, too, thrust::plus is not std::plus. The others are defined here.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <functional>
namespace thrust {
template <class _A, class _R> struct unary_function {
  typedef _A argument_type;
  typedef _R result_type;
};
template <class _A, class _B, class _R> struct binary_function {
  typedef _A first_argument_type;
  typedef _B second_argument_type;
  typedef _R result_type;
};
#define __LP_THRUST(_Name) template <class _T = void> struct _Name : std::_Name<_T> {};
__LP_THRUST(bit_and)
__LP_THRUST(bit_or)
__LP_THRUST(bit_xor)
__LP_THRUST(divides)
__LP_THRUST(equal_to)
__LP_THRUST(greater)
__LP_THRUST(greater_equal)
__LP_THRUST(less)
__LP_THRUST(less_equal)
__LP_THRUST(logical_and)
__LP_THRUST(logical_not)
__LP_THRUST(logical_or)
__LP_THRUST(minus)
__LP_THRUST(modulus)
__LP_THRUST(multiplies)
__LP_THRUST(negate)
__LP_THRUST(not_equal_to)
__LP_THRUST(plus)
#undef __LP_THRUST
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
