// Clang looks for what structured bindings take apart in std itself, where hipRTC may have some of it.
#pragma once
namespace __lp_std {
template <class _T> struct tuple_size;
template <__SIZE_TYPE__ _I, class _T> struct tuple_element;
template <class _A, class _B> struct pair;
template <class... _T> struct tuple;
template <class _T, __SIZE_TYPE__ _N> struct array;
}  // namespace __lp_std

namespace std {
template <class _T> struct tuple_size;
template <__SIZE_TYPE__ _I, class _T> struct tuple_element;
#define __LP_BOUND(parameters, ...)                                                                              \
  template <parameters> struct tuple_size<__VA_ARGS__> : __lp_std::tuple_size<__VA_ARGS__> {};                   \
  template <parameters> struct tuple_size<const __VA_ARGS__> : __lp_std::tuple_size<__VA_ARGS__> {};             \
  template <__SIZE_TYPE__ _I, parameters>                                                                        \
  struct tuple_element<_I, __VA_ARGS__> : __lp_std::tuple_element<_I, __VA_ARGS__> {};                           \
  template <__SIZE_TYPE__ _I, parameters>                                                                        \
  struct tuple_element<_I, const __VA_ARGS__> : __lp_std::tuple_element<_I, const __VA_ARGS__> {};
#define __LP_COMMA ,
__LP_BOUND(class _A __LP_COMMA class _B, __lp_std::pair<_A, _B>)
__LP_BOUND(class... _T, __lp_std::tuple<_T...>)
__LP_BOUND(class _T __LP_COMMA __SIZE_TYPE__ _N, __lp_std::array<_T, _N>)
#undef __LP_BOUND
#undef __LP_COMMA
}  // namespace std
