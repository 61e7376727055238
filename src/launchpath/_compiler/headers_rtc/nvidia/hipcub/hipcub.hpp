// hipCUB: CUB by its name, and the operators that programs for hipCUB use.
#pragma once
#include <cub/cub.cuh>
#ifndef __LP_CUB
#define __LP_CUB hipcub
#include <launchpath/cub/functors.h>
#endif
#define HIPCUB_WARP_THREADS 32
#define HIPCUB_DEVICE_WARP_THREADS 32
#define HIPCUB_HOST_WARP_THREADS 32
#define HIPCUB_DEVICE __device__
#define HIPCUB_HOST __host__
#define HIPCUB_HOST_DEVICE __host__ __device__
#define HIPCUB_FORCEINLINE __forceinline__
namespace hipcub {
using namespace cub;
}
