// What newer versions of thrust have no more, and published programs derive from.
#pragma once
#include_next <thrust/functional.h>

THRUST_NAMESPACE_BEGIN
#if THRUST_VERSION >= 300000
template <class _Argument, class _Result> struct unary_function {
  typedef _Argument argument_type;
  typedef _Result result_type;
};
template <class _First, class _Second, class _Result> struct binary_function {
  typedef _First first_argument_type;
  typedef _Second second_argument_type;
  typedef _Result result_type;
};
#endif
THRUST_NAMESPACE_END
