// Pointers of thrust: to memory of the device, which kernels take by value. `*p` is a plain reference, not a proxy.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cstddef>
#include <iterator>
#include <type_traits>
namespace thrust {
template <class _T> class device_ptr {
  _T *at = nullptr;

 public:
  typedef _T element_type;
  typedef std::remove_cv_t<_T> value_type;
  typedef _T *raw_pointer;
  typedef std::ptrdiff_t difference_type;
  typedef device_ptr pointer;
  typedef std::add_lvalue_reference_t<_T> reference;
  typedef std::random_access_iterator_tag iterator_category;

  device_ptr() = default;
  __LP_MEMBER constexpr device_ptr(std::nullptr_t) {}
  template <class _U> __LP_MEMBER constexpr explicit device_ptr(_U *pointer) : at(pointer) {}
  // As of plain pointers: to one that is const, or void.
  template <class _U, std::enable_if_t<std::is_convertible<_U *, _T *>::value, int> = 0>
  __LP_MEMBER constexpr device_ptr(const device_ptr<_U> &other) : at(other.get()) {}
  __LP_MEMBER constexpr device_ptr &operator=(std::nullptr_t) { return at = nullptr, *this; }

  __LP_MEMBER constexpr _T *get() const { return at; }
  __LP_MEMBER constexpr explicit operator bool() const { return at != nullptr; }
  __LP_MEMBER constexpr reference operator*() const { return *at; }
  __LP_MEMBER constexpr _T *operator->() const { return at; }
  template <class _I> __LP_MEMBER constexpr reference operator[](_I i) const { return at[i]; }

  __LP_MEMBER constexpr device_ptr &operator++() { return ++at, *this; }
  __LP_MEMBER constexpr device_ptr &operator--() { return --at, *this; }
  __LP_MEMBER constexpr device_ptr operator++(int) { return device_ptr(at++); }
  __LP_MEMBER constexpr device_ptr operator--(int) { return device_ptr(at--); }
  __LP_MEMBER constexpr device_ptr &operator+=(difference_type n) { return at += n, *this; }
  __LP_MEMBER constexpr device_ptr &operator-=(difference_type n) { return at -= n, *this; }
  friend __LP_MEMBER constexpr device_ptr operator+(device_ptr a, difference_type n) { return device_ptr(a.at + n); }
  friend __LP_MEMBER constexpr device_ptr operator+(difference_type n, device_ptr a) { return device_ptr(a.at + n); }
  friend __LP_MEMBER constexpr device_ptr operator-(device_ptr a, difference_type n) { return device_ptr(a.at - n); }
};
template <class _T, class _U>
__LP_MEMBER constexpr std::ptrdiff_t operator-(device_ptr<_T> a, device_ptr<_U> b) {
  return a.get() - b.get();
}
#define __LP_COMPARED(op)                                                         \
  template <class _T, class _U>                                                   \
  __LP_MEMBER constexpr bool operator op(device_ptr<_T> a, device_ptr<_U> b) {    \
    return a.get() op b.get();                                                    \
  }
__LP_COMPARED(==)
__LP_COMPARED(!=)
__LP_COMPARED(<)
__LP_COMPARED(>)
__LP_COMPARED(<=)
__LP_COMPARED(>=)
#undef __LP_COMPARED

template <class _T> __LP_MEMBER constexpr device_ptr<_T> device_pointer_cast(_T *pointer) {
  return device_ptr<_T>(pointer);
}
template <class _T> __LP_MEMBER constexpr device_ptr<_T> device_pointer_cast(const device_ptr<_T> &pointer) {
  return pointer;
}
template <class _T> __LP_MEMBER constexpr _T *raw_pointer_cast(_T *pointer) { return pointer; }
template <class _T> __LP_MEMBER constexpr _T *raw_pointer_cast(const device_ptr<_T> &pointer) { return pointer.get(); }
}  // namespace thrust
}
