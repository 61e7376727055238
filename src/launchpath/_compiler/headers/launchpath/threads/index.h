// The position of a thread: threadIdx, blockIdx, blockDim, gridDim, warpSize.
#pragma once
#include <launchpath/spirv.h>
#include <launchpath/vector.h>

namespace __lp {
// Members are properties, so that their type is plain unsigned int (a class with a conversion would be deduced as
// itself by templates and auto).
#define __LP_INDEX(name, x0, y0, z0)                                                                       \
  struct name {                                                                                            \
    __declspec(property(get = __x)) unsigned int x;                                                        \
    __declspec(property(get = __y)) unsigned int y;                                                        \
    __declspec(property(get = __z)) unsigned int z;                                                        \
    static inline __attribute__((device, always_inline)) unsigned int __x() { return (unsigned int)(x0); } \
    static inline __attribute__((device, always_inline)) unsigned int __y() { return (unsigned int)(y0); } \
    static inline __attribute__((device, always_inline)) unsigned int __z() { return (unsigned int)(z0); } \
    __attribute__((device, always_inline)) operator dim3() const { return dim3(__x(), __y(), __z()); }     \
    __attribute__((device, always_inline)) operator uint3() const { return uint3{__x(), __y(), __z()}; }   \
                                                                                                           \
    name() = delete;                                                                                       \
    name(const name &) = delete;                                                                           \
    void operator=(const name &) const = delete;                                                           \
  };
#define __LP_INDEX3(name, f) __LP_INDEX(name, f(0), f(1), f(2))
__LP_INDEX3(thread_index, __spirv_BuiltInLocalInvocationId)
__LP_INDEX3(block_index, __spirv_BuiltInWorkgroupId)
__LP_INDEX3(block_size, __spirv_BuiltInWorkgroupSize)
__LP_INDEX3(grid_size, __spirv_BuiltInNumWorkgroups)
#undef __LP_INDEX3
#undef __LP_INDEX
}  // namespace __lp

extern const __device__ __attribute__((weak)) __lp::thread_index threadIdx;
extern const __device__ __attribute__((weak)) __lp::block_index blockIdx;
extern const __device__ __attribute__((weak)) __lp::block_size blockDim;
extern const __device__ __attribute__((weak)) __lp::grid_size gridDim;
static __device__ constexpr int warpSize = 32;
