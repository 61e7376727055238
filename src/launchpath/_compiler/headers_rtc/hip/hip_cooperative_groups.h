// HIP's cooperative groups: CUDA's, whose header NVIDIA has.
#pragma once
#ifdef __CUDACC_RTC__
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#endif
