// Functions that Clang calls for products and quotients of its own complex numbers, the base of std::complex.
#pragma once
#include <launchpath/keywords.h>

// Without C's recovery of infinities from what has become NaN.
#define __LP_COMPLEX(_T, product, quotient)                                                       \
  extern "C" inline __attribute__((device, always_inline)) _T _Complex product(_T a, _T b, _T c, _T d) { \
    return __builtin_complex(a * c - b * d, a * d + b * c);                                      \
  }                                                                                              \
  /* Scaled, so that the square neither overflows nor vanishes. */                               \
  extern "C" inline __attribute__((device, always_inline)) _T _Complex quotient(_T a, _T b, _T c, _T d) { \
    _T scale = 1 / ((c < 0 ? -c : c) + (d < 0 ? -d : d));                                         \
    a *= scale, b *= scale, c *= scale, d *= scale;                                              \
    _T inverse = 1 / (c * c + d * d);                                                             \
    return __builtin_complex((a * c + b * d) * inverse, (b * c - a * d) * inverse);              \
  }
__LP_COMPLEX(float, __mulsc3, __divsc3)
#ifndef __LP_NO_FP64__
__LP_COMPLEX(double, __muldc3, __divdc3)
#endif
#undef __LP_COMPLEX
