// The types of a kernel's parameters, for checks of their layout.
#pragma once

namespace __lp_rtc {
template <unsigned _I, class _Kernel> struct parameter;
template <class _First, class... _Rest> struct parameter<0, void (*)(_First, _Rest...)> { typedef _First type; };
template <unsigned _I, class _First, class... _Rest>
struct parameter<_I, void (*)(_First, _Rest...)> : parameter<_I - 1, void (*)(_Rest...)> {};
#if __cplusplus >= 201703L
template <unsigned _I, class... _All>
struct parameter<_I, void (*)(_All...) noexcept> : parameter<_I, void (*)(_All...)> {};
#endif
}  // namespace __lp_rtc
