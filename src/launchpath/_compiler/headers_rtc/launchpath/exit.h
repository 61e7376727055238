// The C library's functions that end a program: here they end the kernel. hipRTC has abort.
#pragma once
#include <launchpath/keywords.h>

// Templates, so that a program's own functions of these names are the better match.
#ifdef __CUDACC_RTC__
__LP_LAZY void abort() { __trap(); }
#endif
__LP_LAZY void exit(int) { __builtin_trap(); }
