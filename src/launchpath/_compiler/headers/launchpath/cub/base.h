// What the parts of CUB have in common. __LP_CUB is the namespace, hipcub or cub: the first that a program includes.
#pragma once
#include <iterator>
#include <limits>
#include <type_traits>
#include <launchpath/cub/hipcub.h>
#include <launchpath/threads/index.h>
#include <launchpath/keywords.h>
#include <launchpath/threads/sync.h>

#define __LP_CUB_DEVICE __attribute__((device, always_inline))
#define __LP_CUB_BOTH __attribute__((host, device, always_inline))

#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_WARP_THREADS(...) 32
#define CUB_LOG_WARP_THREADS(...) 5
#define CUB_RUNTIME_FUNCTION __host__
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CubDebug(e) (e)
#define CubDebugExit(e) ((void)(e))

namespace __LP_CUB {
// All algorithms of a primitive are the same here.
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

struct NullType {
  template <class _T> __LP_CUB_BOTH NullType &operator=(const _T &) { return *this; }
  __LP_CUB_BOTH bool operator==(const NullType &) const { return true; }
  __LP_CUB_BOTH bool operator!=(const NullType &) const { return false; }
};
template <int _N> struct Int2Type { enum { VALUE = _N }; };
template <bool _If, class _Then, class _Else> struct If { typedef std::conditional_t<_If, _Then, _Else> Type; };
template <class _A, class _B> struct Equals { enum { VALUE = std::is_same_v<_A, _B>, NEGATE = !VALUE }; };
template <int _N> struct Log2 { enum { VALUE = _N <= 1 ? 0 : 32 - __builtin_clz((unsigned)_N - 1) }; };
template <int _N> struct PowerOfTwo { enum { VALUE = (_N & (_N - 1)) == 0 }; };
// Memory of a type that is not constructed, such as shared memory.
template <class _T> struct Uninitialized {
  alignas(_T) unsigned char __bytes[sizeof(_T)];
  __LP_CUB_BOTH _T &Alias() { return *reinterpret_cast<_T *>(__bytes); }
};

__LP_DEVICE int RowMajorTid(int x, int y, int) {
  return ((int)threadIdx.z * y + (int)threadIdx.y) * x + (int)threadIdx.x;
}

// Items in shared memory, of any type: shared memory is not constructed.
template <class _T, int _N> struct __items {
  alignas(_T) unsigned char __bytes[sizeof(_T) * _N];
  __LP_CUB_DEVICE _T &operator[](int at) { return reinterpret_cast<_T *>(__bytes)[at]; }
};

// A block, whose threads are numbered row by row.
template <int _X, int _Y, int _Z> struct __block {
  static constexpr int __threads = _X * _Y * _Z;
  // Few threads work on the others' values, each on a row of them: no more than a warp.
  static constexpr int __rakers = __threads < 32 ? __threads : 32, __row = (__threads + __rakers - 1) / __rakers;
  static __LP_CUB_DEVICE int __rank() {
    if constexpr (_Y == 1 && _Z == 1)
      return (int)threadIdx.x;
    else
      return ((int)threadIdx.z * _Y + (int)threadIdx.y) * _X + (int)threadIdx.x;
  }
};

// What a primitive is constructed from: shared memory of the program's, or of its own.
#define __LP_CUB_STORED(_Name)                                                         \
  __LP_CUB_DEVICE _Name() : __storage(__own()) {}                                      \
  __LP_CUB_DEVICE _Name(TempStorage &storage) : __storage(storage) {}                  \
                                                                                       \
 private:                                                                              \
  TempStorage &__storage;                                                              \
  static __LP_CUB_DEVICE TempStorage &__own() {                                        \
    static __shared__ TempStorage storage;                                             \
    return storage;                                                                    \
  }                                                                                    \
                                                                                       \
 public:

// Whether an argument is the operator of two items, or a function of the prefix.
template <class _Op, class _T> constexpr bool __is_operator = std::is_invocable_v<_Op &, _T &, _T &>;
template <class _Op, class _T> constexpr bool __is_callback = std::is_invocable_v<_Op &, _T &>;
}  // namespace __LP_CUB
