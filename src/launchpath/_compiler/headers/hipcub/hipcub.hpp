// CUB in the namespace hipcub. A program that includes it by both names has one of them, and names for that in the other.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#ifndef __LP_CUB
#define __LP_CUB hipcub
#define __LP_CUB_ERROR hipError_t
#endif
#include <launchpath/cub/all.h>
namespace hipcub {
using namespace __LP_CUB;
}
}
