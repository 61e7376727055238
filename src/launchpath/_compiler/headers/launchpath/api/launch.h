// Functions that Clang calls for `kernel<<<grid, block, shared, stream>>>(...)`, by dialect and version.
#pragma once
#include <launchpath/vector.h>

extern "C" {
#ifdef __LP_CUDA__  // hip.h has HIP's, with its own types
unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
#ifdef __LP_NATIVE__
int hipLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream);
#else
unsigned int hipConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
#endif
#endif
#ifndef __LP_NATIVE__
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
unsigned int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
#endif
}
