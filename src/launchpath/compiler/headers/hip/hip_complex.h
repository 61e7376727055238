// HIP's complex numbers.
#pragma once
#include <launchpath/math.h>
#include <launchpath/vector.h>

#define __LP_C(name) hip##name
#define __LP_MAKE(name) make_hip##name
#include <launchpath/complex/functions.h>
#undef __LP_C
#undef __LP_MAKE
