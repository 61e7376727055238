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
#ifdef __LP_NATIVE__
#include <launchpath/api/host_math.h>
#endif
#define __LP_HOST_BITS(name, _T, _F) \
  __attribute__((host)) inline _T name(_F x) { return __builtin_bit_cast(_T, x); }
__LP_HOST_BITS(__float_as_int, int, float)
__LP_HOST_BITS(__float_as_uint, unsigned int, float)
__LP_HOST_BITS(__int_as_float, float, int)
__LP_HOST_BITS(__uint_as_float, float, unsigned int)
__LP_HOST_BITS(__double_as_longlong, long long, double)
__LP_HOST_BITS(__longlong_as_double, double, long long)
#undef __LP_HOST_BITS
__attribute__((host)) inline int __popc(unsigned int x) { return __builtin_popcount(x); }
__attribute__((host)) inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__attribute__((host)) inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
__attribute__((host)) inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
__attribute__((host)) inline int __ffs(int x) { return __builtin_ffs(x); }
__attribute__((host)) inline int __ffsll(long long x) { return __builtin_ffsll(x); }
#elif defined(__LP_HOST_CALLS__)  // beside kernels, for host code that is kept there
#define __LP_CALLS__
#endif
