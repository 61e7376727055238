// hipRAND's host API as declarations.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <hip/hip_runtime.h>

#define __LP_API(name) hiprand##name
#define __LP_WORD(name) HIPRAND_##name
#define __LP_STREAM hipStream_t
#include <launchpath/random/host.h>
#undef __LP_API
#undef __LP_WORD
#undef __LP_STREAM
}
