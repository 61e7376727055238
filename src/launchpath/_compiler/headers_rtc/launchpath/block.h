// What the kernels take their arguments by that come in a block of the device's memory, for they are too many to come
// with the launch. Included for programs that have such kernels only.
#pragma once

// What stands in place of `__global__` before the user's own kernels; as long as that, so that columns stay.
#define __lp_here_ __device__ __forceinline__

// What an entry point takes in place of a kernel's arguments: the type tells it from the kernel, and from others.
template <int _N> struct __lp_block_of;

// Calls a kernel.
template <class _Kernel, _Kernel _kernel> struct __lp_caller {
  template <class... _As> static __device__ __forceinline__ void __call(_As &&..._as) {
    (*_kernel)(static_cast<_As &&>(_as)...);
  }
};

// Pointers, and the user's own references, whose addresses are what is given.
template <class _T> struct __lp_in_block {
  static __device__ __forceinline__ _T __load(const unsigned char *_at) { return *reinterpret_cast<const _T *>(_at); }
};
#ifndef __CUDACC_RTC__
// By way of the global address space: kernels' own pointers are known to point there.
template <class _T> struct __lp_in_block<_T *> {
  static __device__ __forceinline__ _T *__load(const unsigned char *_at) {
    return (_T *)(__attribute__((address_space(1))) _T *)*reinterpret_cast<const unsigned long *>(_at);
  }
};
#endif
template <class _T> struct __lp_in_block<_T &> {
  static __device__ __forceinline__ _T &__load(const unsigned char *_at) { return *__lp_in_block<_T *>::__load(_at); }
};

// What is no pointer is read in place, or copied by who takes it by value.
template <class _T> struct __lp_value {
  typedef _T __type;
  static __device__ __forceinline__ const _T &__load(const unsigned char *_at) {
    return *reinterpret_cast<const _T *>(_at);
  }
};
template <class _T> struct __lp_value<const _T &> : __lp_value<_T> {};
