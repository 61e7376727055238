// HIP's bfloat16: CUDA's, whose header NVIDIA has. hipRTC brings it along.
#pragma once
#ifdef __CUDACC_RTC__
#include <cuda_bf16.h>
#include <launchpath/half/hip_bfloat16.h>
#ifndef __LP_CUDA__
#include <launchpath/half/hip_half.h>
template <> struct __lp::is_half<__nv_bfloat16> { static constexpr bool value = true; };
#endif
#endif
