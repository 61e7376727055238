// Whether the functions are wanted (__LP_CALLS__), which only host code calls; and for it the parts of the C and C++
// library that HIP's and CUDA's own headers bring along, and the mathematics that they add to C's. Device code, and a
// parse that skips bodies, make do with the types.
#pragma once
#if defined(__LP_HOST__) && !defined(__LP_OUTLINE__)
#define __LP_CALLS__
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

// The definitions of these are in launchpath's part of each program: glibc has some, from one version or another on.
#define __LP_HOST_MATH(name)                            \
  extern "C" __attribute__((host)) float name##f(float); \
  extern "C" __attribute__((host)) double name(double);  \
  __attribute__((host)) inline float name(float x) { return name##f(x); }
__LP_HOST_MATH(rsqrt)
__LP_HOST_MATH(rcbrt)
__LP_HOST_MATH(sinpi)
__LP_HOST_MATH(cospi)
__LP_HOST_MATH(erfinv)
__LP_HOST_MATH(erfcinv)
__LP_HOST_MATH(erfcx)
__LP_HOST_MATH(normcdf)
__LP_HOST_MATH(normcdfinv)
#undef __LP_HOST_MATH
__attribute__((host)) int __float_as_int(float);
__attribute__((host)) unsigned int __float_as_uint(float);
__attribute__((host)) float __int_as_float(int);
__attribute__((host)) float __uint_as_float(unsigned int);
__attribute__((host)) long long __double_as_longlong(double);
__attribute__((host)) double __longlong_as_double(long long);
__attribute__((host)) int __popc(unsigned int);
__attribute__((host)) int __popcll(unsigned long long);
__attribute__((host)) int __clz(int);
#elif defined(__LP_HOST_CALLS__)  // beside kernels, for host code that is kept there
#define __LP_CALLS__
#endif
