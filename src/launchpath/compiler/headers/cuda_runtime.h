// CUDA's main header. What kernels use is always there (launchpath/device.h); this is the host's part.
#pragma once
#include <launchpath/api/cuda.h>
