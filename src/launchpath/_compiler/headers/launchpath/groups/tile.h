// Tiles: parts of a warp of 32 threads, by the warp functions, which are errors where the device has none.
#pragma once
#include <launchpath/groups/block.h>
#include <launchpath/warp.h>

#ifdef __LP_NO_WARPS__
#define __LP_TILE \
  __LP_GROUP __attribute__((unavailable("tiles of a block need sub-groups, which this device does not have")))
#else
#define __LP_TILE __LP_GROUP
#endif

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

template <unsigned int _N, class Parent = void> struct thread_block_tile : __tile<_N> {
  typedef __tile<_N> __base;
  thread_block_tile() = default;
  // A tile is the same whatever group it is part of.
  template <class _P> __LP_GROUP thread_block_tile(const thread_block_tile<_N, _P> &) {}
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
struct coalesced_group {
  unsigned int __members;
  __LP_GROUP unsigned int size() const { return __popc(__members); }
  __LP_GROUP unsigned int num_threads() const { return __popc(__members); }
  __LP_TILE unsigned int thread_rank() const { return __popc(__members & ((1u << __lane_id()) - 1u)); }
  __LP_TILE void sync() const { __syncwarp(__members); }
  // The lane of the member of this rank.
  __LP_TILE unsigned int __lane_of(unsigned int rank) const {
    unsigned int left = __members;
    while (rank-- > 0u) left &= left - 1u;
    return (unsigned int)__ffs((int)left) - 1u;
  }
  template <class _T>
  __LP_TILE _T shfl(_T v, unsigned int source) const {
    return __shfl_sync(__members, v, (int)__lane_of(source));
  }
  template <class _T> __LP_TILE _T shfl_up(_T v, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return __shfl_sync(__members, v, (int)__lane_of(rank < delta ? rank : rank - delta));
  }
  template <class _T> __LP_TILE _T shfl_down(_T v, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return __shfl_sync(__members, v, (int)__lane_of(rank + delta < size() ? rank + delta : rank));
  }
  __LP_TILE int any(int vote) const { return __any_sync(__members, vote); }
  __LP_TILE int all(int vote) const { return __all_sync(__members, vote); }
  __LP_TILE unsigned int ballot(int vote) const {
    unsigned int votes = (unsigned int)__ballot_sync(__members, vote), made = 0u, bit = 0u;
    for (unsigned int left = __members; left != 0u; left &= left - 1u, ++bit)
      made |= (votes & left & -left) != 0u ? 1u << bit : 0u;
    return made;
  }
};
__LP_WARP coalesced_group coalesced_threads() { return coalesced_group{(unsigned int)__activemask()}; }

template <unsigned int _N, class _G>
__LP_DEVICE thread_block_tile<_N, _G> tiled_partition(const _G &) {
  return thread_block_tile<_N, _G>();
}

// A group of a size that is known at run time only.
struct __any_tile {
  unsigned int __size;
  __LP_GROUP unsigned int size() const { return __size; }
  __LP_GROUP unsigned int num_threads() const { return __size; }
  __LP_GROUP unsigned int thread_rank() const { return __v1::rank_in_block() % __size; }
  __LP_TILE void sync() const { __syncwarp(); }
  template <class _T> __LP_TILE _T shfl(_T v, int source) const { return __shfl_sync(~0u, v, source, (int)__size); }
  template <class _T>
  __LP_TILE _T shfl_up(_T v, unsigned int delta) const {
    return __shfl_up_sync(~0u, v, delta, (int)__size);
  }
  template <class _T>
  __LP_TILE _T shfl_down(_T v, unsigned int delta) const {
    return __shfl_down_sync(~0u, v, delta, (int)__size);
  }
  template <class _T> __LP_TILE _T shfl_xor(_T v, int mask) const { return __shfl_xor_sync(~0u, v, mask, (int)__size); }
};
typedef __any_tile thread_group;
template <class _G>
__LP_DEVICE thread_group tiled_partition(const _G &, unsigned int size) {
  return thread_group{size};
}
}  // namespace cooperative_groups
