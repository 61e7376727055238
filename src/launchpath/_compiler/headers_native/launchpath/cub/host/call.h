// How each of CUB's device-wide functions begins: it tells how much memory it wants (none, so one byte), or waits for
// the device's work and then runs.
#pragma once
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>
#include <launchpath/cub/base.h>
#include <launchpath/cub/double_buffer.h>
#include <launchpath/cub/operators.h>
#include <launchpath/host_memory.h>

#define __LP_CUB_HOST static __attribute__((host)) __LP_CUB_ERROR
// The type of the first parameter where it is a number, of which overloads are told apart.
#define __LP_CUB_NUMBER(_N) std::enable_if_t<std::is_integral_v<_N> || std::is_enum_v<_N>, int> = 0

namespace __LP_CUB {
template <class _F> __attribute__((host)) __LP_CUB_ERROR __now(_F body) {
  const int code = launchpath_wait();
  if (code == 0) body();
  return (__LP_CUB_ERROR)code;
}
template <class _F> __attribute__((host)) __LP_CUB_ERROR __run(void *storage, size_t &bytes, _F body) {
  if (storage == nullptr) {
    bytes = 1;
    return (__LP_CUB_ERROR)0;
  }
  return __now(body);
}

typedef const void *__stream;  // HIP's, or CUDA's, or 0

template <class _I> using __value_of = typename std::iterator_traits<_I>::value_type;
// What an output holds; of one that holds nothing, what the input does.
template <class _O, class _T>
using __held = std::conditional_t<std::is_void_v<__value_of<_O>>, _T, __value_of<_O>>;
// What is accumulated in.
template <class _Op, class _Init, class _T = _Init>
using __sum_of = std::decay_t<std::invoke_result_t<_Op &, _Init, _T>>;

// An initial value that the device computes: it is read when the function runs.
template <class _T, class _I = _T *> struct FutureValue {
  typedef _T value_type;
  _I __at;
  explicit FutureValue(_I at) : __at(at) {}
  operator _T() const { return *__at; }
};
template <class _T> struct __initial {
  typedef _T type;
};
template <class _T, class _I> struct __initial<FutureValue<_T, _I>> {
  typedef _T type;
};
}  // namespace __LP_CUB
