// Traits that these headers need of types, without the C++ library's. Included by types.h, which says before what an
// integer is: NVRTC has no built-in trait for it.
#pragma once

namespace __lp {
template <bool _B, class _T = void> struct enable_if {};
template <class _T> struct enable_if<true, _T> { typedef _T type; };
template <bool _B, class _T = void> using enable_if_t = typename enable_if<_B, _T>::type;
template <bool _B, class _T, class _F> struct conditional { typedef _T type; };
template <class _T, class _F> struct conditional<false, _T, _F> { typedef _F type; };
template <bool _B, class _T, class _F> using conditional_t = typename conditional<_B, _T, _F>::type;
template <class _T> struct identity { typedef _T type; };
// A parameter that takes no part in deducing T.
template <class _T> using given = typename identity<_T>::type;
template <class _A, class _B> inline constexpr bool is_same = false;
template <class _A> inline constexpr bool is_same<_A, _A> = true;
template <class _T> inline constexpr bool is_float = is_same<_T, float> || is_same<_T, double>;
template <class _T> inline constexpr bool is_number = is_integer<_T> || is_float<_T>;
template <class _T> inline constexpr bool never = false;

// What C++ computes in, given these types: double, unless all are float.
template <class _A, class _B = _A, class _C = _A>
using common_float =
    enable_if_t<is_number<_A> && is_number<_B> && is_number<_C>,
                conditional_t<is_same<_A, float> && is_same<_B, float> && is_same<_C, float>, float, double>>;
}  // namespace __lp
