// HIP's complex numbers.
#pragma once
#define __LP_C(name) hip##name
#define __LP_MAKE(name) make_hip##name
#include "../../headers/launchpath/complex/functions.h"
#undef __LP_C
#undef __LP_MAKE
