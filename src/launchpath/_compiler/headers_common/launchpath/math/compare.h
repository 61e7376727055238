// <math.h>'s comparisons, which are false where a number is none, and one that says so; of numbers of any two types in
// the type that C++ computes in.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

#define __LP_COMPARE(name, test)                                                                               \
  template <class _A, class _B>                                                                                \
  __LP_CLIB __lp::enable_if_t<sizeof(__lp::common_float<_A, _B>) != 0, bool> name(_A a, _B b) __LP_PREFERRED { \
    __lp::common_float<_A, _B> x = a, y = b;                                                                   \
    return test;                                                                                               \
  }
__LP_COMPARE(isgreater, x > y)
__LP_COMPARE(isgreaterequal, x >= y)
__LP_COMPARE(isless, x < y)
__LP_COMPARE(islessequal, x <= y)
__LP_COMPARE(islessgreater, x < y || x > y)
__LP_COMPARE(isunordered, x != x || y != y)
#undef __LP_COMPARE
