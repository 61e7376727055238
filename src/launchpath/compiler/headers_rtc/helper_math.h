// Arithmetic on vectors, by the names that CUDA's samples give it.
#pragma once
#include "../headers/helper_math.h"
