// CUB in the namespace cub. A program that includes it by both names has one of them, and names for that in the other.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cuda_runtime.h>
#ifndef __LP_CUB
#define __LP_CUB cub
#define __LP_CUB_ERROR cudaError_t
#endif
#include <launchpath/cub/all.h>
namespace cub {
using namespace __LP_CUB;
}
}
