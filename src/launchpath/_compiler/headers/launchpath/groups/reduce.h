// Reductions and scans over tiles.
#pragma once
#include <launchpath/groups/tile.h>

namespace cooperative_groups {
template <class _T = void> struct plus { __LP_GROUP _T operator()(_T a, _T b) const { return a + b; } };
template <class _T = void> struct less { __LP_GROUP _T operator()(_T a, _T b) const { return b < a ? b : a; } };
template <class _T = void> struct greater { __LP_GROUP _T operator()(_T a, _T b) const { return a < b ? b : a; } };
template <class _T = void> struct bit_and { __LP_GROUP _T operator()(_T a, _T b) const { return a & b; } };
template <class _T = void> struct bit_or { __LP_GROUP _T operator()(_T a, _T b) const { return a | b; } };
template <class _T = void> struct bit_xor { __LP_GROUP _T operator()(_T a, _T b) const { return a ^ b; } };

template <unsigned int _N, class _P, class _T, class _F>
__LP_DEVICE _T reduce(const thread_block_tile<_N, _P> &tile, _T v, _F join) {
  for (unsigned int i = _N / 2; i > 0; i /= 2) v = join(v, tile.shfl_xor(v, (int)i));
  return v;
}
template <class _T, class _F> __LP_DEVICE _T reduce(const coalesced_group &group, _T v, _F join) {
  _T all = group.shfl(v, 0);
  for (unsigned int i = 1; i < group.size(); ++i) all = join(all, group.shfl(v, i));
  return all;
}
template <unsigned int _N, class _P, class _T, class _F>
__LP_DEVICE _T inclusive_scan(const thread_block_tile<_N, _P> &tile, _T v, _F join) {
  for (unsigned int i = 1; i < _N; i *= 2) {
    _T before = tile.shfl_up(v, i);
    if (tile.thread_rank() >= i) v = join(before, v);
  }
  return v;
}
template <unsigned int _N, class _P, class _T>
__LP_DEVICE _T inclusive_scan(const thread_block_tile<_N, _P> &tile, _T v) {
  return inclusive_scan(tile, v, plus<_T>());
}
template <unsigned int _N, class _P, class _T, class _F>
__LP_DEVICE _T exclusive_scan(const thread_block_tile<_N, _P> &tile, _T v, _F join) {
  _T before = tile.shfl_up(inclusive_scan(tile, v, join), 1);
  return tile.thread_rank() == 0 ? _T() : before;
}
template <unsigned int _N, class _P, class _T>
__LP_DEVICE _T exclusive_scan(const thread_block_tile<_N, _P> &tile, _T v) {
  return exclusive_scan(tile, v, plus<_T>());
}
}  // namespace cooperative_groups
