// CUDA's matrices of a warp.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cuda_runtime.h>
#include <launchpath/matrix/wmma.h>
}
