// What the device side of a program sees of thrust's algorithms, which its host side runs: what kernels take of them,
// and the types that classes and functions are declared with. Nothing of host code is made here.
#pragma once
#include <cstddef>
#include <thrust/device_ptr.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>

namespace thrust {
#define __LP_THRUST(_Type, _Name) __attribute__((host)) _Type _Name;
#define __LP_THRUST_VECTOR(_Name, _Pointer)                                                       \
  template <class _T, class _A = void> struct _Name {                                             \
    typedef _T value_type;                                                                        \
    typedef _T &reference;                                                                        \
    typedef const _T &const_reference;                                                            \
    typedef _Pointer pointer, iterator, reverse_iterator;                                         \
    typedef const pointer const_pointer, const_iterator;                                          \
    typedef std::size_t size_type;                                                                \
    typedef std::ptrdiff_t difference_type;                                                       \
    typedef _A allocator_type;                                                                    \
    template <class... _B> __attribute__((host)) _Name(_B &&...);                                 \
    __LP_THRUST(, ~_Name())                                                                       \
    template <class _B> __LP_THRUST(_Name &, operator=(const _B &))                               \
    __LP_THRUST(reference, operator[](size_type) const)                                           \
    __LP_THRUST(reference, front() const)                                                         \
    __LP_THRUST(reference, back() const)                                                          \
    __LP_THRUST(pointer, data() const)                                                            \
    __LP_THRUST(iterator, begin() const)                                                          \
    __LP_THRUST(iterator, end() const)                                                            \
    __LP_THRUST(size_type, size() const)                                                          \
    __LP_THRUST(size_type, capacity() const)                                                      \
    __LP_THRUST(bool, empty() const)                                                              \
    __LP_THRUST(void, clear())                                                                    \
    __LP_THRUST(void, shrink_to_fit())                                                            \
    __LP_THRUST(void, reserve(size_type))                                                         \
    __LP_THRUST(void, swap(_Name &))                                                              \
    template <class... _B> __LP_THRUST(void, resize(_B &&...))                                    \
    template <class... _B> __LP_THRUST(void, assign(_B &&...))                                    \
    template <class... _B> __LP_THRUST(void, push_back(_B &&...))                                 \
    template <class... _B> __LP_THRUST(iterator, insert(_B &&...))                                \
    template <class... _B> __LP_THRUST(iterator, erase(_B &&...))                                 \
                                                                                                  \
   private:                                                                                       \
    void *__members[4];                                                                           \
  };
__LP_THRUST_VECTOR(device_vector, device_ptr<_T>)
__LP_THRUST_VECTOR(host_vector, _T *)
__LP_THRUST_VECTOR(universal_vector, device_ptr<_T>)
#undef __LP_THRUST_VECTOR

#define __LP_THRUST_CLASS(_Name)                                      \
  template <class... _T> struct _Name {                               \
    template <class... _B> __attribute__((host)) _Name(_B &&...);     \
  };
__LP_THRUST_CLASS(constant_iterator)
__LP_THRUST_CLASS(counting_iterator)
__LP_THRUST_CLASS(device_allocator)
__LP_THRUST_CLASS(device_malloc_allocator)
__LP_THRUST_CLASS(discard_iterator)
__LP_THRUST_CLASS(permutation_iterator)
__LP_THRUST_CLASS(reverse_iterator)
__LP_THRUST_CLASS(transform_iterator)
__LP_THRUST_CLASS(transform_output_iterator)
__LP_THRUST_CLASS(zip_iterator)
#undef __LP_THRUST_CLASS
#undef __LP_THRUST
}  // namespace thrust
