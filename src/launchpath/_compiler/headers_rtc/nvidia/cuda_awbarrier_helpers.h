// CUDA's header, which declares types of <stdint.h> of its own under NVRTC; ours are those of nvcc.
#pragma once
#include <stdint.h>
#undef __CUDACC_RTC__
#include_next <cuda_awbarrier_helpers.h>
#define __CUDACC_RTC__ 1
