// Pairs of thrust: those of the C++ library, by a name of their own, for CUDA devices have another library there.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <utility>
namespace thrust {
template <class _A, class _B> struct pair : std::pair<_A, _B> {
  using std::pair<_A, _B>::pair;
  using std::pair<_A, _B>::operator=;
  pair() = default;
  __LP_MEMBER constexpr pair(const std::pair<_A, _B> &other) : std::pair<_A, _B>(other) {}
};
template <class _A, class _B> pair(_A, _B) -> pair<_A, _B>;
template <class _A, class _B>
__LP_BOTH constexpr pair<std::__unwrap_ref_decay_t<_A>, std::__unwrap_ref_decay_t<_B>> make_pair(_A &&a, _B &&b) {
  return {static_cast<_A &&>(a), static_cast<_B &&>(b)};
}
using std::get;
using std::swap;
using std::tuple_element;
using std::tuple_size;
}
template <class _A, class _B> struct std::tuple_size<thrust::pair<_A, _B>> : std::tuple_size<std::pair<_A, _B>> {};
template <std::size_t _I, class _A, class _B>
struct std::tuple_element<_I, thrust::pair<_A, _B>> : std::tuple_element<_I, std::pair<_A, _B>> {};
}
