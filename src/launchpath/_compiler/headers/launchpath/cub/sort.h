// BlockRadixSort, digit by digit from the lowest, and BlockMergeSort, which merges runs by each item's rank. Both are
// stable.
#pragma once
#include <launchpath/cub/scan.h>

namespace __LP_CUB {
// The bits of a key in the order of the keys; those of both zeros are the same.
template <class _K> __LP_DEVICE auto __ordered_bits(_K key) {
  static_assert(sizeof(_K) <= 8, "keys of a radix sort are numbers of 1, 2, 4 or 8 bytes");
  typedef __lp::bits_of<_K> bits;
  constexpr bits top = (bits)((bits)1 << (sizeof(_K) * 8 - 1));
  bits b;
  __builtin_memcpy(&b, &key, sizeof b);
  if constexpr (std::is_integral_v<_K> || std::is_enum_v<_K>) {
    if constexpr ((_K)-1 < (_K)0) b ^= top;
  } else {  // float, double, half and bfloat16
    b = b == top ? top : (b & top) != 0 ? (bits)~b : (bits)(b | top);
  }
  return b;
}

template <class _K, int _X, int _N, class _V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int _Y = 1, int _Z = 1, int = 0>
class BlockRadixSort {
  typedef __block<_X, _Y, _Z> __b;
  static constexpr bool __pairs = !std::is_same_v<_V, NullType>;
  // Every thread has a counter for each digit.
  static constexpr int __width = __b::__threads <= 256 ? 4 : 2, __digits = 1 << __width;
  typedef BlockScan<unsigned, _X, BLOCK_SCAN_RAKING, _Y, _Z> __scan;

 public:
  struct TempStorage {
    union {
      unsigned __counts[__digits * __b::__threads];
      struct {
        __items<_K, __b::__threads * _N> __keys;
        __items<_V, __pairs ? __b::__threads * _N : 1> __values;
      };
    };
    typename __scan::TempStorage __sums;
  };
  __LP_CUB_STORED(BlockRadixSort)

#define __LP_CUB_SORT(_Name, _Descending, _Striped)                                                          \
  __LP_CUB_DEVICE void _Name(_K (&keys)[_N], int begin = 0, int end = sizeof(_K) * 8) {                      \
    NullType none[_N];                                                                                       \
    __sort<_Descending, _Striped>(keys, none, begin, end);                                                   \
  }                                                                                                          \
  template <class _W>                                                                                        \
  __LP_CUB_DEVICE void _Name(_K (&keys)[_N], _W (&values)[_N], int begin = 0, int end = sizeof(_K) * 8) {    \
    __sort<_Descending, _Striped>(keys, values, begin, end);                                                 \
  }
  __LP_CUB_SORT(Sort, false, false)
  __LP_CUB_SORT(SortDescending, true, false)
  __LP_CUB_SORT(SortBlockedToStriped, false, true)
  __LP_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef __LP_CUB_SORT

 private:
  template <bool _Descending, bool _Striped, class _W>
  __LP_CUB_DEVICE void __sort(_K (&keys)[_N], _W (&values)[_N], int begin, int end) {
    int thread = __b::__rank();
    for (int at = begin; at < end; at += __width) {
      int ranks[_N];
      __rank_items<_Descending>(keys, ranks, at, end - at < __width ? end - at : __width);
      __exchange(keys, values, ranks);
      for (int i = 0; i < _N; ++i) __take(keys, values, i, thread * _N + i);
      __syncthreads();
    }
    if constexpr (_Striped) {
      int ranks[_N];
      for (int i = 0; i < _N; ++i) ranks[i] = thread * _N + i;
      __exchange(keys, values, ranks);
      for (int i = 0; i < _N; ++i) __take(keys, values, i, thread + i * __b::__threads);
    }
  }
  template <bool _Descending>
  __LP_CUB_DEVICE void __rank_items(const _K (&keys)[_N], int (&ranks)[_N], int at, int width) {
    int thread = __b::__rank(), counters[_N];
    for (int d = 0; d < __digits; ++d) __storage.__counts[d * __b::__threads + thread] = 0;
    for (int i = 0; i < _N; ++i) {
      auto bits = __ordered_bits(keys[i]);
      if constexpr (_Descending) bits = ~bits;
      counters[i] = (int)(bits >> at & ((1u << width) - 1)) * __b::__threads + thread;
      ++__storage.__counts[counters[i]];
    }
    __syncthreads();
    unsigned sum = 0, before;
    for (int d = 0; d < __digits; ++d) sum += __storage.__counts[thread * __digits + d];
    __scan(__storage.__sums).ExclusiveSum(sum, before);
    for (int d = 0; d < __digits; ++d) {
      unsigned count = __storage.__counts[thread * __digits + d];
      __storage.__counts[thread * __digits + d] = before;
      before += count;
    }
    __syncthreads();
    for (int i = 0; i < _N; ++i) ranks[i] = (int)__storage.__counts[counters[i]]++;
    __syncthreads();
  }
  template <class _W> __LP_CUB_DEVICE void __exchange(_K (&keys)[_N], _W (&values)[_N], const int (&ranks)[_N]) {
    for (int i = 0; i < _N; ++i) {
      __storage.__keys[ranks[i]] = keys[i];
      if constexpr (__pairs) __storage.__values[ranks[i]] = values[i];
    }
    __syncthreads();
  }
  template <class _W> __LP_CUB_DEVICE void __take(_K (&keys)[_N], _W (&values)[_N], int i, int from) {
    keys[i] = __storage.__keys[from];
    if constexpr (__pairs) values[i] = __storage.__values[from];
  }
};

template <class _K, int _X, int _N, class _V = NullType, int _Y = 1, int _Z = 1> class BlockMergeSort {
  typedef __block<_X, _Y, _Z> __b;
  static constexpr bool __pairs = !std::is_same_v<_V, NullType>;
  static constexpr int __all = __b::__threads * _N;

 public:
  struct TempStorage {
    __items<_K, __all> __keys;
    __items<_V, __pairs ? __all : 1> __values;
  };
  __LP_CUB_STORED(BlockMergeSort)

#define __LP_CUB_SORT(_Name)                                                                                           \
  template <class _Op> __LP_CUB_DEVICE void _Name(_K (&keys)[_N], _Op op) {                                            \
    NullType none[_N];                                                                                                 \
    __sort(keys, none, op);                                                                                            \
  }                                                                                                                    \
  template <class _Op> __LP_CUB_DEVICE void _Name(_K (&keys)[_N], _Op op, int valid, _K outside) {                     \
    __guard(keys, valid, outside);                                                                                     \
    _Name(keys, op);                                                                                                   \
  }                                                                                                                    \
  template <class _W, class _Op> __LP_CUB_DEVICE void _Name(_K (&keys)[_N], _W (&values)[_N], _Op op) {                \
    __sort(keys, values, op);                                                                                          \
  }                                                                                                                    \
  template <class _W, class _Op>                                                                                       \
  __LP_CUB_DEVICE void _Name(_K (&keys)[_N], _W (&values)[_N], _Op op, int valid, _K outside) {                        \
    __guard(keys, valid, outside);                                                                                     \
    __sort(keys, values, op);                                                                                          \
  }
  __LP_CUB_SORT(Sort)
  __LP_CUB_SORT(StableSort)
#undef __LP_CUB_SORT

 private:
  __LP_CUB_DEVICE void __guard(_K (&keys)[_N], int valid, const _K &outside) {
    for (int i = 0; i < _N; ++i)
      if (__b::__rank() * _N + i >= valid) keys[i] = outside;
  }
  // Runs of 1, 2, 4, ... items: an item's rank is its own in its run, and that in the run beside it.
  template <class _W, class _Op> __LP_CUB_DEVICE void __sort(_K (&keys)[_N], _W (&values)[_N], _Op &op) {
    int first = __b::__rank() * _N;
    for (int i = 0; i < _N; ++i) __put(keys, values, i, first + i);
    __syncthreads();
    for (int run = 1; run < __all; run *= 2) {
      int ranks[_N];
      for (int i = 0; i < _N; ++i) ranks[i] = __rank(first + i, keys[i], run, op);
      __syncthreads();
      for (int i = 0; i < _N; ++i) __put(keys, values, i, ranks[i]);
      __syncthreads();
      for (int i = 0; i < _N; ++i) {
        keys[i] = __storage.__keys[first + i];
        if constexpr (__pairs) values[i] = __storage.__values[first + i];
      }
    }
  }
  template <class _W> __LP_CUB_DEVICE void __put(_K (&keys)[_N], _W (&values)[_N], int i, int at) {
    __storage.__keys[at] = keys[i];
    if constexpr (__pairs) __storage.__values[at] = values[i];
  }
  // Of equal items those of the run on the left come first.
  template <class _Op> __LP_CUB_DEVICE int __rank(int at, _K key, int run, _Op &op) {
    int left = at & ~(2 * run - 1), middle = left + run < __all ? left + run : __all;
    int right = left + 2 * run < __all ? left + 2 * run : __all;
    bool on_left = at < middle;
    int low = on_left ? middle : left, high = on_left ? right : middle, beside = low;
    while (low < high) {
      int at_half = (low + high) / 2;
      bool before = on_left ? (bool)op(__storage.__keys[at_half], key) : !op(key, __storage.__keys[at_half]);
      if (before)
        low = at_half + 1;
      else
        high = at_half;
    }
    return left + (on_left ? at - left : at - middle) + low - beside;
  }
};
}  // namespace __LP_CUB
