// cub::DeviceScan. An output may be the input: each item is read before its place is written.
#pragma once
#include <launchpath/cub/host/call.h>

namespace __LP_CUB {
template <class _A, class _I, class _O, class _Op>
__attribute__((host)) void __scan_exclusive(_I in, _O out, size_t count, _Op &op, _A sum) {
  for (size_t i = 0; i < count; i++) {
    const _A next = (_A)op(sum, in[i]);
    out[i] = sum;
    sum = next;
  }
}
template <class _A, class _I, class _O, class _Op>
__attribute__((host)) void __scan_inclusive(_I in, _O out, size_t from, size_t count, _Op &op, _A sum) {
  for (size_t i = from; i < count; i++) out[i] = sum = (_A)op(sum, in[i]);
}
// Calls `scan(begin, end)` for each run of equal keys.
template <class _K, class _E, class _F> __attribute__((host)) void __runs(_K keys, size_t count, _E &equal, _F scan) {
  for (size_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin + 1; end < count && equal(keys[end - 1], keys[end]);) end++;
    scan(begin, end);
  }
}

struct DeviceScan {
  template <class _I, class _O, class _Op, class _Init, class _N, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST ExclusiveScan(void *storage, size_t &bytes, _I in, _O out, _Op op, _Init initial, _N count, _S...) {
    return __run(storage, bytes, [&] {
      typedef typename __initial<_Init>::type _First;
      typedef __sum_of<_Op, _First, __value_of<_I>> _A;
      __scan_exclusive<_A>(in, out, (size_t)count, op, (_A)(_First)initial);
    });
  }
  template <class _I, class _Op, class _Init, class _N, class... _S, __LP_CUB_NUMBER(_N),
            std::enable_if_t<std::is_invocable_v<_Op &, __value_of<_I>, __value_of<_I>>, int> = 0>
  __LP_CUB_HOST ExclusiveScan(void *storage, size_t &bytes, _I data, _Op op, _Init initial, _N count, _S...) {
    return ExclusiveScan(storage, bytes, data, data, op, initial, count);
  }
  template <class _I, class _O, class _N, class... _S, __LP_CUB_NUMBER(_N),
            std::enable_if_t<!std::is_integral_v<_O>, int> = 0>
  __LP_CUB_HOST ExclusiveSum(void *storage, size_t &bytes, _I in, _O out, _N count, _S...) {
    return ExclusiveScan(storage, bytes, in, out, __LP_CUB::Sum(), __value_of<_I>(), count);
  }
  template <class _I, class _N, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST ExclusiveSum(void *storage, size_t &bytes, _I data, _N count, _S...) {
    return ExclusiveScan(storage, bytes, data, data, __LP_CUB::Sum(), __value_of<_I>(), count);
  }
  template <class _I, class _O, class _Op, class _N, class... _S, __LP_CUB_NUMBER(_N),
            std::enable_if_t<std::is_invocable_v<_Op &, __value_of<_I>, __value_of<_I>>, int> = 0>
  __LP_CUB_HOST InclusiveScan(void *storage, size_t &bytes, _I in, _O out, _Op op, _N count, _S...) {
    return __run(storage, bytes, [&] {
      typedef __sum_of<_Op, __value_of<_I>> _A;
      if (count == 0) return;
      const _A first = (_A)in[0];
      out[0] = first;
      __scan_inclusive<_A>(in, out, 1, (size_t)count, op, first);
    });
  }
  template <class _I, class _Op, class _N, class... _S, __LP_CUB_NUMBER(_N),
            std::enable_if_t<std::is_invocable_v<_Op &, __value_of<_I>, __value_of<_I>>, int> = 0>
  __LP_CUB_HOST InclusiveScan(void *storage, size_t &bytes, _I data, _Op op, _N count, _S...) {
    return InclusiveScan(storage, bytes, data, data, op, count);
  }
  template <class _I, class _O, class _Op, class _Init, class _N, class... _S>
  __LP_CUB_HOST InclusiveScanInit(void *storage, size_t &bytes, _I in, _O out, _Op op, _Init initial, _N count, _S...) {
    return __run(storage, bytes, [&] {
      typedef typename __initial<_Init>::type _First;
      typedef __sum_of<_Op, _First, __value_of<_I>> _A;
      __scan_inclusive<_A>(in, out, 0, (size_t)count, op, (_A)(_First)initial);
    });
  }
  template <class _I, class _O, class _N, class... _S, __LP_CUB_NUMBER(_N),
            std::enable_if_t<!std::is_integral_v<_O>, int> = 0>
  __LP_CUB_HOST InclusiveSum(void *storage, size_t &bytes, _I in, _O out, _N count, _S...) {
    return InclusiveScan(storage, bytes, in, out, __LP_CUB::Sum(), count);
  }
  template <class _I, class _N, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST InclusiveSum(void *storage, size_t &bytes, _I data, _N count, _S...) {
    return InclusiveScan(storage, bytes, data, data, __LP_CUB::Sum(), count);
  }

  template <class _K, class _I, class _O, class _Op, class _Init, class _N, class _E = Equality, class... _S>
  __LP_CUB_HOST ExclusiveScanByKey(void *storage, size_t &bytes, _K keys, _I in, _O out, _Op op, _Init initial, _N count,
                                   _E equal = _E(), _S...) {
    return __run(storage, bytes, [&] {
      typedef __sum_of<_Op, _Init, __value_of<_I>> _A;
      __runs(keys, (size_t)count, equal, [&](size_t begin, size_t end) {
        __scan_exclusive<_A>(in + begin, out + begin, end - begin, op, (_A)initial);
      });
    });
  }
  template <class _K, class _I, class _O, class _N, class _E = Equality, class... _S>
  __LP_CUB_HOST ExclusiveSumByKey(void *storage, size_t &bytes, _K keys, _I in, _O out, _N count, _E equal = _E(),
                                  _S...) {
    return ExclusiveScanByKey(storage, bytes, keys, in, out, __LP_CUB::Sum(), __value_of<_I>(), count, equal);
  }
  template <class _K, class _I, class _O, class _Op, class _N, class _E = Equality, class... _S>
  __LP_CUB_HOST InclusiveScanByKey(void *storage, size_t &bytes, _K keys, _I in, _O out, _Op op, _N count,
                                   _E equal = _E(), _S...) {
    return __run(storage, bytes, [&] {
      typedef __sum_of<_Op, __value_of<_I>> _A;
      __runs(keys, (size_t)count, equal, [&](size_t begin, size_t end) {
        const _A first = (_A)in[begin];
        out[begin] = first;
        __scan_inclusive<_A>(in, out, begin + 1, end, op, first);
      });
    });
  }
  template <class _K, class _I, class _O, class _N, class _E = Equality, class... _S>
  __LP_CUB_HOST InclusiveSumByKey(void *storage, size_t &bytes, _K keys, _I in, _O out, _N count, _E equal = _E(),
                                  _S...) {
    return InclusiveScanByKey(storage, bytes, keys, in, out, __LP_CUB::Sum(), count, equal);
  }
};
}  // namespace __LP_CUB
