// nvcuda::wmma: small matrices that the threads of a warp hold together, and their products.
//
// Who holds what is each device's own matter. Here a thread holds a part of one row of the sums, the whole of that row
// of the first factor, and a part of one column of the second, so that only the second travels.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <launchpath/threads/warp.h>

namespace nvcuda {
namespace wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <class _T> struct __element { typedef _T type; };
template <> struct __element<precision::tf32> { typedef float type; };

// How many elements a thread holds, and which: of number i the row and the column.
template <class _U, int _M, int _N, int _K> struct __part;
template <int _M, int _N, int _K> struct __part<matrix_a, _M, _N, _K> {
  static constexpr int count = _K;
  __LP_DEVICE int row(int) { return (int)__lp::lane() / (32 / _M); }
  __LP_DEVICE int column(int i) { return i; }
};
template <int _M, int _N, int _K> struct __part<matrix_b, _M, _N, _K> {
  static constexpr int count = _K * _N / 32;
  __LP_DEVICE int row(int i) { return (int)__lp::lane() % (32 / _N) * count + i; }
  __LP_DEVICE int column(int) { return (int)__lp::lane() / (32 / _N); }
};
template <int _M, int _N, int _K> struct __part<accumulator, _M, _N, _K> {
  static constexpr int count = _M * _N / 32;
  __LP_DEVICE int row(int) { return (int)__lp::lane() / (32 / _M); }
  __LP_DEVICE int column(int i) { return (int)__lp::lane() % (32 / _M) * count + i; }
};

template <class _U, int _M, int _N, int _K, class _T, class _L = void> struct fragment {
  typedef typename __element<_T>::type element_type;
  typedef __part<_U, _M, _N, _K> __held;
  static constexpr int num_elements = __held::count, num_storage_elements = __held::count;
  element_type x[num_elements];
};

template <class _U, int _M, int _N, int _K, class _T, class _L>
__LP_DEVICE void fill_fragment(fragment<_U, _M, _N, _K, _T, _L> &f,
                               const __lp::given<typename __element<_T>::type> &v) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = v;
}
template <class _F, class _T> __LP_WARP void __load(_F &f, const _T *from, unsigned width, bool rows) {
  typedef typename _F::__held _H;
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = rows ? from[_H::row(i) * width + _H::column(i)] : from[_H::column(i) * width + _H::row(i)];
}
template <class _U, int _M, int _N, int _K, class _T, class _L, class _E>
__LP_WARP void load_matrix_sync(fragment<_U, _M, _N, _K, _T, _L> &f, const _E *from, unsigned width) {
  __load(f, from, width, __lp::is_same<_L, row_major>);
}
template <int _M, int _N, int _K, class _T>
__LP_WARP void load_matrix_sync(fragment<accumulator, _M, _N, _K, _T> &f, const _T *from, unsigned width,
                                layout_t way) {
  __load(f, from, width, way == mem_row_major);
}
template <int _M, int _N, int _K, class _T>
__LP_WARP void store_matrix_sync(_T *to, const fragment<accumulator, _M, _N, _K, _T> &f, unsigned width, layout_t way) {
  typedef __part<accumulator, _M, _N, _K> _H;
  for (int i = 0; i < f.num_elements; ++i)
    to[way == mem_row_major ? _H::row(i) * width + _H::column(i) : _H::column(i) * width + _H::row(i)] = f.x[i];
}

// Halves are multiplied and summed as floats, bytes as ints.
template <class _T> using __sum =
    __lp::conditional_t<__lp::is_integer<_T>, int, __lp::conditional_t<__lp::is_same<_T, double>, double, float>>;
template <int _M, int _N, int _K, class _D, class _C, class _A, class _B, class _L1, class _L2>
__LP_WARP void mma_sync(fragment<accumulator, _M, _N, _K, _D> &d, const fragment<matrix_a, _M, _N, _K, _A, _L1> &a,
                        const fragment<matrix_b, _M, _N, _K, _B, _L2> &b,
                        const fragment<accumulator, _M, _N, _K, _C> &c, bool = false) {
  typedef __part<accumulator, _M, _N, _K> _H;
  typedef __sum<typename fragment<matrix_a, _M, _N, _K, _A, _L1>::element_type> _S;
  constexpr int share = __part<matrix_b, _M, _N, _K>::count;
  _S sums[_H::count];
  for (int i = 0; i < _H::count; ++i) sums[i] = (_S)c.x[i];
  for (int k = 0; k < _K; ++k) {
    for (int i = 0; i < _H::count; ++i) {
      unsigned from = (unsigned)(_H::column(i) * (32 / _N) + k / share);
      sums[i] += (_S)a.x[k] * (_S)__lp::from_lane(b.x[k % share], from);
    }
  }
  for (int i = 0; i < _H::count; ++i) d.x[i] = (_D)sums[i];
}
__LP_DEVICE float __float_to_tf32(float v) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, v) + 0x1000u) & 0xffffe000u);
}
}  // namespace wmma
}  // namespace nvcuda
