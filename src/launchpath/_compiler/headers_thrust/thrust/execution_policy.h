// Programs have the policies of CUDA's system, and rocThrust's of HIP's, without another include.
#pragma once
#include_next <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <launchpath/thrust_along.h>
