// BlockScan: few threads scan a row of the block's values each, after the rows before it.
#pragma once
#include <launchpath/cub/thread.h>

namespace __LP_CUB {
template <class _T, int _X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int _Y = 1, int _Z = 1, int = 0> class BlockScan {
  typedef __block<_X, _Y, _Z> __b;

 public:
  struct TempStorage {
    __items<_T, __b::__threads> __values;
    __items<_T, __b::__rakers> __rows;
    __items<_T, 1> __prefix;
  };
  __LP_CUB_STORED(BlockScan)

  // (op); (op, callback), (op, aggregate) or (initial value, op); (initial value, op, aggregate). Without an initial
  // value the first thread's first output of an exclusive scan is not defined.
#define __LP_CUB_SCAN(_Name, _Exclusive)                                                                         \
  template <int _N, class _Op> __LP_CUB_DEVICE void _Name(const _T (&in)[_N], _T (&out)[_N], _Op &&op) {         \
    __unseeded<_Exclusive>(in, out, op);                                                                         \
  }                                                                                                              \
  template <int _N, class _A, class _B>                                                                          \
  __LP_CUB_DEVICE void _Name(const _T (&in)[_N], _T (&out)[_N], _A &&a, _B &&b) {                                \
    __two<_Exclusive>(in, out, a, b);                                                                            \
  }                                                                                                              \
  template <int _N, class _I, class _Op>                                                                         \
  __LP_CUB_DEVICE void _Name(const _T (&in)[_N], _T (&out)[_N], const _I &initial, _Op &&op, _T &aggregate) {    \
    __seeded<_Exclusive>(in, out, (_T)initial, op);                                                              \
    aggregate = __all();                                                                                         \
  }
  __LP_CUB_SCAN(ExclusiveScan, true)
  __LP_CUB_SCAN(InclusiveScan, false)
#undef __LP_CUB_SCAN

  template <int _N> __LP_CUB_DEVICE void ExclusiveSum(const _T (&in)[_N], _T (&out)[_N]) {
    __LP_CUB::Sum op;
    __seeded<true>(in, out, _T{}, op);
  }
  // (aggregate) or (callback)
  template <int _N, class _A> __LP_CUB_DEVICE void ExclusiveSum(const _T (&in)[_N], _T (&out)[_N], _A &a) {
    __LP_CUB::Sum op;
    if constexpr (__is_callback<_A, _T>) {
      __called<true>(in, out, op, a);
    } else {
      __seeded<true>(in, out, _T{}, op);
      a = __all();
    }
  }
  template <int _N> __LP_CUB_DEVICE void InclusiveSum(const _T (&in)[_N], _T (&out)[_N]) {
    InclusiveScan(in, out, __LP_CUB::Sum());
  }
  template <int _N, class _A> __LP_CUB_DEVICE void InclusiveSum(const _T (&in)[_N], _T (&out)[_N], _A &a) {
    InclusiveScan(in, out, __LP_CUB::Sum(), a);
  }

#define __LP_CUB_OF_SINGLE(_Name)                                                    \
  template <class... _A> __LP_CUB_DEVICE void _Name(_T in, _T &out, _A &&...rest) { \
    _T ins[1] = {in}, outs[1] = {in};                                                \
    _Name(ins, outs, rest...);                                                       \
    out = outs[0];                                                                   \
  }
  __LP_CUB_OF_SINGLE(ExclusiveScan)
  __LP_CUB_OF_SINGLE(ExclusiveSum)
  __LP_CUB_OF_SINGLE(InclusiveScan)
  __LP_CUB_OF_SINGLE(InclusiveSum)
#undef __LP_CUB_OF_SINGLE

 private:
  __LP_CUB_DEVICE _T __all() { return __storage.__values[__b::__threads - 1]; }
  // Leaves the inclusive scan of the threads' values in shared memory.
  template <class _Op> __LP_CUB_DEVICE void __scan(_T value, _Op &op) {
    int thread = __b::__rank(), begin = thread * __b::__row, end = begin + __b::__row;
    bool rakes = thread < __b::__rakers && begin < __b::__threads;
    if (end > __b::__threads) end = __b::__threads;
    __storage.__values[thread] = value;
    __syncthreads();
    if (rakes) {
      _T row = __storage.__values[begin];
      for (int i = begin + 1; i < end; ++i) row = op(row, __storage.__values[i]);
      __storage.__rows[thread] = row;
    }
    __syncthreads();
    if (rakes) {
      _T run = __storage.__values[begin];
      if (thread > 0) {
        _T before = __storage.__rows[0];
        for (int i = 1; i < thread; ++i) before = op(before, __storage.__rows[i]);
        run = op(before, run);
      }
      __storage.__values[begin] = run;
      for (int i = begin + 1; i < end; ++i) {
        run = op(run, __storage.__values[i]);
        __storage.__values[i] = run;
      }
    }
    __syncthreads();
  }
  template <bool _Exclusive, int _N, class _Op>
  __LP_CUB_DEVICE void __unseeded(const _T (&in)[_N], _T (&out)[_N], _Op &op) {
    __scan(__folded(in, op), op);
    int thread = __b::__rank();
    if (thread == 0)
      __walk<_Exclusive, false>(in, out, in[0], op);
    else
      __walk<_Exclusive, true>(in, out, __storage.__values[thread - 1], op);
  }
  template <bool _Exclusive, int _N, class _Op>
  __LP_CUB_DEVICE void __seeded(const _T (&in)[_N], _T (&out)[_N], _T seed, _Op &op) {
    __scan(__folded(in, op), op);
    __after<_Exclusive>(in, out, seed, op);
  }
  template <bool _Exclusive, int _N, class _Op>
  __LP_CUB_DEVICE void __after(const _T (&in)[_N], _T (&out)[_N], _T seed, _Op &op) {
    int thread = __b::__rank();
    if (thread > 0) seed = op(seed, __storage.__values[thread - 1]);
    __walk<_Exclusive, true>(in, out, seed, op);
  }
  // The first warp calls; what the first thread gets counts.
  template <bool _Exclusive, int _N, class _Op, class _Call>
  __LP_CUB_DEVICE void __called(const _T (&in)[_N], _T (&out)[_N], _Op &op, _Call &call) {
    __scan(__folded(in, op), op);
    int thread = __b::__rank();
    if (thread < 32) {
      _T all = __all(), prefix = call(all);
      if (thread == 0) __storage.__prefix[0] = prefix;
    }
    __syncthreads();
    __after<_Exclusive>(in, out, __storage.__prefix[0], op);
  }
  template <bool _Exclusive, int _N, class _A, class _B>
  __LP_CUB_DEVICE void __two(const _T (&in)[_N], _T (&out)[_N], _A &a, _B &b) {
    if constexpr (!__is_operator<_A, _T>) {
      __seeded<_Exclusive>(in, out, (_T)a, b);
    } else if constexpr (__is_callback<_B, _T>) {
      __called<_Exclusive>(in, out, a, b);
    } else {
      __unseeded<_Exclusive>(in, out, a);
      b = __all();
    }
  }
};
}  // namespace __LP_CUB
