// HIP's __half: CUDA's, whose header NVIDIA has. hipRTC brings it along.
#pragma once
#ifdef __CUDACC_RTC__
#include <cuda_fp16.h>
#ifndef __LP_CUDA__
#include <launchpath/half/hip_half.h>
template <> struct __lp::is_half<__half> { static constexpr bool value = true; };
#endif
#endif
