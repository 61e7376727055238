// rocRAND's device functions: cuRAND's, whose header NVIDIA has.
#pragma once
#if defined(__CUDACC_RTC__) && __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define __LP_API(name) rocrand##name
#include <launchpath/rand_names.h>
#undef __LP_API
typedef rocrandStateXORWOW rocrand_state_xorwow;
typedef rocrandStatePhilox4_32_10 rocrand_state_philox4x32_10;
typedef rocrandStateMRG32k3a rocrand_state_mrg32k3a;
#define ROCRAND_XORWOW_DEFAULT_SEED 0ull
#define ROCRAND_PHILOX4x32_DEFAULT_SEED 0ull
#define ROCRAND_MRG32K3A_DEFAULT_SEED 12345ull
#endif
