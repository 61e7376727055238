// The kernel's symbol: defined once, linked by name like a function.
#include "saxpy.hpp"

launchpath::kernel<float, const float *, float *, int> saxpy{"saxpy"};
