// Tiles: parts of a warp of 32 threads, by the warp functions, which are errors where the device has none.
#pragma once
#include <launchpath/groups/block.h>

namespace cooperative_groups {
// Threads `first` to `first + size() - 1` of the warp.
template <unsigned int _N> struct __tile {
  static_assert(_N >= 1 && _N <= 32 && (_N & (_N - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");
  static __LP_GROUP unsigned int thread_rank() { return __v1::rank_in_block() % _N; }
  static constexpr __LP_GROUP unsigned int size() { return _N; }
  static constexpr __LP_GROUP unsigned int num_threads() { return _N; }
  static __LP_GROUP unsigned int meta_group_rank() { return __v1::rank_in_block() / _N; }
  static __LP_GROUP unsigned int meta_group_size() { return (__v1::threads_of_block() + _N - 1) / _N; }
  static __LP_GROUP unsigned int __first() { return __v1::rank_in_block() % 32 / _N * _N; }
  static __LP_GROUP unsigned int __mask() { return (_N == 32 ? ~0u : (1u << _N % 32) - 1u) << __first(); }
};

template <unsigned int _N, class Parent = void> struct thread_block_tile : __tile<_N>, thread_group {
  typedef __tile<_N> __base;
  using __base::num_threads;
  using __base::size;
  using __base::thread_rank;
  __LP_GROUP thread_block_tile() : thread_group(internal::cg_tiled_group, _N) {}
  // A tile is the same whatever group it is part of.
  template <class _P>
  __LP_GROUP thread_block_tile(const thread_block_tile<_N, _P> &) : thread_group(internal::cg_tiled_group, _N) {}
  static __LP_GROUP bool is_valid() { return true; }
  static __LP_TILE void sync() { __syncwarp(__base::__mask()); }
  template <class _T>
  static __LP_TILE _T shfl(_T v, int source) {
    return __shfl_sync(__base::__mask(), v, source, (int)_N);
  }
  template <class _T>
  static __LP_TILE _T shfl_up(_T v, unsigned int delta) {
    return __shfl_up_sync(__base::__mask(), v, delta, (int)_N);
  }
  template <class _T>
  static __LP_TILE _T shfl_down(_T v, unsigned int delta) {
    return __shfl_down_sync(__base::__mask(), v, delta, (int)_N);
  }
  template <class _T>
  static __LP_TILE _T shfl_xor(_T v, int mask) {
    return __shfl_xor_sync(__base::__mask(), v, mask, (int)_N);
  }
  static __LP_TILE int any(int vote) { return __any_sync(__base::__mask(), vote); }
  static __LP_TILE int all(int vote) { return __all_sync(__base::__mask(), vote); }
  static __LP_TILE unsigned int ballot(int vote) {
    return (unsigned int)__ballot_sync(__base::__mask(), vote) >> __base::__first();
  }
  template <class _T> static __LP_TILE unsigned int match_any(_T v) {
    return (unsigned int)__match_any_sync(__base::__mask(), v) >> __base::__first();
  }
};

// The threads of a warp that come here together.
struct coalesced_group : thread_group {
  explicit __LP_GROUP coalesced_group(unsigned int members) : thread_group(internal::cg_coalesced_group, members) {}
  __LP_GROUP unsigned int size() const { return (unsigned int)__popc(__number); }
  __LP_GROUP unsigned int num_threads() const { return size(); }
  __LP_TILE unsigned int thread_rank() const { return __v1::rank_in_members(__number); }
  __LP_TILE void sync() const { __syncwarp(__number); }
  // It is a group of its own, or one of the parts of equal size of another.
  unsigned int __part = 0u, __parts = 1u;
  __LP_GROUP unsigned int meta_group_rank() const { return __part; }
  __LP_GROUP unsigned int meta_group_size() const { return __parts; }
  // The lane of the member of this rank.
  __LP_TILE unsigned int __lane_of(unsigned int rank) const {
    unsigned int left = __number;
    while (rank-- > 0u) left &= left - 1u;
    return (unsigned int)__ffs((int)left) - 1u;
  }
  template <class _T>
  __LP_TILE _T shfl(_T v, unsigned int source) const {
    return __shfl_sync(__number, v, (int)__lane_of(source));
  }
  template <class _T> __LP_TILE _T shfl_up(_T v, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return __shfl_sync(__number, v, (int)__lane_of(rank < delta ? rank : rank - delta));
  }
  template <class _T> __LP_TILE _T shfl_down(_T v, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return __shfl_sync(__number, v, (int)__lane_of(rank + delta < size() ? rank + delta : rank));
  }
  __LP_TILE int any(int vote) const { return __any_sync(__number, vote); }
  __LP_TILE int all(int vote) const { return __all_sync(__number, vote); }
  __LP_TILE unsigned int ballot(int vote) const {
    unsigned int votes = (unsigned int)__ballot_sync(__number, vote), ballot = 0u, bit = 0u;
    for (unsigned int left = __number; left != 0u; left &= left - 1u, ++bit)
      ballot |= (votes & left & -left) != 0u ? 1u << bit : 0u;
    return ballot;
  }
};
__LP_WARP coalesced_group coalesced_threads() { return coalesced_group((unsigned int)__activemask()); }

template <unsigned int _N, class _G>
__LP_DEVICE thread_block_tile<_N, _G> tiled_partition(const _G &) {
  static_assert(!__lp::is_same<_G, coalesced_group> && !__lp::is_same<_G, grid_group>,
                "tiled_partition<size> takes a block or a tile; tiled_partition(group, size) a coalesced group too");
  return thread_block_tile<_N, _G>();
}

// A tile of a size that is known at run time only.
struct __any_tile : thread_group {
  unsigned int __width;
  explicit __LP_GROUP __any_tile(unsigned int size) : thread_group(internal::cg_tiled_group, size), __width(size) {}
  __LP_GROUP unsigned int size() const { return __width; }
  __LP_GROUP unsigned int num_threads() const { return __width; }
  __LP_GROUP unsigned int thread_rank() const { return __v1::rank_in_block() % __width; }
  static __LP_GROUP bool is_valid() { return true; }
  __LP_TILE void sync() const { __syncwarp(); }
  template <class _T> __LP_TILE _T shfl(_T v, int source) const { return __shfl_sync(~0u, v, source, (int)__width); }
  template <class _T>
  __LP_TILE _T shfl_up(_T v, unsigned int delta) const {
    return __shfl_up_sync(~0u, v, delta, (int)__width);
  }
  template <class _T>
  __LP_TILE _T shfl_down(_T v, unsigned int delta) const {
    return __shfl_down_sync(~0u, v, delta, (int)__width);
  }
  template <class _T> __LP_TILE _T shfl_xor(_T v, int mask) const {
    return __shfl_xor_sync(~0u, v, mask, (int)__width);
  }
};
template <class _G>
__LP_DEVICE __any_tile tiled_partition(const _G &, unsigned int size) {
  return __any_tile(size);
}

// Of a coalesced group the members are counted, not the threads of the block.
__LP_DEVICE coalesced_group tiled_partition(const coalesced_group &group, unsigned int size) {
  const unsigned int part = __v1::rank_in_members(group.__number) / size;
  unsigned int members = 0u, rank = 0u;
  for (unsigned int left = group.__number; left != 0u; left &= left - 1u, ++rank)
    if (rank / size == part) members |= left & -left;
  coalesced_group tile(members);
  tile.__part = part;
  tile.__parts = (group.size() + size - 1u) / size;
  return tile;
}
__LP_DEVICE thread_group tiled_partition(const thread_group &group, unsigned int size) {
  if (group.__type == internal::cg_coalesced_group)
    return tiled_partition(coalesced_group(group.__number), size);
  return thread_group(internal::cg_tiled_group, size);
}
}  // namespace cooperative_groups
