// rocRAND's device functions: cuRAND's, whose header NVIDIA has.
#pragma once
#if defined(__CUDACC_RTC__) && __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define __LP_API(name) rocrand##name
#include <launchpath/random/names.h>
#undef __LP_API
#include <launchpath/random/rocrand.h>
#endif
