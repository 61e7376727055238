// What other files know of the kernel: its name, and the types of its parameters.
#pragma once
#include <launchpath.h>

extern launchpath::kernel<float, const float *, float *, int> saxpy;
