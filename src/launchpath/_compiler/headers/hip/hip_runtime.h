// HIP's main header. What kernels use is always there (launchpath/device.h); this is the host's part.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <launchpath/api/hip/hip.h>
#include <hip/library_types.h>
#include <launchpath/c_library/glibc.h>
}
