// HIP's complex numbers.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#define __LP_C(name) hip##name
#define __LP_MAKE(name) make_hip##name
#include <launchpath/complex/functions.h>
#undef __LP_C
#undef __LP_MAKE
}
