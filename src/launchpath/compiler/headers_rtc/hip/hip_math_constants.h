// HIP's numbers.
#pragma once
#include "../../headers/hip/hip_math_constants.h"
