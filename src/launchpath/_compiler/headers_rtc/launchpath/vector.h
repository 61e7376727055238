// Traits of vector types for the common headers: NVRTC's types have no such members.
//
// Counts are enumerators: NVRTC makes a device variable of a static member, whether anything uses it or not.
#pragma once

namespace __lp {
template <class _V> struct vector_traits {};
#define __LP_VECTOR(_V, _T, n) \
  template <> struct vector_traits<_V> { typedef _T element; enum { count = n }; };
#define __LP_VECTORS(name, _T) \
  __LP_VECTOR(name##1, _T, 1) __LP_VECTOR(name##2, _T, 2) __LP_VECTOR(name##3, _T, 3) __LP_VECTOR(name##4, _T, 4)
__LP_VECTORS(char, signed char)
__LP_VECTORS(uchar, unsigned char)
__LP_VECTORS(short, short)
__LP_VECTORS(ushort, unsigned short)
__LP_VECTORS(int, int)
__LP_VECTORS(uint, unsigned int)
__LP_VECTORS(long, long)
__LP_VECTORS(ulong, unsigned long)
__LP_VECTORS(longlong, long long)
__LP_VECTORS(ulonglong, unsigned long long)
__LP_VECTORS(float, float)
__LP_VECTORS(double, double)
#undef __LP_VECTORS
#undef __LP_VECTOR
template <class _V> using vector_element = typename vector_traits<_V>::element;
template <class _V> inline constexpr int vector_count = vector_traits<_V>::count;
}  // namespace __lp
