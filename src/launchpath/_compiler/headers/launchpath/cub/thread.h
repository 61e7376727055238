// What a thread does by itself: loads and stores with a cache's modifier, which are plain here, reductions and scans.
#pragma once
#include <launchpath/cub/operators.h>

namespace __LP_CUB {
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier _M, class _I> __LP_DEVICE auto ThreadLoad(_I at) {
  typedef std::remove_cv_t<std::remove_reference_t<decltype(*at)>> _T;
  if constexpr ((_M == LOAD_VOLATILE || _M == LOAD_CV) && std::is_scalar_v<_T> && std::is_pointer_v<_I>)
    return (_T)*(const volatile _T *)at;
  else
    return (_T)*at;
}
template <CacheStoreModifier _M, class _I, class _V> __LP_DEVICE void ThreadStore(_I at, _V value) {
  typedef std::remove_reference_t<decltype(*at)> _T;
  if constexpr (_M == STORE_VOLATILE && std::is_scalar_v<_T> && std::is_pointer_v<_I>)
    *(volatile _T *)at = value;
  else
    *at = value;
}

template <int _N, class _T, class _Op> __LP_DEVICE _T __folded(const _T (&items)[_N], _Op &op) {
  _T all = items[0];
  for (int i = 1; i < _N; ++i) {
    _T item = items[i];
    all = op(all, item);
  }
  return all;
}
// `run` is what comes before the items; without it, the first item is only passed on.
template <bool _Exclusive, bool _Seeded, int _N, class _T, class _Op>
__LP_DEVICE void __walk(const _T (&in)[_N], _T (&out)[_N], _T run, _Op &op) {
  for (int i = 0; i < _N; ++i) {
    _T item = in[i];
    if constexpr (_Exclusive) {
      out[i] = _Seeded || i > 0 ? run : item;
      run = _Seeded || i > 0 ? (_T)op(run, item) : item;
    } else {
      run = _Seeded || i > 0 ? (_T)op(run, item) : item;
      out[i] = run;
    }
  }
}
template <int _N, class _T, class _Op> __LP_DEVICE _T ThreadReduce(_T (&items)[_N], _Op op) {
  return __folded(items, op);
}
template <int _N, class _T, class _Op> __LP_DEVICE _T ThreadReduce(_T (&items)[_N], _Op op, _T prefix) {
  for (int i = 0; i < _N; ++i) prefix = op(prefix, items[i]);
  return prefix;
}
template <int _N, class _T, class _Op>
__LP_DEVICE _T ThreadScanInclusive(_T (&in)[_N], _T (&out)[_N], _Op op) {
  __walk<false, false>(in, out, in[0], op);
  return out[_N - 1];
}
template <int _N, class _T, class _Op>
__LP_DEVICE _T ThreadScanInclusive(_T (&in)[_N], _T (&out)[_N], _Op op, _T prefix, bool apply = true) {
  if (apply)
    __walk<false, true>(in, out, prefix, op);
  else
    __walk<false, false>(in, out, prefix, op);
  return out[_N - 1];
}

__LP_DEVICE void CTA_SYNC() { __syncthreads(); }
__LP_DEVICE int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
__LP_DEVICE int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
template <class _T> __LP_DEVICE unsigned BFE(_T source, unsigned first, unsigned count) {
  return (unsigned)(((unsigned long long)source >> first) & ((1ull << count) - 1));
}
template <class _A, class _B> __LP_BOTH constexpr auto DivideAndRoundUp(_A n, _B d) { return n / d + (n % d != 0); }
}  // namespace __LP_CUB
