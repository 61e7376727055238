// BlockExchange and BlockShuffle: items go to other threads by way of shared memory.
#pragma once
#include <launchpath/cub/thread.h>

namespace __LP_CUB {
template <class _T, int _X, int _N, bool = false, int _Y = 1, int _Z = 1, int = 0> class BlockExchange {
  typedef __block<_X, _Y, _Z> __b;

 public:
  struct TempStorage {
    __items<_T, __b::__threads * _N> __values;
  };
  __LP_CUB_STORED(BlockExchange)

#define __LP_CUB_EXCHANGE(_Name, _Write, _Read)                                                        \
  template <class _O> __LP_CUB_DEVICE void _Name(const _T (&in)[_N], _O (&out)[_N]) {                  \
    for (int i = 0; i < _N; ++i) __storage.__values[_Write(i)] = in[i];                                \
    __syncthreads();                                                                                   \
    for (int i = 0; i < _N; ++i) out[i] = __storage.__values[_Read(i)];                                \
  }                                                                                                    \
  __LP_CUB_DEVICE void _Name(_T (&items)[_N]) { _Name(items, items); }
  __LP_CUB_EXCHANGE(StripedToBlocked, __striped, __blocked)
  __LP_CUB_EXCHANGE(BlockedToStriped, __blocked, __striped)
  __LP_CUB_EXCHANGE(WarpStripedToBlocked, __warp_striped, __blocked)
  __LP_CUB_EXCHANGE(BlockedToWarpStriped, __blocked, __warp_striped)
#undef __LP_CUB_EXCHANGE

  template <class _O, class _R>
  __LP_CUB_DEVICE void ScatterToBlocked(const _T (&in)[_N], _O (&out)[_N], const _R (&ranks)[_N]) {
    __scatter(in, [&](int i) { return (int)ranks[i]; });
    for (int i = 0; i < _N; ++i) out[i] = __storage.__values[__blocked(i)];
  }
  template <class _O, class _R>
  __LP_CUB_DEVICE void ScatterToStriped(const _T (&in)[_N], _O (&out)[_N], const _R (&ranks)[_N]) {
    __scatter(in, [&](int i) { return (int)ranks[i]; });
    for (int i = 0; i < _N; ++i) out[i] = __storage.__values[__striped(i)];
  }
  // Items of a negative rank are left out.
  template <class _O, class _R>
  __LP_CUB_DEVICE void ScatterToStripedGuarded(const _T (&in)[_N], _O (&out)[_N], const _R (&ranks)[_N]) {
    ScatterToStriped(in, out, ranks);
  }
  template <class _O, class _R, class _F>
  __LP_CUB_DEVICE void ScatterToStripedFlagged(const _T (&in)[_N], _O (&out)[_N], const _R (&ranks)[_N],
                                               const _F (&flags)[_N]) {
    __scatter(in, [&](int i) { return flags[i] ? (int)ranks[i] : -1; });
    for (int i = 0; i < _N; ++i) out[i] = __storage.__values[__striped(i)];
  }
  template <class _R> __LP_CUB_DEVICE void ScatterToBlocked(_T (&items)[_N], const _R (&ranks)[_N]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class _R> __LP_CUB_DEVICE void ScatterToStriped(_T (&items)[_N], const _R (&ranks)[_N]) {
    ScatterToStriped(items, items, ranks);
  }
  template <class _R> __LP_CUB_DEVICE void ScatterToStripedGuarded(_T (&items)[_N], const _R (&ranks)[_N]) {
    ScatterToStriped(items, items, ranks);
  }
  template <class _R, class _F>
  __LP_CUB_DEVICE void ScatterToStripedFlagged(_T (&items)[_N], const _R (&ranks)[_N], const _F (&flags)[_N]) {
    ScatterToStripedFlagged(items, items, ranks, flags);
  }

 private:
  static __LP_CUB_DEVICE int __blocked(int i) { return __b::__rank() * _N + i; }
  static __LP_CUB_DEVICE int __striped(int i) { return __b::__rank() + i * __b::__threads; }
  // The last warp of a block may have fewer threads.
  static __LP_CUB_DEVICE int __warp_striped(int i) {
    int thread = __b::__rank(), first = thread / 32 * 32;
    int width = __b::__threads - first < 32 ? __b::__threads - first : 32;
    return first * _N + (thread - first) + i * width;
  }
  template <class _R> __LP_CUB_DEVICE void __scatter(const _T (&in)[_N], _R rank) {
    for (int i = 0; i < _N; ++i)
      if (rank(i) >= 0) __storage.__values[rank(i)] = in[i];
    __syncthreads();
  }
};

template <class _T, int _X, int _Y = 1, int _Z = 1, int = 0> class BlockShuffle {
  typedef __block<_X, _Y, _Z> __b;

 public:
  struct TempStorage {
    __items<_T, __b::__threads> __values;
  };
  __LP_CUB_STORED(BlockShuffle)

  // Threads whose source is outside of the block keep what they have.
  __LP_CUB_DEVICE void Offset(_T input, _T &output, int distance = 1) {
    int from = __share(input) + distance;
    if (from >= 0 && from < __b::__threads) output = __storage.__values[from];
  }
  __LP_CUB_DEVICE void Rotate(_T input, _T &output, unsigned distance = 1) {
    output = __storage.__values[(int)(((unsigned)__share(input) + distance) % __b::__threads)];
  }
  template <int _N> __LP_CUB_DEVICE void Up(const _T (&in)[_N], _T (&out)[_N]) {
    int thread = __share(in[_N - 1]);
    for (int i = _N - 1; i > 0; --i) out[i] = in[i - 1];
    if (thread > 0) out[0] = __storage.__values[thread - 1];
  }
  template <int _N> __LP_CUB_DEVICE void Up(const _T (&in)[_N], _T (&out)[_N], _T &suffix) {
    Up(in, out);
    suffix = __storage.__values[__b::__threads - 1];
  }
  template <int _N> __LP_CUB_DEVICE void Down(const _T (&in)[_N], _T (&out)[_N]) {
    int thread = __share(in[0]);
    for (int i = 0; i < _N - 1; ++i) out[i] = in[i + 1];
    if (thread < __b::__threads - 1) out[_N - 1] = __storage.__values[thread + 1];
  }
  template <int _N> __LP_CUB_DEVICE void Down(const _T (&in)[_N], _T (&out)[_N], _T &prefix) {
    Down(in, out);
    prefix = __storage.__values[0];
  }

 private:
  __LP_CUB_DEVICE int __share(const _T &value) {
    int thread = __b::__rank();
    __storage.__values[thread] = value;
    __syncthreads();
    return thread;
  }
};
}  // namespace __LP_CUB
