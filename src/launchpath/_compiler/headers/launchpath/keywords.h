// The keywords that HIP and CUDA add to C++, as attributes of Clang.
#pragma once
#include <launchpath/amd/kernel_attributes.h>

// C++17 has no such storage class any more; nvcc and hipcc only warn of it.
#pragma clang diagnostic ignored "-Wregister"

#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __LP_NATIVE__
#define __managed__ __attribute__((managed))
#else
#define __managed__ __attribute__((device))
#endif
#if defined(__LP_LAUNCHES__)
// Clang warns of each use, with the instance's name: see _compiler/extraction/launches/warnings.py.
#define __global__ __attribute__((global, deprecated))
#elif defined(__LP_NATIVE__)
// A debugger stops at the stub of a kernel, by its name, and in the frame above it is the launch.
#define __global__ __attribute__((global, noinline))
#elif defined(__LP_HOST__)
#define __global__ __attribute__((global))
#elif defined(__LP_WHOLE__)
// The whole source is read: host code calls kernels where it launched them, and each instance is compiled.
#define __global__ __attribute__((host, device, used, annotate("__global__")))
#elif defined(__LP_HOST_CALLS__)
// Host code is kept beside kernels, and calls them where it launched them.
#define __global__ __attribute__((host)) __attribute__((device)) __attribute__((annotate("__global__")))
#else
// A device function, which generated kernels call; the annotation is how it is found again.
#define __global__ __attribute__((device)) __attribute__((annotate("__global__")))
#endif

#define __forceinline__ inline __attribute__((always_inline))
// Device functions need to be inlined, which Clang's own keyword of this name would forbid. A word that libc++ can ask
// for as an attribute, and be told that there is none.
#define __noinline__ __inline__
#define __inline_hint__
#define __launch_bounds__(...) __attribute__((annotate("__launch_bounds__", __VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __nv_pure__
#define CUDARTAPI
#define CUDART_CB

// For these headers: device functions, and functions of both sides.
#define __LP_DEVICE static inline __attribute__((device, always_inline))
#define __LP_BOTH static inline __attribute__((host, device, always_inline))
// As templates, so that what they call is made only for sources that use them.
#define __LP_LAZY template <int = 0> __LP_DEVICE
// What stands in for the C library's functions: for the device only, for the host has that library.
#define __LP_CLIB __LP_DEVICE
// libc++ has some of <math.h> with this attribute, by which overload resolution prefers them.
#define __LP_PREFERRED __attribute__((enable_if(true, "")))
// The same for members and templates.
#define __LP_MEMBER __attribute__((host, device, always_inline))
// A function that the SPIR-V target knows by its name; a pure one reads its arguments only.
#define __LP_KNOWN extern __attribute__((device, nothrow))
#define __LP_PURE extern __attribute__((device, nothrow, const))
// Infinity, and what is no number.
#define __LP_INFINITY(_T) ((_T)__builtin_huge_valf())
#define __LP_NAN(_T) ((_T)__builtin_nanf(""))
