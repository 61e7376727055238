// BlockLoad and BlockStore: every thread moves its own items. Only the striped algorithms have another order.
#pragma once
#include <launchpath/cub/thread.h>

namespace __LP_CUB {
// Item `i` of a thread is item `first + i * step` of the tile.
template <class _I, class _T, int _N>
__LP_DEVICE void __load(_I from, _T (&items)[_N], int first, int step, int valid = 0x7fffffff) {
  for (int i = 0; i < _N; ++i)
    if (first + i * step < valid) items[i] = from[first + i * step];
}
template <class _I, class _T, int _N>
__LP_DEVICE void __store(_I to, _T (&items)[_N], int first, int step, int valid = 0x7fffffff) {
  for (int i = 0; i < _N; ++i)
    if (first + i * step < valid) to[first + i * step] = items[i];
}
// What each thread of a group, a block or a logical warp, has of a tile: N items in a row, or one in each of N rows.
template <class _Group, int _N, bool _Striped> struct __tile {
  struct TempStorage {
    char __unused;
  };
  static constexpr int __step = _Striped ? _Group::__threads : 1;
  static __LP_CUB_DEVICE int __first() { return _Group::__rank() * (_Striped ? 1 : _N); }
};
template <class _T, int _N, class _D> __LP_DEVICE void __fill(_T (&items)[_N], const _D &with) {
  for (int i = 0; i < _N; ++i) items[i] = with;
}

// The arrangements of a block's items: LoadDirectBlocked(thread, from, items), with the count of valid ones, a default.
#define __LP_CUB_DIRECT(_Name, _Params, _First, _Step)                                                           \
  template <_Params class _T, int _N, class _I>                                                                  \
  __LP_DEVICE void LoadDirect##_Name(int thread, _I from, _T (&items)[_N]) {                                     \
    __load(from, items, _First, _Step);                                                                          \
  }                                                                                                              \
  template <_Params class _T, int _N, class _I>                                                                  \
  __LP_DEVICE void LoadDirect##_Name(int thread, _I from, _T (&items)[_N], int valid) {                          \
    __load(from, items, _First, _Step, valid);                                                                   \
  }                                                                                                              \
  template <_Params class _T, class _D, int _N, class _I>                                                        \
  __LP_DEVICE void LoadDirect##_Name(int thread, _I from, _T (&items)[_N], int valid, _D outside) {              \
    __fill(items, outside);                                                                                      \
    __load(from, items, _First, _Step, valid);                                                                   \
  }                                                                                                              \
  template <_Params class _T, int _N, class _I>                                                                  \
  __LP_DEVICE void StoreDirect##_Name(int thread, _I to, _T (&items)[_N]) {                                      \
    __store(to, items, _First, _Step);                                                                           \
  }                                                                                                              \
  template <_Params class _T, int _N, class _I>                                                                  \
  __LP_DEVICE void StoreDirect##_Name(int thread, _I to, _T (&items)[_N], int valid) {                           \
    __store(to, items, _First, _Step, valid);                                                                    \
  }
#define __LP_CUB_THREADS int _Threads,
#define __LP_CUB_NONE
__LP_CUB_DIRECT(Blocked, __LP_CUB_NONE, thread * _N, 1)
__LP_CUB_DIRECT(Striped, __LP_CUB_THREADS, thread, _Threads)
__LP_CUB_DIRECT(WarpStriped, __LP_CUB_NONE, thread / 32 * 32 * _N + thread % 32, 32)
#undef __LP_CUB_NONE
#undef __LP_CUB_THREADS
#undef __LP_CUB_DIRECT
template <class _T, int _N> __LP_DEVICE void LoadDirectBlockedVectorized(int thread, _T *from, _T (&items)[_N]) {
  __load(from, items, thread * _N, 1);
}
template <class _T, int _N> __LP_DEVICE void StoreDirectBlockedVectorized(int thread, _T *to, _T (&items)[_N]) {
  __store(to, items, thread * _N, 1);
}

template <class _T, int _X, int _N, BlockLoadAlgorithm _A = BLOCK_LOAD_DIRECT, int _Y = 1, int _Z = 1, int = 0>
class BlockLoad {
  typedef __tile<__block<_X, _Y, _Z>, _N, _A == BLOCK_LOAD_STRIPED> __t;

 public:
  typedef typename __t::TempStorage TempStorage;
  __LP_CUB_DEVICE BlockLoad() {}
  __LP_CUB_DEVICE BlockLoad(TempStorage &) {}
  template <class _I> __LP_CUB_DEVICE void Load(_I from, _T (&items)[_N]) {
    __load(from, items, __t::__first(), __t::__step);
  }
  template <class _I> __LP_CUB_DEVICE void Load(_I from, _T (&items)[_N], int valid) {
    __load(from, items, __t::__first(), __t::__step, valid);
  }
  template <class _I, class _D> __LP_CUB_DEVICE void Load(_I from, _T (&items)[_N], int valid, _D outside) {
    __fill(items, outside);
    __load(from, items, __t::__first(), __t::__step, valid);
  }
};

template <class _T, int _X, int _N, BlockStoreAlgorithm _A = BLOCK_STORE_DIRECT, int _Y = 1, int _Z = 1, int = 0>
class BlockStore {
  typedef __tile<__block<_X, _Y, _Z>, _N, _A == BLOCK_STORE_STRIPED> __t;

 public:
  typedef typename __t::TempStorage TempStorage;
  __LP_CUB_DEVICE BlockStore() {}
  __LP_CUB_DEVICE BlockStore(TempStorage &) {}
  template <class _I> __LP_CUB_DEVICE void Store(_I to, _T (&items)[_N]) {
    __store(to, items, __t::__first(), __t::__step);
  }
  template <class _I> __LP_CUB_DEVICE void Store(_I to, _T (&items)[_N], int valid) {
    __store(to, items, __t::__first(), __t::__step, valid);
  }
};
}  // namespace __LP_CUB
