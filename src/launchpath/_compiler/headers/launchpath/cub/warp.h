// WarpReduce, WarpScan and the like, by warp functions, which are errors where the device has none. A logical warp is a
// part of a warp of 32.
#pragma once
#include <launchpath/cub/load.h>
#include <launchpath/threads/warp.h>

#ifdef __LP_NO_WARPS__
#define __LP_CUB_WARP \
  __LP_CUB_DEVICE     \
  __attribute__((unavailable("CUB's primitives of warps need sub-groups, which this device does not have")))
#else
#define __LP_CUB_WARP __LP_CUB_DEVICE
#endif

namespace __LP_CUB {
__LP_WARP unsigned LaneId() { return __lp::lane(); }
__LP_DEVICE unsigned WarpId() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32;
}
__LP_WARP unsigned LaneMaskLt() { return __lanemask_lt(); }
__LP_WARP unsigned LaneMaskLe() { return __lanemask_le(); }
__LP_WARP unsigned LaneMaskGt() { return __lanemask_gt(); }
__LP_WARP unsigned LaneMaskGe() { return __lanemask_ge(); }
__LP_WARP void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
__LP_WARP int WARP_ANY(int p, unsigned mask) { return __any_sync(mask, p); }
__LP_WARP int WARP_ALL(int p, unsigned mask) { return __all_sync(mask, p); }
__LP_WARP unsigned WARP_BALLOT(int p, unsigned mask) { return (unsigned)__ballot_sync(mask, p); }

// Another lane's value, of any type.
template <class _T> __LP_DEVICE _T __from_lane(const _T &value, int at) {
  if constexpr (std::is_arithmetic_v<_T>) {
    return __lp::from_lane(value, (unsigned)at & 31u);
  } else {
    unsigned words[(sizeof(_T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(_T));
    for (unsigned &word : words) word = __lp::word_from(word, (unsigned)at & 31u);
    _T other = value;
    __builtin_memcpy((void *)&other, words, sizeof(_T));
    return other;
  }
}
// `first` and `last` are lanes of the logical warp.
template <int _W, class _T> __LP_WARP _T ShuffleUp(const _T &v, int offset, int first, unsigned) {
  int self = (int)__lp::lane(), from = self - offset;
  return __from_lane(v, self % _W - offset < first ? self : from);
}
template <int _W, class _T> __LP_WARP _T ShuffleDown(const _T &v, int offset, int last, unsigned) {
  int self = (int)__lp::lane(), from = self + offset;
  return __from_lane(v, self % _W + offset > last ? self : from);
}
template <int _W, class _T> __LP_WARP _T ShuffleIndex(const _T &v, int source, unsigned) {
  return __from_lane(v, (int)__lp::lane() / _W * _W + source);
}

template <int _W> struct __logical_warp {
  static_assert(_W >= 1 && _W <= 32, "a logical warp has 1 to 32 threads");
  struct TempStorage {
    char __unused;
  };
  static constexpr int __threads = _W;
  static __LP_CUB_DEVICE int __first() { return (int)__lp::lane() / _W * _W; }
  static __LP_CUB_DEVICE int __rank() { return (int)__lp::lane() % _W; }
  // A bit for each thread of the logical warp.
  static __LP_CUB_DEVICE unsigned __votes(bool vote) {
    return __lp::ballot(vote) >> __first() & (_W == 32 ? ~0u : (1u << _W % 32) - 1u);
  }
};

template <class _T, int _W = 32, int = 0> class WarpReduce : __logical_warp<_W> {
  typedef __logical_warp<_W> __w;

 public:
  typedef typename __w::TempStorage TempStorage;
  __LP_CUB_DEVICE WarpReduce() {}
  __LP_CUB_DEVICE WarpReduce(TempStorage &) {}
  // The result is the first lane's.
  template <class _Op> __LP_CUB_WARP _T Reduce(_T input, _Op op) { return __reduce(input, op, _W); }
  template <class _Op> __LP_CUB_WARP _T Reduce(_T input, _Op op, int valid) { return __reduce(input, op, valid); }
  __LP_CUB_WARP _T Sum(_T input) { return __reduce(input, __LP_CUB::Sum(), _W); }
  __LP_CUB_WARP _T Sum(_T input, int valid) { return __reduce(input, __LP_CUB::Sum(), valid); }
  // The result is that of the first lane of each segment.
  template <class _F, class _Op> __LP_CUB_WARP _T HeadSegmentedReduce(_T input, _F head, _Op op) {
    unsigned after = __w::__votes((bool)head) & (unsigned)(~1ull << __w::__rank());
    return __reduce(input, op, after != 0u ? __ffs((int)after) - 1 : _W);
  }
  template <class _F, class _Op> __LP_CUB_WARP _T TailSegmentedReduce(_T input, _F tail, _Op op) {
    unsigned from = __w::__votes((bool)tail) & (~0u << __w::__rank());
    return __reduce(input, op, from != 0u ? __ffs((int)from) : _W);
  }
  template <class _F> __LP_CUB_WARP _T HeadSegmentedSum(_T input, _F head) {
    return HeadSegmentedReduce(input, head, __LP_CUB::Sum());
  }
  template <class _F> __LP_CUB_WARP _T TailSegmentedSum(_T input, _F tail) {
    return TailSegmentedReduce(input, tail, __LP_CUB::Sum());
  }

 private:
  template <class _Op> static __LP_CUB_DEVICE _T __reduce(_T value, _Op op, int end) {
    int rank = __w::__rank();
    for (int step = 1; step < _W; step *= 2) {
      _T other = __from_lane(value, (int)__lp::lane() + step);
      if (rank + step < end) value = op(value, other);
    }
    return value;
  }
};

template <class _T, int _W = 32, int = 0> class WarpScan : __logical_warp<_W> {
  typedef __logical_warp<_W> __w;

 public:
  typedef typename __w::TempStorage TempStorage;
  __LP_CUB_DEVICE WarpScan() {}
  __LP_CUB_DEVICE WarpScan(TempStorage &) {}

  template <class _Op> __LP_CUB_WARP void InclusiveScan(_T in, _T &out, _Op op) { out = __scan(in, op); }
  // (op, aggregate) or (initial value, op)
  template <class _A, class _B> __LP_CUB_WARP void InclusiveScan(_T in, _T &out, _A &&a, _B &&b) {
    if constexpr (__is_operator<_A, _T>) {
      out = __scan(in, a);
      b = __last(out);
    } else {
      _T seed = (_T)a, all = __scan(in, b);
      out = b(seed, all);
    }
  }
  __LP_CUB_WARP void InclusiveSum(_T in, _T &out) { InclusiveScan(in, out, __LP_CUB::Sum()); }
  __LP_CUB_WARP void InclusiveSum(_T in, _T &out, _T &aggregate) {
    InclusiveScan(in, out, __LP_CUB::Sum(), aggregate);
  }
  // Without an initial value the first lane's output is not defined.
  template <class _Op> __LP_CUB_WARP void ExclusiveScan(_T in, _T &out, _Op op) { out = __before(__scan(in, op)); }
  template <class _A, class _B> __LP_CUB_WARP void ExclusiveScan(_T in, _T &out, _A &&a, _B &&b) {
    if constexpr (__is_operator<_A, _T>) {
      _T all = __scan(in, a);
      out = __before(all);
      b = __last(all);
    } else {
      out = __after((_T)a, __scan(in, b), b);
    }
  }
  template <class _Op> __LP_CUB_WARP void ExclusiveScan(_T in, _T &out, _T initial, _Op op, _T &aggregate) {
    _T all = __scan(in, op);
    out = __after(initial, all, op);
    aggregate = __last(all);
  }
  __LP_CUB_WARP void ExclusiveSum(_T in, _T &out) { ExclusiveScan(in, out, _T{}, __LP_CUB::Sum()); }
  __LP_CUB_WARP void ExclusiveSum(_T in, _T &out, _T &aggregate) {
    ExclusiveScan(in, out, _T{}, __LP_CUB::Sum(), aggregate);
  }
  template <class _Op> __LP_CUB_WARP void Scan(_T in, _T &inclusive, _T &exclusive, _Op op) {
    inclusive = __scan(in, op);
    exclusive = __before(inclusive);
  }
  template <class _Op> __LP_CUB_WARP void Scan(_T in, _T &inclusive, _T &exclusive, _T initial, _Op op) {
    _T all = __scan(in, op);
    inclusive = op(initial, all);
    exclusive = __after(initial, all, op);
  }
  __LP_CUB_WARP void Sum(_T in, _T &inclusive, _T &exclusive) {
    inclusive = __scan(in, __LP_CUB::Sum());
    exclusive = __w::__rank() == 0 ? _T{} : __before(inclusive);
  }
  __LP_CUB_WARP _T Broadcast(_T in, unsigned source) { return __from_lane(in, __w::__first() + (int)source); }

 private:
  template <class _Op> static __LP_CUB_DEVICE _T __scan(_T value, _Op op) {
    int rank = __w::__rank();
    for (int step = 1; step < _W; step *= 2) {
      _T other = __from_lane(value, (int)__lp::lane() - step);
      if (rank >= step) value = op(other, value);
    }
    return value;
  }
  static __LP_CUB_DEVICE _T __last(const _T &all) { return __from_lane(all, __w::__first() + _W - 1); }
  static __LP_CUB_DEVICE _T __before(const _T &all) {
    return __from_lane(all, (int)__lp::lane() - (__w::__rank() > 0 ? 1 : 0));
  }
  template <class _Op> static __LP_CUB_DEVICE _T __after(_T seed, const _T &all, _Op &op) {
    _T before = __before(all);
    if (__w::__rank() > 0) seed = op(seed, before);
    return seed;
  }
};

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
template <class _T, int _N, WarpLoadAlgorithm _A = WARP_LOAD_DIRECT, int _W = 32, int = 0>
class WarpLoad {
  typedef __tile<__logical_warp<_W>, _N, _A == WARP_LOAD_STRIPED> __t;

 public:
  typedef typename __t::TempStorage TempStorage;
  __LP_CUB_DEVICE WarpLoad() {}
  __LP_CUB_DEVICE WarpLoad(TempStorage &) {}
  template <class _I> __LP_CUB_WARP void Load(_I from, _T (&items)[_N]) {
    __load(from, items, __t::__first(), __t::__step);
  }
  template <class _I> __LP_CUB_WARP void Load(_I from, _T (&items)[_N], int valid) {
    __load(from, items, __t::__first(), __t::__step, valid);
  }
  template <class _I, class _D> __LP_CUB_WARP void Load(_I from, _T (&items)[_N], int valid, _D outside) {
    __fill(items, outside);
    Load(from, items, valid);
  }
};
template <class _T, int _N, WarpStoreAlgorithm _A = WARP_STORE_DIRECT, int _W = 32, int = 0>
class WarpStore {
  typedef __tile<__logical_warp<_W>, _N, _A == WARP_STORE_STRIPED> __t;

 public:
  typedef typename __t::TempStorage TempStorage;
  __LP_CUB_DEVICE WarpStore() {}
  __LP_CUB_DEVICE WarpStore(TempStorage &) {}
  template <class _I> __LP_CUB_WARP void Store(_I to, _T (&items)[_N]) {
    __store(to, items, __t::__first(), __t::__step);
  }
  template <class _I> __LP_CUB_WARP void Store(_I to, _T (&items)[_N], int valid) {
    __store(to, items, __t::__first(), __t::__step, valid);
  }
};

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
template <class _T, int _N, int _W = 32, int = 0, WarpExchangeAlgorithm = WARP_EXCHANGE_SMEM>
class WarpExchange : __logical_warp<_W> {
  typedef __logical_warp<_W> __w;

 public:
  struct TempStorage {
    __items<_T, _W * _N> __values;
  };
  __LP_CUB_DEVICE WarpExchange(TempStorage &storage) : __storage(storage) {}
  template <class _O> __LP_CUB_WARP void StripedToBlocked(const _T (&in)[_N], _O (&out)[_N]) {
    for (int i = 0; i < _N; ++i) __storage.__values[__w::__rank() + i * _W] = in[i];
    __syncwarp();
    for (int i = 0; i < _N; ++i) out[i] = __storage.__values[__w::__rank() * _N + i];
  }
  template <class _O> __LP_CUB_WARP void BlockedToStriped(const _T (&in)[_N], _O (&out)[_N]) {
    for (int i = 0; i < _N; ++i) __storage.__values[__w::__rank() * _N + i] = in[i];
    __syncwarp();
    for (int i = 0; i < _N; ++i) out[i] = __storage.__values[__w::__rank() + i * _W];
  }
  template <class _O, class _R>
  __LP_CUB_WARP void ScatterToStriped(const _T (&in)[_N], _O (&out)[_N], const _R (&ranks)[_N]) {
    for (int i = 0; i < _N; ++i) __storage.__values[(int)ranks[i]] = in[i];
    __syncwarp();
    for (int i = 0; i < _N; ++i) out[i] = __storage.__values[__w::__rank() + i * _W];
  }
  template <class _R> __LP_CUB_WARP void ScatterToStriped(_T (&items)[_N], const _R (&ranks)[_N]) {
    ScatterToStriped(items, items, ranks);
  }

 private:
  TempStorage &__storage;
};

// Primitives that are not built here. The parser needs their names: CUDA devices have them from CUB.
#define __LP_CUB_ABSENT(_Name)                                                                                   \
  class _Name {                                                                                                  \
   public:                                                                                                       \
    struct TempStorage {                                                                                         \
      char __unused;                                                                                             \
    };                                                                                                           \
    template <class... _A>                                                                                       \
    __attribute__((device, unavailable("CUB's " #_Name " is not built for OpenCL devices"))) _Name(_A &&...);    \
  };
template <class _K, int _N, int _W = 32, class _V = NullType, int = 0> __LP_CUB_ABSENT(WarpMergeSort)
template <int _X, int, bool, bool = false, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int _Y = 1, int _Z = 1,
          int = 0>
__LP_CUB_ABSENT(BlockRadixRank)
template <int _X, int, bool, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int _Y = 1, int _Z = 1, int = 0>
__LP_CUB_ABSENT(BlockRadixRankMatch)
template <class _T, int _X, int, int, class _O = unsigned, int _Y = 1, int _Z = 1>
__LP_CUB_ABSENT(BlockRunLengthDecode)
#undef __LP_CUB_ABSENT
}  // namespace __LP_CUB
