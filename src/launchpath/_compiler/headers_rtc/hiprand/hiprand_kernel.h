// hipRAND's device functions: cuRAND's, whose header NVIDIA has.
#pragma once
#if defined(__CUDACC_RTC__) && __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define __LP_API(name) hiprand##name
#include <launchpath/random/names.h>
#undef __LP_API
typedef curandDirectionVectors32_t hiprandDirectionVectors32_t;
typedef curandDirectionVectors64_t hiprandDirectionVectors64_t;
#endif
