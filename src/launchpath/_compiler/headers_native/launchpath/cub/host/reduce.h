// cub::DeviceReduce and DeviceSegmentedReduce.
#pragma once
#include <cstddef>
#include <limits>
#include <launchpath/cub/host/call.h>

namespace __LP_CUB {
// In halves, as a device does: sums of floating point are as near.
template <class _A, class _I, class _Op> __attribute__((host)) _A __fold(_I in, size_t begin, size_t end, _Op &op) {
  constexpr size_t few = 64;
  if (end - begin > few) {
    const size_t middle = begin + (end - begin) / 2;
    return (_A)op(__fold<_A>(in, begin, middle, op), __fold<_A>(in, middle, end, op));
  }
  _A sum = (_A)in[begin];
  for (size_t i = begin + 1; i < end; i++) sum = (_A)op(sum, in[i]);
  return sum;
}
template <class _Op, class _Init, class _I>
__attribute__((host)) auto __reduced(_I in, size_t begin, size_t end, _Op op, _Init initial) {
  typedef __sum_of<_Op, _Init, __value_of<_I>> _A;
  const _A first = (_A)initial;
  return begin < end ? (_A)op(first, __fold<_A>(in, begin, end, op)) : first;
}
// The first place of what is the least by `less`.
template <class _I, class _Less> __attribute__((host)) size_t __best(_I in, size_t begin, size_t end, _Less less) {
  size_t best = begin;
  for (size_t i = begin + 1; i < end; i++)
    if (less(in[i], in[best])) best = i;
  return best;
}
struct __less {
  template <class _A, class _B> __LP_CUB_BOTH bool operator()(const _A &a, const _B &b) const { return a < b; }
};
struct __more {
  template <class _A, class _B> __LP_CUB_BOTH bool operator()(const _A &a, const _B &b) const { return b < a; }
};
template <class _T> constexpr _T __lowest() { return std::numeric_limits<_T>::lowest(); }
template <class _T> constexpr _T __largest() { return std::numeric_limits<_T>::max(); }

template <class _I, class _O, class _Less, class _T>
__attribute__((host)) void __write_best(_I in, _O out, size_t to, size_t begin, size_t end, _Less less, _T none) {
  typedef __held<_O, KeyValuePair<int, __value_of<_I>>> _P;
  _P pair;
  if (begin < end) {
    const size_t best = __best(in, begin, end, less);
    pair.key = (decltype(pair.key))(best - begin);
    pair.value = in[best];
  } else {
    pair.key = 1;
    pair.value = none;
  }
  out[to] = pair;
}

struct DeviceReduce {
  template <class _I, class _O, class _N, class _Op, class _Init, class... _S>
  __LP_CUB_HOST Reduce(void *storage, size_t &bytes, _I in, _O out, _N count, _Op op, _Init initial, _S...) {
    return __run(storage, bytes, [&] {
      *out = __reduced(in, 0, (size_t)count, op, (typename __initial<_Init>::type)initial);
    });
  }
  template <class _I, class _O, class _N, class... _S>
  __LP_CUB_HOST Sum(void *storage, size_t &bytes, _I in, _O out, _N count, _S...) {
    return Reduce(storage, bytes, in, out, count, __LP_CUB::Sum(), __held<_O, __value_of<_I>>());
  }
  template <class _I, class _O, class _N, class... _S>
  __LP_CUB_HOST Min(void *storage, size_t &bytes, _I in, _O out, _N count, _S...) {
    return Reduce(storage, bytes, in, out, count, __LP_CUB::Min(), __largest<__value_of<_I>>());
  }
  template <class _I, class _O, class _N, class... _S>
  __LP_CUB_HOST Max(void *storage, size_t &bytes, _I in, _O out, _N count, _S...) {
    return Reduce(storage, bytes, in, out, count, __LP_CUB::Max(), __lowest<__value_of<_I>>());
  }
#define __LP_CUB_ARG(_Name, _less, _none)                                                                          \
  template <class _I, class _O, class _N, class... _S, __LP_CUB_NUMBER(_N)>                                        \
  __LP_CUB_HOST _Name(void *storage, size_t &bytes, _I in, _O out, _N count, _S...) {                              \
    return __run(storage, bytes, [&] { __write_best(in, out, 0, 0, (size_t)count, _less(), _none<__value_of<_I>>()); }); \
  }                                                                                                                \
  template <class _I, class _O, class _P, class _N, class... _S, std::enable_if_t<!std::is_integral_v<_P>, int> = 0, \
            __LP_CUB_NUMBER(_N)>                                                                                   \
  __LP_CUB_HOST _Name(void *storage, size_t &bytes, _I in, _O out, _P index, _N count, _S...) {                    \
    return __run(storage, bytes, [&] {                                                                             \
      const size_t best = __best(in, 0, (size_t)count, _less());                                                   \
      if (count) *out = in[best];                                                                                  \
      *index = (__held<_P, int>)best;                                                                              \
    });                                                                                                            \
  }
  __LP_CUB_ARG(ArgMin, __less, __largest)
  __LP_CUB_ARG(ArgMax, __more, __lowest)
#undef __LP_CUB_ARG
  template <class _I, class _O, class _N, class _Op, class _F, class _Init, class... _S>
  __LP_CUB_HOST TransformReduce(void *storage, size_t &bytes, _I in, _O out, _N count, _Op op, _F change, _Init initial,
                                _S...) {
    return __run(storage, bytes, [&] {
      typedef std::decay_t<std::invoke_result_t<_F &, __value_of<_I>>> _T;
      std::vector<_T> changed;
      changed.reserve((size_t)count);
      for (size_t i = 0; i < (size_t)count; i++) changed.push_back(change(in[i]));
      *out = __reduced(changed.begin(), 0, changed.size(), op, (typename __initial<_Init>::type)initial);
    });
  }
  template <class _K, class _U, class _V, class _O, class _R, class _Op, class _N, class... _S>
  __LP_CUB_HOST ReduceByKey(void *storage, size_t &bytes, _K keys, _U unique, _V values, _O sums, _R runs, _Op op,
                            _N count, _S...) {
    return __run(storage, bytes, [&] {
      typedef __sum_of<_Op, __value_of<_V>> _A;
      size_t run = 0;
      for (size_t i = 0; i < (size_t)count; run++) {
        const __value_of<_K> key = keys[i];
        _A sum = (_A)values[i];
        for (i++; i < (size_t)count && key == keys[i]; i++) sum = (_A)op(sum, values[i]);
        unique[run] = key;
        sums[run] = sum;
      }
      *runs = (__held<_R, int>)run;
    });
  }
};

struct DeviceSegmentedReduce {
  template <class _I, class _O, class _N, class _B, class _E, class _Op, class _Init, class... _S>
  __LP_CUB_HOST Reduce(void *storage, size_t &bytes, _I in, _O out, _N segments, _B begins, _E ends, _Op op,
                       _Init initial, _S...) {
    return __run(storage, bytes, [&] {
      const auto first = (typename __initial<_Init>::type)initial;
      for (size_t i = 0; i < (size_t)segments; i++) out[i] = __reduced(in, (size_t)begins[i], (size_t)ends[i], op, first);
    });
  }
  template <class _I, class _O, class _N, class _B, class _E, class... _S>
  __LP_CUB_HOST Sum(void *storage, size_t &bytes, _I in, _O out, _N segments, _B begins, _E ends, _S...) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, __LP_CUB::Sum(), __held<_O, __value_of<_I>>());
  }
  template <class _I, class _O, class _N, class _B, class _E, class... _S>
  __LP_CUB_HOST Min(void *storage, size_t &bytes, _I in, _O out, _N segments, _B begins, _E ends, _S...) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, __LP_CUB::Min(), __largest<__value_of<_I>>());
  }
  template <class _I, class _O, class _N, class _B, class _E, class... _S>
  __LP_CUB_HOST Max(void *storage, size_t &bytes, _I in, _O out, _N segments, _B begins, _E ends, _S...) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, __LP_CUB::Max(), __lowest<__value_of<_I>>());
  }
#define __LP_CUB_ARG(_Name, _less, _none)                                                                             \
  template <class _I, class _O, class _N, class _B, class _E, class... _S>                                            \
  __LP_CUB_HOST _Name(void *storage, size_t &bytes, _I in, _O out, _N segments, _B begins, _E ends, _S...) {          \
    return __run(storage, bytes, [&] {                                                                                \
      for (size_t i = 0; i < (size_t)segments; i++)                                                                   \
        __write_best(in, out, i, (size_t)begins[i], (size_t)ends[i], _less(), _none<__value_of<_I>>());               \
    });                                                                                                               \
  }
  __LP_CUB_ARG(ArgMin, __less, __largest)
  __LP_CUB_ARG(ArgMax, __more, __lowest)
#undef __LP_CUB_ARG
};
}  // namespace __LP_CUB
