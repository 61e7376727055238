// C's mathematics: the functions need no include, but the constants do.
#pragma once
#if defined(__LP_LIBCUXX__) && __has_include(<cuda/std/cmath>)
#include <cuda/std/cmath>
#endif
#include <launchpath/math/constants.h>
#include <launchpath/math/mixed_types.h>
#include <launchpath/math/number_kinds.h>
