// GNU's word for the type of an expression, which nvcc has and NVRTC lacks: without references, with const.
#pragma once
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
