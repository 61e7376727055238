// cuda::atomic and cuda::atomic_ref, of the types that the atomic functions take.
#pragma once
#include <launchpath/cuda/scope.h>

namespace cuda {
// What both have; _D says where the value is.
template <class _D, class _T, thread_scope _S> struct __lp_atomic {
  typedef _T value_type;
  static constexpr bool is_always_lock_free = true;
  static constexpr int __in = __lp_scope<_S>;
  static_assert(__lp::is_atomic<_T>, "cuda::atomic takes 4 or 8 byte integers, float and double here");
  typedef __lp::bits_of<_T> __bits;

  __LP_MEMBER volatile _T *__at() const { return static_cast<const _D *>(this)->__place(); }
  __LP_MEMBER bool is_lock_free() const { return true; }
  __LP_MEMBER _T load(memory_order order = memory_order_seq_cst) const {
    __lp_fence<_S>(order == memory_order_seq_cst ? order : memory_order_relaxed);
    __bits bits = __hip_atomic_load(__lp::place((volatile __bits *)__at()), 0, __in);
    __lp_fence<_S>(order);
    return __builtin_bit_cast(_T, bits);
  }
  __LP_MEMBER void store(_T v, memory_order order = memory_order_seq_cst) const {
    __lp_fence<_S>(order);
    __hip_atomic_store(__lp::place((volatile __bits *)__at()), __builtin_bit_cast(__bits, v), 0, __in);
    __lp_fence<_S>(order == memory_order_seq_cst ? order : memory_order_relaxed);
  }
  __LP_MEMBER bool compare_exchange_strong(_T &expected, _T v, memory_order order = memory_order_seq_cst) const {
    __lp_fence<_S>(order);
    _T seen = __lp::compare<__in>(__at(), expected, v);
    bool same = __builtin_bit_cast(__bits, seen) == __builtin_bit_cast(__bits, expected);
    expected = seen;
    __lp_fence<_S>(order);
    return same;
  }
  __LP_MEMBER bool compare_exchange_strong(_T &expected, _T v, memory_order order, memory_order) const {
    return compare_exchange_strong(expected, v, order);
  }
  __LP_MEMBER bool compare_exchange_weak(_T &expected, _T v, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, v, order);
  }
  __LP_MEMBER bool compare_exchange_weak(_T &expected, _T v, memory_order order, memory_order) const {
    return compare_exchange_strong(expected, v, order);
  }
#define __LP_CHANGE(name, does)                                                     \
  __LP_MEMBER _T name(_T v, memory_order order = memory_order_seq_cst) const {      \
    __lp_fence<_S>(order);                                                          \
    _T old = __lp::does<__in>(__at(), v);                                           \
    __lp_fence<_S>(order);                                                          \
    return old;                                                                     \
  }
  __LP_CHANGE(exchange, exchange)
  __LP_CHANGE(fetch_add, add)
  __LP_CHANGE(fetch_sub, sub)
  __LP_CHANGE(fetch_min, minimum)
  __LP_CHANGE(fetch_max, maximum)
  __LP_CHANGE(fetch_and, bit_and)
  __LP_CHANGE(fetch_or, bit_or)
  __LP_CHANGE(fetch_xor, bit_xor)
#undef __LP_CHANGE
  __LP_MEMBER operator _T() const { return load(); }
  __LP_MEMBER _T operator++(int) const { return fetch_add(1); }
  __LP_MEMBER _T operator--(int) const { return fetch_sub(1); }
  __LP_MEMBER _T operator++() const { return fetch_add(1) + 1; }
  __LP_MEMBER _T operator--() const { return fetch_sub(1) - 1; }
  __LP_MEMBER _T operator+=(_T v) const { return fetch_add(v) + v; }
  __LP_MEMBER _T operator-=(_T v) const { return fetch_sub(v) - v; }
  __LP_MEMBER _T operator&=(_T v) const { return fetch_and(v) & v; }
  __LP_MEMBER _T operator|=(_T v) const { return fetch_or(v) | v; }
  __LP_MEMBER _T operator^=(_T v) const { return fetch_xor(v) ^ v; }
  __LP_MEMBER void wait(_T old, memory_order order = memory_order_seq_cst) const {
    while (load(order) == old) {
    }
  }
  __LP_MEMBER void notify_one() const {}
  __LP_MEMBER void notify_all() const {}
};

template <class _T, thread_scope _S = thread_scope_system> struct atomic : __lp_atomic<atomic<_T, _S>, _T, _S> {
  mutable _T __value;
  atomic() = default;
  __LP_MEMBER constexpr atomic(_T v) : __value(v) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
  __LP_MEMBER _T operator=(_T v) {
    this->store(v);
    return v;
  }
  __LP_MEMBER volatile _T *__place() const { return &__value; }
};

template <class _T, thread_scope _S = thread_scope_system>
struct atomic_ref : __lp_atomic<atomic_ref<_T, _S>, _T, _S> {
  _T *__to;
  __LP_MEMBER explicit constexpr atomic_ref(_T &v) : __to(&v) {}
  atomic_ref(const atomic_ref &) = default;
  __LP_MEMBER _T operator=(_T v) const {
    this->store(v);
    return v;
  }
  __LP_MEMBER volatile _T *__place() const { return __to; }
};
}  // namespace cuda
