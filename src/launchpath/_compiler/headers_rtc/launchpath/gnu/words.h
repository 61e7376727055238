// GNU's words that nvcc has and NVRTC lacks: the type of an expression is without references, with const.
#pragma once
#define __extension__
#include <launchpath/types.h>
namespace __lp {
template <class _T> struct unreferenced { typedef _T type; };
template <class _T> struct unreferenced<_T &> { typedef _T type; };
template <class _T> struct unreferenced<_T &&> { typedef _T type; };
template <class _T> using typeof_ = typename unreferenced<_T>::type;
}  // namespace __lp
#define __typeof__(...) __lp::typeof_<decltype((__VA_ARGS__))>
#define __typeof(...) __lp::typeof_<decltype((__VA_ARGS__))>
#define typeof(...) __lp::typeof_<decltype((__VA_ARGS__))>
