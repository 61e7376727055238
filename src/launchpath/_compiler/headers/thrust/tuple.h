// Tuples of thrust, made as its pairs are. Pairs come along, as with CUDA 12's header.
#pragma once
#include <thrust/pair.h>
extern "C++" {  // programs include it within extern "C", too
#include <tuple>
namespace thrust {
template <class... _T> struct tuple : std::tuple<_T...> {
  using std::tuple<_T...>::tuple;
  using std::tuple<_T...>::operator=;
  tuple() = default;
  __LP_MEMBER constexpr tuple(const std::tuple<_T...> &other) : std::tuple<_T...>(other) {}
};
template <class... _T> tuple(_T...) -> tuple<_T...>;
template <class... _T> __LP_BOTH constexpr tuple<std::__unwrap_ref_decay_t<_T>...> make_tuple(_T &&...values) {
  return tuple<std::__unwrap_ref_decay_t<_T>...>(static_cast<_T &&>(values)...);
}
template <class... _T> __LP_BOTH constexpr tuple<_T &...> tie(_T &...values) { return tuple<_T &...>(values...); }
using std::get;
using std::ignore;
}
template <class... _T> struct std::tuple_size<thrust::tuple<_T...>> : std::tuple_size<std::tuple<_T...>> {};
template <std::size_t _I, class... _T>
struct std::tuple_element<_I, thrust::tuple<_T...>> : std::tuple_element<_I, std::tuple<_T...>> {};
}
