// BlockReduce: few threads reduce a row of the block's values each, in their order, and the first thread the rows.
#pragma once
#include <launchpath/cub/thread.h>

namespace __LP_CUB {
template <class _T, int _X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int _Y = 1, int _Z = 1, int = 0>
class BlockReduce {
  typedef __block<_X, _Y, _Z> __b;

 public:
  struct TempStorage {
    __items<_T, __b::__threads> __values;
  };
  __LP_CUB_STORED(BlockReduce)

  // The result is the first thread's.
  template <class _Op> __LP_CUB_DEVICE _T Reduce(_T input, _Op op) { return Reduce(input, op, __b::__threads); }
  template <class _Op> __LP_CUB_DEVICE _T Reduce(_T input, _Op op, int valid) {
    int thread = __b::__rank();
    __storage.__values[thread] = input;
    if (valid > __b::__threads) valid = __b::__threads;
    __syncthreads();
    if (thread < __b::__rakers && thread * __b::__row < valid) {
      int begin = thread * __b::__row, end = begin + __b::__row < valid ? begin + __b::__row : valid;
      _T all = __storage.__values[begin];
      for (int i = begin + 1; i < end; ++i) all = op(all, __storage.__values[i]);
      __storage.__values[begin] = all;
    }
    __syncthreads();
    if (thread == 0) {
      input = __storage.__values[0];
      for (int i = __b::__row; i < valid; i += __b::__row) input = op(input, __storage.__values[i]);
    }
    return input;
  }
  template <int _N, class _Op> __LP_CUB_DEVICE _T Reduce(_T (&inputs)[_N], _Op op) {
    return Reduce(__folded(inputs, op), op);
  }
  __LP_CUB_DEVICE _T Sum(_T input) { return Reduce(input, __LP_CUB::Sum()); }
  __LP_CUB_DEVICE _T Sum(_T input, int valid) { return Reduce(input, __LP_CUB::Sum(), valid); }
  template <int _N> __LP_CUB_DEVICE _T Sum(_T (&inputs)[_N]) { return Reduce(inputs, __LP_CUB::Sum()); }
};
}  // namespace __LP_CUB
