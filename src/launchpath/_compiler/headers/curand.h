// cuRAND's host API as declarations.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cuda_runtime.h>

#define __LP_API(name) curand##name
#define __LP_WORD(name) CURAND_##name
#define __LP_STREAM cudaStream_t
#include <launchpath/random/host.h>
#undef __LP_API
#undef __LP_WORD
#undef __LP_STREAM
}
