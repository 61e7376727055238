// What both compilers lack of the language, and marks for these headers.
#pragma once

// Functions of both sides, for sources may call them from either.
#define __LP_BOTH __host__ __device__ inline
#define __LP_MEMBER __host__ __device__
#define __LP_DEVICE static __device__ inline

// C++17 has no such storage class any more; nvcc and hipcc only warn of it.
#if defined(__CUDACC_RTC__) && __cplusplus >= 201703L
#define register
#endif

// What the host reaches by the symbol's name only.
#undef __managed__
#define __managed__ __device__

// NVRTC has no other way to an infinity in a constant expression.
#ifdef __CUDACC_RTC__
#define __LP_INFINITY(_T) ((_T)__builtin_bit_cast(float, 0x7f800000))
#define __LP_NAN(_T) ((_T)__builtin_bit_cast(float, 0x7fc00000))
#else
#define __LP_INFINITY(_T) ((_T)__builtin_huge_valf())
#define __LP_NAN(_T) ((_T)__builtin_nanf(""))
#endif

#ifndef hipThreadIdx_x
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#endif
#ifndef HIP_DYNAMIC_SHARED
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#endif
#ifndef HIP_DYNAMIC_SHARED_ATTRIBUTE
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#endif
#ifndef HIP_KERNEL_NAME
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#endif

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
#include <launchpath/bindings.h>
#define std __lp_std
#endif
