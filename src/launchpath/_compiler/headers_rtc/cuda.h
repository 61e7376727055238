// CUDA's driver API, of which kernels use the version.
#pragma once
#include <launchpath/cuda_version.h>
#ifndef CUDA_VERSION
#define CUDA_VERSION __LP_CUDA_VERSION
#endif
