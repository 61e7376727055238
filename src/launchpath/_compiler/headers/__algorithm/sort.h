// libc++'s <__algorithm/sort.h>, whose instances for built-in types are only in its library.
// Kernels have no library: here these are sorted by a heap, which all devices can do (there is no recursion in it).
#ifdef __LP_HOST__
#include_next <__algorithm/sort.h>
#elif !defined(__LP_SORT__)
#define __LP_SORT__
#include <__config>
#include <__algorithm/comp.h>
#include <__functional/operations.h>
#include <__type_traits/enable_if.h>
#include <__type_traits/is_arithmetic.h>

_LIBCPP_BEGIN_NAMESPACE_STD
// Preferred to libc++'s own by the attribute alone.
#define __LP_SORT_DISPATCH(order)                                                                        \
  template <class _P, class _T>                                                                          \
  __attribute__((host, device)) __enable_if_t<is_arithmetic<_T>::value> __sort_dispatch(                 \
      _T *first, _T *last, order &) __attribute__((enable_if(true, "")))
__LP_SORT_DISPATCH(__less<>);
__LP_SORT_DISPATCH(less<_T>);
#if __cplusplus >= 201402L
__LP_SORT_DISPATCH(less<>);
#endif
_LIBCPP_END_NAMESPACE_STD

#include_next <__algorithm/sort.h>
#include <__algorithm/partial_sort.h>

_LIBCPP_BEGIN_NAMESPACE_STD
__LP_SORT_DISPATCH(__less<>) { std::partial_sort(first, last, last); }
__LP_SORT_DISPATCH(less<_T>) { std::partial_sort(first, last, last); }
#if __cplusplus >= 201402L
__LP_SORT_DISPATCH(less<>) { std::partial_sort(first, last, last); }
#endif
#undef __LP_SORT_DISPATCH
_LIBCPP_END_NAMESPACE_STD
#endif
