// dim3 and the vector types, in CUDA's sizes and alignments (CUDA C++ Programming Guide, "Built-in Vector Types").
#pragma once

namespace __lp {
template <class _T, unsigned int _N> struct vector_of;
template <class _V> using vector_element = typename _V::__lp_element;
template <class _V> inline constexpr int vector_count = _V::__lp_count;
}

// Aggregates in CUDA; in HIP they have constructors too, from one value for all and from one for each. As with HIP's
// own, a number does not become a vector by itself, as an argument of a program's function that takes a vector: that
// would be two conversions. (HIP's own refuse the number in braces too, as in CUDA's `float4 a = {0}`.)
#if !defined(__LP_CUDA__) || defined(__LP_VECTOR_OPERATORS__)
namespace __lp {
template <class _T> struct filling {
  _T value;
  template <class _U, class = enable_if_t<__is_convertible(_U, _T)>>
  __LP_MEMBER constexpr filling(_U v) : value((_T)v) {}
};
}  // namespace __lp
// HIP's own have the elements as a member `data` too: by index, for it takes no memory of its own here.
#define __LP_VECTOR(name, _T, n)                                                      \
  typedef _T value_type, __lp_element;                                                \
  static constexpr int __lp_count = n;                                                \
  __LP_MEMBER constexpr _T __lp_at(unsigned int i) const { return (&x)[i]; }          \
  __LP_MEMBER constexpr _T __lp_put(unsigned int i, _T v) { return (&x)[i] = v; }     \
  __declspec(property(get = __lp_at, put = __lp_put)) _T data[];                      \
  name() = default;
#define __LP_FILL1(name, _T) __LP_MEMBER constexpr name(__lp::filling<_T> v) : x(v.value) {}
#define __LP_FILL2(name, _T)                                                  \
  __LP_MEMBER constexpr name(__lp::filling<_T> v) : x(v.value), y(v.value) {} \
  template <class _A, class _B>                                               \
  __LP_MEMBER constexpr name(_A a, _B b) : x((_T)a), y((_T)b) {}
#define __LP_FILL3(name, _T)                                                              \
  __LP_MEMBER constexpr name(__lp::filling<_T> v) : x(v.value), y(v.value), z(v.value) {} \
  template <class _A, class _B, class _C>                                                 \
  __LP_MEMBER constexpr name(_A a, _B b, _C c) : x((_T)a), y((_T)b), z((_T)c) {}
#define __LP_FILL4(name, _T)                                                                          \
  __LP_MEMBER constexpr name(__lp::filling<_T> v) : x(v.value), y(v.value), z(v.value), w(v.value) {} \
  template <class _A, class _B, class _C, class _D>                                                   \
  __LP_MEMBER constexpr name(_A a, _B b, _C c, _D d) : x((_T)a), y((_T)b), z((_T)c), w((_T)d) {}
#else
#define __LP_VECTOR(name, _T, n)
#define __LP_FILL1(name, _T)
#define __LP_FILL2(name, _T)
#define __LP_FILL3(name, _T)
#define __LP_FILL4(name, _T)
#endif

#define __LP_VECTORS(name, _T, a2, a4)                                                                                \
  struct name##1 { _T x; __LP_VECTOR(name##1, _T, 1) __LP_FILL1(name##1, _T) };                                       \
  struct __attribute__((aligned(a2))) name##2 { _T x, y; __LP_VECTOR(name##2, _T, 2) __LP_FILL2(name##2, _T) };       \
  struct name##3 { _T x, y, z; __LP_VECTOR(name##3, _T, 3) __LP_FILL3(name##3, _T) };                                 \
  struct __attribute__((aligned(a4))) name##4 { _T x, y, z, w; __LP_VECTOR(name##4, _T, 4) __LP_FILL4(name##4, _T) }; \
  __LP_BOTH constexpr name##1 make_##name##1(_T x) { return name##1{x}; }                                              \
  __LP_BOTH constexpr name##2 make_##name##2(_T x, _T y) { return {x, y}; }                                           \
  __LP_BOTH constexpr name##3 make_##name##3(_T x, _T y, _T z) { return {x, y, z}; }                                  \
  __LP_BOTH constexpr name##4 make_##name##4(_T x, _T y, _T z, _T w) { return {x, y, z, w}; }

__LP_VECTORS(char, signed char, 2, 4)
__LP_VECTORS(uchar, unsigned char, 2, 4)
__LP_VECTORS(short, short, 4, 8)
__LP_VECTORS(ushort, unsigned short, 4, 8)
__LP_VECTORS(int, int, 8, 16)
__LP_VECTORS(uint, unsigned int, 8, 16)
__LP_VECTORS(long, long, 16, 16)
__LP_VECTORS(ulong, unsigned long, 16, 16)
__LP_VECTORS(longlong, long long, 16, 16)
__LP_VECTORS(ulonglong, unsigned long long, 16, 16)
__LP_VECTORS(float, float, 8, 16)
__LP_VECTORS(double, double, 16, 16)
// HIP's own name of them.
#if !defined(__LP_CUDA__) || defined(__LP_VECTOR_OPERATORS__)
namespace __lp {
#define __LP_OF(_T, name)                                     \
  template <> struct vector_of<_T, 1> { typedef name##1 type; }; \
  template <> struct vector_of<_T, 2> { typedef name##2 type; }; \
  template <> struct vector_of<_T, 3> { typedef name##3 type; }; \
  template <> struct vector_of<_T, 4> { typedef name##4 type; };
__LP_OF(signed char, char)
__LP_OF(char, char)
__LP_OF(unsigned char, uchar)
__LP_OF(short, short)
__LP_OF(unsigned short, ushort)
__LP_OF(int, int)
__LP_OF(unsigned int, uint)
__LP_OF(long, long)
__LP_OF(unsigned long, ulong)
__LP_OF(long long, longlong)
__LP_OF(unsigned long long, ulonglong)
__LP_OF(float, float)
__LP_OF(double, double)
#undef __LP_OF
}  // namespace __lp
template <class _T, unsigned int _N> using HIP_vector_type = typename __lp::vector_of<_T, _N>::type;
#endif
#undef __LP_VECTORS
#undef __LP_VECTOR
#undef __LP_FILL1
#undef __LP_FILL2
#undef __LP_FILL3
#undef __LP_FILL4

struct dim3 {
  unsigned int x, y, z;
  __LP_MEMBER constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  __LP_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __LP_MEMBER constexpr operator uint3() const { return {x, y, z}; }
};
