// HIP's numbers of 8 bits. hipRTC brings them along; NVIDIA's header has other names, and not AMD's formats.
#pragma once
#ifdef __CUDACC_RTC__
#include <launchpath/fp8/hip.h>
#endif
