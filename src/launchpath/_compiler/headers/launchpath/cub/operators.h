// CUB's operators of pairs, pairs of a key and a value, and what it knows of types.
#pragma once
#include <launchpath/cub/base.h>
#include <launchpath/cub/functors.h>

namespace __LP_CUB {
template <class _K, class _V> struct KeyValuePair {
  typedef _K Key;
  typedef _V Value;
  _K key;
  _V value;
  KeyValuePair() = default;
  __LP_CUB_BOTH KeyValuePair(const _K &k, const _V &v) : key(k), value(v) {}
  __LP_CUB_BOTH bool operator==(const KeyValuePair &b) const { return key == b.key && value == b.value; }
  __LP_CUB_BOTH bool operator!=(const KeyValuePair &b) const { return !(*this == b); }
};
// Among equal values, the least index.
struct ArgMax {
  template <class _K, class _V>
  __LP_CUB_BOTH KeyValuePair<_K, _V> operator()(const KeyValuePair<_K, _V> &a, const KeyValuePair<_K, _V> &b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class _K, class _V>
  __LP_CUB_BOTH KeyValuePair<_K, _V> operator()(const KeyValuePair<_K, _V> &a, const KeyValuePair<_K, _V> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class _B> struct CastOp {
  template <class _A> __LP_CUB_BOTH _B operator()(_A &&a) const { return (_B)a; }
};
template <class _Op> struct SwizzleScanOp {
  _Op __op;
  __LP_CUB_BOTH SwizzleScanOp(_Op op) : __op(op) {}
  template <class _T> __LP_CUB_BOTH _T operator()(const _T &a, const _T &b) { return __op(b, a); }
};
// Sums within segments: the key counts the segments that begin.
template <class _Op> struct ReduceBySegmentOp {
  _Op op;
  ReduceBySegmentOp() = default;
  __LP_CUB_BOTH ReduceBySegmentOp(_Op of) : op(of) {}
  template <class _P> __LP_CUB_BOTH _P operator()(const _P &a, const _P &b) {
    _P both = b;
    both.key = a.key + b.key;
    if (!b.key) both.value = op(a.value, b.value);
    return both;
  }
};
template <class _Op> struct ReduceByKeyOp {
  _Op op;
  ReduceByKeyOp() = default;
  __LP_CUB_BOTH ReduceByKeyOp(_Op of) : op(of) {}
  template <class _P> __LP_CUB_BOTH _P operator()(const _P &a, const _P &b) {
    _P both = b;
    if (a.key == b.key) both.value = op(a.value, b.value);
    return both;
  }
};

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <class _T> struct NumericTraits {
  static constexpr Category CATEGORY = std::is_floating_point_v<_T> ? FLOATING_POINT
                                       : !std::is_integral_v<_T>    ? NOT_A_NUMBER
                                       : std::is_signed_v<_T>       ? SIGNED_INTEGER
                                                                    : UNSIGNED_INTEGER;
  static constexpr bool PRIMITIVE = std::is_arithmetic_v<_T>, NULL_TYPE = std::is_same_v<_T, NullType>;
  typedef typename __lp::bits<PRIMITIVE ? (int)sizeof(_T) : 1>::type UnsignedBits;
  static __LP_CUB_BOTH constexpr _T Max() { return std::numeric_limits<_T>::max(); }
  static __LP_CUB_BOTH constexpr _T Lowest() { return std::numeric_limits<_T>::lowest(); }
};
template <class _T> struct Traits : NumericTraits<std::remove_cv_t<_T>> {};
template <class _T> struct FpLimits : NumericTraits<_T> {};
// Programs derive their own specializations of NumericTraits from it, and specialize FpLimits.
template <Category _Category, bool _Primitive, bool _NullType, class _Bits, class _T> struct BaseTraits {
  static constexpr Category CATEGORY = _Category;
  static constexpr bool PRIMITIVE = _Primitive, NULL_TYPE = _NullType;
  typedef _Bits UnsignedBits;
  static __LP_CUB_BOTH _T Max() { return FpLimits<_T>::Max(); }
  static __LP_CUB_BOTH _T Lowest() { return FpLimits<_T>::Lowest(); }
};
}  // namespace __LP_CUB
