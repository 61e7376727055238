// Parts of the language that both compilers lack, and marks for these headers.
#pragma once

// Functions of both sides, for sources may call them from either.
#define __LP_BOTH __host__ __device__ inline
#define __LP_MEMBER __host__ __device__
#define __LP_DEVICE static __device__ inline
// As templates, so that only what a program uses is made.
#define __LP_LAZY template <int = 0> __LP_DEVICE
// What stands in for the C library's functions: there is no other one, so both sides call it.
#define __LP_CLIB __LP_BOTH
#define __LP_PREFERRED  // Clang's attribute, by which it chooses among these and libc++'s

// C++17 has no such storage class any more; nvcc and hipcc only warn of it.
#if defined(__CUDACC_RTC__) && __cplusplus >= 201703L
#define register
#endif

// NVRTC has managed variables. Those of hipRTC the host reaches by the symbol's name only.
#ifndef __CUDACC_RTC__
#undef __managed__
#define __managed__ __device__
#endif

// NVRTC has no other way to an infinity in a constant expression.
#ifdef __CUDACC_RTC__
#define __LP_INFINITY(_T) ((_T)__builtin_bit_cast(float, 0x7f800000))
#define __LP_NAN(_T) ((_T)__builtin_bit_cast(float, 0x7fc00000))
#else
#define __LP_INFINITY(_T) ((_T)__builtin_huge_valf())
#define __LP_NAN(_T) ((_T)__builtin_nanf(""))
#endif

#include <launchpath/hip_macros.h>

#ifndef __CUDACC_RTC__
// In hipRTC's own headers some of namespace std is there and some is not, by version: sources get one of ours in its
// place. What Clang itself knows of std stays there.
#if !__has_include(<initializer_list>) || defined(__HIPCC_RTC__)
namespace std {
template <class _E> class initializer_list {
  const _E *first_;
  __SIZE_TYPE__ size_;

 public:
  typedef _E value_type;
  typedef const _E *iterator;
  __LP_MEMBER constexpr initializer_list() : first_(nullptr), size_(0) {}
  __LP_MEMBER constexpr initializer_list(const _E *first, __SIZE_TYPE__ size) : first_(first), size_(size) {}
  __LP_MEMBER constexpr __SIZE_TYPE__ size() const { return size_; }
  __LP_MEMBER constexpr const _E *begin() const { return first_; }
  __LP_MEMBER constexpr const _E *end() const { return first_ + size_; }
};
}  // namespace std
#endif
namespace __lp_std {
using std::initializer_list;
}
#include <launchpath/cpp_library/structured_bindings.h>
#define std __lp_std
#endif
