// HIP's __half. Under NVRTC it is CUDA's, of NVIDIA's header. Under hipRTC this file is empty: `__half` is built in.
#pragma once
#ifdef __CUDACC_RTC__
#include <cuda_fp16.h>
#ifndef __LP_CUDA__  // defined for CUDA sources: there the operators stay CUDA's
#include <launchpath/half/hip_half.h>
template <> struct __lp::is_half<__half> { static constexpr bool value = true; };
#endif
#endif
