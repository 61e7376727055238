// For the math headers: a function in all its forms.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

#define __LP_INTEGER1(name) \
  template <class _T> __LP_DEVICE __lp::enable_if_t<__lp::is_integer<_T>, double> name(_T x) { return name((double)x); }
#define __LP_MIXED2(name)                                                                 \
  template <class _A, class _B> __LP_DEVICE __lp::common_float<_A, _B> name(_A a, _B b) { \
    return name((__lp::common_float<_A, _B>)a, (__lp::common_float<_A, _B>)b);            \
  }

// By Clang's own functions.
#define __LP_BUILTIN1(name)                                             \
  __LP_DEVICE float name##f(float x) { return __builtin_##name##f(x); } \
  __LP_DEVICE float name(float x) { return __builtin_##name##f(x); }    \
  __LP_DEVICE double name(double x) { return __builtin_##name(x); }     \
  __LP_INTEGER1(name)
#ifdef __LP_FAST_MATH__
#define __LP_FAST1(name)                                               \
  __LP_DEVICE float name##f(float x) { return __##name##f(x); }        \
  __LP_DEVICE float name(float x) { return __##name##f(x); }           \
  __LP_DEVICE double name(double x) { return __builtin_##name(x); }    \
  __LP_INTEGER1(name)
#else
#define __LP_FAST1(name) __LP_BUILTIN1(name)
#endif
#define __LP_BUILTIN2(name)                                                         \
  __LP_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); } \
  __LP_DEVICE float name(float x, float y) { return __builtin_##name##f(x, y); }    \
  __LP_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }    \
  __LP_MIXED2(name)

// By OpenCL's.
#define __LP_OPENCL1(name)                                             \
  __LP_PURE float __spirv_ocl_##name(float);                           \
  __LP_PURE double __spirv_ocl_##name(double);                         \
  __LP_DEVICE float name##f(float x) { return __spirv_ocl_##name(x); } \
  __LP_DEVICE float name(float x) { return __spirv_ocl_##name(x); }    \
  __LP_DEVICE double name(double x) { return __spirv_ocl_##name(x); }  \
  __LP_INTEGER1(name)
#define __LP_OPENCL2(name)                                                         \
  __LP_PURE float __spirv_ocl_##name(float, float);                                \
  __LP_PURE double __spirv_ocl_##name(double, double);                             \
  __LP_DEVICE float name##f(float x, float y) { return __spirv_ocl_##name(x, y); } \
  __LP_DEVICE float name(float x, float y) { return __spirv_ocl_##name(x, y); }    \
  __LP_DEVICE double name(double x, double y) { return __spirv_ocl_##name(x, y); } \
  __LP_MIXED2(name)

// By an expression of x (and y) in type T.
#define __LP_FORMULA1(name, ...)                                                                \
  namespace __lp { template <class _T> __LP_DEVICE _T name##_of(_T x) { return __VA_ARGS__; } } \
  __LP_LAZY float name##f(float x) { return __lp::name##_of(x); }                               \
  __LP_LAZY float name(float x) { return __lp::name##_of(x); }                                  \
  __LP_LAZY double name(double x) { return __lp::name##_of(x); }                                \
  __LP_INTEGER1(name)
#define __LP_FORMULA2(name, ...)                                                                      \
  namespace __lp { template <class _T> __LP_DEVICE _T name##_of(_T x, _T y) { return __VA_ARGS__; } } \
  __LP_LAZY float name##f(float x, float y) { return __lp::name##_of(x, y); }                         \
  __LP_LAZY float name(float x, float y) { return __lp::name##_of(x, y); }                            \
  __LP_LAZY double name(double x, double y) { return __lp::name##_of(x, y); }                         \
  __LP_MIXED2(name)
// By a function of one double; float by way of it.
#define __LP_DOUBLE1(name, function)                                      \
  __LP_LAZY float name##f(float x) { return (float)function((double)x); } \
  __LP_LAZY float name(float x) { return (float)function((double)x); }    \
  __LP_LAZY double name(double x) { return function(x); }                 \
  __LP_INTEGER1(name)
