// CUB's iterators. They are laid out as CUB's are, for kernels take them as parameters.
#pragma once
#include <launchpath/cub/thread.h>

namespace __LP_CUB {
// What iterators with random access have, by `__moved(n)`, `operator*` and `__distance(other)`.
template <class _Self, class _T, class _R = _T> struct __iterator {
  typedef _Self self_type;
  typedef ptrdiff_t difference_type;
  typedef _T value_type;
  typedef _T *pointer;
  typedef _R reference;
  typedef std::random_access_iterator_tag iterator_category;
  __LP_CUB_BOTH _Self &__self() { return static_cast<_Self &>(*this); }
  __LP_CUB_BOTH const _Self &__self() const { return static_cast<const _Self &>(*this); }
  __LP_CUB_BOTH _Self &operator++() { return *this += 1; }
  __LP_CUB_BOTH _Self &operator--() { return *this += -1; }
  __LP_CUB_BOTH _Self operator++(int) {
    _Self before = __self();
    *this += 1;
    return before;
  }
  __LP_CUB_BOTH _Self operator--(int) {
    _Self before = __self();
    *this += -1;
    return before;
  }
  template <class _N> __LP_CUB_BOTH _Self &operator+=(_N n) { return __self() = __self().__moved((ptrdiff_t)n); }
  template <class _N> __LP_CUB_BOTH _Self &operator-=(_N n) { return __self() = __self().__moved(-(ptrdiff_t)n); }
  template <class _N> __LP_CUB_BOTH _Self operator+(_N n) const { return __self().__moved((ptrdiff_t)n); }
  template <class _N, class = std::enable_if_t<std::is_integral_v<_N>>> __LP_CUB_BOTH _Self operator-(_N n) const {
    return __self().__moved(-(ptrdiff_t)n);
  }
  __LP_CUB_BOTH ptrdiff_t operator-(const _Self &b) const { return b.__distance(__self()); }
  template <class _N> __LP_CUB_BOTH _R operator[](_N n) const { return *__self().__moved((ptrdiff_t)n); }
  __LP_CUB_BOTH bool operator==(const _Self &b) const { return b.__distance(__self()) == 0; }
  __LP_CUB_BOTH bool operator!=(const _Self &b) const { return b.__distance(__self()) != 0; }
  __LP_CUB_BOTH bool operator<(const _Self &b) const { return b.__distance(__self()) < 0; }
};

template <class _T, class _O = ptrdiff_t>
struct CountingInputIterator : __iterator<CountingInputIterator<_T, _O>, _T> {
  _T __value;
  __LP_CUB_BOTH CountingInputIterator(const _T &value) : __value(value) {}
  __LP_CUB_BOTH _T operator*() const { return __value; }
  __LP_CUB_BOTH CountingInputIterator __moved(ptrdiff_t n) const { return CountingInputIterator((_T)(__value + n)); }
  __LP_CUB_BOTH ptrdiff_t __distance(const CountingInputIterator &to) const {
    return (ptrdiff_t)to.__value - (ptrdiff_t)__value;
  }
};

template <class _T, class _O = ptrdiff_t>
struct ConstantInputIterator : __iterator<ConstantInputIterator<_T, _O>, _T> {
  _T __value;
  _O __offset;
  __LP_CUB_BOTH ConstantInputIterator(_T value, _O offset = 0) : __value(value), __offset(offset) {}
  __LP_CUB_BOTH _T operator*() const { return __value; }
  __LP_CUB_BOTH ConstantInputIterator __moved(ptrdiff_t n) const {
    return ConstantInputIterator(__value, (_O)(__offset + n));
  }
  __LP_CUB_BOTH ptrdiff_t __distance(const ConstantInputIterator &to) const { return to.__offset - __offset; }
};

template <class _T, class _Op, class _I, class _O = ptrdiff_t>
struct TransformInputIterator : __iterator<TransformInputIterator<_T, _Op, _I, _O>, _T> {
  _I __from;
  _Op __op;
  __LP_CUB_BOTH TransformInputIterator(_I from, _Op op) : __from(from), __op(op) {}
  __LP_CUB_BOTH _T operator*() const {
    _Op op = __op;
    return op(*__from);
  }
  __LP_CUB_BOTH TransformInputIterator __moved(ptrdiff_t n) const { return TransformInputIterator(__from + n, __op); }
  __LP_CUB_BOTH ptrdiff_t __distance(const TransformInputIterator &to) const { return to.__from - __from; }
};

// Pairs of an item's index and the item.
template <class _I, class _O = ptrdiff_t,
          class _T = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<_I &>())>>>
struct ArgIndexInputIterator : __iterator<ArgIndexInputIterator<_I, _O, _T>, KeyValuePair<_O, _T>> {
  _I __from;
  _O __offset;
  __LP_CUB_BOTH ArgIndexInputIterator(_I from, _O offset = 0) : __from(from), __offset(offset) {}
  __LP_CUB_BOTH KeyValuePair<_O, _T> operator*() const { return KeyValuePair<_O, _T>(__offset, __from[__offset]); }
  __LP_CUB_BOTH ArgIndexInputIterator __moved(ptrdiff_t n) const {
    return ArgIndexInputIterator(__from, (_O)(__offset + n));
  }
  __LP_CUB_BOTH void normalize() {
    __from += __offset;
    __offset = 0;
  }
  __LP_CUB_BOTH ptrdiff_t __distance(const ArgIndexInputIterator &to) const { return to.__offset - __offset; }
};

template <CacheLoadModifier _M, class _T, class _O = ptrdiff_t>
struct CacheModifiedInputIterator : __iterator<CacheModifiedInputIterator<_M, _T, _O>, _T> {
  const _T *ptr;
  __LP_CUB_BOTH CacheModifiedInputIterator(const _T *at) : ptr(at) {}
  __LP_CUB_BOTH _T operator*() const { return *ptr; }
  __LP_CUB_BOTH CacheModifiedInputIterator __moved(ptrdiff_t n) const { return CacheModifiedInputIterator(ptr + n); }
  __LP_CUB_BOTH ptrdiff_t __distance(const CacheModifiedInputIterator &to) const { return to.ptr - ptr; }
};
template <CacheStoreModifier _M, class _T, class _O = ptrdiff_t>
struct CacheModifiedOutputIterator : __iterator<CacheModifiedOutputIterator<_M, _T, _O>, _T, _T &> {
  _T *ptr;
  __LP_CUB_BOTH CacheModifiedOutputIterator(_T *at) : ptr(at) {}
  __LP_CUB_BOTH _T &operator*() const { return *ptr; }
  __LP_CUB_BOTH CacheModifiedOutputIterator __moved(ptrdiff_t n) const { return CacheModifiedOutputIterator(ptr + n); }
  __LP_CUB_BOTH ptrdiff_t __distance(const CacheModifiedOutputIterator &to) const { return to.ptr - ptr; }
};

// What is written is dropped.
template <class _O = ptrdiff_t> struct DiscardOutputIterator : __iterator<DiscardOutputIterator<_O>, NullType> {
  _O __offset;
  __LP_CUB_BOTH DiscardOutputIterator(_O offset = 0) : __offset(offset) {}
  __LP_CUB_BOTH NullType operator*() const { return NullType(); }
  __LP_CUB_BOTH DiscardOutputIterator __moved(ptrdiff_t n) const { return DiscardOutputIterator((_O)(__offset + n)); }
  __LP_CUB_BOTH ptrdiff_t __distance(const DiscardOutputIterator &to) const { return to.__offset - __offset; }
};
}  // namespace __LP_CUB
