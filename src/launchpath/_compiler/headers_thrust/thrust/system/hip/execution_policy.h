// rocThrust's name of it.
#pragma once
#include <thrust/system/cuda/execution_policy.h>
