// Functions that Clang calls for `kernel<<<grid, block, shared, stream>>>(...)`, by dialect and version.
#pragma once
#include <launchpath/vector.h>

extern "C" {
#if !defined(__LP_NATIVE__) || defined(__LP_CUDA__)  // hip_templates.h has it with HIP's own types
unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
#endif
#ifdef __LP_NATIVE__
#ifdef __LP_CUDA__  // in HIP's own dialect it is a function like any other
int hipLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream);
#endif
#else
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
unsigned int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
unsigned int hipConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
#endif
}
