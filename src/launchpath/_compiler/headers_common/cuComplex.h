// CUDA's complex numbers.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#define __LP_C(name) cu##name
#define __LP_MAKE(name) make_cu##name
#include <launchpath/complex/functions.h>
#undef __LP_C
#undef __LP_MAKE
}
