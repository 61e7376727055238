// The types of a kernel's parameters, for its layout. They are asked for after the source too, whose macros must not
// meet them: all names here are reserved ones.
#pragma once

template <unsigned _I, class _Kernel> struct __lp_parameter;
template <class _First, class... _Rest> struct __lp_parameter<0, void (*)(_First, _Rest...)> { typedef _First __type; };
template <unsigned _I, class _First, class... _Rest>
struct __lp_parameter<_I, void (*)(_First, _Rest...)> : __lp_parameter<_I - 1, void (*)(_Rest...)> {};
template <unsigned _I, class... _All>
struct __lp_parameter<_I, void (*)(_All...) noexcept> : __lp_parameter<_I, void (*)(_All...)> {};
