// HIP's bfloat16: CUDA's, whose header NVIDIA has. hipRTC brings it along.
#pragma once
#ifdef __CUDACC_RTC__
#include <cuda_bf16.h>
#include <launchpath/hip_bfloat16.h>
#endif
