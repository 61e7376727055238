// BlockHistogram: counted in shared memory by atomics.
#pragma once
#include <launchpath/threads/atomic.h>
#include <launchpath/cub/thread.h>

namespace __LP_CUB {
template <class _T, int _X, int _N, int _Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int _Y = 1, int _Z = 1,
          int = 0>
class BlockHistogram {
  typedef __block<_X, _Y, _Z> __b;

 public:
  struct TempStorage {
    unsigned __counts[_Bins];
  };
  __LP_CUB_STORED(BlockHistogram)

  template <class _C> __LP_CUB_DEVICE void InitHistogram(_C (&histogram)[_Bins]) {
    for (int bin = __b::__rank(); bin < _Bins; bin += __b::__threads) histogram[bin] = 0;
  }
  template <class _C> __LP_CUB_DEVICE void Histogram(_T (&items)[_N], _C (&histogram)[_Bins]) {
    __count(items);
    for (int bin = __b::__rank(); bin < _Bins; bin += __b::__threads) histogram[bin] = (_C)__storage.__counts[bin];
  }
  // Adds to a histogram, which several blocks may share.
  template <class _C> __LP_CUB_DEVICE void Composite(_T (&items)[_N], _C (&histogram)[_Bins]) {
    __count(items);
    for (int bin = __b::__rank(); bin < _Bins; bin += __b::__threads) {
      unsigned count = __storage.__counts[bin];
      if constexpr (sizeof(_C) == 4 && std::is_integral_v<_C>)
        atomicAdd((unsigned *)&histogram[bin], count);
      else if constexpr (sizeof(_C) == 8 && std::is_integral_v<_C>)
        atomicAdd((unsigned long long *)&histogram[bin], (unsigned long long)count);
      else if constexpr (std::is_floating_point_v<_C>)
        atomicAdd(&histogram[bin], (_C)count);
      else
        histogram[bin] = (_C)(histogram[bin] + count);
    }
  }

 private:
  __LP_CUB_DEVICE void __count(_T (&items)[_N]) {
    InitHistogram(__storage.__counts);
    __syncthreads();
    for (int i = 0; i < _N; ++i) atomicAdd(&__storage.__counts[(int)items[i]], 1u);
    __syncthreads();
  }
};
}  // namespace __LP_CUB
