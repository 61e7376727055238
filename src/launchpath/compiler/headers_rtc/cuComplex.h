// CUDA's complex numbers.
#pragma once
#define __LP_C(name) cu##name
#define __LP_MAKE(name) make_cu##name
#include "../headers/launchpath/complex/functions.h"
#undef __LP_C
#undef __LP_MAKE
