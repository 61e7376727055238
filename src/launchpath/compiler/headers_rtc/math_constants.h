// CUDA's numbers.
#pragma once
#include "../headers/math_constants.h"
